package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/internal/chart"
	"toposearch/reproduce"
)

func (a *app) reproduceCmd() *cobra.Command {
	var dir string
	var formats func() ([]string, error)
	c := &cobra.Command{
		Use:   "reproduce [TABLE...]",
		Short: "Published tables beside what the program computes",
		Example: `  toposearch reproduce
  toposearch reproduce survey-table3
  toposearch reproduce atop-table7 --json
  toposearch reproduce hp-f15 slimfly-sizes --plots figures --plot-format pdf
  toposearch reproduce booksim`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if dir != "" {
					return usagef("--plots needs the tables to draw: toposearch reproduce TABLE --plots %s", dir)
				}
				return a.listTables()
			}
			list, err := formats()
			if err != nil {
				return err
			}
			var figures []chart.Named
			for _, name := range args {
				t, err := reproduce.Run(c.Context(), name, a.workers)
				if err != nil {
					if t == nil && strings.HasPrefix(err.Error(), "there is no table") {
						return usage(err)
					}
					return err
				}
				if a.json {
					err = printJSON(a.out, t)
				} else {
					err = printTable(a.out, t)
				}
				if err != nil {
					return err
				}
				figures = append(figures, t.Plots()...)
			}
			if dir == "" {
				return nil
			}
			return a.tablePlots(dir, list, figures)
		},
	}
	c.Flags().StringVar(&dir, "plots", "", "folder for figures of computed over published")
	formats = plotFormats(c)
	return c
}

func (a *app) listTables() error {
	if a.json {
		type entry struct {
			Name  string `json:"name"`
			Title string `json:"title"`
		}
		list := []entry{}
		for _, e := range reproduce.Tables() {
			list = append(list, entry{e.Name, e.Title})
		}
		return printJSON(a.out, struct {
			Schema string  `json:"schema"`
			Tables []entry `json:"tables"`
		}{reproduce.Schema, list})
	}
	width := 0
	for _, e := range reproduce.Tables() {
		width = max(width, len(e.Name)+1)
	}
	for _, e := range reproduce.Tables() {
		fmt.Fprint(a.out, labelled(e.Name, width, e.Title))
	}
	return nil
}

// printTable prints a table row by row: published, computed, and a mark where they differ.
func printTable(w io.Writer, t *reproduce.Table) error {
	fmt.Fprintf(w, "%s\n%s", t.Title, wrap("Source: "+t.Source, 80, ""))
	cells, bad := 0, t.Disagreements()
	for _, r := range t.Rows {
		fmt.Fprintf(w, "\n%s\n", r.Name)
		for _, c := range r.Cells {
			mark := " "
			if !c.Agrees {
				mark = "!"
			}
			if c.Published != nil && c.Computed != nil {
				cells++
			}
			line := fmt.Sprintf("%s %-22s %12s %12s", mark, c.Column, figure(c.Published), figure(c.Computed))
			switch {
			case c.Note == "":
				fmt.Fprintln(w, line)
			case len(line)+2+len(c.Note) <= 80:
				fmt.Fprintln(w, line+"  "+c.Note)
			default:
				fmt.Fprint(w, line+"\n"+wrap(c.Note, 80, "      "))
			}
		}
	}
	published, computed := t.Sides()
	end := fmt.Sprintf("Columns: %s, %s. %d of %d %s figures agree", published, computed, cells-bad, cells, published)
	if bad > 0 {
		end += "; those marked ! do not"
	}
	fmt.Fprint(w, "\n"+wrap(end+".", 80, ""))
	for _, n := range t.Notes {
		fmt.Fprint(w, "  - ", strings.TrimLeft(wrap(n, 80, "    "), " "))
	}
	return nil
}

func figure(v any) string {
	switch x := v.(type) {
	case nil:
		return "-"
	case float64:
		return strconv.FormatFloat(x, 'g', 8, 64)
	default:
		return fmt.Sprint(x)
	}
}

// tablePlots writes the figures of tables.
func (a *app) tablePlots(dir string, formats []string, figures []chart.Named) error {
	if len(figures) == 0 {
		return usagef("--plots: there is nothing to plot: no figure published in these tables is a number")
	}
	return a.tellFiles(chart.WriteAll(dir, figures, formats))
}
