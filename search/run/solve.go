package run

import (
	"context"
	"math"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/topology"
)

// Effort bounds what a question about a run may take beyond its journal. Both are counts, so that an answer depends on no clock.
type Effort struct {
	Evaluations int64 // of designs that the journal does not answer whole
	Visits      int64 // steps of enumerations, by closed forms and bounds
	Brief       bool  // of curves: without those that take a search for each value of a limit
}

// solved is the front of a problem that is near to one that was searched.
type solved struct {
	d        *search.Driver
	complete bool
	proof    *search.Proof     // how much the front may lack; nil if it is complete, or empty
	least    objectives.Vector // the best that each objective can be in what is open; nil without any
	open     int64             // boxes and designs that nothing excludes
}

// batchSize is how many designs of a journal are asked for at a time: the front of those before excludes many of those behind.
const batchSize = 256

// listed is a strategy that asks for given candidates, in batches.
type listed struct{ left []search.Candidate }

func (l *listed) Ask(context.Context) ([]search.Candidate, error) {
	n := min(len(l.left), batchSize)
	if n == 0 {
		return nil, nil
	}
	out := l.left[:n]
	l.left = l.left[n:]
	return out, nil
}

func (l *listed) Tell([]search.Score) {}

// solve finds the front of a problem from what earlier runs know: designs named first, then all others that the journal holds, then by
// enumeration against the front of these, which proves it complete where the effort lasts.
func solve(ctx context.Context, p *search.Problem, known *reuse, first []string, most Effort, workers int) (*solved, error) {
	free := int64(0) // answers that cost nothing
	for _, l := range known.lines {
		if l.whole {
			free++
		}
	}
	trees := newTrees(p)
	e := branch.NewEnumeration(p, max(workers, 1), nil)
	d := search.NewDriver(p, nil, search.Options{Workers: workers, Stop: func() bool { return e.Visits() > most.Visits }})
	d.Reuse, d.Left = known.find, most.Evaluations+free
	complete := make([]bool, len(p.Spaces))
	for i, sp := range p.Spaces {
		complete[i] = sp.Size.Sign() == 0
	}
	stop, err := d.Search(ctx, &listed{candidates(p, first)}, true)
	if err == nil && stop == "" {
		stop, err = d.Search(ctx, &listed{candidates(p, known.order)}, true)
	}
	if err != nil {
		return nil, err
	}
	d.Left = max(0, most.Evaluations-(d.Prog.Evaluated-d.Prog.Reused)) // what is known has been asked for
	which := make([]bool, len(p.Spaces))
	for i := range which {
		which[i] = true
	}
	trees.add(e, which)
	e.Know(&d.Front)
	if stop == "" {
		if stop, err = d.Search(ctx, e, false); err != nil {
			return nil, err
		}
	}
	s := &solved{d: d, complete: stop == ""}
	if s.complete {
		return s, nil
	}
	if s.proof, err = trees.prove(ctx, d, complete); err != nil {
		return nil, err
	}
	corners, open, _ := e.Left(&d.Front)
	for i := range open {
		s.open += open[i]
		for _, v := range corners[i] {
			if s.least == nil {
				s.least = append(objectives.Vector(nil), v...)
			}
			for j, x := range v {
				s.least[j] = math.Min(s.least[j], x)
			}
		}
	}
	s.complete = s.open == 0
	return s, nil
}

// candidates are the designs of the names that are in the spaces of a problem.
func candidates(p *search.Problem, names []string) []search.Candidate {
	var out []search.Candidate
	var families []*topology.Family
	for _, sp := range p.Spaces {
		families = append(families, sp.Fam)
	}
	for _, name := range names {
		d, err := topology.ParseDesign(name, families)
		if err != nil {
			continue // of a family that is not searched
		}
		for i, sp := range p.Spaces {
			if sp.Fam != d.Family {
				continue
			}
			in := true
			for k, v := range d.V {
				_, ok := sp.Dims[k].Index(v)
				in = in && ok
			}
			if in {
				out = append(out, p.Canonical(i, d.V))
			}
		}
	}
	return out
}
