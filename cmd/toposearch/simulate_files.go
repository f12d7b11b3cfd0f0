package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"toposearch/internal/chart"
	"toposearch/internal/disk"
	"toposearch/report"
	"toposearch/simcore"
	"toposearch/simulate"
)

// checkPlots refuses files that cannot be written, before anything is simulated.
func (f *simFlags) checkPlots() error {
	var faults []error
	for _, path := range f.plots {
		if _, err := chart.FormatOf(path); err != nil {
			faults = append(faults, usagef("--plot %v", err))
		} else if s, err := os.Stat(filepath.Dir(path)); err != nil || !s.IsDir() {
			faults = append(faults, usagef("--plot %s: there is no folder %s; make it first", path, filepath.Dir(path)))
		}
	}
	return joinUsage(faults...)
}

// writePlots draws latency and throughput over the offered loads that were simulated.
func (f *simFlags) writePlots(points []*simcore.Point, saturation float64, u *pageUnits) error {
	if len(f.plots) == 0 {
		return nil
	}
	t := report.Traffic{Name: f.traffic, Saturation: saturation, Predicted: math.NaN(), PredictedZero: math.NaN()}
	for _, p := range points {
		if p.Measured > 0 {
			t.Curve = append(t.Curve, report.CurvePoint{Offered: p.Offered, Accepted: p.Accepted, Saturated: p.Saturated,
				Latency: p.Latency.Mean * u.cycles, P99: float64(p.Latency.P99) * u.cycles})
		}
	}
	figure := report.LoadFigure([]report.Traffic{t}, "Latency ("+strings.Replace(u.time, "us", "µs", 1)+")")
	for _, path := range f.plots {
		if figure == nil {
			return fmt.Errorf("--plot %s: there is nothing to plot, since no load was measured", path)
		}
		if err := chart.Write(path, figure); err != nil {
			return fmt.Errorf("--plot: %w; name a file that can be written", err)
		}
	}
	return nil
}

// heatKinds are the endings that --heatmap takes.
const heatKinds = ".svg or .csv"

// checkHeat refuses a name that no heat map can have, before anything is simulated.
func checkHeat(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case "", ".svg", ".csv":
		if path != "" && filepath.Ext(path) == "" {
			break
		}
		return nil
	}
	return usagef("--heatmap %s: the name has to end in %s", path, heatKinds)
}

// writeHeat writes the utilisation of every channel: as SVG of the highest load that was
// simulated, as CSV of all.
func writeHeat(path string, head *simulate.Head, of ...*simcore.Point) error {
	var points []simulate.HeatPoint
	for _, p := range of {
		if p.Detail != nil {
			points = append(points, simulate.HeatPoint{Offered: p.Offered, Channels: p.Detail.Channels})
		}
	}
	if len(points) == 0 {
		return fmt.Errorf("--heatmap %s: no load was measured", path)
	}
	return disk.WriteNamed(path, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".csv") {
			return simulate.HeatCSV(w, points)
		}
		top := points[0]
		for _, p := range points {
			if p.Offered > top.Offered {
				top = p
			}
		}
		return simulate.HeatSVG(w, fmt.Sprintf("%s, %v, %v", head.Design, head.Config["routing"], head.Config["traffic"]), top)
	})
}

// writeFigures writes the plots and the heat map that the flags name.
func (f *simFlags) writeFigures(head *simulate.Head, points []*simcore.Point, saturation float64, u *pageUnits) error {
	if err := f.writePlots(points, saturation, u); err != nil || f.heatmap == "" {
		return err
	}
	return writeHeat(f.heatmap, head, points...)
}
