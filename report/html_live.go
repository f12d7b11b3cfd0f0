package report

import (
	"fmt"
	"html/template"
	"math"

	"toposearch/report/draw"
	"toposearch/report/number"
)

// live fills the part of the page that a run gets while it is watched.
func (p *page) live() {
	d, l := p.Data, p.Live
	if !l.SoFar {
		return
	}
	_, state := l.State()
	n := d.onFront()
	p.Badge = badge{"", state}
	p.Verdict = fmt.Sprintf("%s on the front so far, of %s evaluated. Better ones may be found; rejections, bills of materials and designs in full come when the run has ended.",
		number.Count(n, "design", "designs"), number.PageFigure(float64(d.Counts.Evaluated)))
	p.FrontTitle = "The front so far"
	most := 1.0
	for _, c := range d.Counts.Families {
		most = max(most, float64(c.Evaluated))
	}
	for _, c := range d.Counts.Families {
		st := p.styles.of(c.Family)
		p.LiveFamilies = append(p.LiveFamilies, liveFamily{c.Family, legendMarker(st), number.PageFigure(float64(c.Evaluated)), number.PageFigure(float64(c.Feasible)),
			number.PageFigure(float64(c.OnFront)), fmt.Sprintf("%.1f", 100*float64(c.Evaluated)/most), st % colours})
	}
	p.growth()
	for i := range d.Points {
		p.liveSim(&d.Points[i])
	}
	for i := range l.Simulated {
		pt := pointOf(&l.Simulated[i])
		p.liveSim(&pt)
	}
}

// liveSim adds what was simulated of a design.
func (p *page) liveSim(pt *Point) {
	if pt.Sim == nil || len(pt.Sim.Traffic) == 0 {
		return
	}
	p.LiveSims = append(p.LiveSims, liveSim{pt.Name, check(pt), pt.Sim.Notes, simOf(pt)})
}

const (
	growthW, growthH = 560.0, 240.0
	// growthFewest moments make a line.
	growthFewest = 2
)

// growth draws the hypervolume over designs evaluated, or the size of the front where that is not computed.
func (p *page) growth() {
	l := p.Live
	var xs, ys []float64
	title, note := "Hypervolume, part of that of now", "Hypervolume of the front as it was, as a part of that of the front of now, from the worst value of each objective on it and a tenth of their range. It ends at 1 by this definition: a flat end says that little was found of late."
	if l.Volumes == nil {
		title, note = "Designs on the front", "The hypervolume is not computed here while the run goes on: the front is empty, or large for so many objectives."
	}
	for i, g := range l.Grown {
		y := float64(g.Size)
		if l.Volumes != nil {
			y = l.Volumes[i]
		}
		if !math.IsNaN(y) {
			xs, ys = append(xs, float64(g.Evaluated)), append(ys, y)
		}
	}
	if len(xs) < growthFewest || xs[len(xs)-1] == xs[0] {
		return
	}
	p.GrowthNote = note
	c := draw.New(growthW, growthH, title+" over designs evaluated.")
	x := draw.NewAxis(xs, frameL, growthW-frameR, 5, true)
	y := draw.NewAxis(ys, growthH-frameB, frameT, 4, true)
	drawAxes(c, x, y, x.TickScale("1"), y.TickScale("1"), "Designs evaluated", title)
	path := ""
	for i := range xs {
		step := "L"
		if i == 0 {
			step = "M"
		}
		path += step + draw.Px(x.At(xs[i])) + " " + draw.Px(y.At(ys[i]))
	}
	c.Path("cv f0", path, "")
	p.Growth = template.HTML(c.String())
}
