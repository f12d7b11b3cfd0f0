package verify

import (
	"fmt"

	"toposearch/study"
)

// Why simulations and what is expected of them disagree, in words.

// missing names what the prediction from VCs and buffers leaves out, by what was tried where something of it helps.
func (l *Result) missing() string {
	if text := l.missingTried(); text != "" {
		return text + l.share()
	}
	switch got := l.beyond(); {
	case got > 0:
		return fmt.Sprintf("is that a network which is too full delivers less, so that an excess by chance is not worked off: beyond its saturation it accepts %.3f", got) + l.tried()
	case l.Direct != nil && !l.always():
		return "is by which detours packets go" + l.tried() + l.share()
	}
	return "is nothing that is known" + l.tried()
}

// missingTried names what the expectation leaves out by what was tried; "" if nothing was, or none of it helps.
func (l *Result) missingTried() string {
	t := l.Tried
	switch {
	case t == nil:
		return ""
	case t.helps(t.Deeper) && t.Deeper >= t.Wider:
		return "is what buffers hold up that are full" + l.late() + ": " + t.text(l.Expected)
	case t.helps(t.Wider):
		return "is what packets hold up that wait in a VC before others: " + t.text(l.Expected)
	}
	return ""
}

// late names, of a routing whose sources see a part of direct ways by credits, why buffers fill: a later channel that is full is seen only as what waits for it fills all buffers before it, and until then
// detours that cross these wait there, too. (Of hyperx(s1=5,s2=4,s3=4,t=3), worst, 0.61 to 0.62 is expected by all three; ugal_g, which sees all of a way, saturates at 0.61 to 0.62, ugal_l and par at 0.50 to 0.53.)
func (l *Result) late() string {
	if l.Seen == 0 {
		return ""
	}
	return fmt.Sprintf(", as sources see %d of up to %d channels of direct ways by credits, and the others only when all buffers before them are full, which detours cross", l.Seen, l.Way)
}

// tried says what none of what was tried explains.
func (l *Result) tried() string {
	switch {
	case l.Tried != nil:
		return ", as neither buffers nor VCs make up half of it: " + l.Tried.text(l.Expected)
	case l.Model == study.CutThrough:
		return ", as buffers hold more than queues need"
	}
	return ""
}

// more names what the prediction leaves out where a network carries more than it: of what sources see the part that VCs and buffers are taken to cost, if without it no more is carried than they let expect, else what they
// see. Of that it was tried: with queues that have to differ by 16 times as much the simulation comes to it (spectralfly(x=3,q=5,p=1), by cut-through, accepted of loads 0.25 and 0.35: 0.934 and 0.914, of the model 0.942 and
// 0.917; 0.985 and 0.959 as they are), and buffers do not matter (the same with 64 MB and 2 GB).
func (l *Result) more() string {
	switch {
	case l.Sighted && l.Left > 0 && l.Left < 1 && l.Saturation <= l.Expected/l.Left*Above:
		return fmt.Sprintf("is that VCs and buffers cost less than the %.1f %% that queues which fill by chance would, as of packets that choose the shorter of two", 100*(1-l.Left)) + l.share()
	case l.Direct != nil && !l.Sighted && !l.always():
		return "is that packets make detours where they meet full channels, which the split of the model, the same for all flows, does not"
	case l.Sighted:
		return "are detours for queues that differ by chance, made before a channel is full, which relieve channels that no source sees" + l.share()
	}
	if l.Expected < nearFull*l.Predicted {
		return fmt.Sprintf("is that VCs and buffers cost less than the %.1f %% that queues which fill by chance would, as of packets that come evenly", 100*(1-l.Expected/l.Predicted))
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
	text := ""
	if l.hashed() {
		text = " and the paths of its hash"
	}
	return fmt.Sprintf("; expected of its VCs and buffers%s %.4g, limited by %s", text, l.Expected, l.Limit)
}
