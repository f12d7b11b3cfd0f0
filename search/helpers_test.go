package search

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
	"toposearch/study"
)

// runIn runs a problem in a directory and gives the bytes of the journal and of front.json.
func runIn(t testing.TB, p *Problem, dir *RunDir, opt Options) (*Outcome, string, string) {
	t.Helper()
	out, err := p.run(context.Background(), dir, opt)
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
