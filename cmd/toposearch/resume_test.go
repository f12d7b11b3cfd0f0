package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/search/run"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// begin makes a run directory as a run does that is killed before its first batch.
func begin(t *testing.T, out string) {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	st, faults := study.Load("study.toml")
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	dir, err := run.Create(st, "runs", out, run.Origin{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	dir.Close()
}

// Input files that were edited since a run began are not passed over in silence: exit 7 and their
// names. --as-begun goes on without the change, to the front of an uninterrupted run; so does a
// resume where the files are gone.
func TestResumeOfChangedInputs(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "whole", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	begin(t, "edited")
	begin(t, "gone")
	begin(t, "same")
	if status, out, errw := command(t, "resume", "same", "--quiet"); status != 0 {
		t.Errorf("nothing changed: exit %d, %s%s", status, out, errw)
	}
	text, err := os.ReadFile("site.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("site.toml", append(text, "# more\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, _ := command(t, "resume", "edited", "--quiet")
	if status != exitInUse || !strings.Contains(out, "site.toml") || strings.Contains(out, "study.toml,") || !strings.Contains(out, "--as-begun") {
		t.Errorf("site.toml changed: exit %d, %q", status, out)
	}
	if status, out, errw := command(t, "resume", "edited", "--as-begun", "--quiet"); status != 0 {
		t.Errorf("--as-begun: exit %d, %s%s", status, out, errw)
	}
	if err := os.Remove("site.toml"); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "resume", "gone", "--quiet"); status != 0 {
		t.Errorf("site.toml is gone: exit %d, %s%s", status, out, errw)
	}
	want, err := os.ReadFile(filepath.Join("whole", "front.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"edited", "gone", "same"} {
		if got, err := os.ReadFile(filepath.Join(run, "front.json")); err != nil || string(got) != string(want) {
			t.Errorf("%s: its front is not that of a run in one go (%v)", run, err)
		}
	}
}

// A run may be put into an empty folder that is there, and into nothing else.
func TestRunIntoAnEmptyFolder(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "run", "study.toml", "--out", "empty", "--quiet"); status != 0 {
		t.Errorf("into an empty folder: exit %d, %s%s", status, out, errw)
	}
	status, out, _ := command(t, "run", "study.toml", "--out", "site.toml", "--quiet")
	if status != exitUsage || !strings.Contains(out, "as a file") {
		t.Errorf("into a file: exit %d, %q", status, out)
	}
	if text, err := os.ReadFile("site.toml"); err != nil || !strings.Contains(string(text), "ports") {
		t.Errorf("the file is no longer what it was: %q, %v", text, err)
	}
}

// A run whose checkpoint says that it is finished, and whose front is gone or damaged, is not: the front
// is made again from the journal, also from what is left of one.
func TestResumeWithoutFront(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	front, journal := filepath.Join("run", "front.json"), filepath.Join("run", "journal.jsonl")
	want, err := os.ReadFile(front)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() error{
		"gone": func() error { return os.Remove(front) },
		"cut":  func() error { return os.WriteFile(front, want[:len(want)/2], 0o644) },
		"journal, too": func() error {
			return errors.Join(os.Remove(front), os.WriteFile(journal, lines[:len(lines)*2/3], 0o644))
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if status, out, errw := command(t, "resume", "run", "--quiet"); status != 0 || strings.Contains(out, "nothing to resume") {
			t.Errorf("%s: exit %d, %s%s", name, status, out, errw)
		}
		got, err := os.ReadFile(front)
		again, err2 := os.ReadFile(journal)
		if err != nil || err2 != nil || string(got) != string(want) || string(again) != string(lines) {
			t.Errorf("%s: front or journal are not those of the run (%v, %v)", name, err, err2)
		}
	}
}

// What is computed now does not belong to figures of another model: report and explain refuse, show does not.
func TestReportOfAnotherVersion(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	manifest := filepath.Join("run", "manifest.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(text), `"evaluator": "`+evaluator.Version+`"`, `"evaluator": "0"`, 1)
	if old == string(text) {
		t.Fatalf("the manifest names no evaluator: %s", text)
	}
	if err := os.WriteFile(manifest, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", "run"}, {"report", "run", "--format", "csv"}, {"explain", "run", "fattree(k=16,l=2)"}} {
		if status, out, errw := command(t, args...); status != exitInUse || !strings.Contains(out+errw, "evaluator 0, ours is") {
			t.Errorf("%v: exit %d, %s%s", args, status, out, errw)
		}
	}
	if status, out, errw := command(t, "show", "run"); status != 0 {
		t.Errorf("show: exit %d, %s%s", status, out, errw)
	}
}

// An interruption is one wherever in a command it comes out, also as a fault of what was asked.
func TestStatusOfAnInterruption(t *testing.T) {
	var errw strings.Builder
	a := &app{err: &errw}
	wrapped := usage(fmt.Errorf("loads: %w", context.Canceled))
	if got := a.status(wrapped); got != exitUsage {
		t.Errorf("cancelled without a signal: exit %d, want %d", got, exitUsage)
	}
	for _, want := range []int{exitInterrupted, exitTerminated} {
		a.signal.Store(int32(want))
		for _, err := range []error{wrapped, flagNames(fmt.Errorf("routing: %w", context.Canceled)), joinUsage(errors.New("--load: x"), context.Canceled)} {
			if got := a.status(err); got != want {
				t.Errorf("cancelled by a signal, %v: exit %d, want %d", err, got, want)
			}
		}
		if got := a.status(usagef("--load 2: too much")); got != exitUsage {
			t.Errorf("a fault found before the signal: exit %d, want %d", got, exitUsage)
		}
	}
}

// A run that cannot be read does not hide the others, nor is a folder shown that no run was made of.
func TestStatusBesideADamagedRun(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	for _, name := range []string{"good-001", "new", "bad-001"} {
		begin(t, filepath.Join("runs", name))
	}
	if err := os.Rename(filepath.Join("runs", "new"), filepath.Join("runs", ".new-run-1")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("runs", "bad-001", "manifest.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"status", "--json"}} {
		status, out, errw := command(t, args...)
		if status != exitFailed || !strings.Contains(out, "good-001") || strings.Contains(out, ".new-run") || !strings.Contains(errw, "bad-001") {
			t.Errorf("%v: exit %d, %s%s", args, status, out, errw)
		}
	}
	if status, out, errw := command(t, "status", filepath.Join("runs", "good-001"), "gone"); status != exitUsage || !strings.Contains(out, "good-001") || !strings.Contains(errw, "gone is not a run directory") {
		t.Errorf("exit %d, %s%s", status, out, errw)
	}
}

// A run that cannot answer for another is named with the reason; what is no run is wrong usage.
func TestReuseThatAnswersNothing(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "first", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	if _, _, errw := command(t, "run", "study.toml", "--out", "same", "--reuse", "first"); strings.Contains(errw, "answers nothing") {
		t.Errorf("the same study: %s", errw)
	}
	journal := filepath.Join("first", "journal.jsonl")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n")
	for k, c := range []struct{ change, want string }{
		{strings.Replace(head, `"evaluator":"`+evaluator.Version, `"evaluator":"0`, 1), "first answers nothing: its figures are of evaluator 0, ours is " + evaluator.Version},
		{strings.Replace(head, `"catalogue":"`, `"catalogue":"0`, 1), "it has another price list"},
		{strings.Replace(head, `"options":"`, `"options":"0`, 1), "other options of the evaluation"},
		{strings.Replace(searchtest.Bare(head), "journal/2", "journal/1", 1), "is of the form toposearch.journal/1"},
		{"", "its journal is empty"},
	} {
		if c.change == head {
			t.Fatalf("case %d changes nothing in %s", k, head)
		}
		text := c.change + "\n"
		if strings.Contains(text, "journal/2") {
			text = searchtest.Resealed(text)
		}
		if err := os.WriteFile(journal, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, errw := command(t, "run", "study.toml", "--out", fmt.Sprint("again", k), "--reuse", "first"); status != 0 || !strings.Contains(errw, c.want) {
			t.Errorf("case %d: exit %d, %s, want %s", k, status, errw, c.want)
		}
	}
	if status, out, _ := command(t, "run", "study.toml", "--out", "never", "--reuse", "gone"); status != exitUsage || !strings.Contains(out, "gone is not a run directory") {
		t.Errorf("a folder that is not there: exit %d, %s", status, out)
	}
}
