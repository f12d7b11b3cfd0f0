package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/internal/chart"
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
