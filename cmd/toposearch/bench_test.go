package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search/bench"
)

// bench measures a space in one command, as JSON with figures, and says which spaces there are.
func TestBench(t *testing.T) {
	racing.Figures(t)
	var r bench.Result
	dir := t.TempDir()
	decode(t, bench.Schema, &r, "bench", "four", "--seeds", "1", "--evaluations", "20", "--plots", dir, "--plot-format", "svg", "--quiet")
	if r.Space != "four" || len(r.Objectives) != 4 || len(r.Strategies) != len(bench.Strategies) || r.Strategies[0].Hypervolume.Median < 1-1e-9 {
		t.Errorf("%+v", r)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "bench-four.svg")); err != nil || !strings.Contains(string(b), "<svg") {
		t.Error("no figure", err)
	}
	for args, want := range map[string]string{"bench grid": `did you mean "grids"?`, "bench --seeds 0": "give 1 to", "bench --evaluations 0": "give 1 to"} {
		if status, _, errw := command(t, strings.Fields(args)...); status != 2 || !strings.Contains(errw, want) {
			t.Errorf("%s: status %d, %s", args, status, errw)
		}
	}
}
