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
	"toposearch/internal/racing"
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
	racing.Figures(t)
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
	racing.Figures(t)
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "run", "study.toml", "--out", "empty", "--quiet"); status != 0 {
		t.Errorf("into an empty folder: exit %d, %s%s", status, out, errw)
	}
	study, err := filepath.Abs("study.toml")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if status, out, errw := command(t, "run", study, "--out", ".", "--quiet"); status != 0 {
		t.Errorf("into the current folder, which is empty: exit %d, %s%s", status, out, errw)
	}
	t.Chdir(dir)
	status, out, _ := command(t, "run", "study.toml", "--out", "site.toml", "--quiet")
	if status != exitUsage || !strings.Contains(out, "as a file") {
		t.Errorf("into a file: exit %d, %q", status, out)
	}
	if text, err := os.ReadFile("site.toml"); err != nil || !strings.Contains(string(text), "ports") {
		t.Errorf("the file is no longer what it was: %q, %v", text, err)
	}
}

// A run whose checkpoint says that it is finished, and whose front or journal is gone or damaged, is not: the front
// is made again from the journal, also from what is left of one, to the same bytes; and damage is named.
func TestResumeOfHarmedRun(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	front, journal := filepath.Join("run", "front.json"), filepath.Join("run", "journal.jsonl")
	want, lines := readFile(t, front), readFile(t, journal)
	each := strings.SplitAfter(lines, "\n")
	for name, c := range map[string]struct{ front, journal, told string }{
		"front gone":           {"", lines, ""},
		"front cut":            {want[:len(want)/2], lines, ""},
		"a digit of the front": {strings.Replace(want, `"value": 1`, `"value": 2`, 1), lines, ""},
		"journal cut, too":     {"", lines[:len(lines)*2/3], ""},
		"journal ends early":   {want, strings.Join(each[:len(each)-2], ""), ""},
		"a digit of a latency": {want, strings.Replace(lines, `"latency":`, `"latency":1`, 1), "run/journal.jsonl is damaged: line 2 (of "},
		"a line missing":       {want, strings.Join(append(each[:1:1], each[2:]...), ""), "line 2 does not follow line 1"},
		"a line doubled":       {"", strings.Join(append(each[:2:2], each[1:]...), ""), "line 3 is line 2 a second time"},
	} {
		if err := errors.Join(os.WriteFile(front, []byte(c.front), 0o644), os.WriteFile(journal, []byte(c.journal), 0o644)); err != nil {
			t.Fatal(err)
		}
		if c.front == want && c.journal == lines {
			t.Fatalf("%s: nothing is harmed", name)
		}
		status, out, errw := command(t, "resume", "run", "--quiet")
		if status != 0 || strings.Contains(out, "nothing to resume") || !strings.Contains(errw, c.told) {
			t.Errorf("%s: exit %d, %s%s", name, status, out, errw)
		}
		if readFile(t, front) != want || readFile(t, journal) != lines {
			t.Errorf("%s: front or journal are not those of the run", name)
		}
	}
	if status, out, errw := command(t, "resume", "run"); status != 0 || !strings.Contains(out, "nothing to resume") || errw != "" {
		t.Errorf("in the end: exit %d, %s%s", status, out, errw)
	}
}

// No command shows figures of a front that is not as it was written: each says what to do.
func TestChangedFront(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	if status, out, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
		t.Fatal(status, out, errw)
	}
	front := filepath.Join("run", "front.json")
	changed := strings.Replace(readFile(t, front), `"value": 1`, `"value": 2`, 1)
	if err := os.WriteFile(front, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"show run", "show run --json", "report run", "report run --format csv", "report run --plots", "explain run fattree(k=16,l=2)"} {
		status, out, errw := command(t, strings.Fields(args)...)
		if status != exitFailed || out != "" || !strings.Contains(errw, "run/front.json is not as it was written") || !strings.Contains(errw, "toposearch resume run") {
			t.Errorf("%s: exit %d, %q, %q", args, status, out, errw)
		}
	}
}

// A run that was begun with a seed of its own is resumed with that, to the same bytes; another is refused.
func TestResumeKeepsTheSeed(t *testing.T) {
	racing.Figures(t)
	hopeless(t, "60")
	if status, out, errw := command(t, "run", "study.toml", "--out", "run", "--quiet", "--seed", "77"); status != exitBudget {
		t.Fatal(status, out, errw)
	}
	front, journal := filepath.Join("run", "front.json"), filepath.Join("run", "journal.jsonl")
	want, lines := readFile(t, front), readFile(t, journal)
	if err := errors.Join(os.Remove(front), os.WriteFile(journal, []byte(lines[:len(lines)/2]), 0o644)); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := command(t, "resume", "run", "--quiet", "--seed", "5"); status != exitUsage {
		t.Errorf("with another seed: exit %d, %s", status, out)
	}
	if status, out, errw := command(t, "resume", "run", "--quiet"); status != exitBudget || readFile(t, front) != want || readFile(t, journal) != lines {
		t.Errorf("exit %d, %s%s, or not the bytes of the run", status, out, errw)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
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
	racing.Figures(t)
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
