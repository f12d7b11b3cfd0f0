package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// Curve is how the best value of an objective moves with one limit, all other limits and prices as they are.
type Curve struct {
	Limit     string  `json:"limit"` // its name in constraint files
	Metric    string  `json:"metric"`
	Max       bool    `json:"max"` // at most Bound; otherwise at least
	Bound     float64 `json:"bound"`
	Origin    string  `json:"origin,omitempty"`
	Objective string  `json:"objective"`
	// Strict and Loose are the bounds between which the limit was moved.
	Strict float64 `json:"strict"`
	Loose  float64 `json:"loose"`
	// Complete: between them no design of the space is better than the steps say. Otherwise designs that were not seen may be, down to Least.
	Complete bool     `json:"complete"`
	Least    *float64 `json:"least,omitempty"`
	// Steps are from the strictest: Value can be had with the limit at Bound or looser, up to the next step.
	Steps []Step `json:"steps"`
}

// Step is the best value of an objective from a bound on.
type Step struct {
	Bound  float64 `json:"bound"`
	Value  float64 `json:"value"`
	Design string  `json:"design"`
}

// At is the index of the step in force at a bound, -1 if none is: no design meets it.
func (c *Curve) At(bound float64) int {
	at := -1
	for i := range c.Steps {
		if c.Max && c.Steps[i].Bound <= bound*(1+1e-12) || !c.Max && c.Steps[i].Bound >= bound*(1-1e-12) {
			at = i
		}
	}
	return at
}

// Limits are moved to half and to twice of what they are.
const curveRange = 2

// Curves moves every limit of a run. A limit on a metric takes one search, for the front of that metric and the objective, which is the
// curve; one that decides what is bought (ports of a switch, reach of cables, VCs) one for each value that the price list knows. The
// objective is the first of the study that is not what is limited. Effort is for each limit.
func Curves(ctx context.Context, path string, most Effort, workers int, families ...*topology.Family) ([]Curve, error) {
	a, err := ask(path, "", families)
	if err != nil {
		return nil, err
	}
	var out []Curve
	for i := range a.was.Limits {
		l := &a.was.Limits[i]
		o, ok := otherObjective(a.was, l.Key)
		if !ok || l.Bound <= 0 || metric.Keys[l.Key].Level == 4 {
			continue
		}
		c := Curve{Limit: l.Name, Metric: metric.Keys[l.Key].Name, Max: l.Max, Bound: l.Bound, Origin: l.Origin.Place(), Objective: o.Name(), Steps: []Step{},
			Strict: l.Bound / curveRange, Loose: l.Bound * curveRange}
		if !l.Max {
			c.Strict, c.Loose = c.Loose, c.Strict
		}
		if values := ladder(a.was.Study, l); values != nil {
			if most.Brief {
				continue
			}
			err = a.climb(ctx, path, &c, o, values, most, workers, families)
		} else if !buys(l.Name) {
			err = a.front2(ctx, &c, l, o, most, workers)
		} else {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// otherObjective is the first objective that is not of a metric.
func otherObjective(p *search.Problem, k metric.Key) (o objectives.Objective, ok bool) {
	alike := func(a, b metric.Key) bool {
		return a == b || min(a, b) == metric.Cost && max(a, b) == metric.CostPerEndpoint
	}
	for _, o := range p.Objectives {
		if !alike(o.Key, k) {
			return o, true
		}
	}
	return o, false
}

// buys tells whether a limit changes what is bought or how packets go, beside judging it.
func buys(name string) bool {
	return slices.Contains([]string{metric.RejectPorts, metric.RejectReach, constraints.NameLead, constraints.NameVCs, constraints.NameRouteHops, "routing.vc_change"}, name)
}

// front2 is the curve of a limit as a front of two objectives: what is limited, and what is to be had.
func (a *asked) front2(ctx context.Context, c *Curve, l *constraints.Limit, o objectives.Objective, most Effort, workers int) error {
	side := metric.Lower
	if !l.Max {
		side = metric.Higher
	}
	st, set := *a.was.Study, *a.was.Study.Constraints
	st.Objectives = []objectives.Objective{o, {Key: l.Key, Better: side}}
	st.Search.Tolerance = 0 // its steps are told to the last figure
	set.Limits = slices.Clone(set.Limits)
	for i := range set.Limits {
		if x := &set.Limits[i]; x.Key == l.Key && x.Max == l.Max {
			x.Bound = c.Loose
		}
	}
	st.Constraints = &set
	s, err := a.near(ctx, &st, most, workers)
	if err != nil {
		return err
	}
	for _, m := range s.d.Front.Ordered() {
		_, bound := st.Objectives[1].Range(m.Vector[1]) // which the design keeps
		c.Steps = append(c.Steps, Step{bound, o.Value(m.Vector[0]), m.Name})
	}
	c.finish(s, o)
	return nil
}

// near solves a study that differs from that of the run in objectives and limits alone, asking for the same metrics, so that the journal answers.
func (a *asked) near(ctx context.Context, st *study.Study, most Effort, workers int) (*solved, error) {
	p, err := search.NewProblem(st, a.was.Model)
	if err != nil {
		return nil, err
	}
	p.Request, p.Compared = a.was.Request, a.was.Compared
	return solve(ctx, p, a.known, nil, most, workers)
}

// finish orders the steps and drops those that are no better than a stricter one.
func (c *Curve) finish(s *solved, o objectives.Objective) {
	slices.SortFunc(c.Steps, func(x, y Step) int {
		d := cmp.Compare(x.Bound, y.Bound)
		if !c.Max {
			d = -d
		}
		return cmp.Or(d, cmp.Compare(o.Cost(x.Value), o.Cost(y.Value)), cmp.Compare(x.Design, y.Design))
	})
	kept := c.Steps[:0]
	for _, x := range c.Steps {
		if len(kept) == 0 || o.Cost(x.Value) < o.Cost(kept[len(kept)-1].Value) {
			kept = append(kept, x)
		}
	}
	c.Steps = kept
	if at := c.At(c.Strict); at > 0 {
		c.Steps = c.Steps[at:] // what is stricter than the range is not asked for
	}
	c.Complete = s.complete
	if !s.complete && s.least != nil {
		if x, _ := o.Range(s.least[0]); x == search.JSONNumber(x) {
			c.Least = &x
		}
	}
}

// mostRungs are the values of a limit on what is bought that are tried, those nearest to what it is.
const mostRungs = 8

// rung is a value of a limit, and how it is written.
type rung struct {
	bound float64
	text  string
}

// ladder lists the values between which a limit on what is bought makes a difference: the sizes of switches, the lengths of cables and fibres
// and the reach of modules on the price list, the lead times, each number of VCs. nil: the limit is no such, or the list has none.
func ladder(st *study.Study, l *constraints.Limit) []rung {
	var values []float64
	write := func(x float64) string { return fmt.Sprintf("%s = { max = %s }", l.Name, unit.Number(x)) }
	parts := st.Catalogue.Parts
	switch {
	case !l.Max:
		return nil
	case l.Name == metric.RejectPorts:
		for i := range parts {
			if p := &parts[i]; p.Kind == catalog.KindSwitch && p.Approved {
				values = append(values, float64(p.Ports))
			}
		}
	case l.Name == metric.RejectReach:
		for i := range parts {
			values = append(values, parts[i].LengthM, parts[i].ReachM)
		}
		write = func(x float64) string { return fmt.Sprintf("%s.max = \"%s m\"", l.Name, unit.Number(x)) }
	case l.Name == constraints.NameLead:
		for i := range parts {
			values = append(values, parts[i].LeadWeeks)
		}
		write = func(x float64) string { return fmt.Sprintf("%s = { max = \"%s weeks\" }", l.Name, unit.Number(x)) }
	case l.Name == constraints.NameVCs:
		for x := 1.0; x <= curveRange*l.Bound; x++ {
			values = append(values, x)
		}
	default:
		return nil
	}
	values = slices.DeleteFunc(values, func(x float64) bool { return x < l.Bound/curveRange || x > l.Bound*curveRange || x <= 0 })
	values = append(values, l.Bound)
	slices.Sort(values)
	values = slices.Compact(values)
	at := slices.Index(values, l.Bound)
	from := max(0, min(at-mostRungs/2, len(values)-mostRungs))
	var out []rung
	for _, x := range values[from:min(len(values), from+mostRungs)] {
		out = append(out, rung{x, write(x)})
	}
	return out
}

// climb solves the study for one objective at each rung of a ladder.
func (a *asked) climb(ctx context.Context, path string, c *Curve, o objectives.Objective, values []rung, most Effort, workers int, families []*topology.Family) error {
	m, err := ReadManifest(path)
	if err != nil {
		return err
	}
	last := &solved{complete: true}
	c.Strict, c.Loose = values[0].bound, values[len(values)-1].bound
	for _, v := range values {
		st, err := m.loadChanged(path, "\n[what_if.limits]\n"+v.text+"\n", families)
		if err != nil {
			continue // there is no switch of so few ports, or no cable so short: no design meets it
		}
		known, err := knownOf(path, st)
		if err != nil {
			return err
		}
		st.Objectives = []objectives.Objective{o}
		p, err := problemOf(st)
		if err != nil {
			return err
		}
		p.Request, p.Compared = a.was.Request, a.was.Compared
		s, err := solve(ctx, p, known, nil, most, workers)
		if err != nil {
			return err
		}
		if ms := s.d.Front.Ordered(); len(ms) > 0 {
			c.Steps = append(c.Steps, Step{v.bound, o.Value(ms[0].Vector[0]), ms[0].Name})
		}
		if !s.complete {
			if last.complete || last.least != nil && s.least != nil && s.least[0] < last.least[0] {
				last = s
			}
		}
	}
	c.finish(last, o)
	return nil
}
