package family

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"toposearch/topology"
)

// layeredVCs is the most VCs of the natural routing: a rule has 64 states, three for each.
const layeredVCs = 21

// layeredFacts is what only the network of a tuple tells.
type layeredFacts struct {
	v      []int
	vcs    int // least number with which every accelerator reaches every other; 0 if none is enough
	idle   int // a layer with a switch that no accelerator reaches; 0: none
	planes int // parts without links between them
	links  [layeredLayers]int64
	ports  [layeredLayers]int32 // links of the node of a layer with most within it
}

// layeredMemo holds facts of the last tuples by hash, since a tuple is checked, counted and routed one after the other.
var layeredMemo [1 << 10]atomic.Pointer[layeredFacts]

// layeredKnown gives the facts of a tuple that keeps the rules of the hyperparameters.
func layeredKnown(v []int, l *layeredNet) *layeredFacts {
	h := uint64(len(v))
	for _, x := range v {
		h = (h ^ uint64(uint32(x))) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio spreads small numbers
		h ^= h >> 29
	}
	slot := &layeredMemo[h%uint64(len(layeredMemo))]
	if f := slot.Load(); f != nil && slices.Equal(f.v, v) {
		return f
	}
	f := l.facts()
	f.v = slices.Clone(v)
	slot.Store(f)
	return f
}

// reach is who reaches whom in a network being looked at.
type reach struct {
	l     *layeredNet
	at    [layeredLayers]int
	nodes int
	inner [layeredLayers]bitRows
	has   [layeredLayers]bool
}

func (l *layeredNet) facts() *layeredFacts {
	f := &layeredFacts{}
	r := &reach{l: l, at: l.first(), nodes: l.n[1] + l.n[2] + l.n[3]}
	if l.relay {
		r.nodes += l.n[0]
	}
	for i := range l.n {
		if r.inner[i], r.has[i] = l.neighbours(i); !r.has[i] {
			continue
		}
		for x := range l.n[i] {
			k := 0
			for _, w := range r.inner[i].row(x) {
				k += bits.OnesCount64(w)
			}
			f.links[i] += int64(k)
			f.ports[i] = max(f.ports[i], int32(k))
		}
		f.links[i] /= 2
	}
	if f.idle, f.planes = r.parts(); f.idle == 0 {
		f.vcs = r.vcs()
	}
	return f
}

// parts counts the parts of the network, and finds a layer with a switch whose part has no accelerator.
func (r *reach) parts() (idle, planes int) {
	parent := make([]int32, r.nodes)
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(x int) int {
		for int(parent[x]) != x {
			parent[x] = parent[parent[x]]
			x = int(parent[x])
		}
		return x
	}
	r.spanning(func(x, y int) { parent[find(x)] = int32(find(y)) })
	served := make([]bool, r.nodes)
	r.hosts(func(x int) { served[find(x)] = true })
	for i, n := range r.l.n {
		if i == 0 && !r.l.relay {
			continue
		}
		for x := r.at[i]; x < r.at[i]+n; x++ {
			if find(x) == x {
				planes++
			}
			if !served[find(x)] {
				idle = i
			}
		}
	}
	return idle, planes
}

// spanning gives enough of the links between what forwards to tell who is linked to whom, directly or not.
func (r *reach) spanning(emit func(x, y int)) {
	for i, of := range layeredPairOf {
		p, block, part, ok := r.blocks(i)
		if !ok {
			r.between(i, emit)
			continue
		}
		for b := range p.hi {
			lower, upper := r.at[of[0]]+b*block, r.at[of[1]]+b%p.hj*part
			for x := range block {
				emit(lower+x, upper)
			}
			for y := 1; y < part; y++ {
				emit(lower, upper+y)
			}
		}
	}
	for i, n := range r.l.n {
		for x := 0; r.has[i] && x < n; x++ {
			each(r.inner[i].row(x), func(y int) {
				if x < y {
					emit(r.at[i]+x, r.at[i]+y)
				}
			})
		}
	}
}

// between gives the links of a pair of layers that forward.
func (r *reach) between(pair int, emit func(lower, upper int)) {
	p := layeredPairOf[pair]
	if p[0] > 0 || r.l.relay {
		r.l.eachLink(pair, func(x, y int) { emit(r.at[p[0]]+x, r.at[p[1]]+y) })
	}
}

// blocks tells whether a pair of layers that forward is linked completely, block by block.
func (r *reach) blocks(pair int) (p *layeredPair, block, part int, ok bool) {
	p, of := &r.l.pair[pair], layeredPairOf[pair]
	if !p.on() || of[0] == 0 && !r.l.relay {
		return p, 0, 0, false
	}
	block, part = r.l.n[of[0]]/p.hi, r.l.n[of[1]]/p.hj
	return p, block, part, p.e == part
}

// pass adds the rows of the lower layer of a pair to those that they are linked to, or the other way round.
func (r *reach) pass(pair int, up bool, m *bitRows) {
	p, block, part, ok := r.blocks(pair)
	if !ok {
		r.between(pair, func(x, y int) {
			if up {
				join(m.row(y), m.row(x))
			} else {
				join(m.row(x), m.row(y))
			}
		})
		return
	}
	of := layeredPairOf[pair]
	sum := make([]uint64, m.words)
	for b := range p.hi {
		from, n, to, k := r.at[of[0]]+b*block, block, r.at[of[1]]+b%p.hj*part, part
		if !up {
			from, n, to, k = to, k, from, n
		}
		clear(sum)
		for x := range n {
			join(sum, m.row(from+x))
		}
		for y := range k {
			join(m.row(to+y), sum)
		}
	}
}

// hosts gives the nodes with accelerators, some several times.
func (r *reach) hosts(emit func(x int)) {
	if r.l.relay {
		for x := range r.l.n[0] {
			emit(r.at[0] + x)
		}
		return
	}
	for i := range layeredLayers - 1 {
		if p := &r.l.pair[i]; p.on() {
			part := r.l.n[i+1] / p.hj
			used := min(part, r.l.n[0]/p.hi*p.e) // of each block, from its first on
			for b := range p.hj {
				for y := range used {
					emit(r.at[i+1] + b*part + y)
				}
			}
		}
	}
}

// vcs raises the number of VCs until all accelerators reach one another. On one VC a route climbs, takes at most one link within
// a layer, and descends.
func (r *reach) vcs() int {
	one := r.oneVC()
	ends := make([]uint64, one.words)
	r.hosts(func(x int) { ends[x/64] |= 1 << (x % 64) })
	all := bitRows{one.words, slices.Clone(one.bits)}
	last := make([]uint64, one.words) // a row before it is widened
	for k := 1; k <= layeredVCs; k++ {
		if r.enough(&all, ends) {
			return k
		}
		more := false
		each(ends, func(x int) { // the rows of others are not asked for
			row := all.row(x)
			copy(last, row)
			each(last, func(y int) {
				if !covers(row, ends) {
					more = join(row, one.row(y)) || more
				}
			})
		})
		if !more {
			return 0
		}
	}
	return 0
}

// covers tells whether b is in a.
func covers(a, b []uint64) bool {
	for i, x := range b {
		if x&^a[i] != 0 {
			return false
		}
	}
	return true
}

// oneVC is whom a node reaches with one VC, itself included.
func (r *reach) oneVC() bitRows {
	down := newBitRows(r.nodes, r.nodes)
	for x := range r.nodes {
		down.set(x, x)
	}
	// Pairs by upper layer, ascending, so that what is below a node is complete before it is passed on.
	for _, i := range [...]int{0, 1, 3, 2, 4, 5} {
		r.pass(i, true, &down)
	}
	out := bitRows{down.words, slices.Clone(down.bits)}
	for i, n := range r.l.n {
		for x := 0; r.has[i] && x < n; x++ {
			each(r.inner[i].row(x), func(y int) { join(out.row(r.at[i]+x), down.row(r.at[i]+y)) })
		}
	}
	// By lower layer, descending.
	for _, i := range [...]int{5, 4, 3, 2, 1, 0} {
		r.pass(i, false, &out)
	}
	return out
}

// enough tells whether all accelerators reach one another if their switches reach what the rows say.
func (r *reach) enough(m *bitRows, ends []uint64) bool {
	full := true
	each(ends, func(x int) {
		full = full && covers(m.row(x), ends)
	})
	if full || r.l.relay {
		return full
	}
	// Not all switches reach all others, but an accelerator may have several.
	n := r.l.n[0]
	on := newBitRows(r.nodes, n) // accelerators of each switch
	e := 0
	r.l.accelerators(func(ports []int) {
		for _, p := range ports {
			on.set(p, e)
		}
		e++
	})
	to := newBitRows(r.nodes, n) // and whom it reaches
	each(ends, func(x int) {
		each(m.row(x), func(y int) { join(to.row(x), on.row(y)) })
	})
	full = true
	sum := make([]uint64, to.words)
	r.l.accelerators(func(ports []int) {
		if !full {
			return
		}
		clear(sum)
		count := 0
		for _, p := range ports {
			join(sum, to.row(p))
		}
		for _, w := range sum {
			count += bits.OnesCount64(w)
		}
		full = count == n
	})
	return full
}

// layeredRule is the rule that VCReason of the family states, with as many VCs as needed.
func layeredRule(v []int, relay bool) topology.Rule {
	var l layeredNet
	l.decode(v, relay)
	vcs := max(layeredKnown(v, &l).vcs, 1)
	const up, across, down, states = 0, 1, 2, 3
	r := topology.Rule{Name: "layered", States: states * vcs}
	step := func(vc, phase int, k topology.Kind, toVC, to int) {
		if toVC < vcs {
			r.Steps = append(r.Steps, topology.Step{From: uint8(states*vc + phase), Kind: k, To: uint8(states*toVC + to), VC: uint8(toVC)})
		}
	}
	for vc := range vcs {
		for i, p := range layeredPairOf {
			if !l.pair[i].on() || p[0] == 0 && !relay {
				continue
			}
			class, lower, upper := uint8(layeredPairClass(relay, i)), uint8(layeredClass(p[0])), uint8(layeredClass(p[1]))
			climb, descend := topology.Kind{Link: class, From: lower, To: upper}, topology.Kind{Link: class, From: upper, To: lower}
			step(vc, up, climb, vc, up)
			step(vc, across, climb, vc+1, up)
			step(vc, down, climb, vc+1, up)
			for phase := range states {
				step(vc, phase, descend, vc, down)
			}
		}
		for k := range layeredInners(relay) {
			if l.in[layeredInnerOf[k]].on() {
				c := uint8(layeredClass(layeredInnerOf[k]))
				kind := topology.Kind{Link: uint8(layeredInnerClass(relay, k)), From: c, To: c}
				step(vc, up, kind, vc, across)
				step(vc, across, kind, vc+1, across)
				step(vc, down, kind, vc+1, across)
			}
		}
	}
	return r
}
