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
