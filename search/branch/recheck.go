package branch

import (
	"context"
	"fmt"

	"toposearch/constraints"
	"toposearch/internal/stream"
	"toposearch/search"
)

// Recheck says what evaluating a sample of the designs that bounds exclude has shown.
type Recheck struct {
	Drawn     int `json:"drawn"`     // designs of the space within the window of endpoints, drawn at random by the seed
	Checked   int `json:"checked"`   // of these, those that bounds exclude: each was evaluated
	Dominated int `json:"dominated"` // of the checked, those excluded since the front dominates their bounds,
	Rejected  int `json:"rejected"`  // and those since their bounds miss a limit
	Boxes     int `json:"boxes"`     // of the checked, those excluded together with a whole box of designs
	Large     int `json:"large"`     // drawn, but too large to be evaluated in passing
	// Wrong are the checked designs that are feasible and that no design of the front dominates, in words.
	Wrong []string `json:"wrong,omitempty"`
}

// Check draws designs until it has checked so many of those that bounds exclude against a front, or has drawn drawsPerCheck times as many.
func Check(ctx context.Context, p *search.Problem, workers int, front *search.Archive, seed uint64, sample int) (*Recheck, error) {
	free := *p // any design of the window
	free.Limits, free.Compared = nil, nil
	type excluded struct {
		search.Candidate
		why string
	}
	var found []excluded
	r := new(Recheck)
	t := newTask(p)
	t.front = front
	idle := make([]int, len(p.Spaces))
	for k := uint64(0); len(found) < sample && k < uint64(drawsPerCheck*sample); k++ {
		sp := int(k) % len(p.Spaces)
		if idle[sp] >= SeedMisses {
			continue
		}
		rng := stream.New(seed, "search.recheck", uint64(sp), k)
		s, fit := descend(&free, sp, nil, rng, seedVisits)
		if idle[sp]++; s.V == nil {
			continue
		}
		idle[sp] = 0
		r.Drawn++
		if !fit {
			r.Large++
			continue
		}
		if why, box := t.falls(s.Candidate); why != "" {
			found = append(found, excluded{s.Candidate, why})
			if box {
				r.Boxes++
			}
		}
	}
	wrong, errs := make([]string, len(found)), make([]error, len(found))
	search.Each(ctx, workers, len(found), func(_, i int) {
		x := &found[i]
		e, err := p.Measure(ctx, p.Design(x.Space, x.V))
		if errs[i] = err; err != nil {
			return
		}
		if s := p.ScoreEntry(e); s.Feasible() && !front.Covers(s.V) {
			wrong[i] = fmt.Sprintf("%s passes for %s, is feasible and not dominated", e.Design, x.why)
		}
	})
	for i := range found {
		if errs[i] != nil {
			return nil, errs[i]
		}
		r.Checked++
		if found[i].why == search.Dominated {
			r.Dominated++
		} else {
			r.Rejected++
		}
		if wrong[i] != "" {
			r.Wrong = append(r.Wrong, wrong[i])
		}
	}
	return r, ctx.Err()
}

// drawsPerCheck bounds how many designs are drawn for one that is checked, where bounds exclude few.
const drawsPerCheck = 8

// falls says why a box on the way down to a design is cut, or else the design by itself; "" if neither is. The range of a parameter
// is halved as in an enumeration.
func (t *task) falls(c search.Candidate) (why string, box bool) {
	sp := t.p.Spaces[c.Space]
	b, ok := root(t.p, c.Space)
	for d := 0; ok; {
		if why := t.cut(sp, &b); excludes(why) {
			return why, true
		}
		at, _ := sp.DimAt(d).Index(c.V[sp.ParamAt(d)])
		switch mid := b.middle(); {
		case b.lo == b.hi && d == len(sp.Dims)-1:
			ok = false
		case b.lo == b.hi:
			b.deepen(sp)
			d++
		case int32(at) <= mid:
			b.hi = mid
		default:
			b.lo = mid + 1
		}
	}
	if sp.Fam.Size(c.V, &t.enc.Low) != nil {
		return "", false
	}
	t.enc.Design(t.p.Model, c.V)
	for more := int64(1); more > 0; more = t.enc.Refine() {
		if why := t.excludes(); excludes(why) {
			return why, false
		}
	}
	return "", false
}

// excludes tells whether a reason is a bound of metrics, and not how a design is written or counted.
func excludes(why string) bool {
	return why != "" && why != search.Duplicate && why != constraints.Window && why != constraints.NoNetwork
}
