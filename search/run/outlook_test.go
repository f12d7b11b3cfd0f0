package run

import (
	"testing"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// An enumeration evaluates every design that bounds let pass, also those that the gate would exclude before: as many are told.
func TestAheadPassesNoGate(t *testing.T) {
	st := searchtest.Small(t, 60, 66)
	st.Objectives = nil
	for _, name := range []string{"cost", "worst_throughput"} {
		o, err := objectives.New(name)
		searchtest.Must(t, err)
		st.Objectives = append(st.Objectives, o)
	}
	st.Space = []study.FamilySpace{searchtest.Narrowed(st, "hyperx", 4, 3, 2, 1, 4, 4, 3, 1, 16)}
	p := searchtest.RealModel(t, st)
	_, whole := enumerated(t, p)
	r := newRehearsal(p, nil, rehearseMostNs)
	o := &outlook{r: r, d: search.NewDriver(r.p, nil, search.Options{Workers: 1}), trees: newTrees(r.p)}
	o.d.Front = *whole.Front.Clone()
	w, _, err := o.ahead(t.Context(), branch.NewEnumeration(r.p, 1, nil), 0)
	searchtest.Must(t, err)
	if told, is := w.Evaluations[0], float64(whole.Prog.Evaluated); told < is/2 || told > is*2 {
		t.Errorf("%g evaluations are told, and %g made", told, is)
	}
}
