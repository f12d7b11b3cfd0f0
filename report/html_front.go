package report

import (
	"fmt"
	"html/template"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
)

// front fills charts and table.
func (p *page) front() {
	d := p.Data
	p.FrontTitle = frontTitle(d)
	if len(d.Points) == 0 {
		return
	}
	kx, ky := d.scatterKeys()
	pk := d.parallelKeys()
	p.Scatter = template.HTML(scatter(d, p.styles, p.picks, kx, ky))
	p.Parallel = template.HTML(parallel(d, p.styles, pk))
	p.ScatterLabel = fmt.Sprintf("Scatter chart of %s. The table below holds the same figures. Arrow keys move the last compared design.", number.Count(len(d.Points), "design", "designs"))
	p.ParallelLabel = fmt.Sprintf("Parallel coordinates of %s. The table below holds the same figures.", number.Count(len(d.Points), "design", "designs"))
	figures := "Every figure is the model’s, but for the column Simulation."
	if slices.ContainsFunc(d.Points, func(pt Point) bool { return pt.Vouched != "" }) {
		figures = "Figures are the model’s, but for the column Simulation and for measured objectives, whose values are simulated or corrected from simulations: each design says which."
	}
	p.FrontNote = "Designs of which none is better than another in every objective. " + figures
	for _, note := range []string{d.leftNote(), d.besideNote(kx, ky)} {
		if note != "" {
			p.FrontNote += " " + note
		}
	}
	if near := len(d.Points) - len(d.shown(p.picks)); near > 0 {
		p.NearText = fmt.Sprintf("Show also %s within 2 %% of one in the table in every objective; charts hold all.", number.Count(near, "design that is", "designs that are"))
	}
	p.legend()
	keys := d.tableKeys()
	scales := make([]number.Scale, len(keys))
	for j, k := range keys {
		scales[j] = number.ScaleOf(d.unitOf(k), column(d.Points, k))
		p.Columns = append(p.Columns, columnView{metric.Keys[k].Name, Title(k), scales[j].Unit, metric.Keys[k].Doc})
	}
	for i := range d.Points {
		pt := &d.Points[i]
		st := p.styles.of(pt.Family)
		r := row{I: i, ID: p.detailOf[i], Name: pt.Name, Also: pt.Also, Style: st % colours, Marker: legendMarker(st),
			Picks: picksOf(p.picks, i), Check: check(pt), Near: d.left(p.picks, i)}
		for j, k := range keys {
			c := cell{Text: "–"}
			if pt.Have[k] {
				c = cell{scales[j].PageFormat(pt.Value(k)), number.PageBounds(d.metric(pt, k))}
			} else if why := pt.Absent[k]; why != "" {
				c.Bounds = why
			}
			r.Cells = append(r.Cells, c)
		}
		p.Rows = append(p.Rows, r)
	}
}

func (p *page) legend() {
	n := map[string]int{}
	for i := range p.Data.Points {
		n[p.Data.Points[i].Family]++
	}
	for i, f := range p.styles {
		if n[f] > 0 {
			p.Legend = append(p.Legend, legend{f, legendMarker(i), i % colours, number.PageFigure(float64(n[f]))})
		}
	}
}
