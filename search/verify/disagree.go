package verify

import (
	"fmt"
	"slices"
)

// Why simulations and what is expected of them disagree, in words.

// missing names what the prediction from VCs and buffers leaves out that this routing has. Of what sources see it was tried what raises a simulation to it: deeper buffers do
// (polarstar_paley(q=3,s=5,p=1), flit by flit, 0.97 expected: 0.884 with buffers of 11 flits, 0.98 with 88), and twice the VCs in part (0.917), the crossbar's speedup does not (0.889).
func (l *Result) missing() string {
	switch got := l.beyond(); {
	case got > 0:
		return fmt.Sprintf("is that a network which is too full delivers less, as around a ring, where what enters crowds out what is under way, so that an excess by chance is not worked off: "+
			"beyond its saturation it accepts %.3f", got)
	case l.Sighted:
		return "are buffers of direct ways that are full back to the source before it makes detours, and hold up what crosses them: the deeper buffers are, the less" + l.share()
	case l.Direct != nil:
		return "are decisions by what a switch sees"
	case l.Limit == LimitClasses:
		return "is that VCs of a class fill unevenly, and that a saturated ring delivers ever less: what enters it crowds out what is under way"
	}
	return "are bursts that pass from switch to switch, and what a saturated network loses besides"
}

// more names what the prediction leaves out where a network carries more than it. Of what sources see it was tried: with queues that have to differ by 16 times as much the simulation
// comes to it (spectralfly(x=3,q=5,p=1), by cut-through, accepted of loads 0.25 and 0.35: 0.934 and 0.914, of the model 0.942 and 0.917; 0.985 and 0.959 as
// they are), and buffers do not matter (the same with 64 MB and 2 GB). That
// packets which choose keep queues even follows from what does not: of complete(n=8,t=4), worst, by ugal_l 0.91 is expected and all carried, of hyperx(s1=4,s2=4,t=3) by valiant
// 0.55 expected and 0.51 to 0.53 carried.
func (l *Result) more() string {
	switch {
	case l.Sighted && slices.Contains([]string{LimitClasses, LimitCrossbar, LimitBuffers, LimitVCs}, l.Limit):
		return "is that packets which choose the shorter of two queues keep them even, where VCs and buffers are taken to fill by chance" + l.share()
	case l.Direct != nil && !l.Sighted && !l.always():
		return "is that packets make detours where they meet full channels, which the split of the model, the same for all flows, does not"
	case l.Sighted:
		return "are detours for queues that differ by chance, made before a channel is full, which relieve channels that no source sees" + l.share()
	}
	if l.Expected < nearFull*l.Predicted {
		return "is that packets which follow each other over a channel come evenly, and wait for less in few and shallow VCs than queues of the model do"
	}
	return "is that flows held back at full channels leave room on those behind them, and others in buffers"
}

// collapsed is the part of the saturation load of which a network that is too full accepts less, if that explains what is noted.
const collapsed = 0.9

// beyond is what is accepted beyond saturation where that is much less than at saturation; else 0.
func (l *Result) beyond() float64 {
	least := l.Saturation
	for _, p := range l.Curve {
		if p.Saturated && p.Offered < 1 { // at load 1, tried first, in a short run, sources alone may have filled what is on the way
			least = min(least, p.Accepted)
		}
	}
	if least < collapsed*l.Saturation {
		return least
	}
	return 0
}

// share tells what is expected of the load at which the simulation saturates: where that is not much less than 97 %, saturation loads differ by
// more than what is carried.
func (l *Result) share() string {
	if l.Share == 0 {
		return ""
	}
	return fmt.Sprintf("; of load %.3f, of which 97 %% or a little less are accepted, it expects %.1f %% to be", l.upper(), 100*l.Share)
}

// expectedText is the expectation beside a measurement, for its method.
func (l *Result) expectedText() string {
	if l.Expected == 0 {
		return ""
	}
	return fmt.Sprintf("; expected of its VCs and buffers %.4g, limited by %s", l.Expected, l.Limit)
}
