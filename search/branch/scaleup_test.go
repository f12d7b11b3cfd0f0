package branch

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// scaleupParts are switches of two sizes, the larger dearer a port, with price breaks, and cables of three lengths.
func scaleupParts() *catalog.Catalogue {
	list := *catalog.Builtin()
	list.Parts = slices.Clone(list.Parts)
	for _, p := range []catalog.Part{
		{PartNo: "SU64", Kind: catalog.KindScaleupSwitch, RateGbps: 200, Ports: 64, PowerW: 120, UnitPrice: 3000_00, PriceBreaks: []catalog.PriceBreak{{From: 20, Price: 2000_00}}},
		{PartNo: "SU144", Kind: catalog.KindScaleupSwitch, RateGbps: 400, Ports: 144, PowerW: 420, UnitPrice: 12500_00},
		{PartNo: "C1", Kind: catalog.KindScaleupCable, RateGbps: 400, LengthM: 1, UnitPrice: 20_00},
		{PartNo: "C2", Kind: catalog.KindScaleupCable, RateGbps: 400, LengthM: 2, UnitPrice: 30_00, PowerW: 0.1},
		{PartNo: "C5", Kind: catalog.KindScaleupCable, RateGbps: 200, LengthM: 5, UnitPrice: 90_00, PowerW: 1},
	} {
		p.Priced, p.Approved, p.Currency, p.LeadWeeks = true, true, "USD", 30
		list.Parts = append(list.Parts, p)
	}
	return &list
}

// Fronts over networks and scale-up domains together are those of brute force; every design has the figures that the
// domain alone, as an option, gives it; and boxes and every step of a ladder hold them.
func TestScaleupIsAParameter(t *testing.T) {
	racing.Figures(t)
	all := []topology.Domain{{Endpoints: 1}, {Endpoints: 4}, {Endpoints: 8, Levels: 1, Switches: 2}, {Endpoints: 64, Levels: 1, Switches: 18},
		{Endpoints: 16, Levels: 2, Switches: 2, Box: 4, Spines: 3}}
	st := searchtest.Small(t, 64, 64)
	st.Options = evaluator.Options{Catalog: scaleupParts(), BandwidthGbps: 400, CountScaleup: true,
		Site: floor.Site{RackPowerW: 40_000, EndpointPowerW: 1000, Limits: st.Options.Site.Limits}}
	st.Space = nil
	for name, values := range map[string][][]int{"fattree": {{16, 32}, {2}}, "railonly": {{8, 16}, {4, 8}, {2, 4}}} {
		f, _ := family.ByName(name)
		f = topology.WithScaleup(f, all)
		sp := study.FamilySpace{Family: f}
		for i, p := range f.Params {
			d := study.Domain{Min: p.Min, Max: min(p.Max, 40), Given: true}
			if p.Divides != "" {
				d.Max = d.Min
			} else if i < len(values) {
				d.Values = values[i]
			}
			sp.Domains = append(sp.Domains, d)
		}
		st.Space = append(st.Space, sp)
	}
	slices.SortFunc(st.Space, func(a, b study.FamilySpace) int { return strings.Compare(a.Family.Name, b.Family.Name) })
	p := searchtest.RealModel(t, st)
	want, counts := searchtest.BruteForce(t, p)
	got, d, _ := EnumerateNames(t, p)
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("enumeration found %v, brute force %v", got, want)
	}
	kinds := map[string]bool{}
	for _, name := range got {
		kinds[name[strings.Index(name, "scaleup="):]] = true
	}
	if len(kinds) < 2 {
		t.Errorf("the front has but one kind of scale-up: %v", got)
	}
	t.Logf("%v, %d evaluations, front %v", counts, d.Prog.Evaluated, got)
	for i, sp := range p.Spaces {
		n := 0
		searchtest.EachDesign(sp, func(v []int) {
			if n++; n%23 == 1 {
				checkScaleup(t, p, i, slices.Clone(v))
			}
		})
	}
}

// checkScaleup compares a design that names its domain with its base under that domain as an option, and with its enclosures.
func checkScaleup(t *testing.T, p *search.Problem, sp int, v []int) {
	t.Helper()
	d := p.Design(sp, v)
	r, err := p.Model.Evaluate(context.Background(), d, p.Request)
	if err != nil {
		t.Fatal(err)
	}
	dom, _ := d.Scaleup()
	opt := p.Study.Options
	opt.Domain, opt.Scaleup = dom, dom.Endpoints > 1
	e, err := evaluator.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	twin, err := e.Evaluate(context.Background(), d.Base(), p.Request)
	if err != nil {
		t.Fatal(err)
	}
	var box, one search.Enclosure
	var s topology.Size
	_ = d.Family.Size(v, &s)
	lo, hi := slices.Clone(v), slices.Clone(v)
	lo[len(v)-1], hi[len(v)-1] = 0, len(d.Family.Scaleups)-1
	d.Family.SizeBounds(lo, hi, &box.Low, &box.High)
	d.Family.BoundPerEndpoint(lo, hi, s.Endpoints, s.Endpoints, &box.PerEndpoint)
	box.Box(p.Model)
	one.Low = s
	one.Design(p.Model, v)
	for step := 0; ; step++ {
		for k := range metric.Count {
			x := r.Metrics[k]
			if x != twin.Metrics[k] {
				t.Errorf("%s: %s = %+v, with the domain as an option %+v", d, metric.Keys[k].Name, x, twin.Metrics[k])
			}
			for name, in := range map[string]*metric.Intervals{"box": &box.Metrics, "design": &one.Metrics} {
				if a := in.At[k]; r.Have[k] && in.Have[k] && (x.Value < a.Lo*(1-1e-12) || x.Value > a.Hi*(1+1e-12)) {
					t.Errorf("%s, step %d of its %s: %s = %g is not in [%g, %g]", d, step, name, metric.Keys[k].Name, x.Value, a.Lo, a.Hi)
				}
				if r.Have[k] && in.Lacks.Has(k) {
					t.Errorf("%s: the %s lacks %s, which is %g", d, name, metric.Keys[k].Name, x.Value)
				}
			}
		}
		if one.Refine() == 0 {
			return
		}
	}
}
