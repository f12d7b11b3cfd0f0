package multicast

import (
	"fmt"
	"math/bits"
	"slices"
)

// Routing gives the static source routes: Route appends the ports by which a packet from one endpoint
// leaves the switches on its way to another, the port of the destination last.
type Routing interface {
	Route(buf []uint8, src, dst int) []uint8
}

// ID names a group: the endpoint that created it, and a number of its own choice.
type ID struct {
	Creator  int
	Sequence int
}

// List is what a switch holds of a group: the ports to which its packets are copied, but for the one
// by which they came.
type List struct {
	Switch int32
	Ports  Ports
}

// Create is a group-create packet: the route to a leaf switch of the group's tree, without a port of an
// endpoint, and the port list of every switch passed, the creator's own first: one more than hops.
type Create struct {
	Route []uint8
	Lists []Ports
}

// Group is a group of endpoints with its tree.
type Group struct {
	ID
	Members []int       // the creator first, then the others in the order given
	Lists   []List      // by switch
	Creates []Create    // one for each switch of the tree that has none behind it, seen from the creator; by ports
	place   map[int]int // of each member in Members
}

// NewGroup makes a group by the method of the source (DMFTAR): the tree is the union of the creator's
// unicast routes to the members, each followed to the point where it leaves the tree built so far. It is
// an error if a member is no endpoint or named twice, or if the routes meet again after they have parted,
// so that their union is no tree.
func NewGroup(f *Fabric, r Routing, id ID, members []int) (*Group, error) {
	g, err := newGroup(f, id, members)
	if err != nil {
		return nil, err
	}
	t := lists{f.at[id.Creator].Switch: 1 << f.at[id.Creator].Port}
	var route []uint8
	for _, m := range g.Members[1:] {
		route = r.Route(route[:0], id.Creator, m)
		if _, dst, err := f.Follow(id.Creator, route); err != nil {
			return nil, err
		} else if dst != m {
			return nil, fmt.Errorf("multicast: %s: the route %x from endpoint %d leads to endpoint %d, not to %d", f.Name, route, id.Creator, dst, m)
		}
		if again := t.add(f, f.at[id.Creator].Switch, route); again >= 0 {
			return nil, fmt.Errorf("multicast: %s: the route from endpoint %d to %d comes back to switch %d of the tree after it has left it: the routes of a source must form a tree",
				f.Name, id.Creator, m, again)
		}
	}
	g.finish(f, t)
	return g, nil
}

// newGroup checks the members.
func newGroup(f *Fabric, id ID, members []int) (*Group, error) {
	g := &Group{ID: id, Members: append([]int{id.Creator}, members...), place: make(map[int]int)}
	for i, m := range g.Members {
		_, seen := g.place[m]
		switch {
		case m < 0 || m >= f.Endpoints():
			return nil, fmt.Errorf("multicast: member %d is outside the network: %s has endpoints 0 to %d", m, f.Name, f.Endpoints()-1)
		case f.at[m].Switch < 0:
			return nil, fmt.Errorf("multicast: member %d hangs on no switch of %s", m, f.Name)
		case seen:
			return nil, fmt.Errorf("multicast: member %d stands twice in the group of creator %d; the creator is a member and not named again", m, id.Creator)
		}
		g.place[m] = i
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("multicast: the group of creator %d has no other member", id.Creator)
	}
	return g, nil
}

// lists are the port lists of a tree under construction, by switch.
type lists map[int32]Ports

// add puts a route into the tree; the switch at which it comes back to the tree, -1 if it does not.
func (t lists) add(f *Fabric, at int32, route []uint8) (again int32) {
	for _, port := range route {
		here := Tie{at, port}
		p := f.peer(here)
		fresh := !t[at].Has(int(port))
		t[at] |= 1 << port
		if p.Switch < 0 {
			return -1
		}
		if fresh {
			if t[p.Switch] != 0 {
				return p.Switch
			}
			t[p.Switch] |= 1 << p.Port
		}
		at = p.Switch
	}
	return -1
}

// finish sorts the lists and makes the create packets.
func (g *Group) finish(f *Fabric, t lists) {
	for s, p := range t {
		g.Lists = append(g.Lists, List{s, p})
	}
	slices.SortFunc(g.Lists, func(a, b List) int { return int(a.Switch - b.Switch) })
	home := f.at[g.Creator]
	g.spread(f, t, home, nil, nil)
}

// spread makes the create packets for the part of the tree behind the port by which it is entered.
func (g *Group) spread(f *Fabric, t lists, in Tie, route []uint8, passed []Ports) {
	list := t[in.Switch]
	passed = append(passed, list)
	last := true
	for rest := list &^ (1 << in.Port); rest != 0; rest &= rest - 1 {
		port := uint8(bits.TrailingZeros64(uint64(rest)))
		if p := f.peer(Tie{in.Switch, port}); p.Switch >= 0 {
			last = false
			g.spread(f, t, p.Tie, append(slices.Clone(route), port), slices.Clone(passed))
		}
	}
	if last {
		g.Creates = append(g.Creates, Create{route, passed})
	}
}

// List is the port list of a switch, empty if it is not in the tree.
func (g *Group) List(s int32) Ports {
	i, ok := slices.BinarySearchFunc(g.Lists, s, func(l List, s int32) int { return int(l.Switch - s) })
	if !ok {
		return 0
	}
	return g.Lists[i].Ports
}

// Links is the number of links between switches in the tree.
func (g *Group) Links(f *Fabric) int {
	n := 0
	for _, l := range g.Lists {
		for rest := l.Ports; rest != 0; rest &= rest - 1 {
			if f.peer(Tie{l.Switch, uint8(bits.TrailingZeros64(uint64(rest)))}).Switch >= 0 {
				n++
			}
		}
	}
	return n / 2
}
