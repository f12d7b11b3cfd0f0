package report

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/search/run"
	"toposearch/topology"
)

// Load reads what a report shows from a run directory. Plans of the designs shown in full are
// computed again from the copied inputs. families are as in study.Load.
func Load(dir string, families ...*topology.Family) (*Data, error) {
	r, err := open(context.Background(), dir, families)
	if err != nil {
		return nil, err
	}
	return r.data, nil
}

func open(ctx context.Context, dir string, families []*topology.Family) (*loaded, error) {
	m, err := run.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	f, err := run.ReadFront(dir)
	if err != nil {
		return nil, err
	}
	st, err := run.LoadStudy(dir, families...)
	if err != nil {
		return nil, err
	}
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	r := &loaded{dir: dir, front: f, study: st, eval: ev, data: FromFront(f, m, st)}
	return r, r.details(ctx)
}
