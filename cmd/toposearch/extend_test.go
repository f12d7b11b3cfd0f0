package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search/run"
)

// hopeless is a study of which only an evaluation tells that no design meets its limit, with a budget.
func hopeless(t *testing.T, evaluations string) {
	t.Helper()
	writeStudy(t, "[limits]\nshortest_paths = { min = 1000000 }\n")
	setBudget(t, evaluations)
}

func setBudget(t *testing.T, evaluations string) {
	t.Helper()
	text := small + "[search]\nstrategy = \"local\"\nbudget = { evaluations = " + evaluations + " }\n"
	text = strings.Replace(text, "k = [16, 32]", "k = { min = 8, max = 64 }", 1)
	if err := os.WriteFile("study.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A run whose budget ended without a design is resumed with twice the budget, or with that which is given, and
// ends as a run begun with it, front and journal, without evaluating anything twice.
func TestResumeWithMoreBudget(t *testing.T) {
	racing.Figures(t)
	hopeless(t, "12")
	want := func(step string, wanted int, text string, args ...string) {
		t.Helper()
		status, out, errw := command(t, args...)
		if words := strings.Join(strings.Fields(out+errw), " "); status != wanted || !strings.Contains(words, text) {
			t.Errorf("%s: exit %d, want %d and %q in %q", step, status, wanted, text, words)
		}
	}
	want("run", exitBudget, "toposearch resume r", "run", "study.toml", "--out", "r", "--quiet")
	first := lines(t, "r")
	want("less", exitUsage, "12 evaluations are used; 5 are not more", "resume", "r", "--evaluations", "5")
	want("negative", exitUsage, "above 0", "resume", "r", "--evaluations", "-5")
	want("twice", exitBudget, "a budget of 24 evaluations (before: 12 evaluations)", "resume", "r")
	if err := os.Remove("r/front.json"); err != nil { // as if killed: the larger budget stays
		t.Fatal(err)
	}
	want("without its front", exitBudget, "before a feasible design", "resume", "r", "--quiet")
	want("given", exitBudget, "a budget of 30 evaluations (before: 24 evaluations)", "resume", "r", "--evaluations", "30")
	status := readStatus(t, "r")
	if status.Progress.Evaluated != 30 || status.Progress.Reused < int64(len(first)) {
		t.Errorf("%d evaluations, of which %d were known; %d were made at first", status.Progress.Evaluated, status.Progress.Reused, len(first))
	}
	setBudget(t, "30")
	want("in one go", exitBudget, "", "run", "study.toml", "--out", "whole", "--quiet")
	for _, name := range []string{"front.json", "journal.jsonl"} {
		a, err := os.ReadFile(filepath.Join("r", name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join("whole", name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not that of a run begun with the budget (%v)", name, err)
		}
	}
}

// What was searched completely has nothing to resume, whatever the budget.
func TestResumeOfCompleteRun(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	for _, args := range [][]string{{"resume", "r"}, {"resume", "r", "--budget", "8h"}, {"resume", "r", "--evaluations", "1000000"}} {
		if status, out, _ := command(t, args...); status != 0 || !strings.Contains(out, "nothing to resume") {
			t.Errorf("%v: exit %d, %q", args, status, out)
		}
	}
	if found, _ := filepath.Glob("r/journal-*"); len(found) > 0 {
		t.Errorf("its journal was set aside: %v", found)
	}
}

func readStatus(t *testing.T, dir string) *run.RunStatus {
	t.Helper()
	s, err := run.ReadStatus(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lines are the designs in the journal of a run.
func lines(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
}
