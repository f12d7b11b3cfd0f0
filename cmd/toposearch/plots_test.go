package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// Figures of both models at several loads and at one; the same command writes the same bytes.
func TestSimulatePlot(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		args []string
	}{
		{"flit", []string{"--load", "0.2,0.9", "--cycles", "500", "--warmup", "500"}},
		{"cut", []string{"--model", "cut_through", "--load", "0.2,0.5", "--cycles", "5000"}},
		{"one", []string{"--load", "0.2", "--cycles", "500", "--warmup", "500", "--json"}},
	} {
		var before []byte
		for range 2 {
			svg, pdf := filepath.Join(dir, c.name+".svg"), filepath.Join(dir, c.name+".pdf")
			status, _, errs := command(t, append([]string{"simulate", "ring(n=4)", "-q", "--plot", svg, "--plot", pdf}, c.args...)...)
			if status != 0 {
				t.Fatalf("%s: exit %d: %s", c.name, status, errs)
			}
			now := append(read(t, svg), read(t, pdf)...)
			if before != nil && !bytes.Equal(now, before) {
				t.Errorf("%s: the bytes differ from one time to the next", c.name)
			}
			before = now
			for _, want := range []string{"Offered load", "Accepted load", "mean", "99th percentile"} {
				if !bytes.Contains(now, []byte(want)) {
					t.Errorf("%s: no %q", c.name, want)
				}
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What cannot be drawn is said before anything is computed, with the remedy.
func TestPlotErrors(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "has to end in .svg, .pdf or .png", []string{"simulate", "ring(n=4)", "--plot", "a.gif"}},
		{2, "make it first", []string{"simulate", "ring(n=4)", "--plot", filepath.Join(dir, "none", "a.svg")}},
		{2, "--plot does not go with --workload", []string{"simulate", "ring(n=4)", "--plot", "a.svg", "--workload", "ring"}},
		{2, "neither --bench nor --check-deadlock", []string{"simulate", "ring(n=4)", "--plot", "a.svg", "--bench"}},
		{2, "--plot does not go with --booksim", []string{"simulate", "--plot", "a.svg", "--booksim", "x.cfg"}},
		{2, `"jpg" is no format`, []string{"reproduce", "hp-costs", "--plots", dir, "--plot-format", "svg,jpg"}},
		{2, "needs the tables to draw", []string{"reproduce", "--plots", dir}},
		{1, "name a folder that can be written to", []string{"reproduce", "hp-costs", "--plots", filepath.Join(file, "x")}},
		{2, "goes with neither --format nor --out", []string{"report", dir, "--plots", "--format", "csv"}},
		{2, "manifest.json", []string{"report", dir, "--plots"}},
	} {
		status, _, errs := command(t, c.args...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d, want %d, and %q in: %s", c.args, status, c.status, c.want, errs)
		}
	}
}

// Tables and runs: the files that are named are there.
func TestPlotFiles(t *testing.T) {
	dir := t.TempDir()
	status, out, errs := command(t, "reproduce", "hp-costs", "--plots", dir, "--plot-format", "svg")
	if status != 0 || !strings.Contains(out, filepath.Join(dir, "hp-costs.svg")) {
		t.Fatalf("exit %d: %s%s", status, out, errs)
	}
	read(t, filepath.Join(dir, "hp-costs.svg"))
}
