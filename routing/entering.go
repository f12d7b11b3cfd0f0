package routing

import (
	"slices"

	"toposearch/topology"
)

// enteringSets are destinations that tell by kinds of channels what enters the network there. They are spread evenly, each at another place within its step, and so over the
// rings of every dimension: the channel that closes a ring and those inside it are of different kinds, and differ by where in the ring a destination is.
const enteringSets = 64

// Entering is, by kind of channel, the part of uniform traffic across it that has just left its source. It is nil where the rule leaves no packet a choice of two VCs (Rest), and
// so has no rings.
func (r *Router) Entering() []float64 {
	if !r.spare {
		return nil
	}
	e := entering{search: newSearch(r), first: make([]float64, len(r.Kinds)), all: make([]float64, len(r.Kinds)), in: make([]float64, r.Net.Switches()*r.states)}
	step := (len(r.Sets) + enteringSets - 1) / enteringSets
	for i := 0; i*step < len(r.Sets); i++ {
		e.to(min(i*step+(i+i/step)%step, len(r.Sets)-1))
	}
	for k, all := range e.all {
		if all > 0 {
			e.first[k] /= all
		}
	}
	return e.first
}

// entering is the scratch space of Entering.
type entering struct {
	*search
	first, all []float64 // by kind: hops of packets that have just left their source, and all
	in         []float64 // by node: what comes there
	hops       []Hop
	at         []int
}

// to adds the traffic to a set.
func (e *entering) to(dst int) {
	r := e.r
	f := e.run(dst)
	for _, x := range r.uniformTo(dst) {
		e.at, _ = r.Inject(f, x.Src, e.at[:0])
		for _, i := range e.at { // each as good as the others: rings have one
			node := int(r.Sets[x.Src].Ports[i].Switch) * r.states
			rate := x.Rate / float64(len(e.at))
			e.in[node] += rate
			e.hops = r.Next(f, topology.SwitchID(node/r.states), 0, e.hops[:0])
			for _, h := range e.hops {
				e.first[r.kind[h.Channel]] += rate / float64(len(e.hops))
			}
		}
	}
	for _, x := range slices.Backward(f.order) {
		amount := e.in[x]
		e.in[x] = 0
		if amount == 0 || f.Dist[x] == 0 {
			continue
		}
		e.hops = r.Next(f, topology.SwitchID(int(x)/r.states), uint8(int(x)%r.states), e.hops[:0])
		for _, h := range e.hops {
			e.all[r.kind[h.Channel]] += amount / float64(len(e.hops))
			e.in[int(r.Net.To(h.Channel))*r.states+int(h.State)] += amount / float64(len(e.hops))
		}
	}
}
