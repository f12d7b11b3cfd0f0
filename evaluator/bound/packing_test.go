package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// packingSites are floors on which fans must hold.
var packingSites = []floor.Site{
	{},
	{RackServers: 1, Slack: 0.3, RiseM: 2.5},
	{RackServers: 8, RackSwitches: 4, Rows: 5},
	{RackPowerW: 30e3, EndpointPowerW: 900},
	{RackPitchM: 1.2, RowPitchM: 2, InRackM: 4, RackSwitches: 40, RackServers: 2},
}

// wide draws designs with values of every magnitude.
func wide(f *topology.Family, rng *rand.Rand, count int, most int64) []topology.Design {
	var out []topology.Design
	var s topology.Size
	for range 4000 * count {
		if len(out) == count {
			break
		}
		v := make([]int, len(f.Params))
		for i := range f.Params {
			p := &f.Params[i]
			if p.Divides != "" && rng.IntN(4) == 0 {
				v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
				continue
			}
			if p.Divides != "" || p.Default != nil && rng.IntN(3) > 0 {
				v[i] = p.Default(v)
				continue
			}
			v[i] = p.Min + int(math.Exp(rng.Float64()*math.Log(float64(min(p.Max-p.Min, 150)+1)))) - 1
		}
		if f.Canonical != nil {
			f.Canonical(v)
		}
		if f.Size(v, &s) == nil && s.Endpoints >= 2 && s.Endpoints <= most && s.SwitchLinks() <= 20*most {
			out = append(out, topology.Design{Family: f, V: v})
		}
	}
	return out
}

// TestPackings: cables are nowhere shorter, cheaper or cooler than what boxes say of how they spread.
func TestPackings(t *testing.T) {
	for n, site := range packingSites {
		m := newModel(t, site, market.Options{BandwidthGbps: 400})
		for _, f := range family.All() {
			rng := stream.New(uint64(n), "fans "+f.Name)
			compared := 0
			for _, d := range wide(f, rng, few(40), 20000) {
				if !spreads(t, m, d, rng, &compared) {
					break
				}
			}
			if f.Name == "dragonflyplus" && compared == 0 {
				t.Errorf("%s: nothing compared", f.Name)
			}
		}
	}
}

// rounds draws a dragonfly or Dragonfly+ of few groups, so that switches have several links to each of them, by many switches in several
// racks.
func rounds(f *topology.Family, rng *rand.Rand) topology.Design {
	var s topology.Size
	for {
		n, h, p := 1+rng.IntN(40), 1+rng.IntN(120), 1+rng.IntN(120)
		g := 2 + rng.IntN(min(n*h, 1+rng.IntN(60)))
		v := []int{p, n, h, g, rng.IntN(4)}
		if f.Name == "dragonflyplus" {
			v = []int{1 + rng.IntN(40), n, p, h, g}
		}
		f.Canonical(v)
		if f.Size(v, &s) == nil && s.Endpoints >= 2 && s.Endpoints <= 40_000 && s.SwitchLinks() < 2_000_000 {
			return topology.Design{Family: f, V: v}
		}
	}
}

// TestRounds: so are those between groups with many links, of boxes that leave the number of these open.
func TestRounds(t *testing.T) {
	for n, site := range packingSites {
		m := newModel(t, site, market.Options{BandwidthGbps: 400})
		for _, name := range []string{"dragonfly", "dragonflyplus"} {
			f, _ := family.ByName(name)
			rng, compared := stream.New(uint64(n), "rounds "+name), 0
			for range few(200) {
				spreads(t, m, rounds(f, rng), rng, &compared)
			}
			if compared < few(200) {
				t.Errorf("%s: %d classes compared", name, compared)
			}
		}
	}
}

// spreads compares the packing bounds of a random box around a design with its floor plan, counts the bounds that
// it compared, and tells whether the family has any.
func spreads(t *testing.T, m *Model, d topology.Design, rng *rand.Rand, compared *int) bool {
	f := d.Family
	lo, hi := append([]int(nil), d.V...), append([]int(nil), d.V...)
	if rng.IntN(3) > 0 {
		for at := rng.IntN(len(f.Params)); at < len(f.Params); at++ { // those before are fixed, as in a search
			i := at
			if at < len(f.Order) {
				i = f.Order[at]
			}
			lo[i] = max(f.Params[i].Min, d.V[i]-rng.IntN(4))
			hi[i] = min(f.Params[i].Max, d.V[i]+rng.IntN(4))
		}
	}
	var s topology.Size
	if err := f.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	var bl, most topology.Size
	f.SizeBounds(lo, hi, &bl, &most)
	var per topology.PerEndpoint
	f.BoundPerEndpoint(lo, hi, s.Endpoints*int64(7+rng.IntN(2))/8, s.Endpoints, &per)
	any := false
	for c := range f.LinkClasses {
		any = any || per.Fan[c].Ends > 0
	}
	if !any {
		return f.PerEndpoint != nil
	}
	var l Ladder
	var iv metric.Intervals
	if m.Enclose(One(d.V, &s), &l, &iv); l.Next() != nil {
		l.Climb(&iv)
	}
	if !l.placed || iv.Reject.Constraint != "" {
		return true
	}
	lay := floor.NewLayout(&l.plan)
	lay.Stream(d, &l.rates)
	runs, rej := lay.Runs(m.market, &l.rates)
	lay.Free()
	if rej.Constraint != "" {
		return true
	}
	var length, price, watts, count, longest [topology.MaxClasses]float64
	for i := range runs {
		r := &runs[i]
		c, n := r.Class, float64(r.Count)
		stock := m.market.Cabling(&l.rates, r).StockM
		each, eachW := l.rates.Speed[c].AtLeast(stock)
		length[c], count[c], longest[c] = length[c]+n*stock, count[c]+n, max(longest[c], r.MaxM)
		price[c], watts[c] = price[c]+n*each, watts[c]+n*eachW
	}
	for c := range f.LinkClasses {
		p := l.rates.Speed[c]
		if count[c] == 0 || p == nil {
			continue
		}
		if x := m.longest(f, &per, c); x > longest[c]*(1+1e-9) {
			t.Errorf("%s in %v..%v, class %s on %+v: the longest has at least %g m, but has %g", d, lo, hi, f.LinkClasses[c].Name, m.site, x, longest[c])
		}
		least, ok := m.spread(f, &per, &most, c, p, rng.IntN(2) == 0)
		if !ok {
			continue
		}
		*compared++
		for _, x := range [3][2]float64{{least.meanM, length[c] / count[c]}, {least.price, price[c] / count[c]}, {least.watts, watts[c] / count[c]}} {
			if x[0] > x[1]*(1+1e-9) {
				t.Errorf("%s in %v..%v, class %s, %+v on %+v: at least %g, but is %g",
					d, lo, hi, f.LinkClasses[c].Name, per.Fan[c], m.site, x[0], x[1])
			}
		}
	}
	return true
}
