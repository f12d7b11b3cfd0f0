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
	case p.Phase == outward && vc == 0 && r.roams(v) && (p.Hops == 0 || came.at[p.VC] == probing):
		return span{l.ways[vc][probing].lo, l.hi[class]}
	case r.plan == direct: // the classes of a detour do not stand side by side
		return span{l.lo[class], l.hi[class+h.Top-h.VC]}
	case p.Mid >= 0 || p.Phase == probing && !r.contested(v, h):
		return span{l.lo[class], l.hi[class]}
	}
	from := p.Phase
	if p.Phase == homeward {
		if from = outward; p.Hops > 0 && r.roams(v) {
			from = came.at[p.VC]
		} else if p.Hops > 0 {
			from = max(from, came.at[p.VC])
		}
	}
	w := l.ways[vc][from]
	if r.plan.adaptive() && v != nil {
		for w.hi > w.lo && l.at[w.lo] != l.at[w.hi] && (l.at[w.hi] == homeward || p.Phase == probing) && v.UsedVC(h.Channel, w.hi) > r.tune.stall(v, h.Channel) {
			w.hi--
		}
	}
	return w
}

// roams says whether packets may take the VCs of first hops on later ones, too, while they are in no others, where routings decide
// twice. There packets of all legs meet, and ways by them alone may lead in a circle; but each may everywhere take a VC of its leg as
// well, from which nothing leads back, and these are free of cycles (Duato, IEEE TPDS 6(10), 1995). A packet that waits must not have chosen
// one. Otherwise a third of the VCs stands idle behind first hops (dragonflyplus(l=4,m=4,p=4,h=4) under group_shift: 0.78 of Valiant's
// load, with them 0.91).
func (r *Native) roams(v *simcore.View) bool { return r.plan.twice() && v != nil && !v.Chosen() }

// contested says whether packets wait for a channel. Then those that probe may take the VCs of later phases too, as where nothing is
// decided again, and have decided: there is one VC for the first hop, and packets of one flit do not fill a channel by one VC.
func (r *Native) contested(v *simcore.View, h routing.Hop) bool {
	return r.plan.twice() && v != nil && v.Waiting(h.Channel) > 0
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
