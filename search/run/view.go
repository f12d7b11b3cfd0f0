package run

import (
	"context"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// View is a design under a study, with what is bought for it.
type View struct {
	Design topology.Design
	Record *search.Record    // as on the front, with its simulation where it is there or an incumbent
	Result *evaluator.Result // with its plan
	Chosen string            // how it was chosen where a family was named
	// Verdict and Why say why it is on the front of the run or not, as Explain does; "" of a study without a run.
	Verdict, Why string
}

// Views evaluates designs, or the best of families, as the run in a directory does, whether they are on its front or not. families are
// as in study.Load.
func Views(ctx context.Context, path string, names []string, families ...*topology.Family) (*search.Problem, []View, error) {
	p, f, err := loadFront(path, families...)
	if err != nil {
		return nil, nil, err
	}
	vs, err := views(ctx, p, names, f)
	return p, vs, err
}

// ViewsOf is Views under a study that need not have been run.
func ViewsOf(ctx context.Context, st *study.Study, names []string) (*search.Problem, []View, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, nil, err
	}
	p, err := search.NewProblem(st, m)
	if err != nil {
		return nil, nil, err
	}
	vs, err := views(ctx, p, names, nil)
	return p, vs, err
}

func views(ctx context.Context, p *search.Problem, names []string, f *search.Front) ([]View, error) {
	out := make([]View, len(names))
	for i, name := range names {
		v := &out[i]
		var err error
		if v.Design, v.Chosen, err = named(ctx, p, name); err != nil {
			return nil, err
		}
		if v.Record, v.Result, err = p.Show(ctx, v.Design); err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		x, err := explain(ctx, p, v.Design, f)
		if err != nil {
			return nil, err
		}
		v.Verdict, v.Why = x.Verdict, x.Why
		if r := f.Find(v.Record.Design); r != nil {
			v.Record = r
		}
		for k := range f.Incumbents {
			if r := &f.Incumbents[k].Record; r.Design == v.Record.Design {
				v.Record = r
			}
		}
	}
	return out, nil
}
