package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Blocks stand one behind the other along the rows of the hall, so that between racks of two blocks are those of all blocks between them, and
// as many whole rows as these fill. Where every two blocks are linked, that bounds the mean of their cables without a floor plan:
// packings see how many blocks are linked, but not that a large one keeps others some rows away.

// inOrder bounds the cables between every two blocks of the designs of a box, of which most is the largest; ok is false where nothing is known, or blocks
// are so small that packings say more.
func (g *packings) inOrder(f *topology.Fan, most *topology.Size, p *market.Speed) (out meanCable, ok bool) {
	s := g.site
	holds := g.holds()
	if f.Each < 1 || f.Around < 1 || s.Buildings > 1 || s.RackPowerW > 0 || 2*f.Every <= holds || len(p.Steps) == 0 {
		return meanCable{}, false
	}
	own, perRow := math.Ceil(f.Every/holds), g.mostPerRow(most, float64(most.Endpoints)/f.Every)
	if 2*own < perRow {
		return meanCable{}, false
	}
	cable := func(next int) (c meanCable) {
		places := float64(next) * own // and one
		if f.Together == 0 {          // from the end of a block to the beginning of the other
			places -= own
		}
		m := min(s.LengthM(int64(places)+1, 0, false), s.LengthM(0, 1, false))
		if rows := int64(places / perRow); rows > 0 {
			m = s.LengthM(0, rows, false)
		}
		c.meanM = p.StockM(m)
		c.price, c.watts = p.AtLeast(m)
		return c
	}
	blocks := int(f.Around) + 1
	next, pairs := cable(1), float64(blocks)*float64(blocks-1)/2
	each := float64(f.Each) / float64(f.Each+1) // of the links, if every two blocks have one more, all of which may be those of neighbours
	out.add(1-each, &next)
	for k := 1; k < blocks; k++ {
		c := cable(k)
		out.add(each*float64(blocks-k)/pairs, &c)
	}
	return out, true
}

// mostPerRow bounds the racks of a row, of halls with so many blocks at most.
func (g *packings) mostPerRow(most *topology.Size, blocks float64) float64 {
	s := g.site
	// Endpoints and switches of a block may each leave a rack unfilled, and those in the middle one more.
	racks := float64(most.Endpoints)/g.holds() + float64(most.Switches())/float64(max(s.RackSwitches, 1)) + 3*blocks + 2
	if s.Rows > 0 {
		return math.Ceil(racks / float64(s.Rows))
	}
	// A hall has round(rows) of them, and what that leaves for a row grows with racks from rows = 1 on; smaller halls have less.
	rows := max(4, math.Sqrt(racks*s.RackPitchM/s.RowPitchM))
	return max(racks, 16*s.RowPitchM/s.RackPitchM)/(rows-0.5) + 1
}
