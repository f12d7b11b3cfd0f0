package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/report/number"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// provedText is a proof in a sentence or two: what is proved, and which families hold it up, the worst first.
func (d *Data) provedText(p *search.Proof, st *study.Study) string {
	if p == nil {
		return ""
	}
	var at, open []string
	for _, o := range st.Objectives {
		if x, ok := p.Reference[o.Name()]; ok {
			at = append(at, o.Name()+" "+number.Quantity(x, d.unitOf(o.Key)))
		}
	}
	percent := func(x float64) string { return number.Figure(math.Floor(1000*x) / 10) } // rounded down
	families := slices.SortedStableFunc(slices.Values(p.Families), func(a, b string) int { return cmp.Compare(p.Alone[a], p.Alone[b]) })
	for _, f := range families {
		part := f
		if x, ok := p.Alone[f]; ok && len(families) > 1 {
			part += " (" + percent(x) + " % if nothing else were open)"
		}
		open = append(open, part)
	}
	text := fmt.Sprintf("At least %s %% of the best hypervolume is proved: what is open in %s could add no more (measured from %s).",
		percent(p.Proved), strings.Join(open, ", "), strings.Join(at, ", "))
	if part := search.WithinText(p.Known()); part != "" {
		text += " The front is complete within " + part + ": for each design that it lacks one of it is worse by at most that in every objective."
	}
	if len(families) > 1 {
		text += " To prove more, narrow the parameters of the first of these or leave it out, or search longer."
	}
	return text
}

// FromFront gathers what front, manifest and study say. Details, which need an evaluation, are
// left empty.
func FromFront(f *search.Front, m *run.Manifest, st *study.Study) *Data {
	d := &Data{
		Study: f.Study, Program: m.Program, Evaluator: m.Evaluator, Seed: m.Seed,
		BandwidthGbps: st.BandwidthGbps, Currency: st.Currency.Code,
		Strategy: f.Strategy, Complete: f.Complete, LocallyComplete: f.LocallyComplete, Tolerance: f.Tolerance, Stopped: f.Stopped,
		Counts: Counts{Enumerated: f.Counts.Enumerated, Dominated: f.Counts.Dominated, Evaluated: f.Counts.Evaluated, Feasible: f.Counts.Feasible},
		Wanted: wanted(st), Asked: asked(st), Assumed: st.Assumed(),
	}
	d.Proved = d.provedText(f.Proof, st)
	if st.Catalogue != nil {
		d.Catalogue = st.Catalogue.Name
		if date := st.Catalogue.Date; date != "" && !strings.Contains(d.Catalogue, date) {
			d.Catalogue += ", prices of " + date
		}
	}
	for _, o := range st.Objectives {
		d.Objectives = append(d.Objectives, Objective{o.Key, o.Better, o.Enough})
	}
	for _, fam := range st.Families() {
		d.Families = append(d.Families, fam.Name)
	}
	for _, in := range m.Inputs {
		d.Inputs = append(d.Inputs, Input{in.Path, in.SHA256})
	}
	for _, c := range f.Counts.Families {
		d.Counts.Families = append(d.Counts.Families, FamilyCounts{c.Family, c.Space, c.Enumerated, c.Evaluated, c.Feasible, c.OnFront, c.Complete})
	}
	d.Limits = limitsOf(st)
	at := map[string]int{}
	for i := range f.Front {
		if f.Front[i].SameAs == "" {
			p := pointOf(&f.Front[i])
			nameParams(&p, st)
			at[p.Name] = len(d.Points)
			d.Points = append(d.Points, p)
		}
	}
	for i := range f.Front {
		if r := &f.Front[i]; r.SameAs != "" {
			p := &d.Points[at[r.SameAs]]
			p.Also = append(p.Also, r.Design)
		}
	}
	d.Incumbents = incumbentsOf(f, st)
	d.Reject = rejections(f, st)
	for i := range f.Closest {
		d.Closest = append(d.Closest, closestFrom(&f.Closest[i], d.Limits))
	}
	d.Warnings = warnings(st)
	if s := f.Simulated; s != nil {
		d.Warnings = append(d.Warnings, measuredText(s))
	}
	return d
}

// incumbentsOf takes them from a front.
func incumbentsOf(f *search.Front, st *study.Study) (out []Incumbent) {
	for i := range f.Incumbents {
		x := &f.Incumbents[i]
		in := Incumbent{Name: x.Name, Asked: x.Asked, Chosen: x.Chosen, Verdict: x.Verdict, Why: x.Why, Admit: x.Admit, None: x.Verdict == run.NoDesign, Point: pointOf(&x.Record)}
		nameParams(&in.Point, st)
		out = append(out, in)
	}
	return out
}
