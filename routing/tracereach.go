package routing

// Messages that are not split.

// squares are of what each channel or port carries the sum over messages of the square of the part that takes it.
type squares struct {
	hop     []float64 // by channel or, where some stand for several, by hop (twinned)
	in, out []float64
	rate    float64 // of the flow at hand
}

// spread is that of loads, by hops that stand for those of all channels, if some do.
func (q *squares) spread(of *partial, short *twinned, hops []hop) *Spread {
	channel := q.hop
	if short.times != nil {
		channel = make([]float64, len(of.channel))
		short.spread(q.hop, channel, hops)
	}
	rest := func(squares, loads []float64) []float64 {
		for i, load := range loads {
			if load > 0 {
				squares[i] = max(0, 1-squares[i]/load)
			}
		}
		return squares
	}
	return &Spread{rest(channel, of.channel), rest(q.in, of.in), rest(q.out, of.out)}
}
