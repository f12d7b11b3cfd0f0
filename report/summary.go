package report

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/report/draw"
	"toposearch/report/number"
	"toposearch/report/plan"
)

// What the page of one design has room for.
const (
	summaryBig     = 8
	summaryFigures = 16
	summaryParts   = 8
	summaryCables  = 7
	summarySlacks  = 5
	summaryNotes   = 4
	summaryText    = 260 // characters of a note
	summaryAssumed = 10
)

// summaryKeys are the figures that it shows where a design has them.
var summaryKeys = []metric.Key{metric.UniformThroughput, metric.WorstThroughput, metric.Bisection, metric.Latency, metric.MeanHops, metric.MaxHops,
	metric.StepTime, metric.AllreduceTime, metric.AlltoallTime, metric.Power, metric.BuildingPower, metric.LeadTime, metric.CableMax, metric.RackCables,
	metric.VCsMinimal, metric.Availability, metric.MTBF, metric.TCO, metric.Racks, metric.FloorArea}

// summaryView is the page of one design.
type summaryView struct {
	Program, Study, Question, Verdict string
	Style                             template.CSS
	Badge                             badge
	Design                            detailView
	Big                               []Fact
	Figures                           []metricView
	Slacks                            []slackView
	Parts                             []bomView
	More                              string // parts that are not shown
	Cables                            []cableView
	Hall                              string
	Notes                             []note
	Assumed, Footer                   string
}

// writeSummary writes what a decision about one design rests on, on one sheet of paper.
func (p *page) writeSummary(w io.Writer, det *Detail) error {
	d := p.Data
	pt := &d.Points[det.Point]
	v := summaryView{Program: d.Program, Study: d.Study, Question: p.Question, Verdict: draw.Clip(p.Verdict, 6.9*summaryText), Style: p.Style, Badge: p.Badge, Design: p.detail(det), Footer: p.source()}
	for _, k := range d.mentioned() {
		if pt.Have[k] && len(v.Big) < summaryBig {
			v.Big = append(v.Big, Fact{Title(k), number.PageQuantity(pt.Value(k), d.unitOf(k))})
		}
	}
	for _, k := range summaryKeys {
		if pt.Have[k] && len(v.Figures) < summaryFigures && !slices.Contains(d.mentioned()[:min(summaryBig, len(d.mentioned()))], k) || pt.Have[k] && pt.Metrics[k].Lo != pt.Metrics[k].Hi {
			m := d.metric(pt, k)
			v.Figures = append(v.Figures, metricView{Title: Title(k), Value: number.PageQuantity(m.Value, m.Unit), Bounds: number.PageBounds(m)})
		}
	}
	v.Slacks = v.Design.Slacks[:min(summarySlacks, len(v.Design.Slacks))]
	v.parts(det)
	v.Cables = v.Design.Cables[:min(summaryCables, len(v.Design.Cables))]
	f := &det.Plan.Floor
	v.Hall = fmt.Sprintf("%s in %s of %d places, %s m x %s m", number.Count(f.Racks, "rack", "racks"), number.Count(f.Rows, "row", "rows"), f.PerRow, number.Figure(f.WidthM), number.Figure(f.DepthM))
	if f.Buildings > 1 {
		v.Hall += fmt.Sprintf(" in each of %d buildings", f.Buildings)
	}
	for _, n := range v.Design.Notes {
		if n.Class == "warn" || n.Class == "bad" || n.Label == "Routing" || n.Label == "Bottleneck" {
			n.Text = draw.Clip(n.Text, 6.9*summaryText)
			v.Notes = append(v.Notes, n)
		}
	}
	v.Notes = v.Notes[:min(summaryNotes, len(v.Notes))]
	var assumed []string
	for _, x := range d.Assumed[:min(summaryAssumed, len(d.Assumed))] {
		assumed = append(assumed, x.Key+" "+x.Value)
	}
	if n := len(d.Assumed) - len(assumed); n > 0 {
		assumed = append(assumed, fmt.Sprintf("and %d more, in the report", n))
	}
	v.Assumed = strings.Join(assumed, ", ")
	var text strings.Builder
	if err := pageTemplate().ExecuteTemplate(&text, "summary.html", &v); err != nil {
		return fmt.Errorf("report: cannot make the summary: %w", err)
	}
	_, err := io.WriteString(w, diag.Visible(text.String()))
	return err
}

// parts takes the parts that cost the most.
func (v *summaryView) parts(det *Detail) {
	at := make([]int, len(det.Plan.BOM))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return int(min(1, max(-1, det.Plan.BOM[b].Total-det.Plan.BOM[a].Total))) })
	for _, i := range at[:min(summaryParts, len(at))] {
		v.Parts = append(v.Parts, v.Design.BOM[i])
	}
	if n := len(at) - summaryParts; n > 0 {
		v.More = number.Count(n, "other part", "other parts")
	}
}

// source says what a page rests on.
func (p *page) source() string {
	d := p.Data
	s := fmt.Sprintf("toposearch %s, evaluator %s, seed %d.", d.Program, d.Evaluator, d.Seed)
	var hashes []string
	for _, in := range d.Inputs {
		hashes = append(hashes, in.Path+" "+in.SHA256[:min(12, len(in.SHA256))])
	}
	if len(hashes) > 0 {
		s += " SHA-256 of its inputs: " + strings.Join(hashes, ", ") + "."
	}
	return s + " Figures with their methods: report.html; the lists: " + plan.OrderName + "."
}
