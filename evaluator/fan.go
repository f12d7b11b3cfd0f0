package evaluator

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// fans bounds the cables of a class from below by how widely their far ends must spread over the
// floor, wherever that lies: around any rack there are only so many places, so that far ends in
// many racks are far away on average. By the spacing of far ends in racks, it holds sums over the
// places that are nearest.
type fans [len(fanSpacings)]struct {
	made sync.Once
	sums fanSums
}

// fanSums are sums over the first places around a rack, itself the first, in which far ends can stand
// that are so many racks apart: entry i over i of them.
type fanSums struct {
	m    []float64  // lengths
	each []float64  // lengths themselves, no sums
	rate []fanPrice // by rate on sale
}

// fanPrice is the same of the least price and draw of cables, of one rate and of it and all faster ones.
type fanPrice struct {
	price, watts, priceAny, wattsAny []float64
}

const (
	// mostFan bounds the places that are summed: 1,024 racks hold 32,768 endpoints. Wider fans take
	// the mean of those.
	mostFan = 1024
	// fanRows and fanPlaces bound where the nearest places are looked for: a rhombus of them holds
	// more than mostFan.
	fanRows, fanPlaces = 64, 1024
)

// fanSpacings are those for which sums are kept; others are rounded down, which is a bound as well.
var fanSpacings = [...]int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256}

// fanSums gives the sums for a spacing.
func (e *Evaluator) fanSums(spacing float64) *fanSums {
	i := len(fanSpacings) - 1
	for i > 0 && float64(fanSpacings[i]) > spacing {
		i--
	}
	f := &e.fans[i]
	f.made.Do(func() { f.sums = e.sumFan(fanSpacings[i]) })
	return &f.sums
}

// sumFan lists the nearest places. Far ends in a row are at least so many places apart: of m of them,
// the sum of distances is least in the middle of the row, and the farthest is at least (m-1)/2
// spacings away. The first bounds lengths in all, which grow in proportion; the second each length,
// and so the price, which does not.
func (e *Evaluator) sumFan(spacing int64) fanSums {
	site := &e.opt.Site
	var middle, each []float64
	for dy := int64(0); dy <= fanRows; dy++ {
		for m := int64(0); m*spacing/2 <= fanPlaces; m++ {
			a, b := e.atLeastM((m+1)/2*spacing, dy), e.atLeastM((m*spacing+1)/2, dy)
			middle, each = append(middle, a), append(each, b)
			if dy > 0 {
				middle, each = append(middle, a), append(each, b)
			}
		}
	}
	// Nothing beyond what was listed is nearer than this.
	end := min(site.lengthM(0, fanRows+1, false), site.lengthM(fanPlaces, 0, false))
	middle, each = nearest(middle, end), nearest(each, end)
	s := fanSums{m: sums(middle), each: each, rate: make([]fanPrice, len(e.speeds))}
	price, watts := constant(math.Inf(1)), constant(math.Inf(1)) // least over faster rates
	for i := len(e.speeds) - 1; i >= 0; i-- {
		p := &e.speeds[i]
		if len(p.steps) == 0 {
			continue
		}
		own, ownW := constant(0), constant(0)
		for k, m := range each {
			at := p.from(m)
			own[k], ownW[k] = p.fromPrice[at], p.fromW[at]
			price[k], watts[k] = min(price[k], own[k]), min(watts[k], ownW[k])
		}
		s.rate[i] = fanPrice{sums(own), sums(ownW), sums(price), sums(watts)}
	}
	return s
}

// atLeastM is the length of cables that go at least so many places and rows: those inside a rack may
// be longer than those to the next.
func (e *Evaluator) atLeastM(dx, dy int64) float64 {
	if dx == 0 && dy == 0 {
		return e.leastM
	}
	return e.opt.Site.lengthM(dx, dy, false)
}

func constant(x float64) []float64 {
	out := make([]float64, mostFan+1)
	for i := range out {
		out[i] = x
	}
	return out
}

// nearest are the least lengths, those above end taken as end.
func nearest(m []float64, end float64) []float64 {
	slices.SortFunc(m, cmp.Compare[float64])
	out := constant(end)
	for i := range min(len(m), len(out)) {
		out[i] = min(m[i], end)
	}
	return out
}

// sums are the sums of the first 0, 1, 2, ... values.
func sums(x []float64) []float64 {
	out := make([]float64, len(x)+1)
	for i, y := range x {
		out[i+1] = out[i] + y
	}
	return out
}

// fanOf is what a fan says on this floor: the racks over which cables spread at least, and their
// spacing; ok is false if it says nothing.
func (e *Evaluator) fanOf(f *topology.Fan) (racks, spacing float64, apart, ok bool) {
	s := &e.opt.Site
	if f.Ends < 1 || s.Buildings > 1 {
		return 0, 0, false, false
	}
	holds := float64(max(s.RackServers, 1) * e.opt.PerServer) // endpoints of a rack, at most
	boxes := float64(max(s.RackSwitches, 1))
	perRack, beside := 1.0, f.With // far ends; switches that stand with endpoints
	apart, spacing = f.Apart, 1
	switch {
	case f.Step == 0:
		perRack = math.Floor((holds-1)/f.Every) + 1
		spacing = math.Floor(f.Every / holds)
		if f.Switches {
			beside = perRack
		}
	case 2*f.Every > holds: // a block has racks of its own
		own := math.Ceil(f.Every / holds)
		beside = math.Ceil(f.With / own)
		apart = apart || f.OtherBlocks
		if f.Near <= 1 {
			spacing = own * f.Step
		} else {
			perRack = min(f.Near, beside)
		}
	default:
		blocks := math.Floor(holds / f.Every)
		perRack = (math.Floor((blocks-1)/f.Step) + 1) * max(f.Near, 1)
		spacing = math.Floor(f.Step * f.Every / holds)
	}
	crowded := s.RackPowerW > 0 || beside+1 > boxes // they may stand in racks of their own, full of them
	if f.Switches && crowded {
		perRack, spacing = max(perRack, boxes), 1
	}
	ends := f.Ends
	switch {
	case f.Together > 1 && crowded: // or share them with others
		ends /= f.Together
	case f.Together > boxes: // in several racks, in each at least half of what fits
		ends *= max(1, math.Floor(boxes/2)) / f.Together
	}
	// Sums leave out the shortest for those apart, and what is in no block is between far ends.
	apart = apart && e.leastM == s.InRackM && (f.OtherBlocks || spacing <= 1)
	return ends / perRack, max(spacing, 1), apart, true
}

// meanOf is the mean of the first so many places of sums, or of those behind the first.
func meanOf(sums []float64, places float64, apart bool) float64 {
	from := 0
	if apart {
		from = 1
	}
	places = max(1, min(places, float64(len(sums)-2-from)))
	i := int(places)
	part := places - float64(i)
	i += from
	return (sums[i] + part*(sums[i+1]-sums[i]) - sums[from]) / places
}

// fanned bounds from below the mean length of the cables of a class, and their least mean price (minor
// units) and draw, at the rate p or, if not same, at any faster; ok is false if nothing is known.
func (e *Evaluator) fanned(f *topology.Fan, p *speed, same bool) (meanM, price, watts float64, ok bool) {
	racks, spacing, apart, ok := e.fanOf(f)
	if !ok || len(p.steps) == 0 {
		return 0, 0, 0, false
	}
	s := e.fanSums(spacing)
	r := &s.rate[p.rank]
	meanM = meanOf(s.m, racks, apart)
	if same {
		return meanM, meanOf(r.price, racks, apart), meanOf(r.watts, racks, apart), true
	}
	return meanM, meanOf(r.priceAny, racks, apart), meanOf(r.wattsAny, racks, apart), true
}

// leastByFan improves the bounds of a class of a design by how far its cables spread.
func (e *Evaluator) leastByFan(c int, p *speed, sc *Scratch) {
	meanM, price, watts, ok := e.cablesOf(sc.floor.size, &sc.per, c, p, true)
	if !ok {
		return
	}
	l, n := &sc.lay, float64(sc.floor.size.Link[c])
	l.meanM[c] = max(l.meanM[c], meanM*metric.Below)
	l.price[c], l.watts[c] = max(l.price[c], n*price*metric.Below), max(l.watts[c], n*watts*metric.Below)
}
