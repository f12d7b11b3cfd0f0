package branch

import (
	"context"

	"toposearch/internal/stream"
	"toposearch/search"
)

// probes are the designs of a space that are evaluated to tell how much worse designs are than their bounds allow: as many as say it within a third or so.
const probes = 16

// How many boxes of a generation are looked into for them: from leastWidth on twice as many each time, up to probeWidth, as long as all of that is expected to take no more than
// probeLook visits. Of seven families at 262,144 endpoints 512 boxes come upon 1,262 designs whose cables are laid, which took 49 s.
const (
	probeWidth = 512
	probeLook  = 1 << 20
)

// probing is a strategy that evaluates some designs that an enumeration may come to.
type probing struct {
	e     *Enumeration
	asked []Survivor
	calls int
}

// Probe is a strategy for two searches. The first, against the front at hand, evaluates some designs of the spaces of which the enumeration has evaluated few, and tells it how
// many of them the gate leaves; the second, against none, evaluates the others, too. From both it learns how much worse designs are than bounds allow. Without that what is
// ahead is estimated as if they were as good as bounds, which excludes far too much: of six families by cost, step time and availability 482 evaluations were told for more than 65,000.
func (e *Enumeration) Probe() search.Strategy { return &probing{e: e} }

// Ask looks ahead against the front at hand, and draws from what it comes upon; in the second search it gives what the first has left.
func (p *probing) Ask(ctx context.Context) ([]search.Candidate, error) {
	p.calls++
	switch p.calls {
	case 1:
		p.draw()
	case 3:
	default:
		return nil, ctx.Err()
	}
	var cs []search.Candidate
	for i := range p.asked {
		cs = append(cs, p.asked[i].Candidate)
	}
	return cs, ctx.Err()
}

// draw chooses what is evaluated.
func (p *probing) draw() {
	e := p.e
	rng := stream.New(e.p.Seed, "search.probe", uint64(e.visits))
	front := e.front.Clone()
	var found []Survivor
	looked := 0.0
	for width := leastWidth; width <= probeWidth; width *= 2 {
		l := e.look(front, width, rng)
		if looked += l.looked; len(l.found) >= len(found) {
			found = l.found
		}
		if l.whole || looked+2*l.looked > probeLook {
			break
		}
	}
	found = append(found, e.pending...)
	rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	wanted := make([]int64, len(e.p.Spaces))
	for i := range wanted {
		wanted[i] = probes - e.outcomes[i].evaluated
	}
	for i := range found {
		if s := &found[i]; wanted[s.Space] > 0 {
			wanted[s.Space]--
			p.asked = append(p.asked, *s)
		}
	}
}

// Tell learns what became of them.
func (p *probing) Tell(scores []search.Score) {
	asked, evaluated := make([]float64, len(p.e.p.Spaces)), make([]float64, len(p.e.p.Spaces))
	var left []Survivor
	for i := range scores {
		s := &p.asked[i]
		asked[s.Space]++
		if scores[i].Evaluated {
			evaluated[s.Space]++
			p.e.learn(s, &scores[i])
		} else {
			left = append(left, *s)
		}
	}
	for i, n := range asked {
		if n > 0 && p.calls == 1 {
			p.e.evaluates[i] = max(evaluated[i], 0.5) / n // none of 16 may be one of 32
		}
	}
	p.asked = left
}
