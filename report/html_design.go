package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/report/plan"
	"toposearch/search"
)

// details fills the designs shown in full.
func (p *page) details() {
	for i := range p.Data.Details {
		det := &p.Data.Details[i]
		v := p.detail(det)
		v.Open = i == 0
		p.Details = append(p.Details, v)
	}
}

func (p *page) detail(det *Detail) detailView {
	d := p.Data
	pt := &d.Points[det.Point]
	st := p.styles.of(pt.Family)
	v := detailView{ID: p.detailOf[det.Point], Name: pt.Name, Style: st % colours, Marker: legendMarker(st),
		Summary: summary(d, pt), Title: det.Title, Source: det.Source, Params: pt.Params, Dir: det.Dir}
	for _, name := range picksOf(p.picks, det.Point) {
		v.Badges = append(v.Badges, badge{"pick", name})
	}
	if c := check(pt); c.Text != "–" {
		if pt.Sim != nil {
			c.Text = "simulation " + c.Text
		}
		v.Badges = append(v.Badges, c)
	}
	v.Notes = detailNotes(det, pt)
	for _, s := range Slacks(d, det.Point) {
		v.Slacks = append(v.Slacks, slackRow(d, s))
	}
	if pt.Sim != nil && len(pt.Sim.Traffic) > 0 {
		v.Sim = simOf(pt)
	}
	v.Groups, v.Absent = metricGroups(d, pt)
	if det.Plan != nil {
		v.Switches = switchRows(det.Plan.Switches)
		v.BOM, v.BOMTotal = bomRows(det.Plan.BOM, det.Supply)
		v.Buying, v.Alternates = buying(det.Plan.BOM, det.Supply)
		v.Stack, v.StackLabel = stackOf(det.Plan.BOM)
		v.Cables = cableRows(det.Plan.Classes)
		if det.Plan.Floor.Racks > 0 {
			v.Floor = template.HTML(plan.FloorPlan(pt.Name, &det.Plan.Floor, false))
		}
	}
	for _, x := range det.Pictures {
		v.Pictures = append(v.Pictures, pictureView{x.Title, x.About, template.HTML(x.SVG)})
	}
	return v
}

// detailNotes are the findings about a design that a reader must not miss.
func detailNotes(det *Detail, pt *Point) []note {
	var out []note
	remark := func(class, label, text string) { out = append(out, note{Class: class, Label: label, Text: text}) }
	if s := pt.Sim; s != nil {
		class, label := "", "Simulation"
		switch {
		case s.Contradicts:
			class, label = "bad", "Contradiction"
		case !s.Agrees:
			class, label = "warn", "Differs"
		}
		for _, n := range s.Notes {
			if search.Doubtful(n, s.Differs) {
				remark(class, label, n)
			} else {
				remark("", "Simulation", n)
			}
		}
		if s.Contradicts && len(s.Notes) == 0 {
			remark(class, label, "The measurement lies outside what the model certifies.")
		}
	}
	if pt.Vouched != "" {
		remark("", "Vouched for", sentence(pt.Vouched))
	}
	if len(det.Unpriced) > 0 {
		remark("warn", "Unpriced", "No cost is stated, since these parts have no price: "+strings.Join(det.Unpriced, ", ")+".")
	}
	if pt.Same != "" {
		remark("", "Same network", sentence(pt.Same))
	}
	if text := routingText(pt.Routing, pt.Unfit); text != "" {
		remark("", "Routing", text)
	}
	if pt.Bottleneck != "" {
		remark("", "Bottleneck", sentence(pt.Bottleneck))
	}
	if det.VCReason != "" {
		remark("", "Deadlock-free", sentence(det.VCReason))
	}
	for _, n := range det.Notes {
		remark("", "Note", sentence(n))
	}
	return out
}

func slackRow(d *Data, s Slack) slackView {
	u := d.unitOf(s.Limit.Key)
	v := slackView{Name: s.Limit.Name, Origin: shortOrigin(s.Limit.Origin), Value: "not stated", Margin: "–"}
	v.Bound = limitText(s.Limit, u)
	if math.IsNaN(s.Value) {
		return v
	}
	v.Value = number.PageQuantity(s.Value, u)
	v.Margin = number.Percent(s.Margin)
	switch {
	case s.Margin < -1e-12:
		v.Class = "past"
	case s.Margin < closeTo:
		v.Class = "near"
	}
	return v
}

func simOf(pt *Point) *simView {
	s := pt.Sim
	v := &simView{Chart: template.HTML(curve(pt.Name, s)), Unit: s.unit()}
	for _, t := range s.Traffic {
		v.Rows = append(v.Rows, simRow{t.Name, []string{number.PageFigure(t.Predicted), number.PageFigure(t.Expected), number.PageFigure(t.Saturation),
			number.PageFigure(t.PredictedZero), number.PageFigure(t.ZeroLoad), number.PageFigure(t.LatencyHalf)}})
	}
	v.Note = fmt.Sprintf("%s routing, %s, %s. Dashed: the model’s saturation and zero-load latency. Hollow: saturated, the latency is a lower bound.",
		strings.TrimSuffix(sentence(s.model()), ".")+": "+s.Routing, number.Count(s.VCs, "virtual channel", "virtual channels"), s.measured())
	return v
}

// metricGroups gives every figure of a design, and those that are missing with their reason.
func metricGroups(d *Data, pt *Point) (out []groupView, absent string) {
	var missing []string
	for _, g := range groups {
		v := groupView{Name: g.name}
		for _, k := range g.keys {
			if !pt.Have[k] {
				if why := pt.Absent[k]; why != "" {
					missing = append(missing, strings.ToLower(Title(k))+" ("+why+")")
				}
				continue
			}
			m := d.metric(pt, k)
			v.Rows = append(v.Rows, metricView{Title(k), metric.Keys[k].Doc + "; " + metric.Definitions[k].Formula, number.PageQuantity(m.Value, m.Unit), number.PageBounds(m),
				fmt.Sprint(metric.Keys[k].Level), m.Method})
		}
		if len(v.Rows) > 0 {
			out = append(out, v)
		}
	}
	return out, strings.Join(missing, ", ")
}
