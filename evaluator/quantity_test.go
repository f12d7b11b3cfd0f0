package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/catalog"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// The models chosen are the cheapest of all assignments of models to classes, at the prices of the
// totals, as a plain search over all of them finds; and the bill of materials has them.
func TestSwitchesAreTheCheapestTogether(t *testing.T) {
	list := varied()
	for i := range list.Parts { // so deep breaks that twice the ports can cost less
		if p := &list.Parts[i]; p.Kind == catalog.KindSwitch {
			p.PriceBreaks = []catalog.PriceBreak{{From: 2 + i%9*3, Price: p.UnitPrice * catalog.Money(20+i*13%70) / 100}}
		}
	}
	e := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: list})
	moved, several := 0, 0
	for _, name := range []string{"fattree", "multirail", "dragonflyplus", "zettafly4", "zcube", "hpn", "ubmesh", "meshtree"} {
		f, _ := family.ByName(name)
		for _, d := range sample(f, stream.New(1, "quantity "+name), few(8), 1500) {
			var s topology.Size
			if err := f.Size(d.V, &s); err != nil {
				t.Fatal(err)
			}
			var r rates
			e.rate(&s, e.boardsOf(f), &r)
			got, rej := e.switches(&s, &r)
			if rej.Constraint != "" {
				continue
			}
			least, classes := cheapestTogether(e, &s, &r)
			if x := priceOf(t, e, &s, &got); x != least {
				t.Errorf("%s: switches for %g, the cheapest are %g", d, x, least)
			}
			if classes > 1 {
				several++
			}
			for i := range f.SwitchClasses {
				var buf [topology.MaxClasses]catalog.PortNeed
				if got[i].Part != nil {
					if one, _ := e.chooseSwitch(r.needs(&s, i, &buf)); one.Part != got[i].Part {
						moved++
					}
				}
			}
			res, err := e.Evaluate(context.Background(), d, Request{Level: 1})
			if err != nil {
				t.Fatal(err)
			}
			if res.Plan == nil {
				continue
			}
			billed := 0.0
			for _, l := range res.Plan.BOM {
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

// cheapestTogether tries every model for every class.
func cheapestTogether(e *Evaluator, s *topology.Size, r *rates) (least float64, classes int) {
	var sets [][]*catalog.Part
	var counts []int64
	var buf [topology.MaxClasses]catalog.PortNeed
	for i, c := range s.Family.SwitchClasses {
		needs := r.needs(s, i, &buf)
		if c.Embedded || s.Switch[i].Count == 0 || len(needs) == 0 {
			continue
		}
		var set []*catalog.Part
		e.index.Fits(needs, func(c catalog.SwitchChoice) bool { set = append(set, c.Part); return true })
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

func priceOf(t *testing.T, e *Evaluator, s *topology.Size, buys *[topology.MaxClasses]catalog.SwitchChoice) float64 {
	t.Helper()
	bl := &bill{e: e}
	for i := range s.Family.SwitchClasses {
		bl.add(buys[i].Part, s.Switch[i].Count, 1, 1, "")
	}
	_, total, _, err := bl.price()
	if err != nil {
		t.Fatal(err)
	}
	return float64(total)
}
