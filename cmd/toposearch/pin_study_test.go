package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// studies are the folders of testdata/pin with a study.toml, its files and its goldens, and the exit
// status of its run.
var studies = map[string]int{"quotation": 0, "switches": 0, "models": 0, "cables": 0, "buildings": 0, "servers": 0, "domains": 0,
	"nsga2": 0, "local": 0, "random": 0, "simulated": 0, "infeasible": 3, "families": 0}

// core are the studies that also run under -short and, but for the first, the race detector.
var core = map[string]bool{"quotation": !racing.On, "infeasible": true}

// TestPinStudies: what a study plans, finds and explains: the front, what was rejected by which limit,
// and the verdict on designs of the front, dominated, rejected, outside the space or without a network.
func TestPinStudies(t *testing.T) {
	for name, status := range studies {
		t.Run(name, func(t *testing.T) {
			if !core[name] {
				long(t)
			}
			folder := pinned(t, name)
			into(t, folder)
			var plan, front any
			document(t, 0, &plan, "plan", "study.toml")
			compare(t, filepath.Join(folder, "plan.golden"), planFacts(plan), false)

			document(t, status, new(any), "run", "study.toml", "--out", "r", "--quiet")
			decode(t, read(t, "r/front.json"), &front)
			compare(t, filepath.Join(folder, "front.golden"), frontFacts(front), false)

			var all []fact
			for design := range strings.FieldsSeq(string(read(t, filepath.Join(folder, "explain.txt")))) {
				var doc map[string]any
				document(t, 0, &doc, "explain", "r", design)
				all = append(all, facts(design, doc)...)
			}
			compare(t, filepath.Join(folder, "explain.golden"), all, false)
		})
	}
}

// planFacts are the facts of a plan without what its trial tells, which ends by the clock.
func planFacts(plan any) []fact {
	if r, ok := plan.(map[string]any)["run"].(map[string]any); ok {
		maps.DeleteFunc(r, func(k string, _ any) bool {
			return strings.HasSuffix(k, "_seconds") || k == "dominates" || k == "evaluations" || k == "ends"
		})
	}
	return facts("", plan)
}

// frontFacts are the facts of a front; every fourth design keeps its metrics, which would be most of the
// golden, and all their objectives. The hash of the file is no figure.
func frontFacts(front any) []fact {
	delete(front.(map[string]any), "sha256")
	for i, d := range front.(map[string]any)["front"].([]any) {
		if i%4 != 0 {
			delete(d.(map[string]any), "metrics")
			delete(d.(map[string]any), "absent")
		}
	}
	return facts("", front)
}

// into copies the inputs of a study into a folder of the test and changes into it.
func into(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range files {
		write(t, filepath.Base(f), string(read(t, f)))
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

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
