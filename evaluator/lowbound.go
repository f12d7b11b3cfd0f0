package evaluator

// lowBound is the largest lower bound known of a figure, and what proves it.
type lowBound struct {
	x   float64
	why string
}

func (b *lowBound) raise(x float64, why string) {
	if x > b.x {
		b.x, b.why = x, why
	}
}
