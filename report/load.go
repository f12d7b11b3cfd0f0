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

// open reads a run directory and computes the details of the designs that are shown in full.
func open(ctx context.Context, dir string, families []*topology.Family) (*loaded, error) {
	r, err := read(dir, families)
	if err != nil {
		return nil, err
	}
	if r.eval, err = evaluator.New(r.study.Options); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := r.details(ctx); err != nil {
		return nil, err
	}
	if err := r.incumbents(ctx); err != nil {
		return nil, err
	}
	r.convergence()
	r.data.Sensitivity, err = r.sensitivity(ctx, reportEffort, 0, families)
	return r, err
}

// read reads a run directory and computes nothing.
func read(dir string, families []*topology.Family) (*loaded, error) {
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
	return &loaded{dir: dir, front: f, study: st, data: FromFront(f, m, st)}, nil
}

// FindSensitivity computes it for a run. Effort bounds what each limit may take beyond the journal. families are as in study.Load.
func FindSensitivity(ctx context.Context, dir string, most run.Effort, workers int, families ...*topology.Family) (*Sensitivity, error) {
	r, err := read(dir, families)
	if err != nil {
		return nil, err
	}
	if r.eval, err = evaluator.New(r.study.Options); err != nil {
		return nil, err
	}
	return r.sensitivity(ctx, most, workers, families)
}
