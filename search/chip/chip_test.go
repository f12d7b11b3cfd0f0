package chip

import (
	"context"
	"math"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// small is a chip of 3.2 Tb/s: 32 x 100 and 16 x 200 Gb/s of the built-in list, for 128 endpoints of 200 Gb/s.
func small(names ...string) *Question {
	q := &Question{ChipGbps: 3200, SerdesGbps: []int{100, 200}, Endpoints: 128, Uniform: 0.9,
		Options: evaluator.Options{Catalog: catalog.Builtin(), BandwidthGbps: 200}}
	for _, name := range names {
		f, _ := family.ByName(name)
		q.Families = append(q.Families, f)
	}
	return q
}

// What a sweep says of a design is what an evaluation of it says, times the number of planes; a row that claims to be the
// cheapest costs no more than any design that brute force finds.
func TestSweepIsEvaluation(t *testing.T) {
	q := small("fattree")
	all, err := q.Sweep(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 5 || all[0].Ports != 32 || all[0].Planes != 2 || len(all[0].Serdes) != 1 || all[1].Ports != 16 || all[1].Planes != 1 || len(all[1].Serdes) != 2 {
		t.Fatalf("divisions %+v", all)
	}
	for i := range all {
		d := &all[i]
		if sold := d.Gbps <= 200; sold != (d.Why == "") {
			t.Errorf("%d x %d: %q", d.Ports, d.Gbps, d.Why)
		}
		if d.Why != "" {
			continue
		}
		r := d.Rows[0]
		if r.Result == nil || !r.Complete {
			t.Fatalf("%d x %d: %+v", d.Ports, d.Gbps, r)
		}
		opt := q.Options
		opt.BandwidthGbps, opt.Site.SwitchModels = float64(d.Gbps), []string{"SW-32x100", "SW-16x200"}
		e, err := evaluator.New(opt)
		if err != nil {
			t.Fatal(err)
		}
		twin, err := e.Evaluate(context.Background(), r.Result.Design, evaluator.Request{Level: 2})
		if err != nil {
			t.Fatal(err)
		}
		planes := float64(d.Planes)
		for k, times := range map[metric.Key]float64{metric.Cost: planes, metric.CostPerEndpoint: planes, metric.Power: planes, metric.Switches: planes,
			metric.CablesOptical: planes, metric.EndpointLinks: planes, metric.Endpoints: 1, metric.MaxHops: 1, metric.Latency: 1, metric.UniformThroughput: 1} {
			got, want := r.Whole[k], twin.Metrics[k]
			if k == metric.Power && planes == 2 { // a card of two ports draws 20 W, as one of one port does
				want.Value, want.Lo, want.Hi = want.Value-128*10, want.Lo-128*10, want.Hi-128*10
			}
			if got.Value != times*want.Value || got.Lo != times*want.Lo || got.Hi != times*want.Hi || got.Method == "" {
				t.Errorf("%d x %d: %s = %+v, evaluated %+v", d.Ports, d.Gbps, metric.Keys[k].Name, got, want)
			}
		}
		if got, want := r.Result.Metrics[metric.Cost].Value, cheapest(t, q, d, e, opt); math.IsInf(want, 0) || got > want*(1+1e-9) {
			t.Errorf("%d x %d: %s costs %g, one found by brute force %g", d.Ports, d.Gbps, r.Result.Design, got, want)
		}
	}
}

// cheapest tries all fat trees of up to two levels and 48 leaves of switches with the ports of a division.
func cheapest(t *testing.T, q *Question, d *Division, e *evaluator.Evaluator, opt evaluator.Options) float64 {
	t.Helper()
	p, err := q.problem(d, q.Families[0], opt, e)
	if err != nil {
		t.Fatal(err)
	}
	st := *p.Study
	most := map[string]int{"k": d.Ports, "l": 2, "pods": 48, "d": d.Ports} // tapers stay even
	for i := range q.Families[0].Params {
		par := &q.Families[0].Params[i]
		x := study.Domain{Given: true}
		if x.Min, x.Max = par.Range(); most[par.Name] > 0 {
			x.Max = most[par.Name]
		}
		st.Space[0].Domains = append(st.Space[0].Domains, x)
	}
	narrow, err := search.NewProblem(&st, e)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	searchtest.EachDesign(narrow.Spaces[0], func(v []int) {
		var s topology.Size
		if q.Families[0].Size(v, &s); s.Endpoints < p.Min || s.Endpoints > p.Max || s.Radix() > d.Ports {
			return
		}
		x, err := p.Measure(context.Background(), topology.Design{Family: q.Families[0], V: v})
		if err != nil {
			t.Fatal(err)
		}
		if s := p.ScoreEntry(x); s.Feasible() {
			least = min(least, s.V[0])
		}
	})
	return least
}
