package plan

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/netfile"
	"toposearch/topology/topotest"
)

// TestNetworkFileKeepsFigures exports random members of every family and reads them again: parts, cables and
// every metric up to level 2 are the same. Only where a closed form of the construction does better than
// the graph may bounds differ, around the same figure, and the method then says how it was found.
func TestNetworkFileKeepsFigures(t *testing.T) {
	each, most := 4, int64(300) // some 250 round trips; what may differ is a matter of family and rule, not of size
	if testing.Short() || racing.On {
		each, most = 2, 120
	}
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400, CountNICs: true})
	if err != nil {
		t.Fatal(err)
	}
	designs := []topology.Design{}
	for _, name := range []string{"torus(k1=6,k2=5,k3=4,t=8)", "polarstar_iq(q=2,d=8,p=4)", "ring(n=7,t=6)", "tpuocs(x=1,y=1,z=2)"} {
		d := familytest.Parse(t, name)
		designs = append(designs, d)
	}
	for _, f := range family.All() {
		designs = append(designs, topotest.Sample(f, stream.New(3, "round trip "+f.Name), each, most)...)
	}
	for _, d := range designs {
		roundTrip(t, ev, d)
	}
}

func roundTrip(t *testing.T, ev *evaluator.Evaluator, d topology.Design) {
	t.Helper()
	req := evaluator.Request{Level: 2, BudgetNs: 2e8}
	want, err := ev.Evaluate(context.Background(), d, req)
	if err != nil {
		t.Fatal(err)
	}
	if want.Plan == nil {
		return // nothing is sold for it
	}
	var b bytes.Buffer
	if err := (&Export{Design: d, Plan: want.Plan}).network(&b); err != nil {
		t.Fatal(err)
	}
	f, list := netfile.Parse("network.json", b.Bytes())
	if list.HasErrors() {
		t.Errorf("%s: %v", d, list.Err())
		return
	}
	got, err := ev.Evaluate(context.Background(), topology.Design{Family: f.Family}, req)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Plan.BOM, want.Plan.BOM) || !slices.Equal(got.Plan.Classes, want.Plan.Classes) || !slices.Equal(got.Plan.Switches, want.Plan.Switches) {
		t.Errorf("%s: other parts after reading:\n%v\nwant\n%v", d, got.Plan.BOM, want.Plan.BOM)
	}
	for k := range metric.Key(metric.Count) {
		name := metric.Keys[k].Name
		if want.Have[k] != got.Have[k] {
			// A closed form takes less of the budget, and a file has neither siblings nor closed forms, without which a metric may be of a higher level.
			if why := want.Absent[k] + got.Absent[k]; !strings.Contains(why, "budget") && !strings.Contains(got.Absent[k], "no small sibling") && !strings.Contains(got.Absent[k], "no closed form") && !strings.HasPrefix(got.Absent[k], "not asked for") {
				t.Errorf("%s: %s is there: %v, after reading %v (%s%s)", d, name, want.Have[k], got.Have[k], want.Absent[k], got.Absent[k])
			}
			continue
		}
		if w, g := &want.Metrics[k], &got.Metrics[k]; want.Have[k] && !same(k, w, g) {
			t.Errorf("%s: %s = %g [%g, %g] (%s), after reading %g [%g, %g] (%s)", d, name, w.Value, w.Lo, w.Hi, w.Method, g.Value, g.Lo, g.Hi, g.Method)
		}
	}
}

// same compares figures. Latency by search knows neither the slowest link of each route nor the even use of
// cables that a construction claims; a cut is searched for, longer where closed forms took no time, and may be
// proven least by one only; disjoint paths are sampled where no symmetry is claimed; and which of equally long routes
// take nic links between switches is not known of a file; its worst case is counted where a construction has a closed form. These must then enclose
// the figure, and say another method or the same value.
func same(k metric.Key, want, got *metric.Figure) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }
	if near(want.Value, got.Value) && near(want.Lo, got.Lo) && near(want.Hi, got.Hi) {
		return true
	}
	const slack = 1 + 1e-9
	in := got.Lo <= want.Value*slack && want.Value <= got.Hi*slack
	switch k {
	case metric.Bisection: // either search may have found the smaller cut
		return (want.Method != got.Method || near(want.Value, got.Value)) && got.Lo <= want.Hi*slack && want.Lo <= got.Hi*slack
	case metric.WorstThroughput: // a file's is counted, either bound may be the better
		return want.Method != got.Method && got.Lo <= want.Hi*slack && want.Lo <= got.Hi*slack
	case metric.Latency, metric.MeanHops, metric.DisjointPaths:
		return in && (want.Method != got.Method || near(want.Value, got.Value))
	}
	return false
}
