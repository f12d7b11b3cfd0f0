package bound

import (
	"math"
	"slices"
	"sync"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// A packing bound on cables: the far ends of the links of a switch occupy a least number of distinct racks, and
// the racks within a distance of any one are few. So the mean length of these cables is at least that to
// as many racks of the grid as they occupy, the nearest first, wherever on the floor the switch stands: an isoperimetric
// bound for the metric that cables have, along a row and across rows. It needs no floor plan, and so it holds
// for all designs of a box.

// packings bounds cables on a site, and holds the sums over the nearest racks, by the distance that far ends in a
// row keep from each other, made when they are first asked for.
type packings struct {
	site      *floor.Site
	market    *market.Market
	perServer int
	byPitch   [2][len(pitches)]struct { // the second of far ends anywhere in their blocks
		made sync.Once
		sums packing
	}
}

// pitches are the distances, in racks, for which sums are kept; others are rounded down, which is a bound as
// well.
var pitches = [...]int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256}

// packing is sums over the first racks around one, itself the first, in which far ends can stand: entry i over
// i of them.
type packing struct {
	m     []float64      // lengths as laid
	each  []float64      // such lengths themselves, no sums
	rates []packedPrices // by rate on sale
}

// packedPrices is the same of cables as bought, of one rate, and of it and all faster ones.
type packedPrices struct{ own, any packedRate }

// packedRate is their lengths, least prices and draws.
type packedRate struct{ m, price, watts []float64 }

// summed is the sums over single racks.
func (r packedRate) summed() packedRate { return packedRate{sums(r.m), sums(r.price), sums(r.watts)} }

func rateOf(x float64) packedRate { return packedRate{constant(x), constant(x), constant(x)} }

const (
	// mostPacked bounds the racks that are summed: 1,024 racks hold 32,768 endpoints. Far ends in more
	// take the mean of those.
	mostPacked = 1024
	// packedRows and packedPlaces bound where the nearest racks are sought: a rhombus of them holds
	// more than mostPacked.
	packedRows, packedPlaces = 64, 1024
)

// sumsFor gives the sums for far ends that keep a distance in racks.
func (g *packings) sumsFor(ends *farEnds) *packing {
	i, anywhere := len(pitches)-1, 0
	for i > 0 && float64(pitches[i]) > ends.pitch {
		i--
	}
	if ends.anywhere {
		anywhere = 1
	}
	p := &g.byPitch[anywhere][i]
	p.made.Do(func() { p.sums = g.pack(pitches[i], ends.anywhere) })
	return &p.sums
}

// pack lists the nearest racks. Far ends in a row are at least pitch racks apart: of k of them, the sum of
// distances is least in the middle of the row, and the farthest is at least (k-1)/2 pitches away. The first
// bounds lengths in all, which grow in proportion; the second each length, and so the price, which does not. Ends that stand
// anywhere in their blocks are so far apart only on average: the last of one block may be beside the first of the next, and of k in a row all but
// two blocks lie between the outermost.
func (g *packings) pack(pitch int64, anywhere bool) packing {
	middle, each := least{cut: inf}, least{cut: inf}
	for dy := int64(0); dy <= packedRows; dy++ {
		for k := int64(0); (k-1)*pitch/2 <= packedPlaces; k++ {
			span := k * pitch
			if anywhere && k > 0 {
				span -= pitch - 1
			}
			a, b := g.atLeastM((k+1)/2*pitch, dy), g.atLeastM((span+1)/2, dy)
			middle.add(a)
			each.add(b)
			if dy > 0 {
				middle.add(a)
				each.add(b)
			}
		}
	}
	// Nothing beyond what was listed is nearer than this.
	end := min(g.site.LengthM(0, packedRows+1, false), g.site.LengthM(packedPlaces, 0, false))
	s := packing{m: sums(middle.upTo(end)), each: each.upTo(end), rates: make([]packedPrices, g.market.Speeds())}
	any := rateOf(inf) // least over faster rates
	for i := len(s.rates) - 1; i >= 0; i-- {
		if len(g.market.SpeedAt(i).Steps) == 0 {
			continue
		}
		own := rateOf(0)
		for k, x := range s.each {
			own.m[k], own.price[k], own.watts[k] = g.market.AtLeast(i, x)
			any.m[k] = min(any.m[k], own.m[k])
			any.price[k], any.watts[k] = min(any.price[k], own.price[k]), min(any.watts[k], own.watts[k])
		}
		s.rates[i] = packedPrices{own.summed(), any.summed()}
	}
	return s
}

// atLeastM is the length of cables that go at least dx places and dy rows: those inside a rack may
// be longer than those to the next.
func (g *packings) atLeastM(dx, dy int64) float64 {
	if dx == 0 && dy == 0 {
		return g.site.ShortestM()
	}
	return g.site.LengthM(dx, dy, false)
}

func constant(x float64) []float64 {
	out := make([]float64, mostPacked+1)
	for i := range out {
		out[i] = x
	}
	return out
}

// least keeps the mostPacked+1 least of many lengths.
type least struct {
	m   []float64
	cut float64 // from it on, lengths are not among them
}

func (l *least) add(x float64) {
	if x >= l.cut {
		return
	}
	if l.m = append(l.m, x); len(l.m) == 4*(mostPacked+1) { // sorted seldom
		slices.Sort(l.m)
		l.m = l.m[:mostPacked+1]
		l.cut = l.m[mostPacked]
	}
}

// upTo are the least lengths, those above end taken as end.
func (l *least) upTo(end float64) []float64 {
	slices.Sort(l.m)
	out := constant(end)
	for i := range min(len(l.m), len(out)) {
		out[i] = min(l.m[i], end)
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

// meanOf is the mean over the first racks of sums, or over as many behind the first, which need not be a whole
// number.
func meanOf(sums []float64, racks float64, apart bool) float64 {
	from := 0
	if apart {
		from = 1
	}
	racks = max(1, min(racks, float64(len(sums)-2-from)))
	i := int(racks)
	part := racks - float64(i)
	i += from
	return (sums[i] + part*(sums[i+1]-sums[i]) - sums[from]) / racks
}

// meanCable bounds from below the mean length of the cables of a class as bought, and their least mean price in
// minor units and draw.
type meanCable struct{ meanM, price, watts float64 }

// add adds a share of the cables.
func (m *meanCable) add(share float64, of *meanCable) {
	m.meanM += share * of.meanM
	m.price += share * of.price
	m.watts += share * of.watts
}

// holds is how many endpoints a rack has room for.
func (g *packings) holds() float64 { return float64(max(g.site.RackServers, 1) * g.perServer) }

// farEnds is where on this floor the far ends of the links of a switch stand.
type farEnds struct {
	racks float64 // the least number of racks that they occupy,
	pitch float64 // which in a row are at least pitch apart, in racks
	apart bool    // none is the switch's own
	// anywhere: they are so far apart on average, and neighbours may be in racks side by side
	anywhere bool
}

// farEndsOf works out what a family says of a class for this floor; ok is false if that is nothing.
func (g *packings) farEndsOf(f *topology.Fan) (out farEnds, ok bool) {
	s := g.site
	if f.Ends < 1 || s.Buildings > 1 {
		return farEnds{}, false
	}
	holds := g.holds()
	boxes := float64(max(s.RackSwitches, 1))
	perRack, beside := 1.0, f.With // far ends; switches that stand with endpoints
	apart, pitch := f.Apart, 1.0
	switch {
	case f.Step == 0:
		perRack = math.Ceil(holds / f.Every) // Every need not be a whole number: leaves of 31.5 endpoints begin twice in a rack of 32
		pitch = math.Floor(f.Every / holds)
		if f.Switches {
			beside = perRack
		}
	case 2*f.Every > holds: // a block has racks of its own
		own := math.Ceil(f.Every / holds)
		beside = math.Ceil(f.With / own)
		apart = apart || f.OtherBlocks
		if f.Near <= 1 {
			pitch = own * f.Step
		} else {
			perRack = min(f.Near, beside)
		}
	default:
		blocks := math.Floor(holds / f.Every)
		perRack = (math.Floor((blocks-1)/f.Step) + 1) * max(f.Near, 1)
		pitch = math.Floor(f.Step * f.Every / holds)
	}
	crowded := s.RackPowerW > 0 || beside+1 > boxes // they may stand in racks of their own, full of them
	if f.Switches && crowded {
		perRack, pitch = max(perRack, boxes), 1
	}
	ends := f.Ends
	switch {
	case f.Together > 1 && crowded: // or share them with others
		ends /= f.Together
	case f.Together > boxes: // in several racks, in each at least half of what fits, if not an even share of so many racks
		least := max(1, math.Floor(boxes/2))
		ends *= least / f.Together
		if f.Few == f.Together {
			least = math.Floor(f.Few / math.Ceil(f.Few/boxes))
		}
		if links := min(least, f.Few)*f.Ports - 1; links > 0 && 2*f.Every > holds { // of a rack, which are of so many rounds at most, one more than they fill
			ends = max(ends, links*f.Around/(links+2*f.Around))
		}
	}
	// Sums leave out the shortest for those apart, and what is in no block is between far ends.
	apart = apart && g.site.ShortestM() == s.InRackM && (f.OtherBlocks || pitch <= 1)
	return farEnds{ends / perRack, max(pitch, 1), apart, f.Anywhere}, true
}

// mean bounds the cables of a class by the racks that their far ends occupy, at the rate p or, if that is not
// known to be theirs, at any faster; ok is false if nothing is known.
func (g *packings) mean(f *topology.Fan, p *market.Speed, known bool) (out meanCable, ok bool) {
	ends, ok := g.farEndsOf(f)
	if !ok || len(p.Steps) == 0 {
		return meanCable{}, false
	}
	s := g.sumsFor(&ends)
	r := &s.rates[p.Rank].own
	if !known {
		r = &s.rates[p.Rank].any
	}
	mean := func(sums []float64) float64 { return meanOf(sums, ends.racks, ends.apart) }
	return meanCable{max(mean(s.m), mean(r.m)), mean(r.price), mean(r.watts)}, true
}

// farthest bounds the longest cable of a class from below: the last of the racks that far ends occupy is no nearer
// than the nearest that are as many. 0 if nothing is known.
func (g *packings) farthest(f *topology.Fan) float64 {
	ends, ok := g.farEndsOf(f)
	if !ok {
		return 0
	}
	each := g.sumsFor(&ends).each
	i := math.Ceil(ends.racks*metric.Below) - 1
	if ends.apart {
		i++
	}
	return each[int(max(0, min(i, float64(len(each)-1))))]
}
