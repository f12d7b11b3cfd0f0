package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toposearch/internal/chart"
	"toposearch/report"
)

func (a *app) reportCmd() *cobra.Command {
	var format, out, plots string
	var formats func() ([]string, error)
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Write the report of a run again, or its figures for papers",
		Example: `  toposearch report runs/pod-001
  toposearch report runs/pod-001 --format text
  toposearch report runs/pod-001 --format csv --out front.csv
  toposearch report runs/pod-001 --plots
  toposearch report runs/pod-001 --plots figures --plot-format pdf`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 && c.Flags().Changed("plots") && plots == ownPlots {
				return nil // the folder stands apart from its flag
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("plots") {
				list, err := formats()
				if err != nil {
					return err
				}
				switch {
				case c.Flags().Changed("format") || out != "":
					return usagef("--plots writes figures instead of a report: it goes with neither --format nor --out")
				case len(args) == 2:
					plots = args[1]
				case plots == ownPlots:
					plots = ""
				}
				return a.runPlots(args[0], plots, list)
			}
			if format == "html" && out == "" && !a.json {
				if err := report.WriteRun(c.Context(), args[0]); err != nil {
					return badRun(err)
				}
				fmt.Fprintln(a.out, filepath.Join(args[0], "report.html"))
				return nil
			}
			data, err := report.Load(args[0])
			if err != nil {
				return badRun(err)
			}
			if a.json && !c.Flags().Changed("format") {
				format = "json"
			}
			if !data.Complete && !a.quiet { // a CSV has no place to say it
				fmt.Fprintln(a.err, "the front of this run is not complete: better designs may exist")
			}
			write, ok := report.Formats[format]
			if !ok {
				return usagef("--format %q is not html, text, json, csv or xlsx", format)
			}
			if out == "" {
				if format == "xlsx" {
					return usagef("--format xlsx needs --out FILE: a spreadsheet is not for the terminal")
				}
				if format == "text" {
					return report.WriteText(a.out, data, report.TextOptions{Color: a.terminal && os.Getenv("NO_COLOR") == ""})
				}
				return write(a.out, data)
			}
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			if err := write(f, data); err != nil {
				f.Close()
				return err
			}
			return f.Close()
		},
	}
	c.Flags().StringVar(&format, "format", "html", "html, text, json, csv or xlsx")
	c.Flags().StringVar(&out, "out", "", "file to write (default: the run directory for html, stdout otherwise)")
	c.Flags().StringVar(&plots, "plots", "", "write figures for papers and slides instead, into `DIR` (default: plots in the run directory)")
	c.Flags().Lookup("plots").NoOptDefVal = ownPlots
	formats = plotFormats(c)
	return c
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
