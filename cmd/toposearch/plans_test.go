package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// plans has TestPlans compare plans with runs: go test ./cmd/toposearch -run TestPlans -plans -v -timeout 1h, some ten minutes of a quiet machine.
var plans = flag.Bool("plans", false, "compare what plan says with what run takes, for the studies of testdata/plans")

// TestPlans prints by how much plans are off: time of the processor that runs took over what plan said, and evaluations likewise. It is a measurement: what
// is tested is that all studies run.
func TestPlans(t *testing.T) {
	asProgram(t)
	if !*plans {
		t.Skip("measures: -plans")
	}
	child := func(args ...string) (out []byte, seconds float64) {
		p := childOf(t, args)
		out, err := p.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		return out, (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds()
	}
	studies, err := filepath.Glob("testdata/plans/*.toml")
	if err != nil || len(studies) == 0 {
		t.Fatal(studies, err)
	}
	twice := 0
	for _, study := range studies {
		var plan struct {
			Run struct {
				Seconds     float64
				Low         float64 `json:"low_seconds"`
				High        float64 `json:"high_seconds"`
				Evaluations int64
			}
		}
		text, _ := child("plan", "--json", "--quiet", study)
		if err := json.Unmarshal(text, &plan); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		_, took := child("run", "--quiet", "--out", dir, study)
		var done struct {
			Progress struct{ Evaluated int64 }
		}
		text, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
		if err == nil {
			err = json.Unmarshal(text, &done)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := &plan.Run
		if took <= 2*r.Seconds && r.Seconds <= 2*took {
			twice++
		}
		t.Logf("%-24s plan %6.1f s (%.1f to %.1f), run %6.1f s: %.2f; evaluations %d, %d", filepath.Base(study), r.Seconds, r.Low, r.High, took, took/r.Seconds, r.Evaluations, done.Progress.Evaluated)
	}
	t.Logf("%d of %d within a factor of two", twice, len(studies))
}
