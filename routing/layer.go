package routing

import (
	"math/bits"
	"slices"

	"toposearch/topology"
)

// channelRows says where bits for the channels that follow each channel stand.
type channelRows struct {
	net   *topology.Network
	local []int32 // of each channel: its place among those that leave its switch
	from  []topology.SwitchID
	words []int64 // where the row of each channel begins
	// Channels into switch v are into[start[v]:start[v+1]].
	start []int32
	into  []topology.ChannelID
}

func newChannelRows(n *topology.Network) *channelRows {
	l := &channelRows{net: n, local: make([]int32, n.Channels()), from: make([]topology.SwitchID, n.Channels()), words: make([]int64, n.Channels()+1)}
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			l.local[c], l.from[c] = int32(c-first), s
			a, b := n.Out(n.To(c))
			l.words[c+1] = int64(b-a+63) / 64
		}
	}
	l.start, l.into = make([]int32, n.Switches()+1), make([]topology.ChannelID, n.Channels())
	for c := range topology.ChannelID(n.Channels()) {
		l.words[c+1] += l.words[c]
		l.start[n.To(c)+1]++
	}
	for s := range n.Switches() {
		l.start[s+1] += l.start[s]
	}
	at := slices.Clone(l.start)
	for c := range topology.ChannelID(n.Channels()) {
		v := n.To(c)
		l.into[at[v]] = c
		at[v]++
	}
	return l
}

// layer is the dependencies between channels in one layer, with an order of the channels that all
// of them follow; the order is mended as dependencies come (Pearce, Kelly, ACM JEA 11, 2006).
type layer struct {
	l     *channelRows
	rows  []uint64 // bit per channel that leaves the switch that a channel leads to
	order []int32  // place of each channel
	mark  []bool
	ahead []topology.ChannelID
	back  []topology.ChannelID
	slots []int32
	added [][2]topology.ChannelID
}

func (l *channelRows) newLayer() *layer {
	y := &layer{l: l, rows: make([]uint64, l.words[len(l.words)-1]), order: make([]int32, len(l.local)), mark: make([]bool, len(l.local))}
	for c := range y.order {
		y.order[c] = int32(c)
	}
	return y
}

// take adds dependencies unless they close a cycle; then it stays as it was.
func (y *layer) take(pairs [][2]topology.ChannelID) bool {
	y.added = y.added[:0]
	for _, p := range pairs {
		word, bit := y.bit(p[0], p[1])
		if *word&bit != 0 {
			continue
		}
		if y.order[p[0]] >= y.order[p[1]] && !y.mend(p[0], p[1]) {
			for _, q := range y.added {
				word, bit := y.bit(q[0], q[1])
				*word &^= bit
			}
			return false
		}
		*word |= bit
		y.added = append(y.added, p)
	}
	return true
}

func (y *layer) bit(a, b topology.ChannelID) (*uint64, uint64) {
	k := y.l.local[b]
	return &y.rows[y.l.words[a]+int64(k>>6)], 1 << (k & 63)
}

// mend orders the channels anew so that a comes before b; false if b leads to a.
func (y *layer) mend(a, b topology.ChannelID) bool {
	least, most := y.order[b], y.order[a]
	y.ahead, y.back = append(y.ahead[:0], b), y.back[:0]
	y.mark[b] = true
	ok := a != b
	for i := 0; ok && i < len(y.ahead); i++ {
		ok = y.eachAfter(y.ahead[i], func(c topology.ChannelID) bool {
			if !y.mark[c] && y.order[c] <= most {
				y.mark[c] = true
				y.ahead = append(y.ahead, c)
			}
			return c != a
		})
	}
	if ok {
		y.back = append(y.back, a)
		y.mark[a] = true
		for i := 0; i < len(y.back); i++ {
			y.eachBefore(y.back[i], func(c topology.ChannelID) {
				if !y.mark[c] && y.order[c] >= least {
					y.mark[c] = true
					y.back = append(y.back, c)
				}
			})
		}
		y.reorder()
	}
	for _, c := range y.ahead {
		y.mark[c] = false
	}
	for _, c := range y.back {
		y.mark[c] = false
	}
	return ok
}

// reorder gives the places of both sides first to what leads to a, then to what follows b.
func (y *layer) reorder() {
	byOrder := func(p, q topology.ChannelID) int { return int(y.order[p]) - int(y.order[q]) }
	slices.SortFunc(y.back, byOrder)
	slices.SortFunc(y.ahead, byOrder)
	y.slots = y.slots[:0]
	for _, c := range y.back {
		y.slots = append(y.slots, y.order[c])
	}
	for _, c := range y.ahead {
		y.slots = append(y.slots, y.order[c])
	}
	slices.Sort(y.slots)
	for i, c := range y.back {
		y.order[c] = y.slots[i]
	}
	for i, c := range y.ahead {
		y.order[c] = y.slots[len(y.back)+i]
	}
}

// eachAfter gives the channels that c leads to, until f says false; it reports whether it did not.
func (y *layer) eachAfter(c topology.ChannelID, f func(topology.ChannelID) bool) bool {
	l := y.l
	first, _ := l.net.Out(l.net.To(c))
	for i := l.words[c]; i < l.words[c+1]; i++ {
		for w := y.rows[i]; w != 0; w &= w - 1 {
			if !f(first + topology.ChannelID(int(i-l.words[c])*64+bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}

// acyclic reports whether channels can be ordered; it does not use order.
func (y *layer) acyclic() bool {
	_, left := removeOrdered(len(y.order), func(c int32, yield func(int32) bool) {
		y.eachAfter(topology.ChannelID(c), func(d topology.ChannelID) bool { return yield(int32(d)) })
	})
	return left == 0
}

// eachBefore gives the channels that lead to c.
func (y *layer) eachBefore(c topology.ChannelID, f func(topology.ChannelID)) {
	s := y.l.from[c]
	for _, in := range y.l.into[y.l.start[s]:y.l.start[s+1]] {
		if word, bit := y.bit(in, c); *word&bit != 0 {
			f(in)
		}
	}
}
