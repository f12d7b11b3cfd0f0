package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"toposearch/report/number"
	"toposearch/search/run"
)

// sensitivity fills it; nothing where it was not computed.
func (p *page) sensitivity() {
	s := p.Data.Sensitivity
	if s == nil || len(s.Curves)+len(s.Picks)+len(s.Notes) == 0 {
		return
	}
	v := &sensitivityView{Notes: s.Notes}
	for i := range s.Curves {
		c := &s.Curves[i]
		lead, lines := CurveText(c, s.Currency)
		x := curveView{Lead: number.Regroup(lead), Chart: template.HTML(stepChart(c, s.Currency))}
		for _, l := range lines {
			x.Lines = append(x.Lines, number.Regroup(l))
		}
		v.Curves = append(v.Curves, x)
	}
	for i := range s.BreakEvens {
		v.Evens = append(v.Evens, number.Regroup(BreakEvenText(&s.BreakEvens[i], s.Currency)))
	}
	for i := range s.Picks {
		v.Picks = append(v.Picks, PickTexts(&s.Picks[i]))
	}
	p.Sensitivity = v
}

// stepChart draws a curve: the bound across, the best value up, the limit as it is as a dashed line. "" for a curve of one step.
func stepChart(c *run.Curve, currency string) string {
	if len(c.Steps) < 2 {
		return ""
	}
	from, to := min(c.Strict, c.Loose), max(c.Strict, c.Loose)
	low, high := c.Steps[0].Value, c.Steps[0].Value
	for _, s := range c.Steps {
		low, high = min(low, s.Value), max(high, s.Value)
	}
	const left, right, top, bottom = 8.0, 312.0, 14.0, 118.0
	x := func(b float64) float64 { return left + (right-left)*(min(max(b, from), to)-from)/(to-from) }
	y := func(v float64) float64 { return bottom - 6 - (bottom-top-12)*(v-low)/(high-low) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 320 136" role="img" aria-label="Best %s by the bound of %s">`, c.Objective, template.HTMLEscapeString(c.Limit))
	fmt.Fprintf(&b, `<path d="M%g %gH%g" fill="none" stroke="currentColor" stroke-opacity=".5"/>`, left, bottom, right)
	for i, s := range c.Steps {
		end := c.Loose
		if i+1 < len(c.Steps) {
			end = c.Steps[i+1].Bound
		}
		lead := "M"
		if i == 0 {
			fmt.Fprint(&b, `<path fill="none" stroke="var(--accent)" stroke-width="2" d="`)
		} else {
			lead = "L"
		}
		fmt.Fprintf(&b, "%s%.1f %.1fL%.1f %.1f", lead, x(s.Bound), y(s.Value), x(end), y(s.Value))
	}
	fmt.Fprintf(&b, `"/><path d="M%.1f %gV%g" fill="none" stroke="currentColor" stroke-dasharray="3 3"/>`, x(c.Bound), top, bottom)
	u := unitIn(c.Metric, currency)
	anchor := func(at float64) string {
		if at > (left+right)/2 {
			return "end"
		}
		return "start"
	}
	fmt.Fprintf(&b, `<text x="%g" y="131">%s</text><text x="%g" y="131" text-anchor="end">%s</text>`, left, number.PageQuantity(from, u), right, number.PageQuantity(to, u))
	fmt.Fprintf(&b, `<text x="%.1f" y="11" text-anchor="%s">%s</text></svg>`, x(c.Bound), anchor(x(c.Bound)), number.PageQuantity(c.Bound, u))
	if math.IsNaN(low + high) {
		return ""
	}
	return b.String()
}
