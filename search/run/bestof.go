package run

import (
	"context"
	"fmt"
	"strings"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// bestOfEvaluations bounds the search for the best of one family: narrow families are complete well before, and of wide ones the front is
// mostly found after a tenth of it.
const bestOfEvaluations = 300

// bestOf takes the best of a family under the study's limits, prices and objectives: the knee of the family's own front, as
// the pick "Balanced" is that of the whole one; without a feasible design the one that is closest to being so. how says which.
func bestOf(ctx context.Context, p *search.Problem, f *topology.Family, workers int) (d topology.Design, how string, err error) {
	st := *p.Study
	st.Space = []study.FamilySpace{st.SpaceOf(f)}
	st.Search = study.Search{Strategy: study.Auto, Evaluations: bestOfEvaluations}
	q, err := search.NewProblem(&st, p.Model)
	if err != nil {
		return d, "", err
	}
	drv := search.NewDriver(q, nil, search.Options{Workers: workers})
	pl, err := plan(ctx, q, drv.Workers(), false)
	if err != nil {
		return d, "", err
	}
	front := &search.Front{}
	complete := []bool{q.Spaces[0].Size.Sign() == 0}
	if err := strategies(ctx, drv, pl, front, complete, newTrees(q), nil); err != nil {
		return d, "", err
	}
	if ms := drv.Front.Ordered(); len(ms) > 0 {
		points := make([]*objectives.Point, len(ms))
		for i := range ms {
			points[i] = &objectives.Point{Name: ms[i].Name, V: ms[i].Vector}
		}
		at := max(objectives.Knee(points), 0)
		how = fmt.Sprintf("the knee of the %d designs on the front of %s alone", len(ms), f.Name)
		if len(ms) == 1 {
			how = fmt.Sprintf("the one design on the front of %s alone", f.Name)
		}
		if !complete[0] {
			how += fmt.Sprintf(", which is not complete: found in %d evaluations", drv.Prog.Evaluated)
		}
		return q.Design(ms[at].Space, ms[at].V), how, nil
	}
	closest, err := branch.Closest(ctx, q, drv.Workers(), []int{0})
	if err != nil {
		return d, "", err
	}
	if len(closest) == 0 || closest[0].Design == "" {
		return d, "", fmt.Errorf("%w: family %s has no network of %d to %d endpoints in the space of the study", ErrNoneOfFamily, f.Name, p.Min, p.Max)
	}
	d, err = topology.ParseDesign(closest[0].Design, p.Study.Known)
	how = "no design of " + f.Name + " meets every limit; this one comes nearest"
	if !closest[0].Exhausted {
		how += " of those looked at"
	}
	return d, how, err
}

// named is the design of a name under a study, the network of a file: path, or the best one where it is the name of a family; how is "" for a design.
func named(ctx context.Context, p *search.Problem, name string) (d topology.Design, how string, err error) {
	for _, f := range p.Study.Known {
		if f.Name == name {
			return bestOf(ctx, p, f, 0)
		}
	}
	if path, ok := strings.CutPrefix(name, "file:"); ok {
		x, err := netfile.Load(path)
		if err != nil {
			return d, "", err
		}
		return topology.Design{Family: x.Family}, "", nil
	}
	d, err = topology.ParseDesign(name, p.Study.Known)
	return d, "", err
}
