package search

import (
	"context"
	"fmt"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/objectives"
	"toposearch/topology"
)

// Score is what a strategy learns of a candidate.
type Score struct {
	constraints.Verdict
	// V is nil if it was rejected before it was evaluated; of what is Dominated by intervals around it, and so neither rejected nor
	// feasible, their best corner.
	V objectives.Vector
	// Met means that what is Dominated meets every limit for certain.
	Met bool
	// Evaluated means that it reached level 1, and so stands in the journal.
	Evaluated bool
}

// Feasible reports whether every limit is met.
func (s *Score) Feasible() bool { return s.Verdict == constraints.Verdict{} }

// Known answers an evaluation from what earlier runs computed: with an entry that an evaluation would give, or with what of one
// does not depend on prices, parts and floor, by which the rest is evaluated (evaluator.KeepNetwork). Neither: nothing is known.
type Known func(design string) (whole *Entry, network *evaluator.Kept)

// Score takes a candidate the whole way, cheapest question first, and ends where it is rejected, or where intervals show that
// front dominates it. The driver takes a batch the same way, all candidates through the first half before any through the second, and
// writes what was evaluated to the journal before anyone is told. known may be nil.
func (p *Problem) Score(ctx context.Context, c Candidate, e *Enclosure, front *Archive, known Known) (Score, error) {
	if s := p.ScoreCounts(c, e); s.Constraint != "" {
		return s, nil
	}
	if s := p.Gate(e, front); s.Constraint != "" {
		return s, nil
	}
	a := p.answer(ctx, c, p.Name(c), known)
	if a.err != nil {
		return Score{}, a.err
	}
	return p.ScoreEntry(a.entry), nil
}

// ScoreCounts is the first half, closed forms in a microsecond: the candidate's counts, the window of
// endpoints, and what intervals around its metrics miss for certain. A score without a constraint means that
// the candidate must be evaluated.
func (p *Problem) ScoreCounts(c Candidate, e *Enclosure) Score {
	err := p.Spaces[c.Space].Fam.Size(c.V, &e.Low)
	if v := p.Judge.Size(e.Low.Endpoints, err); v.Constraint != "" {
		return Score{Verdict: v}
	}
	e.Design(p.Model, c.V)
	return Score{Verdict: p.Judge.Intervals(&e.Metrics)}
}

// Gate judges a candidate whose closed forms ScoreCounts has just put into e, and that these did not reject, against a
// front. A score without a constraint means that the candidate must be evaluated; V is then the best that it can be.
func (p *Problem) Gate(e *Enclosure, front *Archive) Score {
	best := make(objectives.Vector, len(p.Objectives))
	for {
		objectives.FillBest(best, p.Objectives, &e.Metrics)
		if front.Covers(best) {
			s := dominated(best)
			s.Met = p.Judge.Met(&e.Metrics) && objectives.FillWorst(make(objectives.Vector, len(best)), p.Objectives, &e.Metrics)
			return s
		}
		if e.Refine() == 0 {
			return Score{V: best}
		}
		if v := p.Judge.Intervals(&e.Metrics); v.Constraint != "" {
			return Score{Verdict: v}
		}
	}
}

// dominated is the score of a candidate that is no better than a corner which the front dominates.
func dominated(corner objectives.Vector) Score {
	s := Score{V: corner}
	s.Constraint = Dominated
	return s
}

// answer is an evaluation, or what was known instead of one.
type answer struct {
	entry  *Entry // nil: there is none, for err
	result *evaluator.Result
	known  bool // from a journal
	anew   bool // with figures of the network from a journal, and what prices, parts and floor decide computed anew
	err    error
}

// answer is what is known of a candidate of this name, or else measured.
func (p *Problem) answer(ctx context.Context, c Candidate, name string, known Known) answer {
	d := p.Design(c.Space, c.V)
	if known == nil {
		return p.measure(ctx, d, name, p.Request)
	}
	whole, network := known(name)
	if whole != nil {
		return answer{entry: whole, known: true}
	}
	if network != nil {
		if req, finish, ok := evaluator.KeepNetwork(p.Request, p.Study.Options.ByWorst, network); ok {
			a := p.measure(ctx, d, name, req)
			if a.err == nil {
				finish(a.result)
				a.entry, a.result, a.anew = NewEntry(name, a.result), nil, true // methods of its figures are not known
			}
			return a
		}
	}
	return p.measure(ctx, d, name, p.Request)
}

// Measure evaluates a design: exact distances, loads, floor plan, cables, bill of materials.
func (p *Problem) Measure(ctx context.Context, d topology.Design) (*Entry, error) {
	a := p.measure(ctx, d, d.String(), p.Request)
	return a.entry, a.err
}

func (p *Problem) measure(ctx context.Context, d topology.Design, name string, req evaluator.Request) answer {
	r, err := p.Model.Evaluate(ctx, d, req)
	if err != nil {
		return answer{err: fmt.Errorf("evaluate %s: %w", name, err)}
	}
	return answer{entry: NewEntry(name, r), result: r}
}

// ScoreEntry is the last part: the metrics of an evaluation, or of a line of a journal, against the limits,
// and as objectives.
func (p *Problem) ScoreEntry(e *Entry) Score {
	s := Score{Verdict: p.Judge.Values(e.Reject, &e.Values), V: make(objectives.Vector, len(p.Objectives)), Evaluated: true}
	objectives.Fill(s.V, p.Objectives, &e.Values)
	return s
}
