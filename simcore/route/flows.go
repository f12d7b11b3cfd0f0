package route

import (
	"iter"

	"toposearch/routing"
	"toposearch/simcore"
)

// KeepsFlows says whether each pair of endpoints keeps to one way, which a hash picks among direct routes.
func (r *Native) KeepsFlows() bool { return r.plan == direct && r.pick.flow() }

// Flows are the ways of pairs, or of all (routing.EachPair), of a routing that keeps flows.
func (r *Native) Flows(pairs []routing.Pair) iter.Seq[routing.Path] {
	return func(yield func(routing.Path) bool) {
		for p := range routing.EachPair(r.t.Router.Net, pairs) {
			if !yield(r.way(p)) {
				return
			}
		}
	}
}

// way is that of a pair.
func (r *Native) way(f routing.Pair) routing.Path {
	p := &simcore.Packet{Src: f.Src, Dst: f.Dst, Mid: -1}
	_, _, ports := r.t.Router.Net.Group(int(r.groupOf[f.Src]))
	set := int(r.setOf[f.Dst])
	out := routing.Path{Pair: f, From: int(r.setOf[f.Src]), To: set, At: ports[r.Inject(p, nil).Port]}
	for node := r.t.Node(out.At, 0); ; {
		h, ok := choose(r.t, set, node, r.pick, p, nil)
		if !ok {
			return out
		}
		out.Hops = append(out.Hops, h)
		node = r.t.Node(r.t.Router.Net.To(h.Channel), h.State)
	}
}
