package main

import (
	"slices"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

// A failure while the network runs is reported phase by phase, with names, in both models; the page says the same.
func TestSimulateOutages(t *testing.T) {
	args := []string{"simulate", "fattree(k=4,l=3)", "--load", "0.4", "-q", "--fail", "leaf[0]@1000..3000", "--fail", "leaf[1]-agg[0]@1500", "--reroute-after", "400", "--cycles", "6000", "--warmup"}
	flitArgs, cutArgs := append(slices.Clone(args), "500"), append(slices.Clone(args), "20000", "--model", "cut_through")
	var doc simulate.Document
	decode(t, "toposearch.simulate/1", &doc, flitArgs...)
	f := doc.Points[0].Failures
	if f == nil || f.Generated != f.Delivered+f.Lost.Packets+f.UnderWay || f.Lost.AtPort == 0 {
		t.Fatalf("%+v", f)
	}
	type phase struct {
		from  float64
		down  string
		known string
		pairs int64
	}
	// Leaf 0 has two of 16 endpoints: 16*15 - 14*13 pairs without a route.
	const link, cut = "leaf[1]-agg[0]", 16*15 - 14*13
	want := []phase{{0, "", "", 0}, {1000, "leaf[0]", "", 0}, {1400, "leaf[0]", "leaf[0]", cut}, {1500, "leaf[0] " + link, "leaf[0]", cut},
		{1900, "leaf[0] " + link, "leaf[0] " + link, cut}, {3000, link, "leaf[0] " + link, cut}, {3400, link, link, 0}}
	if len(f.Phases) != len(want) {
		t.Fatalf("%d phases, want %d", len(f.Phases), len(want))
	}
	for i, w := range want {
		p := f.Phases[i]
		if got := (phase{p.From, strings.Join(p.Down, " "), strings.Join(p.Known, " "), p.UnreachablePairs}); got != w || p.Stale != (w.down != w.known) || p.Packets == 0 {
			t.Errorf("phase %d: %+v stale %t, want %+v", i, got, p.Stale, w)
		}
	}
	if last := f.Phases[6]; last.Lost.Packets != 0 || last.To != 6000 {
		t.Errorf("last phase %+v", last)
	}
	if o, ok := doc.Config["outages"].([]any); !ok || len(o) != 2 || doc.Config["reroute_after"] != 400.0 || doc.Config["tables_discard"] != false {
		t.Errorf("config %v", doc.Config)
	}
	var other simulate.CutDocument
	decode(t, "toposearch.simulate/1", &other, cutArgs...)
	if g := other.Points[0].Failures; g == nil || len(g.Phases) != len(want) || g.Lost.Bytes != 4096*g.Lost.Packets || g.Phases[4].UnreachablePairs != cut {
		t.Errorf("cut-through: %+v", g)
	}
	for _, c := range []struct {
		args []string
		want string
	}{{flitArgs, "cycles"}, {cutArgs, "us"}} {
		status, out, errs := call(c.args...)
		if status != 0 || !strings.Contains(out, "leaf[0] down; tables as if all worked") || !strings.Contains(out, "all works") || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d, %s%s", c.args, status, out, errs)
		}
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 80 {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
	}
}

// Failures that cannot be are refused with what is wrong and what would do.
func TestOutagesRefused(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct{ args, want string }{
		{"--fail switch[0]-switch[31]@200..600", "needs --reroute-after"},
		{"--fail switch[0]@5 --reroute-after direct", "or use --model cut_through"},
		{"--reroute-after 5", "goes with --fail ...@"},
		{"--fail switch[0]-switch[31]@600..200 --reroute-after 5", "cannot be back at 200"},
		{"--fail switch[0]-switch[31]@600..600 --reroute-after 5", "cannot be back at 600"},
		{"--fail switch[99]@5 --reroute-after 5", `there is no switch "switch[99]"`},
		{"--fail switch[0]-switch[6]@5 --reroute-after 5", "there is no link between the two"},
		{"--fail switch[0]@x --reroute-after 5", "write @5000 or @5000..20000"},
		{"--fail switch[0]@5..x --reroute-after 5", "write @5000 or @5000..20000"},
		{"--fail switch[0]@20000 --reroute-after 5", "behind the measured window of 1000"},
		{"--fail switch[0]@5..1000 --reroute-after 5", "behind the measured window of 1000"},
		{"--fail switch[0]@-4 --reroute-after 5", "not within the measured window"},
		{"--fail switch[0]@5 --reroute-after -5", "write a number of cycles"},
		{"--fail switch[0]@5 --reroute-after soon", "or never"},
		{"--fail-links 500@5 --reroute-after 9", "0 to 90 can fail"},
		{"--fail-switches 50%@5 --reroute-after 9 --saturation", "--saturation does not go with --fail ...@"},
		{"--fail switch[0]@5 --reroute-after 9 --precision 1%", "--precision does not go with --fail ...@"},
		{"--fail switch[0]@5 --reroute-after 9 --check-deadlock", "--check-deadlock does not go with --fail ...@"},
		{"--fail switch[0]@5 --reroute-after 9 --bench", "--bench does not go with --fail ...@"},
		// The natural routing has one way between two groups: it cannot be repaired.
		{"--fail switch[0]-switch[31]@200 --reroute-after 5", "after the failure of switch[0]-switch[31]: routing natural cannot avoid what has failed"},
		{"--fail switch[0]-switch[31]@200 --reroute-after 5", "use --routing minimal"},
	} {
		args := append([]string{"simulate", "dragonfly(p=2,a=4,h=2)", "--load", "0.2", "--cycles", "1000", "-q"}, strings.Fields(c.args)...)
		if status, _, errs := call(args...); status != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, status, errs)
		}
	}
	// Of what has failed before the rest is unreachable, whatever fails later; tables behind the window do not follow.
	var doc simulate.Document
	decode(t, "toposearch.simulate/1", &doc, "simulate", "fattree(k=4,l=3)", "--load", "0.2", "--cycles", "1000", "-q", "--fail", "leaf[0]", "--fail", "leaf[1]@200", "--reroute-after", "1000000000000000000")
	if u := doc.Failed.Unreachable; u == nil || u.Pairs != 16*15-14*13 || len(doc.Points[0].Failures.Phases) != 2 {
		t.Errorf("failed before: %+v; %+v", u, doc.Points[0].Failures)
	}
	// Tables that are never repaired need no route round it.
	if status, _, errs := call("simulate", "dragonfly(p=2,a=4,h=2)", "--load", "0.2", "--cycles", "1000", "-q", "--fail", "switch[0]-switch[31]@200", "--reroute-after", "never"); status != 0 {
		t.Errorf("never: %s", errs)
	}
}

// In the cut-through model tables follow when news of a failure has come to the last source concerned; direct news is the default,
// and comes sooner than from switch to switch, so that less is lost.
func TestRerouteByNews(t *testing.T) {
	racing.Figures(t)
	lost, after := map[string]int64{}, map[string]float64{}
	for _, how := range []string{"", "direct", "hop_by_hop"} {
		args := []string{"simulate", "ubmesh(x=4,y=4,z=2,w=2,lx=8,ly=8,lz=16,lw=16)", "--model", "cut_through", "--load", "0.2", "--cycles", "100000", "-q", "--fail", "lrs[0]-lrs[16]@20000"}
		if how != "" {
			args = append(args, "--reroute-after", how)
		}
		var doc simulate.CutDocument
		decode(t, "toposearch.simulate/1", &doc, args...)
		lost[how], after[how] = doc.Points[0].Failures.Lost.Packets, doc.Config["reroute_after"].(float64)
	}
	if after[""] != after["direct"] || lost[""] != lost["direct"] || after["direct"] < 20_000 || after["hop_by_hop"] < 1.5*after["direct"] || lost["hop_by_hop"] <= lost["direct"] {
		t.Errorf("after %v, lost %v", after, lost)
	}
}
