package routing

import (
	"iter"

	"toposearch/topology"
)

// Peers are the channels of a switch by which an adaptive routing judges one of them: the others of its kind, those parallel to it left out. Where there are none with which the direct way does not begin
// as well (begins; nil: it begins with no other), those of all kinds with which it does not. There are none of the kind at a relaying endpoint each of whose ports leads to a level or a dimension of its own. (Without
// these nothing kept packets from detours there that queues call for by chance: of uniform traffic on bcube(n=8,l=2) ugal_l accepted 0.42, with them 0.47 to 0.50, natural 0.53.) Nor are there half-way around
// a ring, where ways begin on both sides, which fill alike. (Judged by the other side sources of torus(k1=4,k2=4,k3=4) sent three of four packets of the worst permutation by ugal_l into full channels
// while those of detours were idle, more of them the more VCs there were to fill: saturation 0.52 of load 1 with 4 VCs, 0.38 with 8, 0.28 with 16; now 0.60, 0.66 and 0.61.) Where ways begin with all
// channels of the switch, detours do, too, and all are peers. (Without any of uniform traffic ugal_l accepted 0.97 of natural on dragonflyplus(l=4,m=3,p=3,h=3), with them 0.98.)
func (r *Router) Peers(of topology.ChannelID, begins func(c topology.ChannelID) bool) iter.Seq[topology.ChannelID] {
	return func(yield func(c topology.ChannelID) bool) {
		kind, to := r.KindOf(of), r.Net.To(of)
		first, end := r.Net.Out(r.Net.From(of))
		like, likeElse, other := false, false, false // some of the kind, some of them and some of any kind with which the way does not begin
		for c := first; c < end && !likeElse; c++ {
			if r.Net.To(c) != to {
				free := begins == nil || !begins(c)
				alike := r.KindOf(c) == kind
				like, likeElse, other = like || alike, alike && free, other || free
			}
		}
		ofKind := likeElse || like && !other
		for c := first; c < end; c++ {
			if r.Net.To(c) == to || ofKind && r.KindOf(c) != kind || !ofKind && other && begins != nil && begins(c) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}
