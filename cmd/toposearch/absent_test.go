package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simulate"
)

// keys are the keys of a point of a document.
func keys(t *testing.T, doc any) map[string]json.RawMessage {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var at map[string]json.RawMessage
	if err := json.Unmarshal(text, &at); err != nil {
		t.Fatal(err)
	}
	return at
}

// TestNothingArrived: where no packet of the window has arrived there is no latency and there are no hops,
// in no model: absent in JSON, dashes in text. What was accepted, 0, is measured.
func TestNothingArrived(t *testing.T) {
	for _, c := range []struct{ args, absent string }{
		{"fattree(k=4,l=3) --load 0.0001 --cycles 20 --series 1000", "latency network_latency hops"},
		{"fattree(k=4,l=3) --model cut_through --load 0.0001 --cycles 100 --series 1000", "latency network_latency hops latency_us network_latency_us ecn_share"},
		{"--booksim " + booksimConfigs + "mesh8x8_dor_uniform.cfg injection_rate=0.0000001 sample_period=10 max_samples=2", "latency network_latency hops latency_min network_latency_min flit_latency flit_latency_min fragmentation"},
	} {
		args := append([]string{"simulate", "--quiet"}, strings.Fields(c.args)...)
		status, out, errs := call(append(args, "--json")...)
		if status != exitOK {
			t.Fatalf("%s: exit status %d: %s", c.args, status, errs)
		}
		var doc struct{ Points []json.RawMessage }
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		at := keys(t, doc.Points[0])
		if string(at["packets"]) != "0" || string(at["accepted"]) != "0" {
			t.Fatalf("%s: packets %s, accepted %s; want 0 and 0", c.args, at["packets"], at["accepted"])
		}
		for _, key := range strings.Fields(c.absent) {
			if v, ok := at[key]; ok {
				t.Errorf("%s: %s = %s of no packet", c.args, key, v)
			}
		}
		if strings.Contains(string(at["series"]), `"accepted":0,"latency"`) {
			t.Errorf("%s: samples without a packet have a latency", c.args)
		}
		if _, out, _ = call(args...); !regexp.MustCompile(`(?m)^0\.0001.* - +- +- |packet latency +-`).MatchString(out) || strings.Contains(out, "NaN") {
			t.Errorf("%s:\n%s", c.args, out)
		}
	}
}

// TestNothingMeasured: a load that ended in its warm-up accepted nothing that was measured: absent, too, in
// every document and in the loads of a search for saturation.
func TestNothingMeasured(t *testing.T) {
	ended := simcore.Point{Offered: 0.5, Cycles: 100, Deadlocked: true}
	whole := simcore.Point{Offered: 0.5, Cycles: 100, Measured: 50}
	type searched struct{ Points []json.RawMessage }
	of := func(doc any) json.RawMessage {
		var s searched
		text, err := json.Marshal(doc)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s.Points[0]
	}
	for _, p := range []simcore.Point{ended, whole} {
		cut := cutthrough.Point{Point: p}
		for name, doc := range map[string]any{
			"load": simulate.Point{Point: p, WallS: 1}, "cut-through load": simulate.CutPoint{Point: cut, WallS: 1},
			"loop": &simulate.LoopDocument{LoopResult: simcore.LoopResult{Point: p}}, "cut-through loop": &simulate.CutLoopDocument{LoopResult: cutthrough.LoopResult{Point: cut}},
			"saturation": of(&simcore.Saturation{Points: []simcore.Point{p}}), "cut-through saturation": of(&cutthrough.Saturation{Points: []cutthrough.Point{cut}}),
		} {
			at := keys(t, doc)
			if string(at["offered"]) != "0.5" || string(at["cycles"]) != "100" {
				t.Errorf("%s: %v", name, at)
			}
			for _, key := range []string{"accepted", "accepted_stderr", "accepted_ci95", "accepted_min", "accepted_max", "accepted_gbps"} {
				if v, ok := at[key]; ok != (p.Measured > 0) && (key != "accepted_gbps" || strings.HasPrefix(name, "cut")) {
					t.Errorf("%s, %d cycles measured: %s = %s", name, p.Measured, key, v)
				}
			}
		}
	}
}
