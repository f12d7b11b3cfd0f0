package routing

import (
	"cmp"
	"slices"

	"toposearch/topology"
)

// nested puts sets side by side that packets can come to from the same places: with dimension order a packet that has
// left the first dimension comes to those of its place there alone, a block of which most nodes then know nothing. nil: they
// stand so already, or the states of the rule do not divide the switches.
func (t *Table) nested() (place []int32) {
	var parts [][]int32
	for row := range t.rows.n() {
		if p := t.parted(row); p != nil {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b []int32) int { return cmp.Compare(slices.Max(a), slices.Max(b)) })
	sets := t.Router.Sets
	order := make([]int32, len(sets))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		pa, pb := sets[a].Ports, sets[b].Ports
		if len(pa) == 0 || len(pb) == 0 {
			return cmp.Compare(len(pa), len(pb))
		}
		for _, p := range parts {
			if c := cmp.Compare(p[pa[0].Switch], p[pb[0].Switch]); c != 0 {
				return c
			}
		}
		return 0
	})
	if slices.IsSorted(order) {
		return nil
	}
	place = make([]int32, len(sets))
	for i, set := range order {
		place[set] = int32(i)
	}
	return place
}

// parted numbers the parts of the network within which packets of a row stay; nil if these overlap, or are one.
func (t *Table) parted(row int) []int32 {
	part := make([]int32, t.Router.Net.Switches())
	for s := range part {
		part[s] = -1
	}
	seen, todo, parts := make([]bool, t.nodes), []int(nil), int32(0)
	for s := range part {
		if part[s] >= 0 {
			continue
		}
		visit := func(x int) bool {
			sw := t.SwitchOf(x)
			if part[sw] >= 0 && part[sw] != parts {
				return false
			}
			part[sw] = parts
			if !seen[x] {
				seen[x] = true
				todo = append(todo, x)
			}
			return true
		}
		todo = todo[:0]
		if !visit(s*t.rows.n()+row) || !t.spread(&todo, visit) {
			return nil
		}
		parts++
	}
	if parts == 1 {
		return nil
	}
	return part
}

// spread visits the nodes behind those of a list that grows meanwhile, until one is refused.
func (t *Table) spread(todo *[]int, visit func(int) bool) bool {
	r := t.Router
	for len(*todo) > 0 {
		x := (*todo)[len(*todo)-1]
		*todo = (*todo)[:len(*todo)-1]
		first, end := r.Net.Out(t.SwitchOf(x))
		for c := first; c < end; c++ {
			m := r.next[int(r.kind[c])*r.states+t.stateOf(x)]
			for s := uint8(0); m>>s != 0; s++ {
				if m>>s&1 != 0 && !visit(t.Node(topology.SwitchID(r.Net.To(c)), s)) {
					return false
				}
			}
		}
	}
	return true
}
