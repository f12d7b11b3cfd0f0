package floor

// stretch is blocks that follow one another in a row, or one that stands around the end of a row, and where in the one with the least place along the row racks of two kinds
// stand. Each other one stands as many places further as a block is wide.
type stretch struct {
	blocks int64
	a, b   rectangle
}

// stretches are those of a ring, of racks a and b of every block, by their positions in it.
func (r *Ring) stretches(a, b [2]int64) (out []stretch) {
	row := int64(-1) // of the blocks in the last stretch; -1: it has one that is around the end of a row
	for block := range r.blocks {
		one := stretch{1, r.of(block, a[0], a[1]), r.of(block, b[0], b[1])}
		y := one.a.y0
		if y != one.a.y1 || y != one.b.y0 || y != one.b.y1 {
			y = -1
		}
		if k := len(out) - 1; y >= 0 && y == row && block != r.half { // central racks stand before that
			if one.blocks = out[k].blocks + 1; y%2 == 0 {
				one.a, one.b = out[k].a, out[k].b
			}
			out[k] = one
			continue
		}
		out, row = append(out, one), y
	}
	return out
}

// everywhere adds up the least cables from racks a of every block to racks b of all others, whichever of these each leads to. Two stretches have as many
// distances as they have blocks together: it takes some 4 ns for each of those.
func (r *Ring) everywhere(a, b [2]int64, sum *leastSum) {
	all := r.stretches(a, b)
	beside := cableOf(sum.speed, sum.site.BesideM()) // never one rack
	var m, price, watts, longest float64             // in registers
	for i := range all {
		first := 0
		if a == b { // it is as far back
			first = i
		}
		from := &all[i]
		for j := first; j < len(all); j++ {
			to, both := &all[j], 1.0
			if a == b && i != j {
				both = 2
			}
			dy, right, left := from.a.rowsTo(&to.b), to.b.x0-from.a.x1, from.a.x0-to.b.x1
			for d := 1 - from.blocks; d < to.blocks; d++ {
				if i == j && d == 0 {
					continue
				}
				c := &beside
				if dx := max(0, right+d*r.width, left-d*r.width); dx > 0 || dy > 0 {
					c = sum.cableTo(dx, dy)
				}
				n := both * float64(min(from.blocks, to.blocks, from.blocks+d, to.blocks-d))
				m, price, watts, longest = m+n*c.stockM, price+n*c.price, watts+n*c.watts, max(longest, c.m)
			}
		}
	}
	sum.m, sum.price, sum.watts, sum.longestM = m, price, watts, longest
}
