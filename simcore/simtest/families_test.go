package simtest_test

import (
	"context"
	"testing"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
)

// small finds a design of a family with some endpoints and switches, the smallest of a grid.
func small(f *topology.Family, most int64, values ...int) (best topology.Design, ok bool) {
	v := make([]int, len(f.Params))
	var size topology.Size
	var least int64
	var fill func(i int)
	fill = func(i int) {
		if i == len(v) {
			if f.Size(v, &size) != nil || size.Endpoints < 6 || size.Endpoints > most {
				return
			}
			if cost := size.Endpoints + 4*size.AllSwitches(); !ok || cost < least {
				best, least, ok = topology.Design{Family: f, V: append([]int(nil), v...)}, cost, true
			}
			return
		}
		p := f.Params[i]
		if p.Default != nil {
			v[i] = p.Default(v)
			fill(i + 1)
			return
		}
		for _, x := range values {
			if x >= p.Min && x <= p.Max {
				v[i] = x
				fill(i + 1)
			}
		}
	}
	fill(0)
	return best, ok
}

// The natural routing of every family is free of deadlock with the VCs that its rule names, and
// the simulator delivers by it.
func TestEveryFamily(t *testing.T) {
	ctx := context.Background()
	for _, f := range family.All() {
		d, ok := small(f, 400, 2, 3, 4, 5, 6, 7)
		if !ok { // some are large at the least, or shrink to a row
			d, ok = small(f, 2048, 1, 2, 4, 8, 16, 32)
		}
		if !ok {
			t.Errorf("%s: no small design found", f.Name)
			continue
		}
		n := build(t, d.String())
		rule := topology.Minimal()
		if n.opt.Natural.States > 0 {
			rule = n.opt.Natural
		}
		rep, err := routing.CheckDeadlock(ctx, n.Network, rule, 0)
		if err != nil || !rep.Acyclic {
			t.Errorf("%s: rule %s: %v, %s", d, rule.Name, err, rep.Words(n.Network))
			continue
		}
		t.Logf("%s: rule %s, %d VCs", d, rule.Name, rep.VCs)
		uniform, err := traffic.ByName("uniform", traffic.Options{Network: n.Network})
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.ByName(ctx, "natural", n.Network, n.opt)
		if err != nil {
			t.Fatal(err)
		}
		router, err := route.RouterFor("natural", n.Network, n.opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		simtest.Routing(t, simtest.RoutingCase{Network: n.Network, Routing: r, Traffic: uniform, Hops: distance(n.Network, router), Load: 0.1})
	}
}
