package report

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/crew"
	"toposearch/report/number"
	"toposearch/report/plan"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
)

// maxDetails bounds the designs that are shown in full and exported.
const maxDetails = run.ShownMost

// shown gives the designs shown in full: the picks, then finalists in the order of the front, in
// that order at most maxDetails; then in the order of the front.
func shown(d *Data) []int {
	var out []int
	show := func(i int) {
		if len(out) < maxDetails && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	for _, p := range Picks(d) {
		show(p.Point)
	}
	for i := range d.Points {
		if d.Points[i].Finalist || d.Points[i].Sim != nil {
			show(i)
		}
	}
	slices.Sort(out)
	return out
}

// detailNs is the time that a design may take for metrics that the search did not need.
func (r *loaded) detailNs() float64 { return run.DetailNs(r.hurried()) }

// hurried tells whether somebody waits: for the prompt of a run that was stopped, or for the end of a short budget of time.
func (r *loaded) hurried() bool {
	timed := r.front.Stopped == search.StopTime || len(r.front.Unsimulated) > 0
	return r.front.Stopped == search.StopInterrupted || timed && run.Hurried(r.study)
}

// derivedParts counts the parts with a derived price in the bills of materials.
func derivedParts(details []Detail) int {
	seen := map[string]bool{}
	for i := range details {
		if p := details[i].Plan; p != nil {
			for j := range p.BOM {
				if part := p.BOM[j].Part; part != nil && part.Derived {
					seen[part.PartNo] = true
				}
			}
		}
	}
	return len(seen)
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

// run is an opened run directory.
type loaded struct {
	dir     string
	front   *search.Front
	study   *study.Study
	eval    *evaluator.Evaluator
	designs []topology.Design // of data.Details
	beside  []topology.Design // of data.Incumbents
	data    *Data
}

// details evaluates the designs that are shown in full: their plans, and the metrics up to level 2
// that the search had no need of.
func (r *loaded) details(ctx context.Context) error {
	d := r.data
	families := r.study.Families()
	at := shown(d)
	results := make([]*evaluator.Result, len(at))
	r.designs = make([]topology.Design, len(at))
	drawn, notes, picked := make([][]Picture, len(at)), make([][]string, len(at)), map[int]bool{}
	for _, p := range Picks(d) {
		picked[p.Point] = true
	}
	g, ctx := crew.WithContext(ctx, runtime.GOMAXPROCS(0))
	for j, i := range at {
		g.Go(func() (err error) {
			name := d.Points[i].Name
			if r.designs[j], err = topology.ParseDesign(name, families); err != nil {
				return fmt.Errorf("report: front.json holds %s: %w", name, err)
			}
			if results[j], err = r.eval.Evaluate(ctx, r.designs[j], evaluator.Request{Level: 2, BudgetNs: r.detailNs()}); err != nil {
				return fmt.Errorf("report: cannot plan %s: %w", name, err)
			}
			if picked[i] {
				drawn[j], notes[j], err = pictures(ctx, r.eval, r.designs[j], results[j].Plan)
			}
			return err
		})
	}
	err := g.Wait()
	if err != nil {
		return err
	}
	for j, i := range at {
		det := r.detail(i, r.designs[j].Family, results[j])
		if det.Grown, err = r.eval.Growing(results[j]); err != nil {
			return err
		}
		det.Pictures, det.Notes = drawn[j], append(det.Notes, notes[j]...)
		d.Details = append(d.Details, det)
	}
	d.Bought, d.NeverBought = bought(r.study.Catalogue, d.Details)
	if n := derivedParts(d.Details); n > 0 {
		d.Warnings = append(d.Warnings, "Costs rest on derived prices, continued along the laws of the price list and not quoted: "+
			number.Count(n, "part", "parts")+" of the designs in full, marked in their bills of materials.")
	}
	return nil
}

// bought counts the parts of a list that designs buy, and names the others: a list of which most rows go unused may lack what networks need.
func bought(c *catalog.Catalogue, details []Detail) (n int, never []string) {
	if c == nil {
		return 0, nil
	}
	parts, kinds := map[string]bool{}, map[string]bool{}
	for i := range details {
		if p := details[i].Plan; p != nil {
			for j := range p.BOM {
				parts[p.BOM[j].Part.PartNo], kinds[p.BOM[j].Part.Kind] = true, true
			}
		}
	}
	for i := range c.Parts {
		switch p := &c.Parts[i]; {
		case parts[p.PartNo]:
			n++
		case p.Priced && kinds[p.Kind]:
			never = append(never, p.PartNo)
		}
	}
	return n, never
}

// detail takes what an evaluation adds to a point of the front. What front.json states stands.
func (r *loaded) detail(i int, f *topology.Family, res *evaluator.Result) Detail {
	d := r.data
	p := &d.Points[i]
	for k := range metric.Count {
		if res.Have[k] && !p.Have[k] {
			p.Metrics[k], p.Have[k] = res.Metrics[k], true
			delete(p.Absent, k)
		}
	}
	det := Detail{Point: i, Title: f.Title, Source: citation(&f.Source), VCReason: f.VCReason,
		Plan: res.Plan, Unpriced: res.Unpriced, Notes: res.Notes}
	if res.Plan == nil {
		return det
	}
	det.Supply = r.eval.Supply(res.Plan)
	det.Dir = "designs/" + plan.FileName(p.Name)
	for j := range res.Plan.BOM {
		if u := res.Plan.BOM[j].Part.ValidUntil; u != "" && (d.PricesUntil == "" || u < d.PricesUntil) {
			d.PricesUntil = u
		}
	}
	return det
}

// incumbents evaluates them for their plans, as details does designs of the front.
func (r *loaded) incumbents(ctx context.Context) error {
	for i := range r.data.Incumbents {
		x := &r.data.Incumbents[i]
		var d topology.Design
		if i < len(r.study.Incumbents) && !r.study.Incumbents[i].Best {
			d = r.study.Incumbents[i].Design()
		} else if !x.None {
			var err error
			if d, err = topology.ParseDesign(x.Point.Name, r.study.Known); err != nil {
				return fmt.Errorf("report: front.json holds %s: %w", x.Point.Name, err)
			}
		}
		r.beside = append(r.beside, d)
		if x.None {
			continue
		}
		res, err := r.eval.Evaluate(ctx, d, evaluator.Request{Level: 2, BudgetNs: r.detailNs()})
		if err != nil {
			return fmt.Errorf("report: cannot plan %s: %w", x.Point.Name, err)
		}
		alone := *r.data
		alone.Points = []Point{x.Point}
		x.Detail = (&loaded{data: &alone, eval: r.eval}).detail(0, d.Family, res)
		if x.Detail.Grown, err = r.eval.Growing(res); err != nil {
			return err
		}
		x.Point = alone.Points[0]
		var notes []string
		if x.Detail.Pictures, notes, err = pictures(ctx, r.eval, d, res.Plan); err != nil {
			return err
		}
		x.Detail.Notes = append(x.Detail.Notes, notes...)
	}
	return nil
}
