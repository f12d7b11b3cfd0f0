package market

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// The models chosen are the cheapest of all assignments of models to classes, at the prices of the
// totals, as a plain search over all of them finds; and the bill of materials has them.
func TestSwitchesAreTheCheapestTogether(t *testing.T) {
	list := *catalog.Builtin()
	list.Parts = slices.Clone(list.Parts)
	for i := range list.Parts { // so deep breaks that twice the ports can cost less
		if p := &list.Parts[i]; p.Kind == catalog.KindSwitch && p.Priced {
			p.MOQ = 1 + i%3*(i%7)
			p.PriceBreaks = []catalog.PriceBreak{{From: 2 + i%9*3, Price: p.UnitPrice * catalog.Money(20+i*13%70) / 100}}
		}
	}
	m, err := New(Options{BandwidthGbps: 400, Catalog: &list, Currency: "USD", ShortestM: 2})
	if err != nil {
		t.Fatal(err)
	}
	moved, several := 0, 0
	for _, name := range []string{"fattree", "multirail", "dragonflyplus", "zettafly4", "zcube", "hpn", "ubmesh", "meshtree"} {
		f, _ := family.ByName(name)
		for _, d := range topotest.Sample(f, stream.New(1, "quantity "+name), few(8), 1500) {
			var s topology.Size
			if err := f.Size(d.V, &s); err != nil {
				t.Fatal(err)
			}
			var r Rates
			m.Rate(&s, BoardSet(f.Place(d.V).Boards), &r)
			var got Purchase
			if rej := m.Buy(&s, &r, &got); rej.Constraint != "" {
				continue
			}
			least, classes := cheapestTogether(m, &s, &r)
			if classes > 1 {
				several++
			}
			for i := range f.SwitchClasses {
				var buf [topology.MaxClasses]catalog.PortNeed
				if got.Switches[i].Part != nil {
					if one, _ := m.cheapestAlone(r.Needs(&s, i, &buf)); one.Part != got.Switches[i].Part {
						moved++
					}
				}
			}
			var total Total
			if err := m.Bill(&Order{Size: &s, Rates: &r, Buys: &got}, &total); err != nil {
				t.Fatal(err)
			}
			billed := 0.0
			for _, l := range m.Lines(&total) {
				if l.Part.Kind == catalog.KindSwitch {
					billed += float64(l.Total)
				}
			}
			if billed != least {
				t.Errorf("%s: the bill has switches for %g, the cheapest are %g", d, billed, least)
			}
		}
	}
	if moved < few(24) || several < few(20) {
		t.Errorf("%d classes with another model than at quantity 1, %d with several classes: too few to tell", moved, several)
	}
}

// What is said of ports that no model has is what a look at every port of every model finds: where none has all the rates how many of them one has,
// whatever the counts, and otherwise how many ports they take of the model that lacks least for its size.
func TestTooFewPorts(t *testing.T) {
	rng := stream.New(3, "too few ports")
	seen := map[string]int{}
	for range few(4000) {
		list := *catalog.Builtin()
		list.Parts = slices.DeleteFunc(slices.Clone(list.Parts), func(p catalog.Part) bool { return p.Kind == catalog.KindSwitch })
		limits := Limits{NoBreakout: rng.IntN(3) == 0, MaxSwitchPorts: rng.IntN(2) * 24}
		type model struct {
			ports int
			split map[int]int // by rate
		}
		var models []model
		for i := range 1 + rng.IntN(4) {
			n, gbps := 1+rng.IntN(32), 100<<rng.IntN(4)
			p := catalog.Part{PartNo: fmt.Sprint("S", i), Kind: catalog.KindSwitch, Approved: rng.IntN(8) > 0, Priced: true, Currency: "USD", UnitPrice: catalog.Money(1 + rng.IntN(9)),
				Ports: n, RateGbps: gbps, Breakouts: []catalog.Breakout{{Count: n, Gbps: gbps}}}
			x := model{n, map[int]int{gbps: 1}}
			for each := 2; each <= 4; each *= 2 {
				if rng.IntN(2) == 0 {
					p.Breakouts = append(p.Breakouts, catalog.Breakout{Count: n * each, Gbps: gbps / each})
					if !limits.NoBreakout {
						x.split[gbps/each] = each
					}
				}
			}
			list.Parts = append(list.Parts, p)
			if p.Approved && (limits.MaxSwitchPorts == 0 || n <= limits.MaxSwitchPorts) {
				models = append(models, x)
			}
		}
		m, err := New(Options{BandwidthGbps: 400, Catalog: &list, Currency: "USD", ShortestM: 2, Limits: limits})
		if err != nil || len(models) == 0 {
			continue
		}
		var needs []catalog.PortNeed
		for _, gbps := range []int{100, 200, 400} {
			if rng.IntN(2) == 0 {
				needs = append(needs, catalog.PortNeed{Gbps: gbps, Count: 1 + rng.IntN(60)})
			}
		}
		fits, rates, least := len(needs) == 0, 0, math.Inf(1)
		has := map[[2]float64]bool{} // ports that are taken and that there are, of models that lack equally little
		for _, x := range models {
			taken, offered := 0, 0
			for _, n := range needs {
				if x.split[n.Gbps] == 0 {
					continue
				}
				offered++
				for left := n.Count; left > 0; left -= x.split[n.Gbps] {
					taken++
				}
			}
			rates = max(rates, offered)
			if offered < len(needs) {
				continue
			}
			fits = fits || taken <= x.ports
			if lacks := float64(taken) / float64(x.ports); lacks <= least {
				if lacks < least {
					clear(has)
				}
				least = lacks
				has[[2]float64{float64(taken), float64(x.ports)}] = true
			}
		}
		if fits {
			continue
		}
		rej := m.TooFewPorts(needs)
		seen[rej.Constraint]++
		switch {
		case rates < len(needs) && (rej.Constraint != metric.RejectRates || rej.Got != float64(len(needs)) || rej.Bound != float64(rates)):
			t.Errorf("%v of %+v: %+v, want %d rates of %d", needs, models, rej, rates, len(needs))
		case rates == len(needs) && (rej.Constraint != metric.RejectPorts || !has[[2]float64{rej.Got, rej.Bound}]):
			t.Errorf("%v of %+v: %+v, want ports of %v", needs, models, rej, has)
		}
	}
	if seen[metric.RejectRates] < few(400) || seen[metric.RejectPorts] < few(400) {
		t.Errorf("%v: too few to tell", seen)
	}
}

// few is how many designs to sample: less when tests are to be short.
func few(n int) int {
	if testing.Short() || racing.On {
		return max(1, n/4)
	}
	return n
}

// cheapestTogether tries every model for every class.
func cheapestTogether(m *Market, s *topology.Size, r *Rates) (least float64, classes int) {
	var sets [][]*catalog.Part
	var counts []int64
	var buf [topology.MaxClasses]catalog.PortNeed
	for i, c := range s.Family.SwitchClasses {
		needs := r.Needs(s, i, &buf)
		if c.Embedded || s.Switch[i].Count == 0 || len(needs) == 0 {
			continue
		}
		var set []*catalog.Part
		m.index.Fits(needs, func(c catalog.SwitchChoice) bool { set = append(set, c.Part); return true })
		sets, counts = append(sets, set), append(counts, s.Switch[i].Count)
	}
	least = math.Inf(1)
	units := map[*catalog.Part]int64{}
	var try func(k int)
	try = func(k int) {
		if k == len(sets) {
			sum := 0.0
			for p, n := range units {
				if n > 0 {
					each, order, _ := p.Price(int(n))
					sum += float64(each) * float64(order)
				}
			}
			least = min(least, sum)
			return
		}
		for _, p := range sets[k] {
			units[p] += counts[k]
			try(k + 1)
			units[p] -= counts[k]
		}
	}
	try(0)
	return least, len(sets)
}
