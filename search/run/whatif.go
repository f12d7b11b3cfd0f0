package run

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// WhatIfSchema names the form of `what-if --json` with changes.
const WhatIfSchema = "toposearch.whatif/1"

// WhatIf is the front of a run under other limits or prices.
type WhatIf struct {
	Schema     string   `json:"schema"`
	Study      string   `json:"study"`
	Currency   string   `json:"currency"`
	Changes    []string `json:"changes"` // as they were given
	Objectives []string `json:"objectives"`
	// Complete: a run of the changed study finds this front and no other. Otherwise Proved, Open and Least say what it may lack.
	Complete bool `json:"complete"`
	// Tolerance is by what part designs may be better than one of the front in any objective and still be missing.
	Tolerance float64       `json:"tolerance,omitempty"`
	Front     []Kept        `json:"front"`
	Gone      []Gone        `json:"gone"` // from the front of the run
	Proved    *search.Proof `json:"proof,omitempty"`
	Open      int64         `json:"open,omitempty"` // boxes and designs that nothing excludes yet
	// Least is the best value of each objective that any of them can have.
	Least map[string]float64 `json:"least,omitempty"`
	// Answered counts designs that the journal answered whole, Repriced those of which it gave the figures of the network, Evaluated those that it
	// knew nothing of.
	Answered  int64 `json:"answered"`
	Repriced  int64 `json:"repriced"`
	Evaluated int64 `json:"evaluated"`
	// Anew is why the journal gave nothing of those.
	Anew string `json:"anew,omitempty"`
	// Cut are the combinations that the run rejected for limits that are changed here, most of them before they were evaluated.
	Cut map[string]*big.Int `json:"cut,omitempty"`
	// Before says that the run's own front was not complete: what it lacks may be missing here, too.
	Before string `json:"before,omitempty"`
}

// Kept is a design on the front of a changed study.
type Kept struct {
	Design     string             `json:"design"`
	Objectives map[string]float64 `json:"objectives"`
	Before     map[string]float64 `json:"before,omitempty"`  // on the front of the run; absent if it was not there
	Why        string             `json:"why,omitempty"`     // it was not
	SameAs     string             `json:"same_as,omitempty"` // of this front: the same network under another name, with the same figures
}

// Gone is a design that leaves the front.
type Gone struct {
	Design      string             `json:"design"`
	SameAs      string             `json:"same_as,omitempty"` // of those that leave with it, as on the front of the run
	Before      map[string]float64 `json:"before"`
	Objectives  map[string]float64 `json:"objectives"` // under the changed study
	Why         string             `json:"why"`
	Misses      []constraints.Miss `json:"misses,omitempty"`
	DominatedBy string             `json:"dominated_by,omitempty"`
}

// ErrSimulated says that a front was judged by simulation, which no question about it repeats.
var ErrSimulated = errors.New("judged by simulation")

// ErrChange wraps what is wrong with a change of limits or prices.
var ErrChange = errors.New("what if")

// asked is a run, and the changed study with what its journal knows for it.
type asked struct {
	front    *search.Front
	was, now *search.Problem
	known    *reuse
}

// ask reads a run and loads its study with a text behind it.
func ask(path, behind string, families []*topology.Family) (*asked, error) {
	p, f, err := loadFront(path, families...)
	if err != nil {
		return nil, err
	}
	if f.Simulated != nil {
		return nil, fmt.Errorf("%s: its front was %w, and what-if does not simulate; run the changed study with --reuse %s", path, ErrSimulated, path)
	}
	a := &asked{front: f, was: p, now: p}
	if behind != "" {
		m, err := ReadManifest(path)
		if err != nil {
			return nil, err
		}
		st, err := m.loadChanged(path, behind, families)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrChange, err)
		}
		if a.now, err = problemOf(st); err != nil {
			return nil, err
		}
	}
	a.known, err = knownOf(path, a.now.Study)
	return a, err
}

func problemOf(st *study.Study) (*search.Problem, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	return search.NewProblem(st, m)
}

// knownOf is what the journal of a run answers under a study.
func knownOf(path string, st *study.Study) (*reuse, error) {
	head, err := newJournalHead(st)
	if err != nil {
		return nil, err
	}
	return loadReuse([]string{path}, path, head, func(string) {})
}

// AskWhatIf gives the front that a run has under changes of its study: behind is the [what_if] table of study files, changes says the same for
// people. What the journal holds is not evaluated again. families are as in study.Load.
func AskWhatIf(ctx context.Context, path, behind string, changes []string, most Effort, workers int, families ...*topology.Family) (*WhatIf, error) {
	a, err := ask(path, behind, families)
	if err != nil {
		return nil, err
	}
	var first []string
	for i := range a.front.Front {
		first = append(first, a.front.Front[i].Design)
	}
	s, err := solve(ctx, a.now, a.known, first, most, workers)
	if err != nil {
		return nil, err
	}
	prog := &s.d.Prog
	w := &WhatIf{Schema: WhatIfSchema, Study: a.now.Study.Name, Currency: a.now.Study.Options.Currency, Changes: changes, Objectives: a.front.Objectives, Complete: s.complete, Tolerance: a.now.Tolerance,
		Front: []Kept{}, Gone: []Gone{}, Proved: s.proof, Open: s.open,
		Answered: prog.Reused, Repriced: prog.Repriced, Evaluated: prog.Evaluated - prog.Reused - prog.Repriced, Cut: a.cut()}
	if w.Evaluated > 0 && w.Answered+w.Repriced == 0 {
		w.Anew = a.known.idle(a.now)
	}
	if !s.complete && s.least != nil {
		w.Least = map[string]float64{}
		for i, o := range a.now.Objectives {
			if x, _ := o.Range(s.least[i]); x == search.JSONNumber(x) {
				w.Least[o.Name()] = x
			}
		}
	}
	if !a.front.Complete {
		w.Before = "the front of the run is not complete itself"
	}
	members := s.d.Front.Ordered()
	before, err := archiveOf(a.was, a.front)
	if err != nil {
		return nil, err
	}
	was, records := before.Ordered(), new(search.Front)
	for i := range members {
		e, err := a.entry(ctx, a.now, members[i].Name)
		if err != nil {
			return nil, err
		}
		k := Kept{Design: e.Design, Objectives: valuesOf(a.now, members[i].Vector, e)}
		if r := a.front.Find(k.Design); r != nil {
			k.Before = r.Objectives
		} else if k.Why, err = a.came(ctx, &members[i], was); err != nil {
			return nil, err
		}
		w.Front = append(w.Front, k)
		r := search.Record{Design: e.Design, Objectives: k.Objectives}
		keepMetrics(e, &r)
		records.Front = append(records.Front, r)
	}
	if err := a.markSame(ctx, w, records); err != nil {
		return nil, err
	}
	for i := range a.front.Front {
		r := &a.front.Front[i]
		if slices.ContainsFunc(members, func(m search.Member) bool { return m.Name == r.Design }) {
			continue
		}
		g, err := a.gone(ctx, r, members)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(w.Gone, func(g Gone) bool { return g.Design == r.SameAs }) {
			g.SameAs = r.SameAs
		}
		w.Gone = append(w.Gone, *g)
	}
	return w, nil
}

// Points counts the designs of both lists, and those that came, networks under several names as one, as Front.Points does.
func (w *WhatIf) Points() (front, came, gone int) {
	for i := range w.Front {
		if k := &w.Front[i]; k.SameAs == "" {
			front++
			if k.Before == nil {
				came++
			}
		}
	}
	for i := range w.Gone {
		if w.Gone[i].SameAs == "" {
			gone++
		}
	}
	return front, came, gone
}

// markSame names those on the changed front that are one network with the same figures. The records have what was asked of the designs; of two that were
// on the front of the run, it knows all figures, and what was apart there stays apart.
func (a *asked) markSame(ctx context.Context, w *WhatIf, f *search.Front) error {
	if err := markSame(ctx, a.now, f); err != nil {
		return err
	}
	point := func(design string) string { // the name that stands for it on the front of the run
		r := a.front.Find(design)
		switch {
		case r == nil:
			return ""
		case r.SameAs != "":
			return r.SameAs
		}
		return r.Design
	}
	for i := range f.Front {
		r := &f.Front[i]
		if was, of := point(r.Design), point(r.SameAs); r.SameAs != "" && (was == "" || of == "" || was == of) {
			w.Front[i].SameAs = r.SameAs
		}
	}
	return nil
}

// valuesOf are the objectives of a design and its vector, by metric key; those without a number are left out.
func valuesOf(p *search.Problem, v objectives.Vector, e *search.Entry) map[string]float64 {
	out := map[string]float64{}
	for i, o := range p.Objectives {
		if x := o.Figure(v[i], e.Values[o.Key]); x == search.JSONNumber(x) {
			out[o.Name()] = x
		}
	}
	return out
}

// entry is a design under the run as it was, or as it is asked for.
func (a *asked) entry(ctx context.Context, p *search.Problem, design string) (*search.Entry, error) {
	if p == a.now {
		if whole, _ := a.known.find(design); whole != nil {
			return whole, nil
		}
	}
	d, err := topology.ParseDesign(design, p.Study.Known)
	if err != nil {
		return nil, err
	}
	return p.Measure(ctx, d)
}

// came says why a design was not on the front of the run, whose members are given.
func (a *asked) came(ctx context.Context, m *search.Member, members []search.Member) (string, error) {
	e, err := a.entry(ctx, a.was, m.Name)
	if err != nil {
		return "", err
	}
	if text := missText(a.was, e); text != "" {
		return "missed " + text, nil
	}
	if by, near := coveredBy(members, a.was.ScoreEntry(e).V); by != "" {
		return "was " + domination(near) + by, nil
	}
	return "the search of the run did not come by", nil
}

// gone says why a design leaves the front.
func (a *asked) gone(ctx context.Context, r *search.Record, members []search.Member) (*Gone, error) {
	e, err := a.entry(ctx, a.now, r.Design)
	if err != nil {
		return nil, err
	}
	g := &Gone{Design: r.Design, Before: r.Objectives, Misses: a.now.Judge.Misses(e.Reject, &e.Values)}
	v := a.now.ScoreEntry(e).V
	g.Objectives = valuesOf(a.now, v, e)
	if text := missText(a.now, e); text != "" {
		g.Why = "misses " + text
		return g, nil
	}
	if by, near := coveredBy(members, v); by != "" {
		g.DominatedBy, g.Why = by, "is "+domination(near)+by
		return g, nil
	}
	g.Why = "was not looked at: the effort ended before"
	return g, nil
}

// missText lists the limits that an entry misses, "" if it meets all.
func missText(p *search.Problem, e *search.Entry) string {
	var out []string
	for _, m := range p.Judge.Misses(e.Reject, &e.Values) {
		got, bound := p.Apart(m.Metric, m.Got, m.Bound)
		text := fmt.Sprintf("%s: %s against %s", m.Constraint, got, bound)
		if m.Absent {
			text = m.Constraint + ": it has no " + m.Metric
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// cut counts what the run rejected for limits that are others now.
func (a *asked) cut() map[string]*big.Int {
	bound := func(p *search.Problem, name string) (float64, bool) {
		for i := range p.Limits {
			if p.Limits[i].Name == name {
				return p.Limits[i].Bound, true
			}
		}
		return 0, false
	}
	out := map[string]*big.Int{}
	for name, n := range a.front.Counts.Rejected {
		was, in := bound(a.was, name)
		if now, still := bound(a.now, name); in && n != nil && n.Sign() > 0 && (!still || now != was) {
			out[name] = n
		}
	}
	return out
}
