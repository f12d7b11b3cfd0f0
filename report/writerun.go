package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"toposearch/evaluator/floor"
	"toposearch/internal/crew"
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
	if err := r.folders(ctx, whole, all, designs); err != nil {
		return err
	}
	if err := disk.Write(filepath.Join(dir, "report.html"), func(w io.Writer) error { return whole.write(w, "page.html") }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// sideBySide bounds the cables of designs whose folders are written side by side: a workbook holds some hundred bytes of each in memory.
const sideBySide = 1 << 20

// folders writes those of the designs shown in full.
func (r *loaded) folders(ctx context.Context, whole *page, all []*Detail, designs []topology.Design) error {
	cables, details := int64(0), len(whole.Data.Details)
	for _, det := range all {
		if det.Plan != nil {
			for i := range det.Plan.Classes {
				cables += det.Plan.Classes[i].Count
			}
		}
	}
	atOnce := runtime.GOMAXPROCS(0)
	if cables > sideBySide {
		atOnce = 1
	}
	g, ctx := crew.WithContext(ctx, atOnce)
	for i, det := range all {
		if det.Plan == nil {
			continue
		}
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("report: %w", err)
			}
			p := whole
			if k := i - details; k >= 0 {
				p = whole.beside(k)
			}
			return r.folder(designs[i], det, p)
		})
	}
	return g.Wait()
}

// folder writes that of one design, of a page.
func (r *loaded) folder(d topology.Design, det *Detail, p *page) error {
	x := plan.Export{Design: d, Plan: det.Plan, Supply: det.Supply, Grown: det.Grown, Program: r.data.Program,
		EachCable: func(f func(floor.Cable) bool) error { return r.eval.EachCable(d, f) },
		EachRack:  func(f func(floor.Rack) bool) error { return r.eval.EachRack(d, f) }}
	folder := filepath.Join(r.dir, filepath.FromSlash(det.Dir))
	if err := plan.WriteDesign(folder, x); err != nil {
		return err
	}
	if err := disk.Write(filepath.Join(folder, "summary.html"), func(w io.Writer) error { return p.writeSummary(w, det) }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
