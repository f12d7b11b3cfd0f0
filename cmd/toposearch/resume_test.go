package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/search"
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
	dir, err := search.Create(st, "runs", out, search.Origin{Folder: folder})
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
