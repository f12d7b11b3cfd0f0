package traffic

import (
	"fmt"
	"sort"
	"strconv"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// mostNear bounds what neighbourhoods take: as many attachment sets in all, of 8 bytes each. All of them of 8,192
// switches, or 64 near each of a million.
const mostNear = 64 << 20

// neighbours are the endpoints near each attachment set: those of the set first, then of the sets around it.
type neighbours struct {
	setOf   []int32   // by endpoint
	place   []int32   // of each endpoint in its set
	members [][]int32 // endpoints by set
	near    [][]int32 // sets around each, itself first
	upTo    [][]int32 // endpoints of these, summed up
}

// local is uniform over the neighbourhood of the source with a probability and over everybody else (the neighbourhood
// included) otherwise, as in "Performance of interconnection networks under complex workload models".
func local(o Options, args []string) (*Pattern, error) {
	radius, share := 1, 0.5
	if len(args) > 2 {
		return nil, fmt.Errorf("it has two arguments, D and R, got %d", len(args))
	}
	if len(args) > 0 {
		v, err := ints(args[:1], 0, topology.MostNumbered)
		if err != nil {
			return nil, err
		}
		radius = v[0]
	}
	if len(args) > 1 {
		var err error
		if share, err = strconv.ParseFloat(args[1], 64); err != nil || !(share >= 0 && share <= 1) {
			return nil, fmt.Errorf("the share %q of local packets is not a number from 0 to 1", args[1])
		}
	}
	hops, words := radius, fmt.Sprintf("within %d hops", radius)
	if o.Tree {
		if radius < 1 {
			return nil, fmt.Errorf("a subtree has a height of 1 (a leaf switch) or more, got %d", radius)
		}
		hops, words = 2*(radius-1), fmt.Sprintf("in the subtree of height %d", radius)
	}
	v, err := neighboursOf(o.Network, hops)
	if err != nil {
		return nil, err
	}
	n := o.Network.Endpoints()
	for e := range n {
		if share > 0 && v.others(e) == 0 {
			return nil, fmt.Errorf("endpoint %d has nobody %s; take a larger D", e, words)
		}
	}
	return &Pattern{n: n, uniform: 1 - share, draw: func(src int, r *simcore.Rand) int {
		if r.Float64() >= share {
			return other(n, src, r)
		}
		return v.draw(src, r)
	}, rest: func(src int, add func(int, float64)) {
		s := v.setOf[src]
		part := share / float64(max(1, v.others(src)))
		for _, t := range v.near[s] {
			for _, d := range v.members[t] {
				if int(d) != src {
					add(int(d), part)
				}
			}
		}
	}}, nil
}

// others is the number of endpoints near one.
func (v *neighbours) others(e int) int {
	upTo := v.upTo[v.setOf[e]]
	return int(upTo[len(upTo)-1]) - 1
}

// draw draws one of them.
func (v *neighbours) draw(src int, r *simcore.Rand) int {
	s := v.setOf[src]
	upTo := v.upTo[s]
	x := int32(r.IntN(v.others(src)))
	if x >= v.place[src] { // the set of the source comes first, and the source in it is left out
		x++
	}
	i := sort.Search(len(upTo), func(i int) bool { return x < upTo[i] })
	if i > 0 {
		x -= upTo[i-1]
	}
	return int(v.members[v.near[s][i]][x])
}

// neighboursOf finds them within some hops between switches.
func neighboursOf(n *topology.Network, hops int) (*neighbours, error) {
	sets, of := routing.Attachments(n)
	v := &neighbours{members: make([][]int32, len(sets)), near: make([][]int32, len(sets)), upTo: make([][]int32, len(sets))}
	for e := range topology.EndpointID(n.Endpoints()) {
		s := of[n.GroupOf(e)]
		v.setOf, v.place = append(v.setOf, s), append(v.place, int32(len(v.members[s])))
		v.members[s] = append(v.members[s], int32(e))
	}
	at := make([][]int32, n.Switches()) // sets by switch
	for i := range sets {
		for _, p := range sets[i].Ports {
			at[p.Switch] = append(at[p.Switch], int32(i))
		}
	}
	seen, in := make([]int32, n.Switches()), make([]int32, len(sets)) // who came by last, plus 1
	total := 0
	var queue []topology.SwitchID
	for i := range sets {
		mark := int32(i + 1)
		in[i] = mark
		v.near[i] = append(v.near[i], int32(i))
		queue = queue[:0]
		reach := func(s topology.SwitchID) {
			if seen[s] == mark {
				return
			}
			seen[s] = mark
			queue = append(queue, s)
			for _, t := range at[s] {
				if in[t] != mark {
					in[t] = mark
					v.near[i] = append(v.near[i], t)
				}
			}
		}
		for _, p := range sets[i].Ports {
			reach(p.Switch)
		}
		for from, d := 0, 0; d < hops && from < len(queue); d++ {
			end := len(queue)
			for ; from < end; from++ {
				for _, s := range n.Neighbors(queue[from]) {
					reach(s)
				}
			}
		}
		if total += len(v.near[i]); total > mostNear {
			return nil, fmt.Errorf("neighbourhoods of %d hops hold more than %d switches in all; take a smaller D", hops, mostNear)
		}
		sum := int32(0)
		for _, t := range v.near[i] {
			sum += int32(len(v.members[t]))
			v.upTo[i] = append(v.upTo[i], sum)
		}
	}
	return v, nil
}
