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
	whole := newPage(r.data, nil)
	details := whole.Data.Details // with their places on the page
	all, designs := make([]*Detail, 0, len(details)), slices.Concat(r.designs, r.beside)
	for i := range details {
		all = append(all, &details[i])
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
		x := plan.Export{Design: d, Plan: det.Plan, Supply: det.Supply, Grown: det.Grown, Program: r.data.Program,
			EachCable: func(f func(floor.Cable) bool) error { return r.eval.EachCable(d, f) },
			EachRack:  func(f func(floor.Rack) bool) error { return r.eval.EachRack(d, f) }}
		folder := filepath.Join(dir, filepath.FromSlash(det.Dir))
		if err := plan.WriteDesign(folder, x); err != nil {
			return err
		}
		p := whole
		if k := i - len(details); k >= 0 {
			p = whole.beside(k)
		}
		if err := disk.Write(filepath.Join(folder, "summary.html"), func(w io.Writer) error { return p.writeSummary(w, det) }); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	if err := disk.Write(filepath.Join(dir, "report.html"), func(w io.Writer) error { return whole.write(w, "page.html") }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
