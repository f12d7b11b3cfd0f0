package routing

import (
	"toposearch/internal/heap"
	"toposearch/topology"
)

// NotifyTimes are the delays by which news of a failure travels.
type NotifyTimes struct {
	LinkNs    float64 // of a notification on a link: serialisation and cable
	ForwardNs float64 // through a switch that passes it on like any packet
	ProcessNs float64 // in the controller of a switch or of a source that reads it and changes its routes
	SendNs    float64 // for the controller to send one more copy
}

// Reroute says how long after a failure was detected sources stop to use the link.
type Reroute struct {
	Sources int // sources with a shortest legal route over the channel
	// FormulaNs is of the last source, from hops and delays alone; MeasuredNs that of a simulation in which controllers
	// do one thing at a time.
	FormulaNs, MeasuredNs float64
	Messages              int // sent, all together
}

// Affected lists the switches of endpoints of which some shortest legal route leads over a channel, and how many
// channels without it lie between the switch at which the failure is seen and each of them.
func (r *Router) Affected(c topology.ChannelID) (sources []topology.SwitchID, hops []int) {
	n := r.Net
	from, to := n.From(c), n.To(c)
	uses := make([]bool, n.Switches())
	s := newSearch(r)
	s.full = true
	for set := range r.Sets {
		f := s.run(set)
		r.users(f, c, from, to, uses)
	}
	away := distances(n, from, c)
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if uses[p.Switch] {
				sources, hops = append(sources, p.Switch), append(hops, away[p.Switch])
			}
		}
	}
	return sources, hops
}

// users marks the switches from which a shortest route to a field's destination, begun in state 0, crosses a channel.
func (r *Router) users(f *Field, c topology.ChannelID, from, to topology.SwitchID, uses []bool) {
	S := r.states
	on := make(map[int32]bool) // nodes whose shortest routes may cross it
	var list []int32
	for st := range S {
		d := f.Dist[int(from)*S+st]
		if d == 0 || d == Unreachable {
			continue
		}
		for t := range S {
			if r.next[int(r.kind[c])*S+st]&(1<<t) != 0 && f.Dist[int(to)*S+t] == d-1 {
				list = append(list, int32(int(from)*S+st))
				on[list[len(list)-1]] = true
				break
			}
		}
	}
	for k := 0; k < len(list); k++ {
		v, st := int(list[k])/S, int(list[k])%S
		if st == 0 {
			uses[v] = true
		}
		for i := r.inStart[v]; i < r.inStart[v+1]; i++ {
			w := int(r.inFrom[i])
			for b := range S {
				x := int32(w*S + b)
				if r.back[int(r.inKind[i])*S+st]&(1<<b) != 0 && f.Dist[x] != Unreachable && f.Dist[x] == f.Dist[list[k]]+1 && !on[x] {
					on[x] = true
					list = append(list, x)
				}
			}
		}
	}
}

// distances from a switch over any links but one.
func distances(n *topology.Network, from topology.SwitchID, without topology.ChannelID) []int {
	dist := make([]int, n.Switches())
	for i := range dist {
		dist[i] = -1
	}
	dist[from] = 0
	queue := []topology.SwitchID{from}
	for k := 0; k < len(queue); k++ {
		first, end := n.Out(queue[k])
		for c := first; c < end; c++ {
			if t := n.To(c); c != without && n.Rev(c) != without && dist[t] < 0 {
				dist[t] = dist[queue[k]] + 1
				queue = append(queue, t)
			}
		}
	}
	return dist
}

// NotifyHopByHop floods the news: each switch reads it, changes its routes and sends a copy over each of its other
// links. A source k hops away knows after k+1 readings and k links, if controllers were idle and its copies always the first.
func (r *Router) NotifyHopByHop(c topology.ChannelID, t NotifyTimes) Reroute {
	sources, hops := r.Affected(c)
	out := Reroute{Sources: len(sources)}
	for _, k := range hops {
		out.FormulaNs = max(out.FormulaNs, float64(k+1)*t.ProcessNs+float64(k)*(t.SendNs+t.LinkNs))
	}
	n := r.Net
	known := make([]float64, n.Switches()) // when its routes are changed; 0: not yet
	var events heap.Heap[float64, topology.SwitchID]
	events.Push(0, 0, n.From(c))
	for order := uint64(1); events.Len() > 0; {
		now, sw := events.Pop()
		if known[sw] > 0 {
			continue // a duplicate, told by its number
		}
		known[sw] = now + t.ProcessNs
		sent := known[sw]
		first, end := n.Out(sw)
		for o := first; o < end; o++ {
			if o == c || n.Rev(o) == c {
				continue
			}
			sent += t.SendNs
			events.Push(sent+t.LinkNs, order, n.To(o))
			order++
			out.Messages++
		}
	}
	for _, s := range sources {
		out.MeasuredNs = max(out.MeasuredNs, known[s])
	}
	return out
}

// NotifyDirect sends the news to the affected sources alone, the farthest first, as packets that switches forward
// without reading them; UB-Mesh knows the sources from the addresses. The last source knows after two readings, its copy's turn
// and its hops, if no two copies met.
func (r *Router) NotifyDirect(c topology.ChannelID, t NotifyTimes) Reroute {
	sources, hops := r.Affected(c)
	out := Reroute{Sources: len(sources)}
	n := r.Net
	away := distances(n, n.From(c), c)
	most := 0
	for _, k := range hops {
		most = max(most, k)
	}
	byDistance := make([][]topology.SwitchID, most+1)
	for i, s := range sources {
		byDistance[hops[i]] = append(byDistance[hops[i]], s)
	}
	back := distancePaths{n, away, c}
	free := make(map[topology.ChannelID]float64) // when a channel is free again
	turn := 0
	for k := most; k >= 0; k-- {
		for _, s := range byDistance[k] {
			if k == 0 { // the switch that saw it
				out.FormulaNs, out.MeasuredNs = max(out.FormulaNs, t.ProcessNs), max(out.MeasuredNs, t.ProcessNs)
				continue
			}
			turn++
			out.Messages++
			sent := t.ProcessNs + float64(turn)*t.SendNs
			out.FormulaNs = max(out.FormulaNs, sent+float64(k)*t.LinkNs+float64(k-1)*t.ForwardNs+t.ProcessNs)
			at := sent
			for i, o := range back.to(s) {
				if i > 0 {
					at += t.ForwardNs
				}
				at = max(at, free[o]) + t.LinkNs
				free[o] = at
			}
			out.MeasuredNs = max(out.MeasuredNs, at+t.ProcessNs)
		}
	}
	return out
}

// distancePaths finds shortest paths from the switch from which distances are counted.
type distancePaths struct {
	n       *topology.Network
	dist    []int
	without topology.ChannelID
}

// to gives the channels of the path to a switch whose switches have the lowest numbers, seen from its end.
func (p *distancePaths) to(s topology.SwitchID) []topology.ChannelID {
	out := make([]topology.ChannelID, p.dist[s])
	for k := p.dist[s]; k > 0; k-- {
		first, end := p.n.Out(s)
		for c := first; c < end; c++ {
			back := p.n.Rev(c)
			if t := p.n.To(c); c != p.without && back != p.without && p.dist[t] == k-1 {
				out[k-1], s = back, t
				break
			}
		}
	}
	return out
}
