package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/topology"
)

// ExplainSchema names the form of `explain --json`.
const ExplainSchema = "toposearch.explain/1"

// Verdicts of an Explanation.
const (
	OnFront   = "on the front"
	Dominated = "dominated"
	Rejected  = "rejected"
	Outside   = "outside the space"
	NoDesign  = "no network"
	Equals    = "equal to one on the front" // of an incumbent
	Near      = "within the tolerance"      // better than one of the front by less than designs are left out for
	NotFound  = "not found"                 // nothing speaks against it, but the search ended before it came by
)

// Explanation says why a design is in a run's front or not.
type Explanation struct {
	Schema string `json:"schema"`
	Design string `json:"design"`
	// Chosen says how the design was chosen where a family was named.
	Chosen  string `json:"chosen,omitempty"`
	OnFront bool   `json:"on_front"`
	Verdict string `json:"verdict"`
	// Routing is the one chosen for it among those that the study allows.
	Routing string `json:"routing,omitempty"`
	// Unfit says which of them the design cannot take, and why.
	Unfit string `json:"routing_unfit,omitempty"`
	// Why is the verdict in a sentence.
	Why string `json:"why"`
	// Misses are the limits that it does not meet.
	Misses []constraints.Miss `json:"misses,omitempty"`
	// DominatedBy names designs on the front that are nowhere worse and somewhere better.
	DominatedBy []string `json:"dominated_by,omitempty"`
	// Admit says what would admit it, one sentence each.
	Admit []string `json:"admit,omitempty"`
	// Objectives are its values, by metric key, where they are known.
	Objectives map[string]float64 `json:"objectives,omitempty"`
}

// Explain says why a design, by name, or the best of a family, is on the front of a run or not. It evaluates the design
// under the inputs of the run. An error is a name that is no design or a run that cannot be read.
// families are as in study.Load.
func Explain(ctx context.Context, path, design string, families ...*topology.Family) (*Explanation, error) {
	p, f, err := loadFront(path, families...)
	if err != nil {
		return nil, err
	}
	d, how, err := named(ctx, p, design)
	if errors.Is(err, ErrNoneOfFamily) {
		return &Explanation{Schema: ExplainSchema, Design: design, Verdict: NoDesign, Why: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	x, err := explain(ctx, p, d, f)
	if err == nil {
		x.Chosen = how
	}
	return x, err
}

// loadFront reads a run: what was searched, and the front.
func loadFront(path string, families ...*topology.Family) (*search.Problem, *search.Front, error) {
	st, err := LoadStudy(path, families...)
	if err != nil {
		return nil, nil, err
	}
	f, err := ReadFront(path)
	if err != nil {
		return nil, nil, err
	}
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, nil, err
	}
	p, err := search.NewProblem(st, m)
	return p, f, err
}

// explain is Explain for a loaded run.
func explain(ctx context.Context, p *search.Problem, d topology.Design, f *search.Front) (*Explanation, error) {
	x := &Explanation{Schema: ExplainSchema, Design: d.String()}
	r, err := p.Model.Evaluate(ctx, d, p.Request)
	if errors.Is(err, topology.ErrInfeasible) {
		x.Verdict, x.Why = NoDesign, err.Error()
		if bad := (*topology.Infeasible)(nil); errors.As(err, &bad) {
			x.Why = bad.Error()
		}
		return x, nil
	}
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", x.Design, err)
	}
	e := search.NewEntry(x.Design, r)
	s := p.ScoreEntry(e)
	x.Routing, x.Unfit = r.Chosen, r.Unfit
	x.Objectives = map[string]float64{}
	for i, o := range p.Objectives {
		if v := o.Figure(s.V[i], e.Values[o.Key]); v == search.JSONNumber(v) {
			x.Objectives[o.Name()] = v
		}
	}
	if r := f.Find(x.Design); r != nil {
		x.OnFront, x.Verdict = true, OnFront
		switch others := f.Points() - 1; others {
		case 0:
			x.Why = "meets every limit, and no other design is on the front"
		case 1:
			x.Why = "meets every limit, and the other design on the front is worse in an objective, or better in none"
		default:
			x.Why = fmt.Sprintf("meets every limit, and none of the other %d designs on the front is nowhere worse and somewhere better", others)
		}
		if s := r.SameText(); s != "" {
			x.Why += "; it is " + s
		}
		x.vouched(f)
		x.simulated(r)
		return x, nil
	}
	if x.Misses, e, err = misses(ctx, p, d, e); err != nil {
		return nil, err
	}
	if f.Simulated != nil && len(x.Misses) == 0 && x.explainSimulated(f.Simulated) && len(x.Misses) == 0 {
		return x, nil
	}
	if len(x.Misses) > 0 {
		explainMisses(p, x)
		if r.Plan != nil && slices.ContainsFunc(x.Misses, func(m constraints.Miss) bool { return m.Constraint == constraints.NameLead }) {
			if short := market.ShortOf(r.Plan.BOM, p.Study.Options.Site.LeadWeeks); short != "" {
				x.Why += "; " + short
			}
		}
		if open := unjudged(p, e); len(open) > 0 {
			x.Why += "; without that part it is not known whether it meets " + strings.Join(open, ", ")
		}
		return x, nil
	}
	if !s.Feasible() {
		x.Verdict, x.Why = Rejected, "it has no value for an objective: "+s.Constraint
		return x, x.explainAbsent(ctx, p, d, s.Constraint)
	}
	if by, why, admit := dominators(p, s.V, f); len(by) > 0 {
		x.Verdict, x.DominatedBy, x.Why, x.Admit = Dominated, by, why, admit
	} else {
		if err := explainNear(p, x, s.V, f); err != nil {
			return nil, err
		}
	}
	if x.Verdict == "" {
		explainUnseen(p, x, d, f)
	}
	return x, nil
}

// misses are the limits that a design misses. Where switches or cables may not be bought that it needs, they are those of
// the design with them, as in the report's way out: a cable is as long as it is sold. With them is the entry of which they are.
func misses(ctx context.Context, p *search.Problem, d topology.Design, e *search.Entry) ([]constraints.Miss, *search.Entry, error) {
	out := p.Judge.Misses(e.Reject, &e.Values)
	if !slices.ContainsFunc(out, func(m constraints.Miss) bool {
		return metric.Unsold(m.Constraint)
	}) {
		return out, e, nil
	}
	all, err := branch.Loosened(p)
	if err != nil || len(all) == 0 {
		return out, e, err
	}
	loose, err := branch.Nearest(ctx, all, d)
	if err != nil {
		return nil, nil, err
	}
	r, err := loose.Model.Evaluate(ctx, d, p.Request)
	if err != nil {
		return nil, nil, fmt.Errorf("evaluate %s with every part on the list: %w", d, err)
	}
	e = search.NewEntry(d.String(), r)
	return loose.Judge.Misses(e.Reject, &e.Values), e, nil
}

// unjudged are the limits that a design for which a part is missing may miss besides: what they limit is known of designs with all parts.
func unjudged(p *search.Problem, e *search.Entry) (names []string) {
	if !metric.Unsold(e.Reject.Constraint) {
		return nil
	}
	if p.Study.Options.Site.RackPowerW > 0 {
		names = append(names, metric.RejectRack)
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; math.IsNaN(e.Values[l.Key]) && !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// explainAbsent adds why a design has no value of the objective that the verdict names, which entries do not keep.
func (x *Explanation) explainAbsent(ctx context.Context, p *search.Problem, d topology.Design, verdict string) error {
	name, _ := strings.CutPrefix(verdict, constraints.AbsentPrefix)
	k, ok := metric.KeyOf(name)
	if !ok {
		return nil
	}
	r, err := p.Model.Evaluate(ctx, d, p.Request)
	if err == nil && r.Absent[k] != "" {
		x.Why += " (" + r.Absent[k] + ")"
	}
	return err
}

// explainMisses fills in what a design misses and what would admit it.
func explainMisses(p *search.Problem, x *Explanation) {
	x.Verdict = Rejected
	worst := x.Misses[0]
	for _, m := range x.Misses {
		if m.Violation > worst.Violation {
			worst = m
		}
		at := ""
		if m.Origin != "" {
			at = " (" + m.Origin + ")"
		}
		if m.Absent {
			x.Admit = append(x.Admit, fmt.Sprintf("without %s%s", m.Constraint, at))
			continue
		}
		if part := rejectOf(&m); part.Remedy() != "" {
			x.Admit = append(x.Admit, part.Remedy())
			continue
		}
		limit, bound := p.LimitApart(m.Metric, m.Got, m.Bound)
		x.Admit = append(x.Admit, fmt.Sprintf("%s%s at %s instead of %s", m.Constraint, at, limit, bound))
	}
	if part := rejectOf(&worst); part.Remedy() != "" {
		x.Why = fmt.Sprintf("misses %s: %s", worst.Constraint, part.Words())
	} else if worst.Absent {
		x.Why = fmt.Sprintf("misses %s: it has no %s, and the limit is %s", worst.Constraint, worst.Metric, p.Amount(worst.Metric, worst.Bound))
	} else {
		got, bound := p.Apart(worst.Metric, worst.Got, worst.Bound)
		by := "less than 0.1"
		if tenths := math.Round(1000 * offBy(&worst)); tenths > 0 {
			by = unit.Number(tenths / 10)
		}
		x.Why = fmt.Sprintf("misses %s by %s %%: %s against %s", worst.Constraint, by, got, bound)
	}
	if n := len(x.Misses); n > 1 {
		x.Why += fmt.Sprintf("; and %d more", n-1)
	}
}

// rejectOf is the part of a miss that there is not.
func rejectOf(m *constraints.Miss) metric.Reject {
	return metric.Reject{Constraint: m.Constraint, Got: m.Got, Bound: m.Bound}
}

// offBy is what a limit is missed by, as a fraction of the limit: also where a search counts endpoints
// otherwise.
func offBy(m *constraints.Miss) float64 {
	if m.Constraint == constraints.Window && m.Bound > 0 {
		return math.Abs(m.Got-m.Bound) / m.Bound
	}
	return m.Violation
}

// explainNear is for a design that a tolerance leaves out. A front that was judged by simulations is not made of such as Problem.Held excludes.
func explainNear(p *search.Problem, x *Explanation, v objectives.Vector, f *search.Front) error {
	if p.Tolerance == 0 || f.Simulated != nil {
		return nil
	}
	front, err := archiveOf(p, f)
	if err != nil {
		return err
	}
	if by, _ := coveredBy(front.Ordered(), v); by != "" {
		x.Verdict = Near
		x.Why = fmt.Sprintf("it is no more than %[2]s better than %[1]s in any objective, and [search] tolerance leaves such designs out", by, unit.Percent(p.Tolerance))
		x.Admit = []string{"a smaller [search] tolerance"}
	}
	return nil
}

// explainUnseen is for a design against which nothing speaks that is not on the front.
func explainUnseen(p *search.Problem, x *Explanation, d topology.Design, f *search.Front) {
	x.Verdict = Outside
	x.Why = "the study does not search family " + d.Family.Name
	x.Admit = []string{"add " + d.Family.Name + " to [space] families"}
	for _, sp := range p.Spaces {
		if sp.Fam.Name != d.Family.Name {
			continue
		}
		x.Admit = nil
		x.Verdict, x.Why = NotFound, "nothing speaks against it; the search is not complete and did not come by"
		for i, v := range d.V {
			if _, ok := sp.Dims[i].Index(v); !ok {
				x.Verdict = Outside
				q := &sp.Fam.Params[i]
				x.Why = fmt.Sprintf("the study narrows parameter %s, and %s is not among its values", q.Name, q.Format(v))
				allow := fmt.Sprintf("allow %s = %s in [space.%s]", q.Name, q.Format(v), sp.Fam.Name)
				if q.Divides != "" {
					x.Why = fmt.Sprintf("a search keeps parameter %s at %s unless the study opens it, and %s is not among its values", q.Name, q.Format(q.Min), q.Format(v))
					allow = fmt.Sprintf("allow %s = %q in [space.%s]", q.Name, q.Format(v), sp.Fam.Name)
				}
				x.Admit = append(x.Admit, allow)
			}
		}
	}
}

// explainSimulated says why a candidate is not on a front that was judged by measurements.
func (x *Explanation) explainSimulated(s *search.Simulated) bool {
	for _, m := range s.Rejected {
		if m.Design == x.Design {
			x.Misses = append(x.Misses, m.Miss)
		}
	}
	switch {
	case len(x.Misses) > 0:
		return true
	case slices.Contains(s.Dominated, x.Design):
		x.Verdict = Dominated
		x.Why = "it was simulated, and among the simulated designs one is nowhere worse and somewhere better by what was measured"
		return true
	case slices.Contains(s.NotMeasured, x.Design):
		x.Verdict = NotFound
		x.Why = "it is on the front of the search, but was not simulated: " + s.Note
		x.Admit = append(x.Admit, "a larger finalists in [verify]")
		return true
	}
	return false
}

// simulated adds what simulation does not confirm of a design on the front.
func (x *Explanation) simulated(r *search.Record) {
	if v := r.Verified; v != nil && !v.Agrees {
		doubts := slices.DeleteFunc(slices.Clone(v.Notes), func(n string) bool { return !search.Doubtful(n, v.Differs) })
		x.Why += "; its simulation differs from the model: " + strings.Join(doubts, "; ")
	}
}

// vouched adds which level vouches for the objectives of a design on a front judged at two fidelities.
func (x *Explanation) vouched(f *search.Front) {
	r := f.Find(x.Design)
	for i, o := range f.Objectives {
		if r.Vouched[o] == "" {
			return
		}
		sep := ", "
		if i == 0 {
			sep = "; "
		}
		m := r.Metrics[o]
		x.Why += fmt.Sprintf("%s%s %.4g is %s", sep, o, r.Objectives[o], r.Vouched[o])
		if m.Lo < m.Hi {
			x.Why += fmt.Sprintf(" (%.4g to %.4g)", m.Lo, m.Hi)
		}
	}
}
