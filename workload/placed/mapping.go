package placed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"toposearch/topology"
	"toposearch/workload"
)

// Order says where ranks are on a list of endpoints: the kinds of parallelism from the one whose ranks are next to each other to the one
// whose ranks are farthest apart. nil is workload's own, of which numbers of ranks and of endpoints are the same.
type Order []string

// OwnOrder is that of workload's ranks.
func OwnOrder() Order { return Order{"tp", "cp", "dp", "pp"} }

// ParseOrder reads an order such as "tp, pp, dp"; kinds that it does not name follow in their own order.
func ParseOrder(text string) (Order, error) {
	var o Order
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		switch {
		case !slices.Contains(OwnOrder(), name):
			return nil, fmt.Errorf("%q is no kind of parallelism that ranks are placed by: tp, cp, dp and pp are", name)
		case slices.Contains(o, name):
			return nil, fmt.Errorf("%s is named twice", name)
		}
		o = append(o, name)
	}
	for _, name := range OwnOrder() {
		if !slices.Contains(o, name) {
			o = append(o, name)
		}
	}
	return o, nil
}

// String names the kinds, the nearest ranks first.
func (o Order) String() string { return strings.Join(o, ", ") }

// Orders are all that differ for a parallelism: kinds of one rank stay where they are. The first is workload's own.
func Orders(p workload.Parallelism) []Order {
	var kinds, idle Order
	for i, name := range OwnOrder() {
		if degrees(p)[i] > 1 {
			kinds = append(kinds, name)
		} else {
			idle = append(idle, name)
		}
	}
	var out []Order
	var extend func(head, rest Order)
	extend = func(head, rest Order) {
		if len(rest) == 0 {
			out = append(out, append(slices.Clone(head), idle...))
		}
		for i, name := range rest {
			extend(append(slices.Clone(head), name), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	extend(nil, kinds)
	return out
}

func degrees(p workload.Parallelism) [4]int { return [4]int{p.TP, p.CP, p.DP, p.PP} }

// Place puts the ranks of a parallelism on the first of some endpoints in an order.
func (o Order) Place(p workload.Parallelism, on []topology.EndpointID) []topology.EndpointID {
	if o == nil {
		return on[:p.Ranks()]
	}
	own, stride, at := degrees(p), [4]int{}, 1
	for _, name := range o {
		i := slices.Index(OwnOrder(), name)
		stride[i] = at
		at *= own[i]
	}
	out := make([]topology.EndpointID, p.Ranks())
	for r := range out {
		place, rest := 0, r
		for i, size := range own {
			place += rest % size * stride[i]
			rest /= size
		}
		out[r] = on[place]
	}
	return out
}

// WholeOnSwitches lists endpoints such that each switch, or set of switches on which the same endpoints hang, has a multiple of unit of
// them, as many as ranks; false if there are too few, or if the order of their numbers is such a list.
func (n *Network) WholeOnSwitches(unit, ranks int) ([]topology.EndpointID, bool) {
	if unit <= 1 || n.Router == nil && n.Shape == nil {
		return nil, false
	}
	room := make(map[int32]int) // what is left of the whole units of a set
	for r := range n.Endpoint {
		room[n.where(r)]++
	}
	for s, x := range room {
		room[s] = x / unit * unit
	}
	var out []topology.EndpointID
	moved := false
	for r, e := range n.Endpoint {
		if s := n.where(r); room[s] > 0 && len(out) < ranks {
			room[s]--
			moved = moved || r != len(out)
			out = append(out, e)
		}
	}
	return out, len(out) == ranks && moved
}

// where is the switch, or the set of switches, of a rank.
func (n *Network) where(rank int) int32 {
	if n.Shape != nil {
		return n.Shape.home(int(n.Endpoint[rank]))
	}
	return n.set(rank)
}

// Swap exchanges the endpoints of two blocks of unit ranks that rng draws, each of consecutive ranks.
func Swap(at []topology.EndpointID, unit int, rng *rand.Rand) []topology.EndpointID {
	blocks := len(at) / unit
	if blocks < 2 {
		return at
	}
	a, b := rng.IntN(blocks), rng.IntN(blocks-1)
	if b >= a {
		b++
	}
	out := slices.Clone(at)
	for i := range unit {
		out[a*unit+i], out[b*unit+i] = at[b*unit+i], at[a*unit+i]
	}
	return out
}
