package family_test

import (
	"reflect"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/survey"
)

// A family with scale-up domains as a parameter is the family: counts, bounds, routes and wiring of its small instance are
// the same, with a name that reads back.
func TestWithScaleup(t *testing.T) {
	all := []topology.Domain{{Endpoints: 1}, {Endpoints: 2, Levels: 1, Switches: 3}, {Endpoints: 7919}}
	for _, f := range family.All() {
		g := topology.WithScaleup(f, all)
		n := len(f.Params)
		if want := n + 1; len(g.Params) != want || len(f.Params) != n || f.Scaleups != nil {
			t.Fatalf("%s: %d parameters, want %d", f.Name, len(g.Params), want)
		}
		if f.HasScaleup() != (len(g.Scaleups) == 2) {
			t.Errorf("%s has meshes of its own: %t, and the domains %v", f.Name, f.HasScaleup(), g.Scaleups)
		}
		v := survey.SmallInstance(f)
		w := append(append([]int(nil), v...), 0)
		var s, r, lo, hi, lo2, hi2 topology.Size
		if f.Size(v, &s) != nil || g.Size(w, &r) != nil {
			t.Fatalf("%s: no small instance", f.Name)
		}
		same := func(what string, a, b *topology.Size) {
			if x := *b; a.Endpoints != x.Endpoints || a.Switch != x.Switch || a.Link != x.Link || a.EndpointPorts != x.EndpointPorts {
				t.Errorf("%s: %s %+v, without the parameter %+v", f.Name, what, b, a)
			}
		}
		same("size", &s, &r)
		f.SizeBounds(v, v, &lo, &hi)
		top := append(append([]int(nil), v...), 1)
		g.SizeBounds(w, top, &lo2, &hi2)
		same("least", &lo, &lo2)
		same("most", &hi, &hi2)
		if lo2.Scaleup != 0 || hi2.Scaleup != 1 {
			t.Errorf("%s: bounds of domains %d to %d, want 0 to 1", f.Name, lo2.Scaleup, hi2.Scaleup)
		}
		var p, q topology.PerEndpoint
		f.BoundPerEndpoint(v, v, s.Endpoints, s.Endpoints, &p)
		g.BoundPerEndpoint(w, top, s.Endpoints, s.Endpoints, &q)
		p.OneShape, p.Shape, q.OneShape, q.Shape = false, topology.Values{}, false, topology.Values{}
		p.OnePlan, p.Plan, q.OnePlan, q.Plan = false, topology.Values{}, false, topology.Values{} // of several domains there are several plans
		p.Widest, q.Widest = topology.Values{}, topology.Values{}                                 // which is of one
		if !reflect.DeepEqual(p, q) {
			t.Errorf("%s: per endpoint %+v, without the parameter %+v", f.Name, q, p)
		}
		if (f.Paths == nil) != (g.Paths == nil) || (f.Natural == nil) != (g.Natural == nil) || f.Natural != nil && !reflect.DeepEqual(f.Natural(v), g.Natural(w)) ||
			f.Place != nil && !reflect.DeepEqual(f.Place(v), g.Place(w)) {
			t.Errorf("%s: other routes or another placement", f.Name)
		}
		d := topology.Design{Family: g, V: w}
		a, errA := topology.Design{Family: f, V: v}.Build()
		b, errB := d.Build()
		if errA != nil || errB != nil || a.Switches() != b.Switches() || a.Channels() != b.Channels() || a.Endpoints() != b.Endpoints() {
			t.Errorf("%s: another network: %v, %v", f.Name, errA, errB)
		}
		d.V = top
		if s.Endpoints%2 != 0 {
			continue
		}
		base := topology.Design{Family: f, V: v}
		back, err := topology.ParseDesign(d.String(), family.All())
		dom, named := back.Scaleup()
		if err != nil || !named || dom != g.Scaleups[1] || back.String() != d.String() || back.Base().String() != base.String() {
			t.Errorf("%s reads as %s (%+v), %v", d, back, dom, err)
		}
	}
}
