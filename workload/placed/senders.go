package placed

import "toposearch/workload/collective"

// lane is a permutation by which who receives finds the sender, so often, with a share of S each time.
type lane struct {
	back  collective.Perm
	times int
	share float64
	of    []senders // by place, once one is asked for
}

// senders are those to one place, repetition after repetition: l.back.Of without dividing each time.
type senders struct {
	at           int // coordinate of the next one, in the dimension of the permutation
	from, by     int // the place and its coordinate there
	stride, size int
	grow         int
	other        int // the only one, of flipped bits, of tables and of what is folded
	only         bool
}

func (l *lane) senders(place int) senders {
	b := &l.back
	if b.Table != nil || b.Xor != 0 || b.Folded.Ranks > 0 {
		return senders{other: b.Of(place, 0), only: true} // which do not depend on the repetition
	}
	w := senders{from: place, by: place / b.Stride % b.Size, stride: b.Stride, size: b.Size, grow: (b.Grow%b.Size + b.Size) % b.Size}
	w.at = ((w.by+b.Shift)%b.Size + b.Size) % b.Size
	return w
}

// next is a place, -1 for none.
func (w *senders) next() int {
	if w.only {
		return w.other
	}
	at := w.at
	if w.at += w.grow; w.at >= w.size {
		w.at -= w.size
	}
	if at == w.by {
		return -1
	}
	return w.from + (at-w.by)*w.stride
}
