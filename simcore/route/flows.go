package route

import (
	"iter"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// KeepsFlows says whether each pair of endpoints keeps to one way, which a hash picks among direct routes.
func (r *Native) KeepsFlows() bool { return r.plan == direct && r.pick.flow() }

// Flows are the ways of pairs, or, if these are nil, of all endpoints to all others in equal shares, of a routing that keeps flows.
func (r *Native) Flows(pairs []routing.Pair) iter.Seq[routing.Path] {
	return func(yield func(routing.Path) bool) {
		for _, p := range pairs {
			if !yield(r.way(p)) {
				return
			}
		}
		if pairs != nil {
			return
		}
		n := topology.EndpointID(r.t.Router.Net.Endpoints())
		for src := range n {
			for dst := range n {
				if dst != src && !yield(r.way(routing.Pair{Src: src, Dst: dst, Rate: 1 / float64(n-1)})) {
					return
				}
			}
		}
	}
}

// way is that of a pair.
func (r *Native) way(f routing.Pair) routing.Path {
	p := &simcore.Packet{Src: f.Src, Dst: f.Dst, Mid: -1}
	_, _, ports := r.t.Router.Net.Group(int(r.groupOf[f.Src]))
	set := int(r.setOf[f.Dst])
	out := routing.Path{Src: int(r.setOf[f.Src]), Dst: set, At: ports[r.Inject(p, nil).Port], Rate: f.Rate}
	for node := r.t.Node(out.At, 0); ; {
		h, ok := choose(r.t, set, node, r.pick, p, nil)
		if !ok {
			return out
		}
		out.Hops = append(out.Hops, h)
		node = r.t.Node(r.t.Router.Net.To(h.Channel), h.State)
	}
}
