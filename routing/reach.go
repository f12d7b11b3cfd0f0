package routing

import (
	"slices"

	"toposearch/topology"
)

// Gap is what a routing, or the network itself, leaves without a route.
type Gap struct {
	Pairs  int64               `json:"pairs"` // ordered pairs of distinct endpoints
	From   topology.EndpointID `json:"from"`  // the first of them
	To     topology.EndpointID `json:"to"`
	NoPort int64               `json:"cut_off_endpoints"` // without any port that works
}

// Unreachable counts the pairs of endpoints between which there is no legal route.
// Its cost is the number of endpoint groups times that of sets.
func (t *Table) Unreachable() Gap {
	n, sets := t.Router.Net, t.Router.Sets
	var gap Gap
	for g := range n.Groups() {
		from, to, ports := n.Group(g)
		size := int64(to - from)
		if len(ports) == 0 {
			gap.NoPort += size
		}
		for set := range sets {
			if slices.ContainsFunc(ports, func(s topology.SwitchID) bool { return t.Dist(set, t.Node(s, 0)) != Far }) {
				continue
			}
			pairs := size * sets[set].Endpoints
			if t.Router.SetOf[g] == int32(set) {
				pairs -= size // with themselves
			}
			gap.count(pairs, from, sets[set].First)
		}
	}
	return gap
}

// count adds pairs to the gap, of which from and to is the first.
func (gap *Gap) count(pairs int64, from, to topology.EndpointID) {
	if gap.Pairs == 0 && pairs > 0 {
		if gap.From, gap.To = from, to; from == to {
			gap.To++
		}
	}
	gap.Pairs += pairs
}

// Disconnected counts the pairs of endpoints between which there is no path at all, links taken
// to go both ways.
func Disconnected(n *topology.Network) Gap {
	parts := n.Parts()
	type kind struct { // endpoints that hang on the same parts
		parts []topology.SwitchID
		count int64
		first topology.EndpointID
	}
	var kinds []kind
	var gap Gap
	for g := range n.Groups() {
		from, to, ports := n.Group(g)
		var of []topology.SwitchID
		for _, s := range ports {
			of = append(of, parts[s])
		}
		slices.Sort(of)
		of = slices.Compact(of)
		if len(of) == 0 {
			gap.NoPort += int64(to - from)
		}
		i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Equal(k.parts, of) })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, kind{parts: of, first: from})
		}
		kinds[i].count += int64(to - from)
	}
	for i, a := range kinds {
		for j, b := range kinds {
			if slices.ContainsFunc(a.parts, func(s topology.SwitchID) bool { return slices.Contains(b.parts, s) }) {
				continue
			}
			pairs := a.count * b.count
			if i == j {
				pairs -= a.count
			}
			gap.count(pairs, a.first, b.first)
		}
	}
	return gap
}
