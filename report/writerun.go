package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"toposearch/evaluator/floor"
	"toposearch/internal/disk"
	"toposearch/report/plan"
	"toposearch/topology"
)

// WriteRun writes report.html and the folders of the designs shown in full into a run directory. families
// are as in study.Load.
func WriteRun(ctx context.Context, dir string, families ...*topology.Family) error {
	r, err := open(ctx, dir, families)
	if err != nil {
		return err
	}
	all, designs := make([]*Detail, 0, len(r.data.Details)), slices.Concat(r.designs, r.beside)
	for i := range r.data.Details {
		all = append(all, &r.data.Details[i])
	}
	for i := range r.data.Incumbents {
		all = append(all, &r.data.Incumbents[i].Detail)
	}
	for i, det := range all {
		if det.Plan == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		d := designs[i]
		x := plan.Export{Design: d, Plan: det.Plan,
			EachCable: func(f func(floor.Cable) bool) error { return r.eval.EachCable(d, f) },
			EachRack:  func(f func(floor.Rack) bool) error { return r.eval.EachRack(d, f) }}
		if err := plan.WriteDesign(filepath.Join(dir, filepath.FromSlash(det.Dir)), x); err != nil {
			return err
		}
	}
	if err := disk.Write(filepath.Join(dir, "report.html"), func(w io.Writer) error { return WriteHTML(w, r.data) }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
