package report

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
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
	racing.Figures(t)
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
	d, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]*bytes.Buffer{}
	for _, name := range []string{"csv", "json", "xlsx", "text"} {
		forms[name] = new(bytes.Buffer)
		if err := Formats[name](forms[name], d); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := csv.NewReader(forms["csv"]).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(lines); n != 1+len(d.Points)+3 || lines[n-3][0] != "torus(k1=8,k2=4,k3=4)" || !slices.Contains(lines[n-3], "What <runs> today") {
		t.Errorf("%d lines for %d designs and 3 incumbents: %q", n, len(d.Points), lines[n-3])
	}
	var doc struct {
		Incumbents []struct {
			Name, Verdict, Design string
			Metrics               map[string]metric.Figure
			Detail                *jsonDetail
		}
	}
	if err := json.Unmarshal(forms["json"].Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Incumbents) != 3 {
		t.Fatalf("%d incumbents in the JSON form", len(doc.Incumbents))
	}
	for _, x := range doc.Incumbents {
		if x.Design == "" || x.Verdict == "" || x.Metrics["cost"].Value <= 0 || len(x.Detail.BOM) == 0 {
			t.Errorf("incumbent %q, %s: %s, a bill of %d lines", x.Name, x.Design, x.Verdict, len(x.Detail.BOM))
		}
	}
	book, err := excelize.OpenReader(forms["xlsx"])
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows("Bill of materials")
	if err != nil || !slices.ContainsFunc(rows, func(r []string) bool { return r[0] == "torus(k1=8,k2=4,k3=4) (in mind: What <runs> today)" }) {
		t.Errorf("no bill of an incumbent in %d rows: %v", len(rows), err)
	}
	if text := forms["text"].String(); !strings.Contains(text, "What limits and prices are worth") {
		t.Error("the text says nothing of what limits and prices are worth")
	}
	// The torus costs more than three times what the front spans.
	kx, ky := d.scatterKeys()
	if drawn := d.drawn(kx, ky); len(drawn) != 2 || drawn[0].Asked == "torus(k1=8,k2=4,k3=4)" || !strings.HasSuffix(d.besideNote(kx, ky), "front: What <runs> today.") {
		t.Errorf("%d are drawn; %s", len(drawn), d.besideNote(kx, ky))
	}
}
