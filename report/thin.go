package report

import (
	"fmt"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/report/number"
)

// mostOnPage bounds the designs of the page, so that browsers draw it at once and it stays a few megabytes: 100,000 rows were 90 MB.
const mostOnPage = 2000

// thinned are data and picks with most points at most. Picks, designs shown in full, one of each family and what is best or worst in an objective are always there;
// each of the others is within d.LeftWithin of one that is there in every objective. Fronts of no more points are as they were.
func thinned(d *Data, picks []Pick, most int) (*Data, []Pick) {
	if len(d.Points) <= most {
		return d, picks
	}
	points, keep := make([][]float64, len(d.Points)), make([]bool, len(d.Points))
	for i := range d.Points {
		for _, o := range d.Objectives {
			points[i] = append(points[i], d.Points[i].Value(o.Key))
		}
		keep[i] = d.Points[i].Finalist || d.Points[i].Sim != nil
	}
	for k := range d.Objectives {
		if a, b := objectives.Extremes(points, k); a >= 0 {
			keep[a], keep[b] = true, true
		}
	}
	for _, p := range picks {
		keep[p.Point] = true
	}
	seen := map[string]bool{}
	for i := range d.Points {
		if f := d.Points[i].Family; !seen[f] {
			keep[i], seen[f] = true, true
		}
	}
	for i := range d.Details {
		keep[d.Details[i].Point] = true
	}
	var here []bool
	within := math.NaN()
	// From what people cannot tell apart, in steps that they can; beyond a half points stand for nothing.
	for ratio := 0.02; ratio < 0.5; ratio *= 1.25 {
		by := objectives.Near(points, keep, ratio)
		here = make([]bool, len(by))
		for i := range by {
			here[i] = by[i] == i
		}
		if countTrue(here) <= most {
			within = ratio
			break
		}
	}
	if math.IsNaN(within) { // nothing stands for the others: some of them, at even steps through the front
		here = slices.Clone(keep)
		room := max(1, most-countTrue(keep))
		for i := 0; i < len(points); i += (len(points) + room - 1) / room {
			here[i] = true
		}
	}
	out := *d
	out.Points, out.Details = nil, slices.Clone(d.Details)
	at := make([]int, len(points))
	for i := range points {
		if at[i] = len(out.Points); here[i] {
			p := d.Points[i]
			p.ShownBy = ""
			out.Points = append(out.Points, p)
		}
	}
	for i := range out.Details {
		out.Details[i].Point = at[out.Details[i].Point]
	}
	picks = slices.Clone(picks)
	for i := range picks {
		picks[i].Point = at[picks[i].Point]
	}
	out.Left, out.LeftWithin = len(d.Points)-len(out.Points), within
	return &out, picks
}

func countTrue(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// onFront is the number of points of the front, also of those left out.
func (d *Data) onFront() int { return len(d.Points) + d.Left }

// leftNote says what is left out, "" if nothing is.
func (d *Data) leftNote() string {
	if d.Left == 0 {
		return ""
	}
	how := "picked at even steps through it"
	if !math.IsNaN(d.LeftWithin) {
		how = fmt.Sprintf("each of the others is within %.0f %% of one of them in every objective", math.Ceil(100*d.LeftWithin))
	}
	return fmt.Sprintf("This page holds %s of the %s designs of the front; %s. All of them are in front.json, and in what toposearch report writes with --format csv or xlsx.",
		number.PageFigure(float64(len(d.Points))), number.PageFigure(float64(d.onFront())), how)
}
