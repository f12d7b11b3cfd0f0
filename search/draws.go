package search

// Draw fills v with a tuple of a space whose family has Draws, inside the window of endpoints where a parameter says how many these
// are.
func (p *Problem) Draw(space int, intn func(int) int, v []int) {
	sp := p.Spaces[space]
	sp.Fam.Draws.Sample(intn, sp.drawnLo, sp.drawnHi, v)
}

// Vary changes such a tuple a little, and Mend makes of any numbers the nearest such tuple.
func (p *Problem) Vary(space int, intn func(int) int, v []int) {
	sp := p.Spaces[space]
	sp.Fam.Draws.Vary(intn, sp.drawnLo, sp.drawnHi, v)
}

// Mend is described at Vary.
func (p *Problem) Mend(space int, v []int) {
	sp := p.Spaces[space]
	sp.Fam.Draws.Repair(sp.drawnLo, sp.drawnHi, v)
}

// drawWithin sets the corners of the box in which tuples are drawn, of a space whose family has Draws.
func (sp *Space) drawWithin(least, most int64) {
	sp.drawnLo, sp.drawnHi = make([]int, len(sp.Dims)), make([]int, len(sp.Dims))
	for i := range sp.Dims {
		d := &sp.Dims[i]
		sp.drawnLo[i], sp.drawnHi[i] = d.At(0), d.At(d.N-1)
	}
	if d := sp.Fam.Draws.Endpoints; d >= 0 {
		a, b := int(max(int64(sp.drawnLo[d]), least)), int(min(int64(sp.drawnHi[d]), most))
		if a <= b {
			sp.drawnLo[d], sp.drawnHi[d] = a, b
		}
	}
}
