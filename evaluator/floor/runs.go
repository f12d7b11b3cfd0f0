package floor

import (
	"math"

	"toposearch/topology"
)

// eachRun gives the boxes of class i rack by rack, in order: those before to, from the last one
// on, stand at a position.
func (p *Plan) eachRun(i int, run func(to, position int64)) {
	n := p.count[i]
	each := p.share(i) * p.perSection
	switch {
	case p.home[i] != topology.Central: // the same in all sections
		var buf [64]rackEnd
		ends := p.sectionRuns(i, buf[:0])
		section := int64(0)
		for first := int64(0); first < n; first += each {
			base := p.base(section)
			section++
			for _, e := range ends {
				run(min(first+e.to, n), base+e.at)
				if first+e.to >= n {
					break
				}
			}
		}
	default:
		before, in := p.beforeInCenter(i)
		for j := int64(0); j < n; {
			b := (before + j) / in
			r := (before + j - b*in) * p.central / in
			at := b*p.perBuilding + p.half*(p.endRacks+p.netRacks) + r
			j = min(b*in+min(ceilDiv((r+1)*in, p.central), in)-before, n)
			run(j, at)
		}
	}
}

// eachSwitchRun is eachRun by switches.
func (p *Plan) eachSwitchRun(i int, run func(to, position int64)) {
	p.eachRun(i, func(to, position int64) { run(p.sharing[i].First(to), position) })
}

// sectionRuns lists the racks of a section in which switches of class i stand, in order: of a class that does not stand
// in central racks.
func (p *Plan) sectionRuns(i int, out []rackEnd) []rackEnd {
	each := p.share(i) * p.perSection
	if p.home[i] == topology.InBlock && p.both {
		return append(out, rackEnd{each, 0})
	}
	before, all, racks := int64(0), each, p.endRacks
	if p.home[i] == topology.InBlock {
		before, all = p.beforeInBlock(i)
		racks = p.netRacks
	}
	for j := int64(0); j < each; {
		r := (before + j) * racks / all
		j = min(ceilDiv((r+1)*all, racks)-before, each) // the first one in a later rack
		at := r
		if p.home[i] == topology.InBlock {
			at = p.netFrom(0, r)
		} else {
			at = p.endFrom(0, r)
		}
		out = append(out, rackEnd{j, at})
	}
	return out
}

// rackEnd is where in its section a rack stands, and the first switch of the section that stands behind it.
type rackEnd struct{ to, at int64 }

// ceilDiv is x/y, rounded up; y is positive.
func ceilDiv(x, y int64) int64 {
	if x < 0 {
		return -(-x / y)
	}
	return (x + y - 1) / y
}

// rackRun is consecutive positions of one building.
type rackRun struct {
	first, last, perRow int64
	firstRow, lastRow   int64
	// near are its places in the rows that may hold the nearest rack to one of the row that lookFrom was told of.
	near []runRow
	buf  [3]runRow
	y    int64
}

// runRow is the places of a run in a row, so many rows or metres away.
type runRow struct {
	from, to, rows int64
	m              float64
}

func (p *Plan) runOf(first, last int64) rackRun {
	return rackRun{first: first, last: last, perRow: p.perRow, firstRow: first / p.perRow, lastRow: last / p.perRow, y: -1}
}

// row is the range of places that the run holds in a row.
func (r *rackRun) row(y int64) (from, to int64) {
	from, to = max(r.first-y*r.perRow, 0), min(r.last-y*r.perRow, r.perRow-1)
	if y%2 == 1 {
		from, to = r.perRow-1-to, r.perRow-1-from
	}
	return from, to
}

// lookFrom finds the rows that may hold the nearest rack to one of row y.
func (r *rackRun) lookFrom(site *Site, y int64) {
	if y == r.y {
		return
	}
	r.y, r.near = y, r.buf[:0]
	at := min(max(y, r.firstRow), r.lastRow)
	for row := max(at-1, r.firstRow); row <= min(at+1, r.lastRow); row++ {
		from, to := r.row(row)
		rows := max(row-y, y-row)
		r.near = append(r.near, runRow{from, to, rows, float64(rows) * site.RowPitchM})
	}
}

// nearest gives how far the run is from place x of the row that lookFrom was told of: the racks and rows to its nearest rack,
// by the pitches of a run of which at most the first and the last row are not full.
func (r *rackRun) nearest(site *Site, x int64) (dx, dy int64) {
	best := math.Inf(1)
	for i := range r.near {
		n := &r.near[i]
		a := max(n.from-x, x-n.to, 0)
		if d := float64(a)*site.RackPitchM + n.m; d < best {
			best, dx, dy = d, a, n.rows
		}
	}
	return dx, dy
}
