package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/internal/chart"
	"toposearch/report"
	"toposearch/simcore"
)

// ownPlots stands for the folder of figures in a run directory, where none is named.
const ownPlots = "RUN/plots"

// plotFormats declares --plot-format and returns what reads it.
func plotFormats(c *cobra.Command) func() ([]string, error) {
	list := c.Flags().String("plot-format", strings.Join(chart.Formats, ","), "formats of --plots: some of svg,pdf,png")
	return func() ([]string, error) {
		formats, err := chart.ParseFormats(*list)
		if err != nil {
			return nil, usagef("--plot-format: %v", err)
		}
		return formats, nil
	}
}

// tellFiles prints the files written, and an error with what to do about it.
func (a *app) tellFiles(files []string, err error) error {
	if !a.json {
		for _, f := range files {
			fmt.Fprintln(a.out, f)
		}
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return fmt.Errorf("--plots: %w; name a folder that can be written to", err)
	}
	return err
}

// runPlots writes the figures of a run, into its own folder plots unless one is named.
func (a *app) runPlots(run, dir string, formats []string) error {
	if dir == "" {
		dir = filepath.Join(run, "plots")
	}
	figures, err := report.Plots(run)
	if err != nil {
		return badRun(err)
	}
	if len(figures) == 0 {
		return usagef("--plots: there is nothing to plot in %s: a figure needs a design on the front, and two objectives in the study or a simulated finalist", run)
	}
	files, err := chart.WriteAll(dir, figures, formats)
	if a.json && err == nil {
		return printJSON(a.out, struct {
			Schema string   `json:"schema"`
			Files  []string `json:"files"`
		}{"toposearch.plots/1", files})
	}
	return a.tellFiles(files, err)
}

// checkPlots tells before anything is simulated that figures can be written.
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

// tablePlots writes the figures of tables.
func (a *app) tablePlots(dir string, formats []string, figures []chart.Named) error {
	if len(figures) == 0 {
		return usagef("--plots: there is nothing to plot: no figure published in these tables is a number")
	}
	return a.tellFiles(chart.WriteAll(dir, figures, formats))
}
