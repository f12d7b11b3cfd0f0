package floor

import (
	"slices"
	"testing"

	"toposearch/evaluator/market"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// Cables counted in bulk stand where those counted one by one do, with one building or several.
func TestBundlesLieAsWired(t *testing.T) {
	for _, site := range []Site{{}, {Buildings: 3, RackSwitches: 3}, {RackServers: 1, RackPowerW: 14e3, EndpointPowerW: 1000}} {
		site := site
		m := marketOf(t, &site)
		for _, f := range family.All() {
			if f.Bundles == nil {
				continue
			}
			found := 0
			for _, d := range topotest.Sample(f, stream.New(4, "lay "+f.Name), few(40), 4000) {
				var s topology.Size
				if err := f.Size(d.V, &s); err != nil {
					t.Fatal(err)
				}
				place := f.Place(d.V)
				var r market.Rates
				m.Rate(&s, market.BoardSet(place.Boards), &r)
				var p Plan
				buys := market.Purchase{Cards: market.Cards{NICW: float64(s.Endpoints) * (1000 - site.EndpointPowerW)}} // 8 kW a server
				if rej := p.Place(&site, 8, &s, &place, &buys); rej.Constraint != "" {
					continue
				}
				found++
				bulk := NewLayout(&p)
				bulk.Stream(d, &r)
				plain := *f
				plain.Bundles = nil
				single := NewLayout(&p)
				single.Stream(topology.Design{Family: &plain, V: d.V}, &r)
				for c := range f.LinkClasses { // what has no links is left as it was
					lo, hi := 2*int64(c)*bulk.cells, (2*int64(c)+min(p.buildings, 2))*bulk.cells
					if s.Link[c] > 0 && !slices.Equal(bulk.counts[lo:hi], single.counts[lo:hi]) {
						t.Errorf("%s: bundles of class %d lie %v, links %v", d, c, bulk.counts[lo:hi], single.counts[lo:hi])
					}
				}
				for i := range f.SwitchClasses {
					runsAsPlaced(t, d.String(), &p, i)
				}
				betweenAsLaid(t, d, single, &r)
				bulk.Free()
				single.Free()
			}
			if found == 0 {
				t.Errorf("%s: nothing to compare", f.Name)
			}
		}
	}
}

// betweenAsLaid checks what rounds say of the cables between blocks against those of a layout.
func betweenAsLaid(t *testing.T, d topology.Design, lay *Layout, r *market.Rates) {
	t.Helper()
	for c := 1; lay.p.buildings == 1 && d.Family.Cables != nil && c < len(d.Family.LinkClasses); c++ {
		known := d.Family.Cables(d.V, c)
		if known.Pairs.Each == 0 || r.Speed[c] == nil || lay.p.size.Link[c] == 0 {
			continue
		}
		var want Least
		lay.Lengths(c, false, func(m float64, count int64) {
			price, watts := r.Speed[c].AtLeast(m)
			want.Price, want.Watts = want.Price+float64(count)*price, want.Watts+float64(count)*watts
			want.MeanM += float64(count) * r.Speed[c].StockM(m) / float64(lay.p.size.Link[c])
		})
		if k, switches := lay.p.TurningOf(known.I); switches > 0 {
			roundsAtLeast(t, d, lay.p, c, known.I, k.Turned(lay.p.site, r.Speed[c], RingsAround(lay.p.site)), r.Speed[c], want)
		}
	}
}

// roundsAtLeast checks what rounds say of the cables between blocks against these as laid.
func roundsAtLeast(t *testing.T, d topology.Design, p *Plan, c, i int, turned *Turned, speed *market.Speed, laid Least) {
	t.Helper()
	var per topology.PerEndpoint
	d.Family.BoundPerEndpoint(d.V, d.V, p.size.Endpoints, p.size.Endpoints, &per)
	_, switches := p.TurningOf(i)
	ring, ok := p.RingOf(i)
	if fan := &per.Fan[c]; fan.Spread[0] > 0 && switches > 0 && ok {
		n := float64(p.size.Link[c]) * (1 - 1e-9)
		x, ok := turned.AtLeast(int(switches), fan.Spread, ring.Pairs(p.site, speed, RingsAround(p.site)))
		if ok && (x.MeanM*(1-1e-9) > laid.MeanM || x.Price*n > laid.Price || x.Watts*n > laid.Watts) {
			t.Errorf("%s: class %d between blocks is at least %+v by rounds, laid %+v of %d", d, c, x, laid, p.size.Link[c])
		}
	}
}

// runsAsPlaced checks the runs of a class of switches against the position of every one.
func runsAsPlaced(t *testing.T, name string, p *Plan, class int) {
	t.Helper()
	if p.home[class] == topology.Inside {
		return
	}
	next := int64(0)
	p.eachRun(class, func(to, position int64) {
		if to <= next {
			t.Fatalf("%s: class %d: a run from %d to %d", name, class, next, to)
		}
		for ; next < to; next++ {
			if at := p.positionOfSwitch(class, next); at != position {
				t.Fatalf("%s: switch %d of class %d stands at %d, its run at %d", name, next, class, at, position)
			}
		}
	})
	if n := p.size.Switch[class].Count; next != n {
		t.Fatalf("%s: runs of class %d end at %d of %d", name, class, next, n)
	}
}
