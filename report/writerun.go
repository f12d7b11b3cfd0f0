package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"toposearch/evaluator"
	"toposearch/topology"
)

// maxDetails bounds the designs that are shown in full and exported.
const maxDetails = 20

// shown gives the designs shown in full: the picks, then finalists in the order of the front, in
// that order at most maxDetails; then in the order of the front.
func shown(d *Data) []int {
	var out []int
	add := func(i int) {
		if len(out) < maxDetails && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	for _, p := range Picks(d) {
		add(p.Point)
	}
	for i := range d.Points {
		if d.Points[i].Finalist || d.Points[i].Sim != nil {
			add(i)
		}
	}
	slices.Sort(out)
	return out
}

// details evaluates the designs that are shown in full, for their plans.
func (r *run) details() error {
	d := r.data
	families := r.study.Families()
	for _, i := range shown(d) {
		p := &d.Points[i]
		design, err := topology.ParseDesign(p.Name, families)
		if err != nil {
			return fmt.Errorf("report: front.json holds %s: %w", p.Name, err)
		}
		res, err := r.eval.Evaluate(context.Background(), design, evaluator.Request{Level: 1})
		if err != nil {
			return fmt.Errorf("report: cannot plan %s: %w", p.Name, err)
		}
		f := design.Family
		det := Detail{Point: i, Title: f.Title, Source: citation(&f.Source), VCReason: f.VCReason,
			Plan: res.Plan, Unpriced: res.Unpriced, Notes: res.Notes}
		if res.Plan != nil {
			det.Dir = "designs/" + FileName(p.Name)
			for j := range res.Plan.BOM {
				if u := res.Plan.BOM[j].Part.ValidUntil; u != "" && (d.PricesUntil == "" || u < d.PricesUntil) {
					d.PricesUntil = u
				}
			}
		}
		d.Details = append(d.Details, det)
		r.designs = append(r.designs, design)
	}
	return nil
}

// citation is a source in a line.
func citation(s *topology.Source) string {
	if s.Authors == "" && s.Title == "" {
		return ""
	}
	c := s.Authors
	if s.Title != "" {
		c += ", “" + s.Title + "”"
	}
	if s.Venue != "" {
		c += ", " + s.Venue
	}
	if s.Year > 0 {
		c += fmt.Sprintf(", %d", s.Year)
	}
	return c
}

// WriteRun writes report.html and the folders of the designs shown in full into a run directory.
func WriteRun(ctx context.Context, dir string) error {
	r, err := open(dir)
	if err != nil {
		return err
	}
	for i := range r.data.Details {
		det := &r.data.Details[i]
		if det.Plan == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		d := r.designs[i]
		x := Export{Design: d, Plan: det.Plan}
		if err := WriteDesign(filepath.Join(dir, filepath.FromSlash(det.Dir)), x); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(dir, "report.html"), func(w io.Writer) error { return WriteHTML(w, r.data) }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
