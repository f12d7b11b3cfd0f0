package run

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toposearch/search/searchtest"
	"toposearch/study"
)

// unfinished are the run directories in a folder that were not finished.
func unfinished(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, stageHead+"*"))
	searchtest.Must(t, err)
	return left
}

// A run may be put into a folder that is there and empty: the current one, and one that a link leads to, which stays a
// link. Nothing that is there is removed or replaced.
func TestCreateIn(t *testing.T) {
	st := studyOf(t, study.Random)
	root := t.TempDir()
	t.Chdir(root)
	searchtest.Must(t, errors.Join(os.Mkdir("empty", 0o750), os.Mkdir("target", 0o755), os.Symlink("target", "link"), os.Symlink("nowhere", "lost"),
		os.Mkdir("full", 0o755), os.WriteFile("full/mine", []byte("mine"), 0o644), os.Symlink("full", "tofull"), os.Symlink("full/mine", "tofile")))
	for _, out := range []string{"empty", "link", "fresh/in/here"} {
		d, err := Create(st, root, out, Origin{})
		searchtest.Must(t, err)
		if _, err := Create(st, root, out, Origin{}); !errors.Is(err, ErrExists) {
			t.Errorf("%s: a second run: %v", out, err)
		}
		if _, err := Open(out); !errors.Is(err, ErrInUse) {
			t.Errorf("%s: opened while in use: %v", out, err)
		}
		searchtest.Must(t, d.Close())
		d, err = Open(out)
		searchtest.Must(t, err)
		if b := read(t, filepath.Join(out, inputsName, "study.toml")); b != string(st.Inputs[0].Bytes) || len(unfinished(t, out)) > 0 {
			t.Errorf("%s holds %q and %v", out, b, unfinished(t, out))
		}
		searchtest.Must(t, d.Close())
	}
	if to, err := os.Readlink("link"); err != nil || to != "target" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	if info, err := os.Stat("empty"); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the folder has mode %v (%v)", info.Mode(), err)
	}
	for out, want := range map[string]string{"full": "not empty (it holds mine)", "tofull": "not empty", "full/mine": "as a file", "tofile": "as a file", "lost": "leads nowhere"} {
		if _, err := Create(st, root, out, Origin{}); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", out, err, want)
		}
	}
	if read(t, "full/mine") != "mine" || len(unfinished(t, ".")) > 0 {
		t.Errorf("a file of someone else holds %q; left %v", read(t, "full/mine"), unfinished(t, "."))
	}
	searchtest.Must(t, os.Mkdir("here", 0o755))
	t.Chdir("here")
	d, err := Create(st, "runs", ".", Origin{})
	searchtest.Must(t, err)
	defer d.Close()
	if _, err := os.Stat(manifestName); err != nil {
		t.Error(err)
	}
}

// Of many who make a run in one place at once, one does, and the others are told.
func TestCreateAtOnce(t *testing.T) {
	st := studyOf(t, study.Random)
	for _, there := range []bool{true, false} {
		out := filepath.Join(t.TempDir(), "out")
		if there {
			searchtest.Must(t, os.Mkdir(out, 0o755))
		}
		var all sync.WaitGroup
		made := make(chan *RunDir, 8)
		for range cap(made) {
			all.Go(func() {
				d, err := Create(st, "", out, Origin{})
				if err == nil {
					made <- d
				} else if !errors.Is(err, ErrExists) && !errors.Is(err, ErrInUse) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(made); n != 1 {
			t.Errorf("out is there %v: %d runs were made", there, n)
		}
		if err := (<-made).Close(); err != nil || len(unfinished(t, filepath.Dir(out)))+len(unfinished(t, out)) > 0 {
			t.Errorf("%v, or something was left", err)
		}
	}
}

const createEnv = "TOPOSEARCH_TEST_CREATE"

// TestChildCreate makes a run directory of very many inputs.
func TestChildCreate(t *testing.T) {
	out := os.Getenv(createEnv)
	if out == "" {
		t.Skip("only as a child of TestCreateKilled")
	}
	st := studyOf(t, study.Random)
	for range 20_000 {
		st.Inputs = append(st.Inputs, st.Inputs[0])
	}
	_, err := Create(st, "", out, Origin{})
	searchtest.Must(t, err)
}

// What a process leaves that is killed while it makes a run directory is removed by the next that makes one in this
// place; not what one that lives is making, a run of that name, or a link.
func TestCreateKilled(t *testing.T) {
	st := studyOf(t, study.Random)
	root := t.TempDir()
	empty := filepath.Join(root, "empty")
	searchtest.Must(t, os.Mkdir(empty, 0o755))
	for _, out := range []string{empty, filepath.Join(root, "new")} {
		place := filepath.Dir(out)
		if out == empty {
			place = empty
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestChildCreate$")
		cmd.Env = append(os.Environ(), createEnv+"="+out)
		searchtest.Must(t, cmd.Start())
		for wait := 0; len(unfinished(t, place)) == 0 || len(inputsOf(unfinished(t, place)[0])) == 0; wait++ {
			if wait > 30_000 {
				t.Fatal("the child makes nothing")
			}
			time.Sleep(time.Millisecond)
		}
		sweepRuns(place, time.Now().Add(24*time.Hour))
		if len(unfinished(t, place)) != 1 {
			t.Errorf("what a living process makes in %s was removed", place)
		}
		searchtest.Must(t, cmd.Process.Kill())
		_ = cmd.Wait()
		if len(unfinished(t, place)) != 1 {
			t.Fatalf("the killed process left nothing in %s, which tests nothing", place)
		}
		d, err := Create(st, "", out, Origin{})
		searchtest.Must(t, err)
		if left := unfinished(t, place); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		searchtest.Must(t, d.Close())
	}
}

func inputsOf(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, inputsName, "*"))
	return found
}

// A directory without a lock is removed when it is old; a run that was named so and a link never.
func TestSweepRuns(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, stageHead+name) }
	searchtest.Must(t, errors.Join(os.MkdirAll(filepath.Join(at("old"), inputsName), 0o755), os.Mkdir(at("run"), 0o755), os.WriteFile(filepath.Join(at("run"), journalName), nil, 0o644),
		os.Mkdir(filepath.Join(root, "target"), 0o755), os.Symlink("target", at("link")), os.WriteFile(at("file"), nil, 0o644)))
	sweepRuns(root, time.Now())
	if left := unfinished(t, root); len(left) != 4 {
		t.Errorf("a directory that may be being made was removed: %v", left)
	}
	sweepRuns(root, time.Now().Add(2*unlockedAge))
	if left := unfinished(t, root); len(left) != 3 {
		t.Errorf("left in the end: %v", left)
	}
}

// A run is resumed with the seed that it was begun with, also where that is not the study's.
func TestSeedOfARun(t *testing.T) {
	st, faults := study.LoadExample()
	searchtest.Must(t, faults.Err())
	st.Seed = 77
	d, err := Create(st, t.TempDir(), "", Origin{})
	searchtest.Must(t, err)
	defer d.Close()
	if got, err := LoadStudy(d.Path); err != nil || got.Seed != 77 {
		t.Errorf("seed %d (%v), want 77", got.Seed, err)
	}
	if _, err := Create(st, t.TempDir(), filepath.Join(t.TempDir(), stageHead+"1"), Origin{}); err == nil {
		t.Error("a run was given a name that is for those being made")
	}
}
