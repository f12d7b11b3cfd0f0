package run

import (
	"context"

	"toposearch/search"
	"toposearch/topology"
)

// Show evaluates a design, or the best of a family, as a run does, on its front or not. how says which of a family was taken. families are as
// in study.Load.
func Show(ctx context.Context, path, design string, families ...*topology.Family) (r *search.Record, how string, err error) {
	p, f, err := loadFront(path, families...)
	if err != nil {
		return nil, "", err
	}
	d, how, err := named(ctx, p, design)
	if err != nil {
		return nil, "", err
	}
	for i := range f.Incumbents {
		if x := &f.Incumbents[i]; x.Design == d.String() {
			return &x.Record, how, nil
		}
	}
	if r = f.Find(d.String()); r == nil {
		r, _, err = p.Show(ctx, d)
	}
	return r, how, err
}
