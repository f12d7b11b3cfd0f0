package picture

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/evaluator"
	"toposearch/report/draw"
	"toposearch/report/number"
)

// steps are the loads from which the levels of colour begin: below a quarter of what a link carries, a half, three quarters, all, twice that.
var steps = []float64{0, 0.25, 0.5, 0.75, 1, 2}

// heatLevel is the level of a load. Loads of exactly a step are counted below it: a link that is just full carries everything.
func heatLevel(x float64) int {
	k := 0
	for k+1 < len(steps) && x > steps[k+1]*(1+1e-9) {
		k++
	}
	return k
}

// heat draws the quotient twice, under uniform traffic and under the worst, with bundles coloured by load.
func (s *Source) heat(ctx context.Context) (string, error) {
	q, err := newQuotient(s.Design)
	if err != nil {
		return "", err
	}
	if s.Loads == nil {
		return "", fmt.Errorf("%w: the loads of %s are not known", ErrNone, s.Design)
	}
	loads, how, err := s.Loads(ctx)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", errors.Join(ErrNone, err)
	}
	p := arrange(q)
	cols := append(q.columns(s.gbps()), heatColumns(q, loads)...)
	tw, th := table(draw.New(0, 0, ""), 0, 0, cols, func(int) string { return "" })
	side := p.w+20 < 560 // both beside each other
	w, h := p.w, headPx+2*(p.h+30)
	if side {
		w, h = 2*p.w+20, headPx+p.h+30
	}
	about := "Load of the busiest link of each class, all endpoints sending at full bandwidth"
	d := start(max(w, tw+50, 690), h+th+118, draw.Clip(s.Design.String(), titleMost), about, heatSentence(q, loads, about))
	uniform := func(i int) string { return heatClass(loads[q.bundles[i].class].Uniform) }
	worst := func(i int) string { return heatClass(loads[q.bundles[i].class].Worst.Hi) }
	x, y := 0.0, headPx+p.h+30
	if side {
		x, y = p.w+20, headPx
	}
	d.Text("lb", 12, headPx+16, "start", "Uniform traffic")
	p.diagram(d, 0, headPx+22, uniform)
	d.Text("lb", x+12, y+16, "start", "Worst traffic for each class")
	p.diagram(d, x, y+22, worst)
	table(d, 30, h+8, cols, uniform)
	heatLegend(d, h+th+28)
	for i, text := range []string{"Loads over " + draw.Clip(how, 600) + ".", "A routing that makes detours shares them otherwise.",
		"Above 100 % a link limits what endpoints send: to 100 % over its load.", "Of the worst traffic the upper bound is drawn."} {
		d.Text("tk", 12, h+th+54+16*float64(i), "start", text)
	}
	return d.String(), nil
}

func heatClass(x float64) string {
	if math.IsNaN(x) {
		return "ax d2"
	}
	return fmt.Sprintf("tr h%d", heatLevel(x))
}

// heatText prints a load, or bounds of one.
func heatText(lo, hi float64) string {
	switch {
	case math.IsNaN(hi):
		return "not known"
	case math.IsNaN(lo):
		return "at most " + percent(hi)
	case hi-lo > 1e-9*hi:
		return percent(lo) + " to " + percent(hi)
	}
	return percent(hi)
}

func percent(x float64) string { return number.Plain(number.Percent(x)) }

func heatColumns(q *quotient, loads []evaluator.ClassLoad) []column {
	uniform, worst := column{head: "Uniform", right: true}, column{head: "Worst", right: true}
	for i := range q.bundles {
		l := &loads[q.bundles[i].class]
		uniform.cells = append(uniform.cells, heatText(l.Uniform, l.Uniform))
		worst.cells = append(worst.cells, heatText(l.Worst.Lo, l.Worst.Hi))
	}
	return []column{uniform, worst}
}

// heatLegend explains the colours.
func heatLegend(d *draw.Drawing, y float64) {
	x := 12.0
	for k := range steps {
		text := "above " + percent(steps[k])
		if k+1 < len(steps) {
			text = "to " + percent(steps[k+1])
		}
		d.Path(fmt.Sprintf("tr h%d", k), "M"+draw.Px(x)+" "+draw.Px(y)+"h22", "")
		d.Text("tk", x+30, y+4, "start", text)
		x += 30 + draw.Width(text) + 12
	}
	d.Path("ax d2", "M"+draw.Px(x)+" "+draw.Px(y)+"h22", "")
	d.Text("tk", x+30, y+4, "start", "not known")
}

func heatSentence(q *quotient, loads []evaluator.ClassLoad, about string) string {
	s := about + "."
	for i := range q.bundles {
		l := &loads[q.bundles[i].class]
		s += fmt.Sprintf(" %s: uniform %s, worst %s.", q.bundleTitle(i), heatText(l.Uniform, l.Uniform), heatText(l.Worst.Lo, l.Worst.Hi))
	}
	return s
}
