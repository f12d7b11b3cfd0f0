package flit

// bucket is what arrives in one cycle in one lane: at a set of switches, or at the endpoints.
type bucket struct {
	flits   []uint64 // input VC << 32 | flit
	credits []int32  // output VCs
}

// spares are the arrays of buckets that have been emptied, the last used first: few arrays, and
// those in cache, serve a wheel of any size. Arrays smaller than the largest that was needed are
// replaced once, so that growth ends.
type spares struct {
	flits   stack[uint64]
	credits stack[int32]
}

// stack is a stack of empty arrays.
type stack[T any] struct {
	free [][]T
	most int
}

// leastSpare is the size of the first arrays: that of a cycle of a small network.
const leastSpare = 64

func (p *stack[T]) put(b []T) {
	if b != nil {
		p.free = append(p.free, b[:0])
		p.most = max(p.most, cap(b))
	}
}

func (p *stack[T]) take() []T {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		if cap(b) >= p.most {
			return b
		}
	}
	return make([]T, 0, max(leastSpare, p.most))
}

// room gives a list without room for another element more of it: an empty list one of the arrays.
func (p *stack[T]) room(b []T) []T {
	if cap(b) == 0 {
		return p.take()
	}
	return append(b, *new(T))[:len(b)]
}

//go:noinline
func (p *spares) roomForFlits(b *bucket) { b.flits = p.flits.room(b.flits) }

//go:noinline
func (p *spares) roomForCredits(b *bucket) { b.credits = p.credits.room(b.credits) }

func (p *spares) giveBack(b *bucket) {
	p.flits.put(b.flits)
	p.credits.put(b.credits)
	b.flits, b.credits = nil, nil
}
