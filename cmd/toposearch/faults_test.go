package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/disk"
	"toposearch/internal/disk/disktest"
	"toposearch/internal/racing"
)

var everyFault = flag.Bool("every-fault", false, "TestFaults visits every call, not a sample")

// contents are the files of a run that must not depend on when and how often it was begun.
func contents(t *testing.T, run string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(run, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(run, path)
		b, err := os.ReadFile(path)
		switch name {
		case "manifest.json", "checkpoint.json", "report.html", "lock": // times
			b = nil
		}
		out[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// differ names a file that two runs do not share, or that is not the same in both.
func differ(a, b map[string]string) string {
	for name, text := range a {
		if other, ok := b[name]; !ok {
			return name + " is missing"
		} else if other != text {
			return name + " differs"
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			return name + " is left"
		}
	}
	return ""
}

// A file system that fails at any call of a run, in five ways: the run says so, naming what failed, or is as if nothing had been;
// resume, or a new run where there is none yet, ends with the same bytes as one that nothing disturbed.
func TestFaults(t *testing.T) {
	racing.Figures(t)
	dir := writeStudy(t, "[switch]\nports = { max = 32 }\n")
	root := filepath.Join(dir, "runs")
	out := filepath.Join(root, "r")
	begin := func(kind disktest.Kind, at int) (*disktest.Faulty, int, string) {
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := disktest.New(root, kind, at)
		if err != nil {
			t.Fatal(err)
		}
		restore := disk.Replace(f)
		defer restore()
		status, said, errw := command(t, "run", "study.toml", "--out", out, "--quiet")
		return f, status, said + errw
	}
	f, status, errw := begin(disktest.Error, 0)
	want := contents(t, out)
	if status != 0 || f.Calls() < 50 {
		t.Fatal(status, f.Calls(), errw)
	}
	step := 23 // prime to what repeats
	if *everyFault {
		step = 1
	}
	for k, kind := range disktest.Kinds {
		visited, resumed := 0, 0
		for at := 1 + k; at <= f.Calls(); at += step {
			g, status, errw := begin(kind, at)
			where := fmt.Sprintf("%s at call %d (%s)", kind, at, g.Failed())
			visited++
			if strings.Contains(errw, "panic") || status != 0 && errw == "" {
				t.Errorf("%s: exit %d: %s", where, status, errw)
			}
			if status == 0 && kind != disktest.Power {
				if d := differ(want, contents(t, out)); d != "" {
					t.Errorf("%s: it ends well, but %s", where, d)
				}
			}
			if kind == disktest.Power {
				if err := g.Recover(uint64(at)); err != nil {
					t.Fatal(err)
				}
			}
			again := []string{"resume", out, "--quiet"}
			if _, err := os.Stat(filepath.Join(out, "manifest.json")); err != nil {
				again = []string{"run", "study.toml", "--out", out, "--quiet"}
			} else {
				resumed++
			}
			if status, said, errw := command(t, again...); status != 0 {
				t.Errorf("%s: then %s: exit %d: %s%s", where, again[0], status, said, errw)
			} else if d := differ(want, contents(t, out)); d != "" {
				t.Errorf("%s: after %s %s", where, again[0], d)
			}
		}
		t.Logf("%s: %d calls visited of %d, %d runs resumed", kind, visited, f.Calls(), resumed)
	}
}
