package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toposearch/internal/chart"
	"toposearch/internal/disk"
	"toposearch/report"
)

// reportFlags are the flags of report.
type reportFlags struct {
	format, out string
	plots       string                   // ownPlots: the run's own folder
	formats     func() ([]string, error) // of plots
}

func (a *app) reportCmd() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Write the report of a run again, or its figures for papers",
		Example: `  toposearch report runs/pod-001
  toposearch report runs/pod-001 --format text
  toposearch report runs/pod-001 --format csv --out front.csv
  toposearch report runs/pod-001 --plots
  toposearch report runs/pod-001 --plots figures --plot-format pdf`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 && c.Flags().Changed("plots") && f.plots == ownPlots {
				return nil // the folder stands apart from its flag
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			given := c.Flags().Changed("format")
			switch {
			case c.Flags().Changed("plots"):
				return a.reportPlots(args, &f, given)
			case f.format == "html" && f.out == "" && !a.json:
				if err := report.WriteRun(c.Context(), args[0]); err != nil {
					return badRun(err)
				}
				fmt.Fprintln(a.out, filepath.Join(args[0], "report.html"))
				return nil
			case a.json && !given:
				f.format = "json"
			}
			return a.report(args[0], &f)
		},
	}
	c.Flags().StringVar(&f.format, "format", "html", "html, text, json, csv or xlsx")
	c.Flags().StringVar(&f.out, "out", "", "file to write (default: the run directory for html, stdout otherwise)")
	c.Flags().StringVar(&f.plots, "plots", "", "write figures for papers and slides instead, into `DIR` (default: plots in the run directory)")
	c.Flags().Lookup("plots").NoOptDefVal = ownPlots
	f.formats = plotFormats(c)
	return c
}

// report writes the report of a run in a format, to a file or to the terminal.
func (a *app) report(run string, f *reportFlags) error {
	data, err := report.Load(run)
	if err != nil {
		return badRun(err)
	}
	if !data.Complete && !a.quiet { // a CSV has no place to say it
		fmt.Fprintln(a.err, "the front of this run is not complete: better designs may exist")
	}
	write, ok := report.Formats[f.format]
	switch {
	case !ok:
		return usagef("--format %q is not html, text, json, csv or xlsx", f.format)
	case f.out == "" && f.format == "xlsx":
		return usagef("--format xlsx needs --out FILE: a spreadsheet is not for the terminal")
	case f.out == "" && f.format == "text":
		return report.WriteText(raw(a.out), data, report.TextOptions{Color: a.terminal && os.Getenv("NO_COLOR") == ""})
	case f.out == "":
		return write(a.out, data)
	}
	return disk.WriteNamed(f.out, func(w io.Writer) error { return write(w, data) })
}

// reportPlots writes the figures of a run, into its own folder plots unless one is named.
func (a *app) reportPlots(args []string, f *reportFlags, formatGiven bool) error {
	formats, err := f.formats()
	if err != nil {
		return err
	}
	run, dir := args[0], f.plots
	switch {
	case formatGiven || f.out != "":
		return usagef("--plots writes figures instead of a report: it goes with neither --format nor --out")
	case len(args) == 2:
		dir = args[1]
	case dir == ownPlots || dir == "":
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
