package route

import (
	"fmt"
	"slices"

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

// deal deals the VCs out to the classes, in equal shares. Classes of the same VC of the rule stand
// side by side, phase by phase, so that what a packet on the direct way may take is one range.
func (r *Native) deal(have int) {
	r.top = uint8(have - 1)
	r.lo, r.hi, r.at = make([]uint8, r.need), make([]uint8, r.need), make([]uint8, have)
	i := 0
	take := func(class int, mark uint8) {
		r.lo[class], r.hi[class] = uint8(i*have/r.need), uint8((i+1)*have/r.need-1)
		for vc := r.lo[class]; vc <= r.hi[class]; vc++ {
			r.at[vc] = mark
		}
		i++
	}
	if r.hopVC {
		for class := range r.need {
			take(class, uint8(class))
		}
		return
	}
	for k := 0; i < r.need; k++ {
		for phase := range phases {
			if k < int(r.levels[phase]) {
				take(int(r.offset[phase])+k, uint8(phase))
			}
		}
	}
	for k := range slices.Max(r.levels[:]) {
		var w [phases]span
		var open span
		for phase := phases - 1; phase >= 0; phase-- {
			if k < r.levels[phase] {
				class := r.offset[phase] + k
				if open.lo = r.lo[class]; open.hi < r.hi[class] {
					open.hi = r.hi[class]
				}
			}
			w[phase] = open
		}
		r.ways = append(r.ways, w)
	}
}

// vcs gives the VCs of a hop, at a node that is d hops away from where the phase ends. On the direct way
// packets may take the VCs of all phases from that of the VC on which they come: dependencies lead from phase
// to phase and never back, as those of detours do. Where VCs follow hops they only have to rise, and to
// leave one for each hop to come. A channel that needs one VC has all of them under a plan without detours alone: packets on the
// direct way would stand there before detours (dragonfly(p=4,a=8,h=4) under group_shift: 0.28 of 0.4 instead of 0.35).
func (r *Native) vcs(p *simcore.Packet, v *simcore.View, h routing.Hop, d int) span {
	switch {
	case r.plan == direct || p.Phase == probing:
		class := r.offset[p.Phase] + h.VC
		if r.hopVC {
			class = uint8(p.Hops)
		}
		if r.plan == direct { // the classes of a detour do not stand side by side
			if r.single(h) {
				return span{0, r.top}
			}
			return span{r.lo[class], r.hi[class+h.Top-h.VC]}
		}
		return span{r.lo[class], r.hi[class]}
	case r.hopVC:
		lo, hi := 0, r.need-d
		if p.Hops > 0 {
			lo = int(r.at[p.VC]) + 1
		}
		if p.Phase == outward {
			hi -= int(r.levels[homeward])
		}
		return span{r.lo[lo], r.hi[hi]}
	case p.Mid >= 0:
		class := r.offset[p.Phase] + h.VC
		return span{r.lo[class], r.hi[class]}
	}
	from := uint8(outward)
	if p.Hops > 0 {
		from = max(from, r.at[p.VC])
	}
	w := r.ways[h.VC][from]
	if r.plan.adaptive() && v != nil {
		for w.hi > w.lo && r.at[w.lo] != homeward && r.at[w.hi] == homeward && v.UsedVC(h.Channel, w.hi) > r.tune.stall(v, h.Channel) {
			w.hi--
		}
	}
	return w
}

// single reports whether a channel is one on which the rule knows a single VC, so that all of a phase can stand for it.
func (r *Native) single(h routing.Hop) bool {
	return r.oneVC != nil && r.oneVC[r.t.Router.KindOf(h.Channel)]
}
