package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"toposearch/simulate"
)

// In the cut-through model packets go round what has failed too, and loads are those of the endpoints
// that are left.
func TestCutThroughFailures(t *testing.T) {
	args := []string{"--model", "cut_through", "--load", "0.2", "-q", "--cycles", "200000", "--warmup", "10000", "--fail"}
	var ring, tree simulate.CutDocument
	// A ring of 6 without a link is a path: 7/3 hops on the average, where a ring has 9/5.
	decode(t, "toposearch.simulate/1", &ring, append([]string{"simulate", "ring(n=6)", "--routing", "minimal"}, append(args, "switch[0]-switch[1]")...)...)
	if p := ring.Points[0]; math.Abs(p.Hops.Mean-7.0/3) > 0.03 || p.Saturated || p.Unreachable > 0 || len(ring.Failed.Links) != 1 || math.Abs(p.Accepted-0.2) > 0.01 {
		t.Errorf("ring: %.4f hops, accepted %.4f, %+v", p.Hops.Mean, p.Accepted, ring.Failed)
	}
	// 14 of 16 endpoints are left, and of the 15 to which each sends 13 can be reached.
	decode(t, "toposearch.simulate/1", &tree, append([]string{"simulate", "fattree(k=4,l=3)"}, append(args, "leaf[0]")...)...)
	if p := tree.Points[0]; math.Abs(p.Accepted-0.2*13/15) > 0.005 || p.Saturated || p.Unreachable == 0 || p.Fairness.Received.Min < 0.1 {
		t.Errorf("tree: accepted %.4f, want %.4f; %+v", p.Accepted, 0.2*13/15, p.Fairness)
	}
}

// Failures by name and by lot; the routing goes round them, or is refused with one that can.
func TestSimulateFailures(t *testing.T) {
	quick := func(args ...string) []string {
		return append([]string{"simulate"}, append(args, "--cycles", "500", "--warmup", "200", "--load", "0.2", "-q")...)
	}
	var doc simulate.Document
	decode(t, "toposearch.simulate/1", &doc, quick("fattree(k=8,l=3)", "--fail", "leaf[0]-agg[0]", "--fail-links", "2", "--fail-seed", "3")...)
	if f := doc.Failed; f == nil || len(f.Links) < 2 || len(f.Links) > 3 || f.Unreachable != nil || doc.Points[0].Unreachable != 0 {
		t.Errorf("failed %+v, %d unreachable", doc.Failed, doc.Points[0].Unreachable)
	}
	// Direct ways of three hops, through groups in which packets choose again, leave VCs for what they may choose.
	decode(t, "toposearch.simulate/1", &doc, "simulate", "slimfly(q=5)", "--routing", "q_adaptive", "--load", "0.5", "--fail-links", "2", "-q", "--json")
	if x := doc.Points[0].Accepted; x < 0.49 {
		t.Errorf("Slim Fly by q_adaptive with two failed links accepts %g of 0.5", x)
	}
	// Leaf 0 and its two endpoints of sixteen: 2*15 + 2*14 ordered pairs less those counted twice.
	doc = simulate.Document{}
	decode(t, "toposearch.simulate/1", &doc, quick("fattree(k=4,l=3)", "--fail", "leaf[0]")...)
	u := doc.Failed.Unreachable
	if u == nil || u.NoPort != 2 || u.Pairs != 16*15-14*13 || doc.Points[0].Saturated || doc.Points[0].Unreachable == 0 {
		t.Errorf("failed %+v, point %+v", u, doc.Points[0].Point)
	}
	if a := doc.Points[0].Fairness.Received; a.Min == 0 {
		t.Errorf("endpoints that are cut off count as starved: %+v", a)
	}
	for _, c := range []struct{ args, want string }{
		{"dragonfly(p=2,a=4,h=2) --fail switch[0]-switch[31]", "use --routing minimal"},
		{"dragonfly(p=2,a=4,h=2) --fail-links 91", "0 to 90 can fail"},
		{"dragonfly(p=2,a=4,h=2) --fail-switches x", "write a number, or a share"},
		{"dragonfly(p=2,a=4,h=2) --fail switch[0]-switch[6]", "there is no link between the two; switch[0] is linked to switch[1]"},
		{"dragonfly(p=2,a=4,h=2) --fail leaf[3]", `the last is switch[35]`},
		{"dragonfly(p=2,a=4,h=2) --fail endpoint[0]-switch[1]", "has no link to that switch"},
		{"dragonfly(p=2,a=4,h=2) --fail endpoint[72]-switch[1]", "endpoint[71]"},
	} {
		status, _, errw := command(t, quick(strings.Fields(c.args)...)...)
		if status != exitUsage || !strings.Contains(errw, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, status, errw)
		}
	}
	// The routing named in the refusal does it, whatever fails first.
	doc = simulate.Document{}
	decode(t, "toposearch.simulate/1", &doc, quick("dragonfly(p=2,a=4,h=2)", "--fail", "switch[0]-switch[31]", "--routing", "minimal")...)
	if doc.Points[0].Unreachable != 0 || doc.Points[0].Saturated {
		t.Errorf("minimal: %+v", doc.Points[0].Point)
	}
}

// No failures at all, as a number or as a share, change nothing; all links are a share too.
func TestFailNothing(t *testing.T) {
	points := func(args ...string) string {
		status, out, errs := call(append([]string{"simulate", "fattree(k=4,l=3)", "--load", "0.4", "--cycles", "1000", "--json"}, args...)...)
		if status != 0 {
			t.Fatalf("%v: exit status %d, %s", args, status, errs)
		}
		var doc struct{ Points []map[string]any }
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		delete(doc.Points[0], "wall_s")
		text, err := json.Marshal(doc.Points)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := points()
	for _, none := range [][]string{{"--fail-links", "0%"}, {"--fail-links", "0", "--fail-switches", "0 %"}, {"--fail-switches", "0.0"}} {
		if got := points(none...); got != want {
			t.Errorf("%v: %s\nwithout: %s", none, got, want)
		}
	}
	for text, want := range map[string]int{"100%": 20, "0%": 0, "25%": 5, "3": 3, "0.05": 1} {
		if n, err := howMany("fail-links", text, 20); err != nil || n != want {
			t.Errorf("%s of 20: %d, %v; want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"101%", "-1%", "x%", "21", "1.5", "NaN"} {
		if n, err := howMany("fail-links", text, 20); err == nil {
			t.Errorf("%s of 20: %d, want an error", text, n)
		}
	}
}
