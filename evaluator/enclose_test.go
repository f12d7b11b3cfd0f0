package evaluator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/topotest"
)

func newEvaluator(t testing.TB, o Options) *Evaluator {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestStepsEnclose: what each step of the ladder says of a design holds for what level 1 computes, for every
// family and metric that both know.
func TestStepsEnclose(t *testing.T) {
	racing.Figures(t)
	options := []Options{
		{BandwidthGbps: 400},
		{},
		{BandwidthGbps: 800, CountNICs: true, Site: floor.Site{EndpointPowerW: 1000, PUE: 1.2, RackPowerW: 40e3, Rows: 3}},
		{BandwidthGbps: 400, Catalog: varied(), CountNICs: true, Site: floor.Site{RackPowerW: 30e3, EndpointPowerW: 500}},
		{BandwidthGbps: 400, Catalog: twinParts(), Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}},
		{BandwidthGbps: 400, Routing: "minimal"},
		{BandwidthGbps: 400, Algorithms: []string{"valiant", "par", "natural"}, MaxVCs: 3},
		{BandwidthGbps: 200, Routing: "valiant", Site: floor.Site{Buildings: 3, BuildingDistM: 100, EndpointAllInW: 1300, RackSwitches: 4}},
	}
	for _, f := range families() {
		rng := stream.New(1, "level 0 "+f.Name)
		found, compared := 0, 0
		for i, o := range options {
			e := newEvaluator(t, o)
			for _, d := range topotest.Sample(f, rng, few(8), 3000) {
				found++
				compared += stepsEnclose(t, e, d, rng, fmt.Sprint("options ", i))
			}
		}
		if found == 0 {
			t.Errorf("%s: no design was found to compare", f.Name)
		} else if compared < 10*found {
			t.Logf("%s: only %d comparisons for %d designs", f.Name, compared, found)
		}
	}
}

// quick tells whether bounds lay the cables of a design: not those of a construction that takes more than a tenth
// of a second, which some of a Skywalk do.
func quick(d topology.Design) bool {
	ns, _ := d.WireTakes()
	return ns <= 1e8
}

// stepsEnclose is TestStepsEnclose for one design, at a random step; it gives the number of metrics compared.
func stepsEnclose(t *testing.T, e *Evaluator, d topology.Design, rng *rand.Rand, name string) (compared int) {
	t.Helper()
	return stepsHold(t, e, d, enclosed(e), rng, name)
}

// stepsHold is stepsEnclose for what a request asks for.
func stepsHold(t *testing.T, e *Evaluator, d topology.Design, req Request, rng *rand.Rand, name string) (compared int) {
	t.Helper()
	f, o, l := d.Family, &e.opt, &bound.Ladder{}
	var s topology.Size
	if err := f.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	var iv metric.Intervals
	e.Enclose(bound.One(d.V, &s), l, &iv)
	exact := false
	if rng.IntN(2) == 0 {
		if l.Next() != nil {
			climbStep(t, d, l, &iv)
		}
		if l.Next() != nil && rng.IntN(2) == 0 {
			for l.Next() != nil {
				climbStep(t, d, l, &iv)
			}
			exact = iv.Reject.Constraint == "" && quick(d) && o.Site.Buildings <= 1 && f.Place != nil
		}
	}
	rej := iv.Reject
	r, err := e.Evaluate(context.Background(), d, req)
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	// What a part must do is known from below only: where even the shortest cable is too long, that; and of cables
	// between buildings and inside them, which are not sold in the same lengths, the worst is not known yet. Lengths are added up in another order.
	if got := r.Reject; rej.Constraint != "" && (got.Constraint != rej.Constraint || got.Got < rej.Got*(1-1e-12) || rej.Got <= rej.Bound) {
		t.Errorf("%s, %s: closed forms or a refinement reject it by %v, level 1 by %v", d, name, rej, r.Reject)
	}
	if rej.Constraint != "" {
		return 0
	}
	shares := slices.ContainsFunc(o.Catalog.Parts, func(p catalog.Part) bool { // which are counted box by box
		return p.Ports > 1 && slices.Contains([]string{catalog.KindCable, catalog.KindTransceiver, catalog.KindFibre}, p.Kind)
	})
	if c := iv.At[metric.Cost]; exact && !shares && r.Have[metric.Cost] && c.Lo < c.Hi {
		t.Errorf("%s, %s: the exact cost is %v", d, name, c)
	}
	for k := range metric.Count {
		if !iv.Have[k] || !r.Have[k] {
			continue
		}
		compared++
		m := r.Metrics[k]
		if !(m.Value >= iv.At[k].Lo && m.Value <= iv.At[k].Hi) {
			t.Errorf("%s, %s: %s = %.17g is outside the enclosure [%.17g, %.17g]", d, name, metric.Keys[k].Name, m.Value, iv.At[k].Lo, iv.At[k].Hi)
		}
	}
	return compared
}

// enclosed asks for what is enclosed: level 1, and the times of a workload where they are bounded.
func enclosed(e *Evaluator) Request {
	r := Request{Level: 1}
	if e.opt.BoundTraining {
		r.Keys = []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}
	}
	return r
}

// TestCircuitLinksAreTwoCables: where a site sells fibres of one length alone, a link over a circuit switch is twice as long as any of them, at every step.
func TestCircuitLinksAreTwoCables(t *testing.T) {
	list := *catalog.Builtin()
	list.Parts = slices.DeleteFunc(slices.Clone(list.Parts), func(p catalog.Part) bool {
		return p.Kind == catalog.KindFibre && p.LengthM != 200 || p.Kind == catalog.KindCable
	})
	e, d := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: &list}), parse(t, "tpuocs(x=1,y=2,z=5)")
	r := evaluate(t, e, d, Request{Level: 1})
	var l bound.Ladder
	var iv metric.Intervals
	e.Enclose(bound.One(d.V, &r.Size), &l, &iv)
	for {
		if x, at := r.Metrics[metric.Latency].Value, iv.At[metric.Latency]; !r.Have[metric.Latency] || x < at.Lo || x > at.Hi {
			t.Errorf("%s: latency %g is outside %v", d, x, at)
		}
		if l.Next() == nil {
			break
		}
		l.Climb(&iv)
	}
}

// TestBoxEncloses: a box encloses what closed forms and an evaluation say of every design in it.
func TestBoxEncloses(t *testing.T) {
	racing.Figures(t)
	es := []*Evaluator{
		newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{EndpointPowerW: 700}}),
		newEvaluator(t, Options{BandwidthGbps: 400, Catalog: varied(), CountNICs: true, Site: floor.Site{EndpointPowerW: 900, RackPowerW: 24e3}}),
		newEvaluator(t, Options{BandwidthGbps: 1600, Site: floor.Site{Limits: market.Limits{MaxSwitchPorts: 32}, Buildings: 3, BuildingDistM: 80}}),
		newEvaluator(t, Options{Catalog: varied(), Site: floor.Site{RackPowerW: 4e3, EndpointPowerW: 600, Limits: market.Limits{NoBreakout: true}}}),
	}
	rejected := 0
	for _, f := range families() {
		rng := stream.New(2, "box "+f.Name)
		for i, d := range topotest.Sample(f, rng, few(25), 1500) {
			if no, _ := boxEncloses(t, es[i%len(es)], d, enclosed(es[i%len(es)]), rng, fmt.Sprint("options ", i%len(es))); no {
				rejected++
			}
		}
	}
	if rejected < 20 {
		t.Errorf("%d boxes were rejected: too few to tell", rejected)
	}
}

// boxEncloses is TestBoxEncloses for a random box around one design, for what a request asks for; it tells whether that was
// rejected, and how many metrics were compared.
func boxEncloses(t *testing.T, e *Evaluator, d topology.Design, req Request, rng *rand.Rand, name string) (rejected bool, compared int) {
	t.Helper()
	f := d.Family
	lo, hi := append([]int(nil), d.V...), append([]int(nil), d.V...)
	for i := range f.Params {
		lo[i] = max(f.Params[i].Min, d.V[i]-rng.IntN(4))
		hi[i] = min(f.Params[i].Max, d.V[i]+rng.IntN(4))
	}
	free := slices.Concat(f.Multiplies, f.Unplaced)
	if len(free) > 0 && rng.IntN(2) == 0 { // a box of one layout
		for i := range f.Params {
			if i == 0 || !slices.Contains(free, i) {
				lo[i], hi[i] = d.V[i], d.V[i]
			}
		}
	}
	var bl, bh topology.Size
	f.SizeBounds(lo, hi, &bl, &bh)
	var box metric.Intervals
	var l bound.Ladder
	if r := rng.IntN(3); r > 0 { // as a search does: no others than with about so many endpoints
		var s topology.Size
		if err := f.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		bl.Endpoints = max(bl.Endpoints, s.Endpoints-s.Endpoints*int64(r-1)/8)
		bh.Endpoints = min(bh.Endpoints, s.Endpoints+s.Endpoints*int64(r-1)/8)
	}
	var per topology.PerEndpoint
	f.BoundPerEndpoint(lo, hi, bl.Endpoints, bh.Endpoints, &per)
	per.Tighten(&bl, &bh)
	per.Loads = rng.IntN(2) == 0
	e.Enclose(bound.Between(&bl, &bh, &per), &l, &box)
	r, err := e.Evaluate(context.Background(), d, req)
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	if box.Reject.Constraint != "" && r.Reject.Constraint == "" {
		t.Errorf("%s, %s, in the box %v..%v: %v is said of all, and not of it", d, name, lo, hi, box.Reject)
	}
	var s topology.Size
	var exact metric.Intervals
	if err := f.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	e.Enclose(bound.One(d.V, &s), &l, &exact)
	if cost, reached := r.Metrics[metric.Cost].Value, exact.At[metric.UniformThroughput]; r.Have[metric.Cost] && exact.Have[metric.UniformThroughput] && box.CostCurve.Known() && cost < box.CostCurve.CostAt(reached.Hi) {
		t.Errorf("%s, %s, in the box %v..%v: cost %g with throughput %g, which is to cost at least %g", d, name, lo, hi, cost, reached.Hi, box.CostCurve.CostAt(reached.Hi))
	}
	for k := range metric.Count {
		if !box.Have[k] || !r.Have[k] {
			continue
		}
		compared++
		if m := r.Metrics[k]; m.Value < box.At[k].Lo || m.Value > box.At[k].Hi {
			t.Errorf("%s, %s, in the box %v..%v: %s = %.17g is outside [%.17g, %.17g]", d, name, lo, hi, metric.Keys[k].Name, m.Value, box.At[k].Lo, box.At[k].Hi)
		}
	}
	return box.Reject.Constraint != "", compared
}

func parse(t testing.TB, s string) topology.Design {
	t.Helper()
	return familytest.Parse(t, s)
}

// climbStep takes a step and holds it to what it says that it narrows.
func climbStep(t *testing.T, d topology.Design, l *bound.Ladder, out *metric.Intervals) {
	t.Helper()
	before, step := *out, l.Next()
	l.Climb(out)
	for k := range metric.Count {
		if before.At[k] != out.At[k] && !step.Narrows.Has(k) {
			t.Errorf("%s: %s goes from %v to %v, which the step %q does not say that it narrows", d, metric.Keys[k].Name, before.At[k], out.At[k], step.Name)
		}
	}
}

// climb encloses a design and takes all steps of its ladder.
func climb(e *Evaluator, d topology.Design, s *topology.Size, out *metric.Intervals) {
	var l bound.Ladder
	e.Enclose(bound.One(d.V, s), &l, out)
	for l.Next() != nil {
		l.Climb(out)
	}
}

func rngOf(purpose string) *rand.Rand { return stream.New(7, purpose) }

// few is how many designs to sample: less when tests are to be short.
func few(n int) int {
	if testing.Short() || racing.On {
		return max(1, n/4)
	}
	return n
}

// families are those that comparisons of all families go through: all, but under the race detector, which has
// nothing to find in them, every fifth.
func families() (list []*topology.Family) {
	for i, f := range family.All() {
		if !racing.On || i%5 == 0 {
			list = append(list, f)
		}
	}
	return list
}
