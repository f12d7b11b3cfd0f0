package routing

import (
	"context"
	"math/bits"
	"slices"

	"toposearch/topology"
)

// walker collects the dependencies between (channel, VC) pairs, destination by destination. A
// node is (switch, state, level), where level is the number of hops so far, at most vcs-1, if
// VCs follow hops, and 0 otherwise.
type walker struct {
	*search
	vcs, levels int
	byHop       bool
	ordered     bool // known to be acyclic: only VCs in use are wanted
	// Row of vertex v = channel*vcs+vc starts at rowStart[channel] + vc*words(To(channel)): a
	// bit per (local channel, VC) that leaves the switch it leads to.
	rowStart []int64
	words    []int32
	rows     []uint64
	used     []bool   // vertices that packets use
	place    []int32  // per node: its place in list, from 1; 0: not reached
	list     []int32  // nodes that packets to this destination come to
	next     []arc    // hops out of them, node by node
	masks    []uint64 // per node of the list: bits of what leaves it
	maskAt   []int32
	hops     []Hop
	at       []int
	extra    []topology.SwitchID // where packets start besides the ports of endpoints
}

func newWalker(r *Router) *walker { return &walker{search: newSearch(r)} }

// measure gives the most hops of any route.
func (w *walker) measure(ctx context.Context) (int, error) {
	var longest uint16
	for set := range w.r.Sets {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		f := w.run(set)
		for src := range w.r.Sets {
			var d uint16
			if w.at, d = w.r.Inject(f, src, w.at[:0]); d != Unreachable {
				longest = max(longest, d)
			}
		}
	}
	return int(longest), nil
}

// prepare lays out the graph.
func (w *walker) prepare(vcs int, byHop bool) {
	n := w.r.Net
	w.vcs, w.byHop, w.levels = vcs, byHop, 1
	if byHop {
		w.levels = vcs
	}
	w.words = make([]int32, n.Switches())
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		w.words[s] = int32((int(end-first)*vcs + 63) / 64)
	}
	w.rowStart = make([]int64, n.Channels()+1)
	for c := range n.Channels() {
		w.rowStart[c+1] = w.rowStart[c] + int64(vcs)*int64(w.words[n.To(topology.ChannelID(c))])
	}
	w.rows = make([]uint64, w.rowStart[n.Channels()])
	w.used = make([]bool, n.Channels()*vcs)
	w.place = make([]int32, n.Switches()*w.r.states*w.levels)
}

func (w *walker) row(c topology.ChannelID, vc int) []uint64 {
	k := int64(w.words[w.r.Net.To(c)])
	at := w.rowStart[c] + int64(vc)*k
	return w.rows[at : at+k]
}

// destination adds what packets to one set do.
func (w *walker) destination(set int) { w.packetsTo(w.run(set)) }

// packetsTo adds what packets on a field do.
func (w *walker) packetsTo(f *Field) {
	r, S := w.r, w.r.states
	w.list = w.list[:0]
	for src := range r.Sets {
		var d uint16
		if w.at, d = r.Inject(f, src, w.at[:0]); d == Unreachable {
			continue
		}
		for _, i := range w.at {
			w.visit(int32(int(r.Sets[src].Ports[i].Switch) * S * w.levels))
		}
	}
	for _, s := range w.extra {
		if f.Dist[int(s)*S] != Unreachable {
			w.visit(int32(int(s) * S * w.levels))
		}
	}
	// The list grows while it is walked; with levels a node may be reached by routes of
	// different lengths, so its hops are made when its turn comes, in whatever order.
	w.next, w.masks, w.maskAt = w.next[:0], w.masks[:0], w.maskAt[:0]
	for k := 0; k < len(w.list); k++ {
		w.expand(f, int(w.list[k]))
	}
	if !w.ordered {
		w.depend()
	}
	for _, x := range w.list {
		w.place[x] = 0
	}
}

func (w *walker) visit(x int32) {
	if w.place[x] == 0 {
		w.list = append(w.list, x)
		w.place[x] = int32(len(w.list))
	}
}

// arc is a hop out of a node: the resource that it takes and the node that it leads to.
type arc struct {
	channel topology.ChannelID
	vc      int32
	to      int32
}

// expand notes the hops out of a node and the bits of what they take.
func (w *walker) expand(f *Field, x int) {
	r, S := w.r, w.r.states
	level, node := x%w.levels, x/w.levels
	sw := topology.SwitchID(node / S)
	w.maskAt = append(w.maskAt, int32(len(w.masks)))
	w.hops = r.Next(f, sw, uint8(node%S), w.hops[:0])
	if len(w.hops) == 0 {
		return // the destination: nothing is waited for
	}
	mask := len(w.masks)
	w.masks = append(w.masks, make([]uint64, w.words[sw])...)
	first, _ := r.Net.Out(sw)
	for _, h := range w.hops {
		vc, ahead := min(int(h.VC), w.vcs-1), 0
		if w.byHop {
			vc, ahead = level, min(level+1, w.levels-1)
		}
		to := int32((int(r.Net.To(h.Channel))*S+int(h.State))*w.levels + ahead)
		w.visit(to)
		w.used[int(h.Channel)*w.vcs+vc] = true
		w.next = append(w.next, arc{h.Channel, int32(vc), to})
		bit := int(h.Channel-first)*w.vcs + vc
		w.masks[mask+bit>>6] |= 1 << (bit & 63)
	}
}

// depend lets what leads to a node wait for all that leaves it.
func (w *walker) depend() {
	w.maskAt = append(w.maskAt, int32(len(w.masks)))
	for _, a := range w.next {
		k := w.place[a.to] - 1
		row := w.row(a.channel, int(a.vc))
		for i, word := range w.masks[w.maskAt[k]:w.maskAt[k+1]] {
			row[i] |= word
		}
	}
}

// classVCs counts the VCs in use per link class: one more than the highest.
func (w *walker) classVCs() (out [topology.MaxClasses]int) {
	for v, used := range w.used {
		if used {
			k := w.r.Net.LinkClass(topology.ChannelID(v / w.vcs))
			out[k] = max(out[k], v%w.vcs+1)
		}
	}
	return out
}

// after calls yield for every vertex that v waits for, in order, until it returns false.
func (w *walker) after(v int32, yield func(int32) bool) {
	c := topology.ChannelID(int(v) / w.vcs)
	first, _ := w.r.Net.Out(w.r.Net.To(c))
	for i, word := range w.row(c, int(v)%w.vcs) {
		for ; word != 0; word &= word - 1 {
			if !yield(int32(int(first)*w.vcs + i*64 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// cycle gives a cycle of the graph, nil if there is none. What Kahn's algorithm cannot remove
// holds every cycle; the one shown is shortest through its lowest vertex that lies on one.
func (w *walker) cycle() []Dependency {
	in := make([]int32, len(w.used))
	for v := range in {
		w.after(int32(v), func(u int32) bool { in[u]++; return true })
	}
	var ready []int32
	for v, d := range in {
		if d == 0 {
			ready = append(ready, int32(v))
		}
	}
	left := len(in)
	for len(ready) > 0 {
		v := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		left--
		w.after(v, func(u int32) bool {
			if in[u]--; in[u] == 0 {
				ready = append(ready, u)
			}
			return true
		})
	}
	if left == 0 {
		return nil
	}
	for v, d := range in {
		if d == 0 {
			continue
		}
		if loop := w.loop(int32(v), in); loop != nil {
			return loop
		}
	}
	panic("routing: a graph that cannot be ordered has no cycle")
}

// loop finds a shortest cycle through v among vertices that are left, nil if v is on none.
func (w *walker) loop(v int32, in []int32) []Dependency {
	from := make(map[int32]int32)
	queue := []int32{v}
	for k := 0; k < len(queue); k++ {
		found := false
		w.after(queue[k], func(u int32) bool {
			if u == v {
				found = true
				return false
			}
			if _, ok := from[u]; !ok && in[u] != 0 {
				from[u] = queue[k]
				queue = append(queue, u)
			}
			return true
		})
		if found {
			return w.describe(v, queue[k], from)
		}
	}
	return nil
}

func (w *walker) describe(v, last int32, from map[int32]int32) []Dependency {
	var out []Dependency
	for u := last; ; u = from[u] {
		c := topology.ChannelID(int(u) / w.vcs)
		out = append(out, Dependency{Channel: c, From: w.r.Net.From(c), To: w.r.Net.To(c), VC: uint8(int(u) % w.vcs)})
		if u == v {
			break
		}
	}
	slices.Reverse(out)
	return out
}
