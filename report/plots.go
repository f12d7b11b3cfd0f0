package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"toposearch/evaluator"
	"toposearch/internal/chart"
	"toposearch/search"
)

// Plot is a figure with the name of its file, without the ending.
type Plot struct {
	Name   string
	Figure *chart.Figure
}

// WritePlots draws the figures of a run into a folder, which it makes, in each of the formats (of
// chart.Formats), and returns the files written.
func WritePlots(run, dir string, formats []string) ([]string, error) {
	data, err := loadFront(run)
	if err != nil {
		return nil, err
	}
	plots := Plots(data)
	if p, err := progressPlot(run, data); err != nil {
		return nil, err
	} else if p != nil {
		plots = append(plots, *p)
	}
	if len(plots) == 0 {
		return nil, fmt.Errorf("there is nothing to plot in %s: its front has %s, and none was simulated; a figure of the front needs two objectives in its study",
			run, count(len(data.Points), "design", "designs"))
	}
	return WriteFigures(dir, plots, formats)
}

// loadFront reads a run as far as figures need it: no design is planned again.
func loadFront(dir string) (*Data, error) {
	m, err := search.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	f, err := search.ReadFront(dir)
	if err != nil {
		return nil, err
	}
	st, err := search.LoadStudy(dir)
	if err != nil {
		return nil, err
	}
	return FromFront(f, m, st), nil
}

// WriteFigures writes each plot in each format into a folder, which it makes.
func WriteFigures(dir string, plots []Plot, formats []string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("no folder for the figures: %w", err)
	}
	var out []string
	for _, p := range plots {
		for _, format := range formats {
			path := filepath.Join(dir, p.Name+"."+format)
			if err := chart.Write(path, p.Figure); err != nil {
				return out, err
			}
			out = append(out, path)
		}
	}
	return out, nil
}

// Plots are the figures of a front for papers and slides: each pair of objectives, all pairs side
// by side where there are three objectives or more, and what was simulated beside its prediction.
// Figures for which there are no points are left out.
func Plots(d *Data) []Plot {
	var out []Plot
	pairs := d.pairs()
	for _, k := range pairs {
		f := &chart.Figure{Panels: []chart.Panel{d.frontPanel(k[0], k[1], true)}}
		out = append(out, Plot{"front-" + evaluator.Keys[k[0]].Name + "-" + evaluator.Keys[k[1]].Name, f})
	}
	if len(pairs) > 1 {
		f := &chart.Figure{Across: 3, Width: chart.Page}
		for _, k := range pairs {
			f.Panels = append(f.Panels, d.frontPanel(k[0], k[1], false))
		}
		out = append(out, Plot{"front", f})
	}
	for i := range d.Points {
		if s := d.Points[i].Sim; s != nil {
			if f := LoadFigure(s.Traffic, "Latency (cycles)"); f != nil {
				out = append(out, Plot{"simulated-" + FileName(d.Points[i].Name), f})
			}
		}
	}
	return out
}

// pairs are the pairs of objectives that designs of the front have, cost first, since it is read
// along the bottom.
func (d *Data) pairs() [][2]evaluator.Key {
	var keys []evaluator.Key
	for _, o := range d.Objectives {
		if d.has(o.Key) {
			keys = append(keys, o.Key)
		}
	}
	if i := slices.Index(keys, evaluator.Cost); i > 0 {
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, evaluator.Cost)
	}
	var out [][2]evaluator.Key
	for i, x := range keys {
		for _, y := range keys[i+1:] {
			out = append(out, [2]evaluator.Key{x, y})
		}
	}
	return out
}

// frontPanel draws two metrics against each other, a series for each family in the colours of the
// report, with the picks named if asked.
func (d *Data) frontPanel(kx, ky evaluator.Key, named bool) chart.Panel {
	x, sx := d.plotAxis(kx)
	y, sy := d.plotAxis(ky)
	p := chart.Panel{X: x, Y: y}
	for i, family := range newStyles(d) {
		s := chart.Series{Name: family, Style: i}
		for j := range d.Points {
			if pt := &d.Points[j]; pt.Family == family && pt.Have[kx] && pt.Have[ky] {
				s.X, s.Y = append(s.X, pt.Value(kx)/sx.Div), append(s.Y, pt.Value(ky)/sy.Div)
			}
		}
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	if !named {
		return p
	}
	picks := Picks(d)
	seen := map[int]bool{}
	for _, pick := range picks {
		i := pick.Point
		a, b := d.Points[i].Value(kx)/sx.Div, d.Points[i].Value(ky)/sy.Div
		if seen[i] || math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		seen[i] = true
		text := ""
		for k, name := range picksOf(picks, i) {
			if k > 0 {
				text += ", "
			}
			text += name
		}
		p.Labels = append(p.Labels, chart.Label{X: a, Y: b, Text: text})
	}
	return p
}

// plotAxis is the axis of a metric over the front, logarithmic if it spans more than a decade, and
// the scale in which it is drawn.
func (d *Data) plotAxis(k evaluator.Key) (chart.Axis, Scale) {
	values := column(d.Points, k)
	s := ScaleOf(d.unitOf(k), values)
	title := Title(k)
	if s.Unit != "" {
		title += " (" + s.Unit + ")"
	}
	return chart.Axis{Title: title, Log: chart.Wide(values...)}, s
}
