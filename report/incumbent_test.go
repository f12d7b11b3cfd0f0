package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// besideFront searches a small study with three incumbents: one off the front, one of a family that is not searched, one that there is not.
func besideFront(t *testing.T) string {
	t.Helper()
	text := "name = \"beside\"\n[endpoints]\ncount = { min = 128, max = 160 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"dragonfly\", \"fattree\", \"torus\"]\n[space.fattree]\nk = 32\n[verify]\nfinalists = 0\n" +
		"[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"latency\"\n[[incumbent]]\nname = \"What <runs> today\"\ndesign = \"torus(k1=8,k2=4,k3=4)\"\n[[incumbent]]\ndesign = \"zcube(n=12,k=2)\"\n[[incumbent]]\nname = \"none\"\ndesign = \"slimfly\"\n"
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	dir, err := run.Create(st, "", filepath.Join(t.TempDir(), "run"), run.Origin{Program: "test", Started: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if _, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return dir.Path
}

// TestIncumbentsEverywhere: a report is written also where an incumbent is of a family that is not searched.
func TestIncumbentsEverywhere(t *testing.T) {
	dir := besideFront(t)
	if err := WriteRun(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What &lt;runs&gt; today", "zcube(n=12", "Cables in their trays", "Load of the links", "All switches and links"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), "there is no picture") {
		t.Error("a picture is missing")
	}
}
