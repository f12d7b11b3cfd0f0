package route

import (
	"fmt"

	"toposearch/routing"
	"toposearch/simcore"
)

// share gives the VC classes equal shares of the VCs that there are (deal).
func (r *Native) share(design string, opt Options) error {
	have := opt.VCs
	if have == 0 {
		have = max(r.need, opt.Want)
	}
	if have < r.need || have > 256 {
		return fmt.Errorf("routing: %s on %s needs %d virtual channels (256 are possible), and there are %d", r.name, design, r.need, have)
	}
	r.deal(have)
	return nil
}

// deal deals the VCs out to the classes, in equal shares. On a channel on which the rule knows a single VC (oneVC) a phase
// has one class there, and the VCs that its others would leave idle.
func (r *Native) deal(have int) {
	r.top = uint8(have - 1)
	if r.hopVC {
		r.lanes = lanesByHop(r.need, have)
		return
	}
	r.lanes = dealt(r.levels, have)
	if r.oneVC != nil {
		one := r.levels
		for phase := range one {
			one[phase] = min(1, one[phase])
		}
		r.single = dealt(one, have)
	}
}

// vcs gives the VCs of a hop, at a node that is d hops away from where the phase ends. On the direct way
// packets may take the VCs of all phases from that of the VC on which they come: dependencies lead from phase
// to phase and never back, as those of detours do. Where VCs follow hops they only have to rise, and to
// leave one for each hop to come.
func (r *Native) vcs(p *simcore.Packet, v *simcore.View, h routing.Hop, d int) span {
	if r.hopVC {
		return r.vcsByHop(p, d)
	}
	l, vc := r.lanesOn(h)
	came := r.lanesOf(p)
	p.Single = l == &r.single
	class := l.offset[p.Phase] + vc
	switch {
	case r.plan == direct: // the classes of a detour do not stand side by side
		return span{l.lo[class], l.hi[class+h.Top-h.VC]}
	case p.Mid >= 0 || p.Phase == probing && !r.contested(v, h, d):
		return span{l.lo[class], l.hi[class]}
	}
	from := p.Phase
	if p.Phase == homeward {
		from = outward
		if p.Hops > 0 {
			from = max(from, came.at[p.VC])
		}
	}
	w := l.ways[vc][from]
	if r.plan.adaptive() && v != nil {
		for w.hi > w.lo && l.at[w.lo] != l.at[w.hi] && (l.at[w.hi] == homeward || from == probing) && v.UsedVC(h.Channel, w.hi) > r.tune.stall(v, h.Channel) {
			w.hi--
		}
	}
	return w
}

// contested says whether packets wait for the VCs of first hops on a channel that is no more congested than its peers. Then packets may take
// those of later phases too, as where nothing is decided again, and have decided: there is one VC for the first
// hop, and packets of one flit do not fill a channel by one VC. Where packets wait for a channel that others should avoid they
// stay among themselves, and detours pass.
func (r *Native) contested(v *simcore.View, h routing.Hop, hops int) bool {
	if !r.plan.twice() || v == nil || v.Waiting(h.Channel) == 0 {
		return false
	}
	q, vcs := r.queue(v, h, hops)
	return r.likePeers(v, h, hops, q-r.tune.bias(v, h.Channel)*vcs)
}

// pastProbing says whether a packet has come on a VC of a later phase.
func (r *Native) pastProbing(p *simcore.Packet) bool {
	return !r.hopVC && r.lanesOf(p).at[p.VC] != probing
}

// vcsByHop is vcs where VCs follow hops.
func (r *Native) vcsByHop(p *simcore.Packet, d int) span {
	if r.plan == direct || p.Phase == probing {
		class := uint8(p.Hops)
		return span{r.lo[class], r.hi[class]}
	}
	lo, hi := 0, r.need-d
	if p.Hops > 0 {
		lo = int(r.at[p.VC]) + 1
	}
	if p.Phase == outward {
		hi -= int(r.levels[homeward])
	}
	return span{r.lo[lo], r.hi[hi]}
}
