package floor

import (
	"cmp"
	"encoding/binary"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// A twin-port module serves two ports of a switch from one cage; an odd port has a module of its own. An
// adapter has a cage for each port, so that at the end of a nic link a module serves one link only. A cable
// or fibre for several links joins two cages: its links lead from the same box to the same box, and a link
// that has no parallel takes a whole one. A splitter has one cage at a switch, and single ends at
// endpoints. What every link needs is a fraction of a part; whole parts
// are counted box by box, on the cable schedule, where the list has parts that serve several links.

// place is an end of a link of a run at a box, or the link between two.
type place struct {
	a, b int64
	run  int32
}

// places collects the links that may share parts.
type places struct {
	of    []place
	alone []int64 // by run
}

// share counts the links of every box by run.
func (s *Schedule) share() (*market.Shares, error) {
	var modules, joined, split places
	for _, p := range []*places{&modules, &joined, &split} {
		p.alone = make([]int64, len(s.chosen))
	}
	err := s.EachCable(false, func(c Cable) bool {
		nic := c.Link == topology.ClassNic && (c.FromSwitch < 0 || c.ToSwitch < 0)
		modules.end(&c, c.FromSwitch, c.Endpoint)
		if !c.Circuit {
			modules.end(&c, c.ToSwitch, c.ToEndpoint)
		}
		if c.FromSwitch < 0 {
			split.end(&c, c.ToSwitch, c.ToEndpoint)
		} else {
			split.end(&c, c.FromSwitch, c.Endpoint)
		}
		if nic {
			joined.alone[c.run]++ // a port of an adapter is a cage
		} else {
			a, b := box(c.FromSwitch, c.Endpoint), box(c.ToSwitch, c.ToEndpoint)
			joined.of = append(joined.of, place{min(a, b), max(a, b), int32(c.run)})
		}
		return true
	})
	return &market.Shares{Modules: modules.ends(), Joined: joined.ends(), Split: split.ends()}, err
}

// end counts a link at one of its ends.
func (p *places) end(x *Cable, s topology.SwitchID, e topology.EndpointID) {
	if s < 0 && x.Link == topology.ClassNic {
		p.alone[x.run]++
		return
	}
	p.of = append(p.of, place{a: box(s, e), run: int32(x.run)})
}

// ends puts places with the same links together, in an order of their links.
func (p *places) ends() market.Ends {
	slices.SortFunc(p.of, func(x, y place) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	out, known := market.Ends{Alone: p.alone}, map[string]int{}
	links, key := make([]int32, len(p.alone)), make([]byte, 4*len(p.alone))
	for first, i := 0, 0; i < len(p.of); first = i {
		clear(links)
		for ; i < len(p.of) && p.of[i].a == p.of[first].a && p.of[i].b == p.of[first].b; i++ {
			links[p.of[i].run]++
		}
		for r, n := range links {
			binary.BigEndian.PutUint32(key[4*r:], uint32(n))
		}
		at, ok := known[string(key)]
		if !ok {
			at = len(out.Alike)
			known[string(key)] = at
			out.Alike = append(out.Alike, market.Alike{Links: slices.Clone(links)})
		}
		out.Alike[at].Places++
	}
	slices.SortFunc(out.Alike, func(x, y market.Alike) int { return slices.Compare(x.Links, y.Links) })
	return out
}
