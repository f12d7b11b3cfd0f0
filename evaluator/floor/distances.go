package floor

import (
	"math"
)

// Distances is the memory in which LeastCables holds how far parts of a class of central switches are from each
// place and from each row, on average over the switches of the part, in places and in rows.
type Distances struct {
	parts        int
	places, rows int64
	x, y         []float64 // by part, and place or row
}

// measure prepares the distances to the switches of class j, in equal parts.
func (d *Distances) measure(p *Plan, j, parts int) {
	d.parts, d.places, d.rows = parts, p.perRow, p.rows
	d.x, d.y = grow(d.x, parts*int(d.places)), grow(d.y, parts*int(d.rows))
	per := p.size.Switch[j].Count / int64(parts)
	next := int64(0)
	p.eachRun(j, func(to, position int64) {
		at := p.spot(position)
		for next < to {
			part := next / per
			end := min(to, (part+1)*per)
			share := float64(end-next) / float64(per)
			for x := range d.places {
				d.x[part*d.places+x] += share * math.Abs(float64(x-int64(at.x)))
			}
			for y := range d.rows {
				d.y[part*d.rows+y] += share * math.Abs(float64(y-int64(at.y)))
			}
			next = end
		}
	})
}

// ranges prepares the distances to the switches of class j that are in the part of each range, where the pairs of
// ranges have equal parts of the class in turn; it tells whether they do.
func (d *Distances) ranges(p *Plan, j, ranges int) bool {
	pairs := int64(ranges) * int64(ranges-1) / 2
	per := p.size.Switch[j].Count / pairs
	if per == 0 || per*pairs != p.size.Switch[j].Count {
		return false
	}
	d.parts, d.places, d.rows = ranges, p.perRow, p.rows
	d.x, d.y = grow(d.x, ranges*int(d.places)), grow(d.y, ranges*int(d.rows))
	next, left := int64(0), per
	a, b := int64(0), int64(1) // the pair, of whose part left are still to come
	p.eachRun(j, func(to, position int64) {
		at := p.spot(position)
		for next < to {
			n := min(to-next, left)
			w := float64(n)
			d.x[a*d.places+int64(at.x)] += w
			d.x[b*d.places+int64(at.x)] += w
			d.y[a*d.rows+int64(at.y)] += w
			d.y[b*d.rows+int64(at.y)] += w
			next, left = next+n, left-n
			if left > 0 {
				continue
			}
			left = per
			if b++; b == int64(ranges) {
				a++
				b = a + 1
			}
		}
	})
	all := float64(per * int64(ranges-1))
	for r := range int64(ranges) {
		meanDistances(d.x[r*d.places:(r+1)*d.places], all)
		meanDistances(d.y[r*d.rows:(r+1)*d.rows], all)
	}
	return true
}

// meanDistances turns weights at places into the mean distances from each place; all is the sum of the weights.
func meanDistances(w []float64, all float64) {
	sum, before := 0.0, 0.0
	for i, x := range w {
		sum += float64(i) * x
	}
	for i, x := range w {
		w[i] = sum / all
		before += x
		sum += 2*before - all // one place on: farther from those behind, and nearer to the others
	}
}

// partM is the mean length of cables from another rack to all switches of a part.
func (d *Distances) partM(s *Site, part, x, y int64) float64 {
	m := d.x[part*d.places+x]*s.RackPitchM + d.y[part*d.rows+y]*s.RowPitchM
	return (m + 2*s.RiseM) * (1 + s.Slack)
}

// meanM is the mean length of cables from another rack to all switches of the nearest part.
func (d *Distances) meanM(s *Site, x, y int64) float64 {
	best := math.Inf(1)
	for part := range int64(d.parts) {
		best = math.Min(best, d.partM(s, part, x, y))
	}
	return best
}
