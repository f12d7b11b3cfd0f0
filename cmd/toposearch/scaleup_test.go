package main

import (
	"os"
	"strings"
	"testing"
	"toposearch/internal/racing"
)

// A design that names its scale-up domain goes the whole way: searched, shown, explained, evaluated, reported with the
// switches and cables that it takes, and verified.
func TestScaleupRun(t *testing.T) {
	racing.Figures(t)
	verify := "finalists = 1\ncycles = 300\nloads = 2"
	if testing.Short() {
		verify = "finalists = 0"
	}
	builtin, err := os.ReadFile("../../catalog/builtin.csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	list := strings.TrimSuffix(string(builtin), "\n") +
		"\nSU-64x200,scaleup_switch,,,,200,,64,,,,,120,3000,USD,20 weeks,2026-01-01,yes,,,\nSU-C2,scaleup_cable,,,,400,,,,2,,,0,30,USD,8 weeks,2026-01-01,yes,,,\n"
	study := "catalog = [\"parts.csv\"]\n" + strings.NewReplacer(`"zcube", `, "", "[space.zcube]\nk = 2\n", "", "min = 60, max = 72", "min = 128, max = 130", "k = [16, 32]", "k = 16", `metric = "latency"`, "metric = \"uniform_throughput\"\nenough = \"none\"", "bandwidth = ",
		"scaleup = [false, { domain = [8, 32], switches = [4, 18] }]\nbandwidth = ", "finalists = 0", verify).Replace(small)
	for name, text := range map[string]string{"study.toml": study, "site.toml": "", "parts.csv": list} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var front struct {
		Complete bool
		Front    []struct {
			Design string
			Params map[string]any
		}
	}
	decode(t, "toposearch.run/1", nil, "run", "study.toml", "--out", "r", "--quiet")
	decode(t, "toposearch.front/1", &front, "show", "r")
	design := ""
	for _, f := range front.Front {
		if f.Params["scaleup"] == "32x18" {
			design = f.Design
		}
	}
	if !front.Complete || design == "" {
		t.Fatalf("front %+v", front)
	}
	var x struct{ Verdict string }
	decode(t, "toposearch.explain/1", &x, "explain", "r", design)
	if x.Verdict != "on the front" {
		t.Errorf("explain %s: %+v", design, x)
	}
	var eval struct{ Designs []evalDesign }
	decode(t, "toposearch.eval/1", &eval, "eval", design, "--study", "study.toml", "--metrics", "cost")
	if got := eval.Designs[0].Metrics["cost"]; eval.Designs[0].Design != design || !strings.Contains(got.Method, "scale-up switches and cables") {
		t.Errorf("eval %s: %+v", design, eval)
	}
	if status, out, errw := command(t, "report", "r", "--format", "text"); status != 0 || !strings.Contains(out, design) {
		t.Errorf("report: %d, %s", status, errw)
	}
	if status, out, errw := command(t, "resume", "r"); status != 0 {
		t.Errorf("resume: %d, %s, %s", status, out, errw)
	}
	found := false
	dirs, _ := os.ReadDir("r/designs")
	for _, d := range dirs {
		bom, _ := os.ReadFile("r/designs/" + d.Name() + "/bom.csv")
		found = found || strings.Contains(string(bom), "SU-64x200") && strings.Contains(string(bom), "SU-C2")
	}
	if !found {
		t.Errorf("no order list has scale-up switches and cables: %v", dirs)
	}
	if status, _, errw := command(t, "simulate", design); status != 2 || !strings.Contains(errw, "knows no scale-up domains") {
		t.Errorf("simulate: %d, %q", status, errw)
	}
}
