package evaluator

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestWhatIsBoughtFails: where all parts are taken to stop a job, as counts do, as many of them fail as are on the bill, those of which some links are idle included, whatever
// classes of links share them.
func TestWhatIsBoughtFails(t *testing.T) {
	racing.Figures(t)
	compared, shared := 0, 0
	for i := range few(24) {
		rng := stream.New(3, "what is bought fails", uint64(i))
		o := someOptions(rng)
		o.CountNICs, o.Scaleup = true, false
		o.Cluster = cluster.Options{CPUsPerServer: -1, AFR: map[string]float64{catalog.KindAccelerator: 0, catalog.KindCPU: 0, catalog.KindRack: 0}}
		e := newEvaluator(t, o)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, 1, 500) {
				r := evaluate(t, e, d, Request{Level: 1})
				m := r.Metrics[metric.MTBF]
				if r.Plan == nil || !r.Have[metric.MTBF] || !strings.HasPrefix(m.Method, "by counts") || len(f.Media) > 0 || r.Size.Spares() > 0 {
					continue
				}
				perYear, several := 0.0, false
				for _, l := range r.Plan.BOM {
					rate := l.Part.AFR
					if !l.Part.HasAFR {
						rate = catalog.UsualFailures(l.Part.Kind, l.Part.Medium)
					}
					perYear += rate * float64(l.Quantity)
					several = several || l.Part.Ports > 1 && (l.Part.Kind == catalog.KindTransceiver || l.Part.Kind == catalog.KindCable || l.Part.Kind == catalog.KindFibre)
				}
				compared++
				if several {
					shared++
				}
				if want := cluster.HoursOfYear / perYear; math.Abs(m.Value-want) > 1e-9*want {
					t.Errorf("options %d, %s: MTBF %.12g h, of what is bought %.12g", i, d, m.Value, want)
				}
			}
		}
	}
	if compared < few(80) || shared < few(20) {
		t.Errorf("%d designs compared, %d of them with parts for several links: too few to tell", compared, shared)
	}
	t.Logf("%d designs compared, %d of them with parts for several links", compared, shared)
}

// TestWholePartsAreTheCheapest: which cables, modules and fibres are bought, those for several links counted box by box from the schedule, costs no more than any other choice of one
// kind for the links of a class and length; no more is bought than comes in time where any choice does.
func TestWholePartsAreTheCheapest(t *testing.T) {
	racing.Figures(t)
	compared, shared, late, mended, unplugged := 0, 0, 0, 0, 0
	for i := range few(60) {
		rng := stream.New(5, "whole parts", uint64(i))
		list, o := *catalog.Builtin(), Options{BandwidthGbps: 400}
		o.Site.LeadWeeks = float64(rng.IntN(2) * 10)
		list.Parts = nil
		for _, p := range catalog.Builtin().Parts {
			switch p.Kind {
			case catalog.KindSwitch:
				p.LeadWeeks = 0
			case catalog.KindCable, catalog.KindTransceiver, catalog.KindFibre:
				if p.RateGbps != 400 && p.Kind != catalog.KindFibre || p.LengthM > 0 && !slices.Contains([]float64{2, 10, 30, 100}, p.LengthM) {
					continue
				}
				someSupply(rng, &p)
				if p.LeadWeeks = float64(20 * rng.IntN(2)); p.Stock > 0 {
					p.Stock /= 1 + rng.IntN(20)
				}
				p.UnitPrice = p.UnitPrice*catalog.Money(60+rng.IntN(80))/100 + 1
				if p.Ports > 1 {
					p.UnitPrice *= catalog.Money(p.Ports)
				}
			}
			list.Parts = append(list.Parts, p)
		}
		o.Catalog = &list
		e := newEvaluator(t, o)
		for _, name := range []string{"fattree", "torus", "hyperx", "slimfly", "jellyfish", "hypercube", "dragonfly"} {
			f, _ := family.ByName(name)
			for _, d := range topotest.Sample(f, rng, 1, 200) {
				r := evaluate(t, e, d, Request{Level: 1})
				if r.Plan == nil || !r.Have[metric.Cost] {
					continue
				}
				x := wholeChoices(t, e, d, r)
				if x.tries == 0 {
					continue
				}
				compared++
				billed, beyond := 0.0, false
				for _, l := range r.Plan.BOM {
					switch l.Part.Kind {
					case catalog.KindCable, catalog.KindFibre, catalog.KindTransceiver:
						billed += float64(l.Total)
						beyond = beyond || o.Site.LeadWeeks > 0 && l.LeadWeeks() > o.Site.LeadWeeks
						if l.Part.Ports > 1 {
							shared++
						}
					}
				}
				if beyond {
					late++
				}
				switch {
				case beyond && !math.IsInf(x.inTime, 1):
					t.Errorf("list %d, %s: what is bought is beyond what comes in time, which a choice for %g does", i, d, x.inTime)
				case beyond && billed > x.least, !beyond && o.Site.LeadWeeks > 0 && billed > x.inTime, o.Site.LeadWeeks == 0 && billed > x.least:
					if !x.plugged && billed < math.Inf(1) { // which choice can be plugged is searched class by class
						unplugged++
						continue
					}
					t.Errorf("list %d, %s: cables for %g, the cheapest are %g, in time %g", i, d, billed, x.least, x.inTime)
				}
				if o.Site.LeadWeeks > 0 && x.inTime > x.least && !beyond {
					mended++
				}
			}
		}
	}
	t.Logf("%d designs compared, %d lines for several links, %d too late, %d dearer to be in time, %d to be plugged", compared, shared, late, mended, unplugged)
	if compared < few(60) || shared < few(20) || mended < few(4) {
		t.Errorf("%d designs compared, %d lines for several links, %d dearer to be in time: too few to tell", compared, shared, mended)
	}
}

// choices are what the cheapest of all choices costs, and of those that come in time.
type choices struct {
	least, inTime float64
	plugged       bool // both can be
	tries         int  // none if they are too many
}

// wholeChoices tries all choices of one kind of cable for the links of a class and length.
func wholeChoices(t *testing.T, e *Evaluator, d topology.Design, r *Result) (out choices) {
	t.Helper()
	var cables []floor.Cable
	if err := e.EachCable(d, func(c floor.Cable) bool { cables = append(cables, c); return true }); err != nil {
		t.Fatal(err)
	}
	all, err := e.opt.Catalog.Within(e.opt.Site.LeadWeeks).Prepare(catalog.SwitchLimits{}, catalog.Reach{}, catalog.Currency{Code: "USD"})
	if err != nil {
		t.Fatal(err)
	}
	var lists [2][]catalog.Cabling // of links to endpoints, and of others
	for _, x := range all.Cablings(400) {
		if x.Priced() {
			if lists[0] = append(lists[0], x); !x.Items[0].Part.Splitter() {
				lists[1] = append(lists[1], x)
			}
		}
	}
	type kind struct {
		link string
		m    float64
	}
	of, sets := map[kind]int{}, [][]catalog.Cabling(nil)
	run := make([]int, len(cables))
	tries := 1
	for i, c := range cables {
		list := lists[1]
		if c.Link == topology.ClassNic {
			list = lists[0]
		}
		list = slices.DeleteFunc(slices.Clone(list), func(x catalog.Cabling) bool { return x.StockM < c.LaidM })
		k := kind{c.Link, list[0].StockM}
		at, ok := of[k]
		if !ok {
			at = len(sets)
			of[k], sets = at, append(sets, list)
			tries *= len(list)
		}
		run[i] = at
	}
	if tries > 2_000 {
		return out
	}
	type cheapest struct {
		price float64
		fits  bool
	}
	at := [2]cheapest{{math.Inf(1), false}, {math.Inf(1), false}} // of all, and of those in time
	ports := map[string]int{}
	n := 0
	for _, b := range r.Plan.Switches { // in order, of families without embedded switches
		for range b.Count {
			ports[fmt.Sprint("switch ", n)], n = b.Part.Ports*1000+int(floor.SplitOf(b.Part, 400)), n+1
		}
	}
	for n := range tries {
		pick := make([]*catalog.Cabling, len(sets))
		for k := range sets {
			pick[k] = &sets[k][n%len(sets[k])]
			n /= len(sets[k])
		}
		price, inTime, fits := priceWhole(cables, func(i int) *catalog.Cabling { return pick[run[i]] }, e.opt.Site.LeadWeeks, ports)
		for k, x := range []float64{price, price} {
			if k == 1 && !inTime {
				continue
			}
			if x < at[k].price || x == at[k].price && fits {
				at[k] = cheapest{x, fits}
			}
		}
	}
	return choices{at[0].price, at[1].price, at[0].fits && (at[1].fits || math.IsInf(at[1].price, 1)), tries}
}

// priceWhole buys cables by the boxes that they join.
func priceWhole(cables []floor.Cable, of func(int) *catalog.Cabling, weeks float64, ports map[string]int) (price float64, inTime, fits bool) {
	type at struct {
		part *catalog.Part
		a, b string
	}
	count, units := map[at]int{}, map[*catalog.Part]int{}
	filled, lone := map[string]int{}, map[string]int{} // physical ports, and links through plugs of their own
	plugs := func(p *catalog.Part, n int, at ...string) {
		for _, box := range at {
			if split := ports[box] % 1000; split > 0 {
				filled[box] += n * ((p.Ports + split - 1) / split)
			}
		}
	}
	for i, c := range cables {
		name := func(s topology.SwitchID, e topology.EndpointID) string {
			if s < 0 {
				return fmt.Sprint("endpoint ", e)
			}
			return fmt.Sprint("switch ", s)
		}
		from, to := name(c.FromSwitch, c.Endpoint), name(c.ToSwitch, c.ToEndpoint)
		toEndpoint := c.Link == topology.ClassNic
		whole, module := of(i).Items[0].Part, of(i).Items[1].Part
		if plug := cmp.Or(module, whole); plug.Ports <= 1 {
			lone[from]++
			lone[to]++
		}
		switch {
		case whole.Ports <= 1, toEndpoint && len(whole.Breakouts) == 0:
			units[whole]++
			if whole.Ports > 1 && module == nil {
				plugs(whole, 1, to)
			}
		case len(whole.Breakouts) > 0:
			count[at{whole, to, ""}]++ // endpoints come first
		default:
			count[at{whole, min(from, to), max(from, to)}]++
		}
		switch {
		case module == nil:
		case module.Ports <= 1:
			units[module] += 2
		case toEndpoint:
			units[module]++
			count[at{module, to, ""}]++
		default:
			count[at{module, from, ""}]++
			count[at{module, to, ""}]++
		}
	}
	for k, n := range count {
		n = (n + k.part.Ports - 1) / k.part.Ports
		if units[k.part] += n; k.part.Kind != catalog.KindFibre {
			plugs(k.part, n, k.a, k.b)
		}
	}
	fits = true
	for box, p := range ports {
		fits = fits && filled[box]+(lone[box]+p%1000-1)/(p%1000) <= p/1000
	}
	inTime = true
	for p, n := range units {
		each, order, _ := p.Price(n)
		price += float64(each) * float64(order)
		inTime = inTime && (p.LeadWeeks <= weeks || order <= p.Stock)
	}
	return price, inTime, fits
}
