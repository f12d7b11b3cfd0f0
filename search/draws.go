package search

// Draw fills v with a tuple of a space whose family has Draws, inside the window of endpoints where a parameter says how many these
// are.
func (p *Problem) Draw(space int, intn func(int) int, v []int) {
	lo, hi := p.corners(space)
	p.Spaces[space].Fam.Draws.Sample(intn, lo, hi, v)
}

// Vary changes such a tuple a little, and Mend makes of any numbers the nearest such tuple.
func (p *Problem) Vary(space int, intn func(int) int, v []int) {
	lo, hi := p.corners(space)
	p.Spaces[space].Fam.Draws.Vary(intn, lo, hi, v)
}

// Mend is described at Vary.
func (p *Problem) Mend(space int, v []int) {
	lo, hi := p.corners(space)
	p.Spaces[space].Fam.Draws.Repair(lo, hi, v)
}

// corners are those of the box in which tuples are drawn.
func (p *Problem) corners(space int) (lo, hi []int) {
	sp := p.Spaces[space]
	lo, hi = make([]int, len(sp.Dims)), make([]int, len(sp.Dims))
	for i := range sp.Dims {
		d := &sp.Dims[i]
		lo[i], hi[i] = d.At(0), d.At(d.N-1)
	}
	if d := sp.Fam.Draws.Endpoints; d >= 0 {
		a, b := int(max(int64(lo[d]), p.Min)), int(min(int64(hi[d]), p.Max))
		if a <= b {
			lo[d], hi[d] = a, b
		}
	}
	return lo, hi
}
