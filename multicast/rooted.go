package multicast

import (
	"fmt"
	"math/bits"
)

// Order says which of two linked switches is the upper one: Up reports whether a port leads up. No
// switch may be above itself.
type Order interface {
	Up(t Tie) bool
}

// NewRooted makes a group whose tree hangs on one switch: the union of paths that only go down from it to
// the members. It is the switch with the fewest hops to all members together; among equals the ID
// chooses. A packet from any member then goes up the tree to where it turns, and down: unlike the trees of
// NewGroup it never goes up after down, so that groups of this kind and up*/down* unicast routes take channels in one
// order and cannot deadlock. The tree is not the source's; it is what its method needs to be safe, and what other
// networks than fat trees use.
func NewRooted(f *Fabric, order Order, id ID, members []int) (*Group, error) {
	g, err := newGroup(f, id, members)
	if err != nil {
		return nil, err
	}
	root, err := g.root(f, order)
	if err != nil {
		return nil, err
	}
	below := hops(f, root, func(t Tie) bool { return !order.Up(t) })
	t := lists{}
	for _, m := range g.Members {
		at := f.at[m]
		t[at.Switch] |= 1 << at.Port
		for at.Switch != root {
			parent := g.parent(f, order, below, at.Switch)
			p := f.peer(parent)
			if t[at.Switch].Has(int(parent.Port)) {
				break
			}
			t[at.Switch] |= 1 << parent.Port
			t[p.Switch] |= 1 << p.Port
			at = p.Tie
		}
	}
	g.finish(f, t)
	return g, nil
}

// choice spreads groups over what is equally good, by their ID: Fibonacci hashing (Knuth, The Art of
// Computer Programming 3, 6.4).
func (g *Group) choice(n int) int {
	h := uint64(g.Creator)<<20 + uint64(g.Sequence)
	hi, _ := bits.Mul64(h*0x9e3779b97f4a7c15, uint64(n))
	return int(hi)
}

// root chooses the switch on which the tree hangs.
func (g *Group) root(f *Fabric, order Order) (int32, error) {
	sum, reached := make([]int, f.Switches()), make([]int, f.Switches())
	counted := map[int32][]int32{}
	for _, m := range g.Members {
		s := f.at[m].Switch
		if counted[s] == nil {
			counted[s] = hops(f, s, order.Up)
		}
		for v, d := range counted[s] {
			if d >= 0 {
				sum[v] += int(d)
				reached[v]++
			}
		}
	}
	var best []int32
	for v := range int32(f.Switches()) {
		switch {
		case reached[v] < len(g.Members) || len(best) > 0 && sum[v] > sum[best[0]]:
			continue
		case len(best) > 0 && sum[v] < sum[best[0]]:
			best = best[:0]
		}
		best = append(best, v)
	}
	if len(best) == 0 {
		return -1, fmt.Errorf("multicast: %s: no switch is above all members of the group of creator %d", f.Name, g.Creator)
	}
	return best[g.choice(len(best))], nil
}

// parent is the port towards the root, the same for every member.
func (g *Group) parent(f *Fabric, order Order, below []int32, s int32) Tie {
	var ports []uint8
	for port := range f.Radix(int(s)) {
		t := Tie{s, uint8(port)}
		if p := f.peer(t); p.Switch >= 0 && order.Up(t) && below[p.Switch] >= 0 && below[p.Switch] == below[s]-1 {
			ports = append(ports, t.Port)
		}
	}
	return Tie{s, ports[g.choice(len(ports))]}
}

// hops are the distances from a switch over the ports that are allowed; -1 where none leads.
func hops(f *Fabric, from int32, allowed func(Tie) bool) []int32 {
	d := make([]int32, f.Switches())
	for i := range d {
		d[i] = -1
	}
	d[from] = 0
	queue := []int32{from}
	for k := 0; k < len(queue); k++ {
		s := queue[k]
		for port := range f.Radix(int(s)) {
			t := Tie{s, uint8(port)}
			if p := f.peer(t); p.Switch >= 0 && d[p.Switch] < 0 && allowed(t) {
				d[p.Switch] = d[s] + 1
				queue = append(queue, p.Switch)
			}
		}
	}
	return d
}
