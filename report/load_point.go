package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// pointOf turns a record into a point; parameters are in the order of their names until
// nameParams knows better.
func pointOf(r *search.Record) Point {
	p := Point{Name: r.Design, Family: r.Family, Same: r.SameText(), ShownBy: r.ShownBy, Bottleneck: r.Bottleneck, Routing: r.Routing, Unfit: r.Unfit, Finalist: r.Finalist, Absent: map[metric.Key]string{}}
	p.Vouched = vouchedText(r)
	for name, m := range r.Metrics {
		if k, ok := metric.KeyOf(name); ok {
			p.Metrics[k], p.Have[k] = m, true
		}
	}
	for name, why := range r.Absent {
		if k, ok := metric.KeyOf(name); ok {
			p.Absent[k] = why
		}
	}
	names := make([]string, 0, len(r.Params))
	for n := range r.Params {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		p.Params = append(p.Params, Param{Name: n, Value: fmt.Sprint(r.Params[n])})
	}
	if v := r.Verified; v != nil {
		p.Sim = simFrom(v)
		if x, ok := v.Saturation["uniform"]; ok {
			measured(&p, metric.SimSaturation, x, x, max(x, v.SaturatedAt["uniform"]), "largest load found accepted to 97 %, smallest found not to be")
		}
		if x, ok := v.LatencyHalfLoad["uniform"]; ok && !p.Sim.CutThrough { // whose ns are no cycles
			lo, hi, how := search.HalfLoadInterval(x, v.HalfLoadCI("uniform"))
			measured(&p, metric.SimLatencyHalfLoad, x, lo, hi, how)
		}
	}
	return p
}

// measured enters what was simulated under uniform traffic as a metric.
func measured(p *Point, k metric.Key, v, lo, hi float64, how string) {
	if p.Have[k] { // with the method of the run
		return
	}
	p.Metrics[k] = metric.Figure{Value: v, Lo: lo, Hi: hi, Unit: metric.Keys[k].Unit, Method: p.Sim.model() + ", uniform traffic: " + how}
	p.Have[k] = true
	delete(p.Absent, k)
}

// simFrom orders the traffics: uniform first, then by name.
func simFrom(v *search.Verified) *Sim {
	s := &Sim{Agrees: v.Agrees, Contradicts: v.Contradicts, Differs: v.Differs, Notes: v.Notes, Cycles: v.Cycles, Precision: v.Precision, VCs: v.VCs, Routing: v.Routing, CutThrough: v.Model == study.CutThrough}
	seen := map[string]bool{}
	for _, m := range []map[string]float64{v.Saturation, v.LatencyHalfLoad, v.ZeroLoadLatency} {
		for name := range m {
			seen[name] = true
		}
	}
	for name := range v.Curves {
		seen[name] = true
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "uniform") != (b == "uniform") {
			if a == "uniform" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	at := func(m map[string]float64, key string) float64 {
		if x, ok := m[key]; ok {
			return x
		}
		return math.NaN()
	}
	for _, n := range names {
		t := Traffic{Name: n, Saturation: at(v.Saturation, n), Predicted: at(v.Predicted, n), Expected: at(v.Predicted, "expected."+n), LimitedBy: v.LimitedBy[n], LatencyHalf: at(v.LatencyHalfLoad, n),
			ZeroLoad: at(v.ZeroLoadLatency, n), PredictedZero: math.NaN()}
		if t.PredictedZero = at(v.Predicted, "zero_load_latency."+n); math.IsNaN(t.PredictedZero) && n == "uniform" {
			t.PredictedZero = at(v.Predicted, "zero_load_latency")
		}
		for _, c := range v.Curves[n] {
			t.Curve = append(t.Curve, CurvePoint{c.Offered, c.Accepted, positive(c.Latency), positive(c.P99), c.Saturated})
		}
		s.Traffic = append(s.Traffic, t)
	}
	return s
}

// nameParams puts the parameters into the family's order, with their meaning.
func nameParams(p *Point, st *study.Study) {
	for _, f := range st.Families() {
		if f.Name != p.Family {
			continue
		}
		d, err := topology.ParseDesign(p.Name, []*topology.Family{f})
		if err != nil {
			return
		}
		p.Params = p.Params[:0]
		for i := range f.Params {
			x := &f.Params[i]
			p.Params = append(p.Params, Param{x.Name, x.Doc, x.Format(d.V[i]), x.Default != nil && x.Default(d.V) == d.V[i]})
		}
	}
}
