package routing

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"toposearch/topology"
)

// ways are the shortest routes from all nodes of a router to some switches, 64 of these to a word. Nodes are rows of states of switches.
type ways struct {
	r     *Router
	rows  rows
	nodes int
	start []int32 // hops of node x are [start[x], start[x+1])
	hops  []hop
	words int
	// on has for word w and hop a at [w*len(hops)+a] the destinations to which the hop is on a shortest route; nil: they are too many to be kept, and distances tell.
	on []uint64
	// far has by word how far node x is from its destinations: the bit k of all distances at [x*bits+k], of as many bits as the longest of the word has; none where
	// nothing leads there.
	far     []wordDistances
	longest uint8 // distance
	dsts    []topology.SwitchID
	seek    *seeker // of hops that are not kept, once they are asked for again (onto)
	inOrder bool    // hops of a node are in the order of the nodes that they lead to
}

// wordDistances are those from all nodes to the destinations of a word.
type wordDistances struct {
	bits int
	of   []uint64
}

// hop is a channel with the node that it leads to, and with the hop that takes the spare VC of the same channel (Router.findRest), -1 for none.
type hop struct {
	channel    topology.ChannelID
	node, rest int32
}

// target is a destination: its bit of a word.
type target struct {
	at   topology.SwitchID
	word int32
	bit  uint8
}

// index is its place among all.
func (t target) index() int { return int(t.word)*wideBits + int(t.bit) }

// ErrTooMuch is that of distances which would take too much memory.
var ErrTooMuch = errors.New("routing: distances between all switches take too much memory")

// MostDistances bounds the words of 64 destinations of which distances are kept, each of two or three bits mostly: of 32,000 switches with endpoints, some 300 MB. MostOn bounds the words of what is kept beside
// them, of 4,000 such switches with some hundred links each.
const MostDistances, MostOn = 1 << 24, 1 << 25

// newWays finds them. The error is ErrTooMuch, or that of a route with Far hops or more.
func (r *Router) newWays(ctx context.Context, dsts []topology.SwitchID) (*ways, error) {
	w := &ways{r: r, rows: r.equalSteps(), words: (len(dsts) + wideBits - 1) / wideBits, dsts: dsts}
	w.nodes = r.Net.Switches() * w.rows.n()
	if w.nodes*w.words > MostDistances {
		return nil, ErrTooMuch
	}
	w.lead()
	if len(w.hops)*w.words <= MostOn {
		w.on = make([]uint64, w.words*len(w.hops))
	}
	return w, w.search(ctx)
}

// lead lists the hops.
func (w *ways) lead() {
	r, S := w.r, w.rows.n()
	w.start, w.hops, w.inOrder = make([]int32, 1, w.nodes+1), make([]hop, 0, r.Net.Channels()), true
	for s := range topology.SwitchID(r.Net.Switches()) {
		first, end := r.Net.Out(s)
		for _, state := range w.rows.state {
			before := int32(0)
			for c := first; c < end; c++ {
				begin, head := len(w.hops), int32(int(r.Net.To(c))*S)
				w.inOrder, before = w.inOrder && head >= before, head
				for m := r.next[int(r.kind[c])*r.states+int(state)]; m != 0; m &= m - 1 {
					t := bits.TrailingZeros64(m)
					w.hops = append(w.hops, hop{c, head + int32(w.rows.of[t]), -1})
				}
				if r.spare {
					w.rest(begin, r.next[int(r.kind[c])*r.states+int(state)])
				}
			}
			w.start = append(w.start, int32(len(w.hops)))
		}
	}
}

// rest finds those of the hops from begin on, one for each of some states.
func (w *ways) rest(begin int, states uint64) {
	for i, m := begin, states; m != 0; i, m = i+1, m&(m-1) {
		if u := w.r.rest[bits.TrailingZeros64(m)]; states>>u&1 != 0 {
			w.hops[i].rest = int32(begin + bits.OnesCount64(states&(1<<u-1)))
		}
	}
}

// reversed are the hops by the node that they lead to.
type reversed struct {
	start []int32 // those to node x are [start[x], start[x+1])
	hop   []int32 // by place among ways.hops
	from  []int32 // the node that it is one of
}

func (w *ways) reversed() reversed {
	r := reversed{make([]int32, w.nodes+1), make([]int32, len(w.hops)), make([]int32, len(w.hops))}
	for i := range w.hops {
		r.start[w.hops[i].node+1]++
	}
	for x := range w.nodes {
		r.start[x+1] += r.start[x]
	}
	at := slices.Clone(r.start)
	for x := range int32(w.nodes) {
		for i := w.start[x]; i < w.start[x+1]; i++ {
			k := at[w.hops[i].node]
			at[w.hops[i].node]++
			r.hop[k], r.from[k] = i, x
		}
	}
	return r
}

// search fills them in.
func (w *ways) search(ctx context.Context) error {
	seek := w.seeker()
	var on []uint64
	if w.on == nil {
		on = make([]uint64, len(w.hops)) // which are forgotten
	}
	for word := range w.words {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.on != nil {
			on = w.on[word*len(w.hops):][:len(w.hops)]
		}
		most, ok := seek.word(word, on)
		if !ok {
			return ErrTooMuch // such routes are for FlowLoads
		}
		w.longest = max(w.longest, most)
		w.far = append(w.far, newDistances(seek.far, bits.Len8(most)))
	}
	return nil
}

// onto marks the hops that are on shortest routes to the destinations of a word, where they are not kept, in the room of on.
func (w *ways) onto(word int, on []uint64) []uint64 {
	if w.on != nil {
		return w.on[word*len(w.hops):][:len(w.hops)]
	}
	if w.seek == nil {
		w.seek = w.seeker()
	}
	if on == nil {
		on = make([]uint64, len(w.hops))
	}
	clear(on)
	w.seek.word(word, on)
	return on
}

// seeker searches backwards from the destinations of a word.
type seeker struct {
	w                 *ways
	back              reversed
	seen, last, fresh []uint64 // as in wide
	frontier, ahead   []int32
	far               []uint64 // of the word before: bit k of distances at [x*8+k]
}

func (w *ways) seeker() *seeker {
	room := make([]uint64, 11*w.nodes)
	return &seeker{w: w, back: w.reversed(), seen: room[:w.nodes], last: room[w.nodes : 2*w.nodes], fresh: room[2*w.nodes : 3*w.nodes], far: room[3*w.nodes:]}
}

// word goes hop by hop (wide): one that leads to where destinations are d-1 hops away is on a shortest route to those which its node does not reach in fewer, and is marked. It gives the longest distance;
// false: one is of Far hops or more.
func (k *seeker) word(word int, on []uint64) (most uint8, ok bool) {
	S, back, seen, last, fresh, frontier, ahead := int32(k.w.rows.n()), &k.back, k.seen, k.last, k.fresh, k.frontier[:0], k.ahead
	clear(seen)
	clear(k.far)
	for i, to := range k.w.dsts[word*wideBits : min((word+1)*wideBits, len(k.w.dsts))] {
		for x := int32(to) * S; x < int32(to+1)*S; x++ {
			last[x] = 1 << i
			seen[x] = last[x]
			frontier = append(frontier, x)
		}
	}
	for d := 1; len(frontier) > 0; d++ {
		ahead = ahead[:0]
		for _, y := range frontier {
			m := last[y]
			last[y] = 0
			for k := back.start[y]; k < back.start[y+1]; k++ {
				x := back.from[k]
				to := m &^ seen[x]
				if to == 0 {
					continue
				}
				if fresh[x] == 0 {
					ahead = append(ahead, x)
				}
				fresh[x] |= to
				on[back.hop[k]] |= to
			}
		}
		if d >= Far && len(ahead) > 0 {
			return 0, false
		}
		for _, x := range ahead {
			m := fresh[x]
			seen[x] |= m
			for b := uint8(d); b != 0; b &= b - 1 {
				k.far[int(x)*8+bits.TrailingZeros8(b)] |= m
			}
			most = uint8(d)
		}
		last, fresh = fresh, last
		frontier, ahead = ahead, frontier
	}
	k.last, k.fresh, k.frontier, k.ahead = last, fresh, frontier, ahead
	return most, true
}

// newDistances keeps so many bits of distances of eight bits each.
func newDistances(far []uint64, bits int) wordDistances {
	w := wordDistances{bits, make([]uint64, len(far)/8*bits)}
	for x := range len(far) / 8 {
		for k := range bits {
			w.of[x*bits+k] = far[x*8+k]
		}
	}
	return w
}

// from is how far a node is from a destination, Far if nothing leads there.
func (w *ways) from(node int32, to target) (d uint8) {
	far := &w.far[to.word]
	for k, m := range far.of[int(node)*far.bits:][:far.bits] {
		d |= uint8(m>>(to.bit&63)&1) << (k & 7)
	}
	if d == 0 && node/int32(w.rows.n()) != int32(to.at) {
		return Far
	}
	return d
}

// nearest is from of the nearest of several.
func (w *ways) nearest(node int32, to []target) uint8 {
	d := w.from(node, to[0])
	for _, o := range to[1:] {
		d = min(d, w.from(node, o))
	}
	return d
}

// next gives the hops, by their places among those of a node, by which a packet comes nearer to the nearest of some destinations, d hops away, each hop once. buf has room
// for all.
func (w *ways) next(node int32, to []target, d uint8, buf []int32) []int32 {
	first, end := int(w.start[node]), int(w.start[node+1])
	buf, n := buf[:end-first], 0
	switch {
	case len(to) == 1 && d == 1 && w.inOrder && end-first > fewHops:
		n = w.last(first, end, to[0].at, buf)
	case w.on == nil:
		for i, a := range w.hops[first:end] {
			buf[n] = int32(i)
			if w.nearest(a.node, to) == d-1 {
				n++
			}
		}
	case len(to) == 1:
		n = w.nearer(first, end, to[0], buf)
	default:
		var room [8]target
		near := room[:0] // those that are as near as the nearest
		for _, o := range to {
			if w.from(node, o) == d {
				near = append(near, o)
			}
		}
		if len(near) == 1 {
			n = w.nearer(first, end, near[0], buf)
			break
		}
		for i := range buf {
			some := uint64(0)
			for _, o := range near {
				some |= w.on[int(o.word)*len(w.hops)+first+i] >> (o.bit & 63)
			}
			buf[n] = int32(i)
			n += int(some & 1)
		}
	}
	if w.r.spare {
		return w.once(first, buf[:n])
	}
	return buf[:n]
}

// nearer gives those of the hops from first to end that are on shortest routes to a destination.
func (w *ways) nearer(first, end int, to target, buf []int32) (n int) {
	bit := to.bit & 63
	for i, on := range w.on[int(to.word)*len(w.hops):][first:end] {
		buf[n] = int32(i)
		n += int(on >> bit & 1)
	}
	return n
}

// fewHops are looked at one after the other in less time than it takes to search those of a node in order.
const fewHops = 12

// last gives those of the hops from first to end that lead to a switch, whatever the row.
func (w *ways) last(first, end int, to topology.SwitchID, buf []int32) (n int) {
	S := int32(w.rows.n())
	low, high := first, end // what leads there begins in [low, high]
	for low < high {
		if middle := int(uint(low+high) / 2); w.hops[middle].node < int32(to)*S {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < end && w.hops[low].node < int32(to+1)*S; low++ {
		buf[n] = int32(low - first)
		n++
	}
	return n
}

// once leaves out the rest of what else is there.
func (w *ways) once(first int, list []int32) []int32 {
	kept := list[:0]
	left := uint64(0) // rests of those that were kept on the channel at hand
	at := topology.ChannelID(-1)
	base := int32(0)
	for _, i := range list {
		a := &w.hops[first+int(i)]
		if a.channel != at {
			at, left, base = a.channel, 0, i
		}
		if left>>(i-base)&1 != 0 {
			continue
		}
		if a.rest >= 0 {
			left |= 1 << (a.rest - int32(first) - base)
		}
		kept = append(kept, i)
	}
	return kept
}
