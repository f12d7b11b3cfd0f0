package topology

import (
	"cmp"
	"slices"
)

// source is an attachment set from which a search starts, with the endpoints it stands for.
type source struct {
	set    int32
	weight int64
}

// probe is a network prepared for searches between attachment sets: endpoints that hang on the
// same switches.
type probe struct {
	n        *Network
	start    []int32
	to       []SwitchID
	bare     bool // also search the graph without nic links
	start2   []int32
	to2      []SwitchID
	setStart []int32 // ports of set i are setPorts[setStart[i]:setStart[i+1]]
	setPorts []SwitchID
	// Nodes of the graph that is searched: switches, or under a rule switches with the state of a packet. A
	// packet of set i begins at entry[setStart[i]:setStart[i+1]], and has arrived at any of
	// exit[exitStart[i]:exitStart[i+1]].
	nodes     int
	entry     []SwitchID
	exitStart []int32
	exit      []SwitchID
	count     []int64 // endpoints of set i
	setOf     []int32 // by group
	// hang[v] is the number of endpoints that begin at node v if every set has one port; nil otherwise.
	hang []int64
	dead SwitchID // -1: none
}

// newProbe prepares a network without a switch, none if it is -1, for paths of any shape.
func newProbe(n *Network, dead SwitchID) *probe {
	p := &probe{n: n, start: n.start, to: n.to, dead: dead}
	p.gather()
	p.splitNic()
	p.free()
	return p
}

// free makes every switch a node.
func (p *probe) free() {
	p.nodes = p.n.Switches()
	p.entry, p.exit, p.exitStart = p.setPorts, p.setPorts, p.setStart
}

// gather makes the sets of the endpoint groups, without the ports on the dead switch.
func (p *probe) gather() {
	n := p.n
	p.setOf = make([]int32, n.Groups())
	single := true
	bySwitch := make([]int32, n.Switches())
	var several setTable
	var ports []SwitchID
	p.setStart = []int32{0}
	for g := range p.setOf {
		first, end, all := n.Group(g)
		ports = append(ports[:0], all...)
		slices.Sort(ports)
		ports = slices.Compact(ports)
		var at *int32
		if len(ports) == 1 {
			at = &bySwitch[ports[0]]
		} else {
			single = false
			at = several.find(p, ports)
		}
		i := *at - 1
		if i < 0 {
			i = int32(len(p.count))
			*at = i + 1
			p.count = append(p.count, 0)
			p.setPorts = append(p.setPorts, ports...)
			p.setStart = append(p.setStart, int32(len(p.setPorts)))
		}
		p.count[i] += int64(end - first)
		p.setOf[g] = i
	}
	if single {
		p.hang = make([]int64, n.Switches())
		for i, c := range p.count {
			p.hang[p.setPorts[i]] = c
		}
	}
}

// setTable finds the sets of several ports that a probe has: open addressing, since a million endpoints may have as many sets. The zero value is empty.
type setTable struct {
	slots []int32 // one more than a set, or 0
	used  int     // at most: slots that were handed out
}

// leastSlots is the size of a table at first, a power of two as all of its sizes are.
const leastSlots = 64

// find gives the slot of ports, ascending, which is for the caller to fill if it is 0; it holds until the next call.
func (t *setTable) find(p *probe, ports []SwitchID) *int32 {
	if 2*t.used >= len(t.slots) {
		old := t.slots
		t.slots = make([]int32, max(leastSlots, 2*len(old)))
		for _, set := range old {
			if set != 0 {
				*t.slot(p, p.ports(set-1)) = set
			}
		}
	}
	at := t.slot(p, ports)
	if *at == 0 {
		t.used++
	}
	return at
}

// slot is where ports are, or belong.
func (t *setTable) slot(p *probe, ports []SwitchID) *int32 {
	h := uint64(0)
	for _, s := range ports {
		h = (h ^ uint64(s)) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: Fibonacci hashing
		h ^= h >> 29
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if set := t.slots[i]; set == 0 || slices.Equal(p.ports(set-1), ports) {
			return &t.slots[i]
		}
	}
}

// ports are those of a set, ascending.
func (p *probe) ports(set int32) []SwitchID { return p.setPorts[p.setStart[set]:p.setStart[set+1]] }

// splitNic keeps the channels that are not nic in a graph of their own where some switch is
// embedded.
func (p *probe) splitNic() {
	n := p.n
	if len(n.LinkClasses) == 0 || n.LinkClasses[0].Name != ClassInternal {
		return
	}
	p.bare = true
	p.start2 = make([]int32, len(n.start))
	for s := range n.switchClass {
		for c := n.start[s]; c < n.start[s+1]; c++ {
			if n.LinkClasses[n.class[c]].Name != ClassNic {
				p.to2 = append(p.to2, n.to[c])
			}
		}
		p.start2[s+1] = int32(len(p.to2))
	}
}

// sources lists where searches start, equal weights together, and the endpoints they stand for.
func (p *probe) sources(orbits []Orbit) (src []source, total int64) {
	if orbits == nil {
		for i, c := range p.count {
			src = append(src, source{int32(i), c})
		}
	} else {
		for _, o := range orbits {
			src = append(src, source{p.setOf[p.n.GroupOf(EndpointID(o.Rep))], o.Count})
		}
	}
	slices.SortStableFunc(src, func(a, b source) int { return cmp.Compare(b.weight, a.weight) })
	for _, s := range src {
		total += s.weight
	}
	return src, total
}

// alive is the number of endpoints that the sources with a live port stand for.
func (p *probe) alive(src []source) (total int64) {
	for _, s := range src {
		for _, v := range p.setPorts[p.setStart[s.set]:p.setStart[s.set+1]] {
			if v != p.dead {
				total += s.weight
				break
			}
		}
	}
	return total
}

// tally counts weighted pairs by distance.
type tally struct{ pairs, noNic []int64 }

func addTo(a, b []int64) []int64 {
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for i, x := range b {
		a[i] += x
	}
	return a
}

func bump(a []int64, d int, k int64) []int64 {
	for len(a) <= d {
		a = append(a, 0)
	}
	a[d] += k
	return a
}
