package run

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
)

// simStudy asks for the cheapest network with the largest measured saturation load.
func simStudy(t testing.TB, limits ...constraints.Limit) *study.Study {
	st := searchtest.Pods(t, "zcube")
	st.Objectives = []objectives.Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.SimSaturation, Better: metric.Higher}}
	st.Verify = study.Verify{Finalists: 2, Traffic: []string{"uniform"}, Cycles: 200, Packet: 2, Loads: 2}
	st.Constraints.Limits = append(slices.Clone(st.Constraints.Limits), limits...)
	return st
}

// The front of a made-up search is judged by what was measured: b is rejected by the limit, c
// dominated by a, d was not simulated; and the order is that of the study's objectives.
func TestRejudge(t *testing.T) {
	bound := constraints.Limit{Key: metric.SimSaturation, Name: "limits.sim_saturation", Bound: 0.3}
	p := searchtest.RealModel(t, simStudy(t, bound))
	if got := p.Objectives; len(got) != 2 || got[0].Key != metric.Cost || got[1].Key != metric.UniformThroughput || got[1].Enough != 1 {
		t.Fatalf("searched with %+v", got)
	}
	if slices.ContainsFunc(p.Limits, func(l constraints.Limit) bool { return l.Key == metric.SimSaturation }) {
		t.Fatal("the measured limit is judged in the search")
	}
	rec := func(name string, cost, sat float64) search.Record {
		r := search.Record{Design: name, Metrics: map[string]metric.Figure{"cost": {Value: cost}}, Absent: map[string]string{"sim_saturation": "not yet"}}
		if sat >= 0 {
			r.Verified = &search.Verified{Saturation: map[string]float64{"uniform": sat}}
		}
		return r
	}
	f := &search.Front{Complete: true, Front: []search.Record{rec("e", 9, 0.9), rec("a", 2, 0.6), rec("b", 1, 0.2), rec("c", 3, 0.5), rec("d", 1, -1)}}
	verify.Rejudge(p, f)
	var names []string
	for _, r := range f.Front {
		names = append(names, r.Design)
		if r.Objectives["sim_saturation"] != r.Metrics["sim_saturation"].Value || r.Absent["sim_saturation"] != "" || len(r.Objectives) != 2 {
			t.Errorf("%s: %+v %+v", r.Design, r.Objectives, r.Metrics)
		}
	}
	s := f.Simulated
	if strings.Join(names, "") != "ae" || f.Complete || s.Measured != 4 || s.Candidates != 5 || len(s.Rejected) != 1 || s.Rejected[0].Design != "b" ||
		strings.Join(s.Dominated, "") != "c" || strings.Join(s.NotMeasured, "") != "d" {
		t.Errorf("front %v, %+v", names, s)
	}
	if strings.Join(f.Objectives, " ") != "cost sim_saturation" {
		t.Errorf("objectives %v", f.Objectives)
	}
	for name, want := range map[string]string{"b": "", "c": Dominated, "d": NotFound} {
		x := &Explanation{Design: name}
		if !x.explainSimulated(s) || x.Verdict != want || name == "b" && (len(x.Misses) != 1 || x.Misses[0].Got != 0.2) {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// Nothing measured is asked: nothing changes.
func TestNothingSimulated(t *testing.T) {
	st := searchtest.Pods(t, "zcube")
	p := searchtest.RealModel(t, st)
	if p.SimulatedNote() != "" || len(p.Objectives) != len(st.Objectives) || len(p.Limits) != len(st.Constraints.Limits) {
		t.Errorf("note %q", p.SimulatedNote())
	}
	f := &search.Front{Complete: true}
	if verify.Rejudge(p, f); f.Simulated != nil || !f.Complete {
		t.Errorf("front %+v", f)
	}
}

// The whole path: the search is steered by the stand-in, finalists are simulated, the same bytes
// with one worker or two; with a limit that nothing meets, the reason names the nearest.
func TestSimulatedRun(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	st := simStudy(t)
	p := searchtest.RealModel(t, st)
	out, _, front := runIn(t, p, create(t, st), search.Options{Workers: 2})
	s := out.Front.Simulated
	if out.Status != search.Done || s == nil || s.Measured == 0 || s.Measured > 2 || len(out.Front.Front) == 0 {
		t.Fatalf("status %d (%s), %+v", out.Status, out.Reason, s)
	}
	for i, r := range out.Front.Front {
		if r.Verified == nil || r.Objectives["sim_saturation"] != r.Verified.Saturation["uniform"] {
			t.Errorf("%s: %+v", r.Design, r.Objectives)
		}
		if i > 0 && (r.Objectives["cost"] < out.Front.Front[i-1].Objectives["cost"] || r.Objectives["sim_saturation"] <= out.Front.Front[i-1].Objectives["sim_saturation"]) {
			t.Errorf("%s is dominated or out of order", r.Design)
		}
	}
	if _, _, again := runIn(t, searchtest.RealModel(t, st), create(t, st), search.Options{Workers: 1}); again != front {
		t.Error("one worker gives another front")
	}
	st = simStudy(t, constraints.Limit{Key: metric.SimLatencyHalfLoad, Name: "limits.sim_latency_half_load", Max: true, Bound: 1})
	out, _, _ = runIn(t, searchtest.RealModel(t, st), create(t, st), search.Options{Workers: 2})
	if out.Status != search.BudgetEnded || len(out.Front.Front) != 0 || !strings.Contains(out.Reason, "sim_latency_half_load") || !strings.Contains(out.Reason, "nearest is") {
		t.Errorf("status %d: %s", out.Status, out.Reason)
	}
}

// A single design is measured as a finalist is.
func TestMeasure(t *testing.T) {
	racing.Figures(t)
	d := familytest.Parse(t, "zcube(n=4,k=2)")
	v := study.Verify{Traffic: []string{"uniform"}, Cycles: 500, Packet: 2, Loads: 2}
	m, err := verify.Measure(context.Background(), d, evaluator.Options{}, v, 1)
	if err != nil {
		t.Fatal(err)
	}
	sat, half := m.Metrics[metric.SimSaturation], m.Metrics[metric.SimLatencyHalfLoad]
	if sat.Lo > sat.Value || sat.Hi < sat.Value || sat.Value < 0.4 || sat.Value > 1 || half.Lo >= half.Value || half.Hi <= half.Value || half.Value < 5 {
		t.Errorf("saturation %+v, latency %+v", sat, half)
	}
	v.VCs = 1
	d, _ = topology.ParseDesign("dragonfly(p=2,a=4,h=2)", family.All())
	if m, err = verify.Measure(context.Background(), d, evaluator.Options{}, v, 1); err != nil || !strings.Contains(m.Absent, "needs 2 virtual channels") {
		t.Errorf("one VC: %+v, %v", m, err)
	}
}
