package search

// Candidate is a design proposed for scoring: a family of the problem and canonical values.
type Candidate struct {
	Space int
	V     []int
}

// Canonical gives the candidate of values, with a copy of them in canonical order.
func (p *Problem) Canonical(sp int, v []int) Candidate {
	c := append([]int(nil), v...)
	if f := p.Spaces[sp].Fam; f.Canonical != nil {
		f.Canonical(c)
	}
	return Candidate{sp, c}
}

// Name is the canonical name of a candidate: its design.
func (p *Problem) Name(c Candidate) string { return p.Design(c.Space, c.V).String() }
