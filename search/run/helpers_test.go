package run

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/study"
)

// enumerated finds the front of a problem by enumeration alone, and gives the names of its designs.
func enumerated(t testing.TB, p *search.Problem) ([]string, *search.Driver) {
	t.Helper()
	d := search.NewDriver(p, nil, search.Options{})
	if stop, err := d.Search(context.Background(), branch.NewEnumeration(p, 2, nil), false); stop != "" || err != nil {
		t.Fatal(stop, err)
	}
	var names []string
	for _, m := range d.Front.Ordered() {
		names = append(names, m.Name)
	}
	return names, d
}

// runIn runs a problem in a directory and gives the bytes of the journal and of front.json.
func runIn(t testing.TB, p *search.Problem, dir *RunDir, opt search.Options) (*search.Outcome, string, string) {
	t.Helper()
	out, err := run(context.Background(), p, dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out, read(t, filepath.Join(dir.Path, "journal.jsonl")), read(t, filepath.Join(dir.Path, "front.json"))
}

func create(t testing.TB, st *study.Study) *RunDir {
	t.Helper()
	d, err := Create(st, t.TempDir(), "", Origin{Program: "test", Started: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// noLock is a run directory but for its lock, and for its front and checkpoint unless it is to be a finished one.
func noLock(dir fs.FS, finished bool) fs.FS {
	out := fstest.MapFS{}
	err := fs.WalkDir(dir, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path == lockName || path == journalName || path == manifestName || strings.HasPrefix(path, inputsName) ||
			!finished && (path == frontName || path == checkpointName) {
			return err
		}
		b, err := fs.ReadFile(dir, path)
		out[path] = &fstest.MapFile{Data: b, Mode: 0o644}
		return err
	})
	if err != nil {
		panic(err)
	}
	return out
}
