package main

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// A sweep agrees with eval of the same design under a study that buys the same switches, in JSON and in CSV.
func TestEconomicsIsEval(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"study.toml": strings.Replace(small, "400 Gb/s", "100 Gb/s", 1), "site.toml": "[switch]\nmodels = [\"SW-32x100\", \"SW-16x200\"]\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"families", "economics", "fattree", "--chip", "3.2T", "--endpoints", "128", "--bandwidth", "200 Gb/s"}
	var doc struct {
		Models []string `json:"switch_models"`
		Rows   []economicsRow
	}
	decode(t, "toposearch.economics/1", &doc, args...)
	if len(doc.Rows) != 4 || doc.Rows[0].Design == "" || doc.Rows[0].Planes != 2 || doc.Rows[2].Why == "" || strings.Join(doc.Models, " ") != "SW-32x100 SW-16x200" {
		t.Fatalf("%+v", doc)
	}
	row := doc.Rows[0] // two planes of 100 Gb/s
	var eval struct{ Designs []evalDesign }
	decode(t, "toposearch.eval/1", &eval, "eval", row.Design, "--study", "study.toml")
	for name, times := range map[string]float64{"cost": 2, "switches": 2, "latency": 1, "uniform_throughput": 1, "max_hops": 1} {
		got, want := row.Metrics[name], eval.Designs[0].Metrics[name]
		if got.Value != times*want.Value || got.Lo != times*want.Lo || got.Hi != times*want.Hi || want.Value == 0 {
			t.Errorf("%s of %s: %+v, eval says %+v of each of two planes", name, row.Design, got, want)
		}
	}
	status, out, _ := command(t, append(args, "--csv")...)
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if status != 0 || err != nil || len(lines) != 5 || lines[1][4] != row.Design || lines[0][6] != metric.Keys[metric.Endpoints].Name || lines[1][6] != "128" {
		t.Errorf("csv: %d, %v, %q", status, err, out)
	}
	if status, out, _ := command(t, args...); status != 0 || !strings.Contains(out, "32x100 (2 planes) "+row.Design) {
		t.Errorf("text: %d, %s", status, out)
	}
}

func TestEconomicsRefuses(t *testing.T) {
	racing.Figures(t)
	for want, args := range map[string]string{
		"--chip is missing":                         "",
		"it has 1.6 Tb/s, 3.2 Tb/s":                 "--chip 7T",
		"--chip \"fast\"":                           "--chip fast",
		"--serdes \"0G\"":                           "--chip 3.2T --serdes 0G",
		"no whole number of ports":                  "--chip 3.2T --serdes 113G",
		"--endpoints 1: from 2":                     "--chip 3.2T --endpoints 1",
		"--uniform -1: a share":                     "--chip 3.2T --uniform -1",
		"there is no family \"fatree\"":             "fatree --chip 3.2T",
		"choose one":                                "--chip 3.2T --csv --json",
		"--bandwidth \"0Gb/s\": it must be above 0": "--chip 3.2T --bandwidth 0Gb/s",
	} {
		if status, _, errw := command(t, append([]string{"families", "economics"}, strings.Fields(args)...)...); status != 2 || !strings.Contains(errw, want) {
			t.Errorf("%s: exit %d, %q, want 2, %q", args, status, errw, want)
		}
	}
}
