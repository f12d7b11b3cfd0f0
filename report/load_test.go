package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// finished searches the study of testdata/pod once for all tests of a run directory.
func finished(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("searches and simulates a small study")
	}
	st, faults := study.Load("testdata/pod/study.toml")
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

// TestRun follows a run from its study to the report: what front.json, study and constraint file
// say stands on the page, and every folder is written.
func TestRun(t *testing.T) {
	dir := finished(t)
	f, err := run.ReadFront(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	compareFront(t, d, f)
	if len(d.Inputs) != 2 || d.Wanted != "120 to 144 endpoints at 400 Gb/s" || len(d.Objectives) != 3 || !d.Complete {
		t.Errorf("inputs %v, wanted %q, %d objectives, complete %v", d.Inputs, d.Wanted, len(d.Objectives), d.Complete)
	}
	for _, l := range d.Limits {
		if l.Name == "building.power" && (l.Origin != "site.toml:8:17" || l.Bound != 250_000 || !l.Max) {
			t.Errorf("limit on power = %+v", l)
		}
	}
	if n := len(d.Warnings); n != 1 || !strings.Contains(d.Warnings[0], "derived prices") {
		t.Errorf("warnings %q, want that of derived prices", d.Warnings)
	}
	if err := WriteRun(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := WriteHTML(&again, d); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, again.Bytes()) {
		t.Error("report.html differs from the page of the loaded data")
	}
	for _, det := range d.Details {
		for _, name := range []string{"bom.csv", "cables.csv", "floor.svg", "network.json"} {
			if s, err := os.Stat(filepath.Join(dir, det.Dir, name)); err != nil || s.Size() == 0 {
				t.Errorf("%s/%s: %v", det.Dir, name, err)
			}
		}
	}
}

func compareFront(t *testing.T, d *Data, f *search.Front) {
	t.Helper()
	if len(d.Points) != len(f.Front) || len(f.Front) < 5 {
		t.Fatalf("%d points, the front has %d", len(d.Points), len(f.Front))
	}
	finalists := 0
	for i := range f.Front {
		p, r := &d.Points[i], &f.Front[i]
		if p.Name != r.Design || p.Value(metric.Cost) != r.Metrics["cost"].Value {
			t.Errorf("point %d = %s of %v, want %s of %v", i, p.Name, p.Value(metric.Cost), r.Design, r.Metrics["cost"].Value)
		}
		if len(p.Params) == 0 || p.Params[0].Doc == "" {
			t.Errorf("%s: parameters %v", p.Name, p.Params)
		}
		if r.Finalist {
			finalists++
		}
		if r.Verified != nil && (p.Sim == nil || p.Sim.Traffic[0].Name != "uniform" || p.Sim.Traffic[0].Saturation != r.Verified.Saturation["uniform"]) {
			t.Errorf("%s: simulation %+v", p.Name, p.Sim)
		}
	}
	if finalists != 3 {
		t.Errorf("%d finalists, want 3", finalists)
	}
	sum := new(big.Int)
	for _, r := range d.Reject {
		sum.Add(sum, r.Count)
	}
	for _, n := range f.Counts.Rejected {
		sum.Sub(sum, n)
	}
	if sum.Sign() != 0 {
		t.Errorf("the rejections differ by %v from those of the front", sum)
	}
	for _, det := range d.Details {
		p := &d.Points[det.Point]
		total := 0.0
		for i := range det.Plan.BOM {
			total += float64(det.Plan.BOM[i].Total) / math.Pow10(number.MinorDigits(det.Plan.BOM[i].Currency))
		}
		if cost := p.Value(metric.Cost); math.Abs(total-cost) > 0.005 {
			t.Errorf("%s: the plan costs %.2f, front.json says %.2f", p.Name, total, cost)
		}
	}
}

// What is no run directory is named; a run without a front says what to do.
func TestLoadMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error = %v", err)
	}
	manifest := fmt.Sprintf(`{"schema": %q}`, run.ManifestSchema)
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "toposearch resume") {
		t.Errorf("without a front: %v", err)
	}
}

// The table of a result names each metric, its bounds and method, and what is missing and why.
func TestMetricsTable(t *testing.T) {
	d := familytest.Parse(t, "zcube(n=16,k=2)")
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ev.Evaluate(t.Context(), d, evaluator.Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := MetricsTable(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for k := range metric.Count {
		if _, absent := r.Absent[k]; (r.Have[k] || absent) && !strings.Contains(text, metric.Keys[k].Name) {
			t.Errorf("the table lacks %s", metric.Keys[k].Name)
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if len([]rune(l)) > 80 {
			t.Errorf("more than 80 columns: %s", l)
		}
	}
	if !strings.Contains(text, "absent: ") || !strings.HasPrefix(text, "zcube(n=16,k=2)\n") {
		t.Errorf("table:\n%s", text)
	}
}

// TestBought: parts that no design buys are named, if they have a price and others of their kind are bought.
func TestBought(t *testing.T) {
	c := &catalog.Catalogue{Parts: []catalog.Part{{PartNo: "A", Kind: "switch", Priced: true}, {PartNo: "B", Kind: "switch", Priced: true},
		{PartNo: "C", Kind: "switch"}, {PartNo: "D", Kind: "gpu", Priced: true}}}
	n, never := bought(c, []Detail{{Plan: &evaluator.Plan{BOM: []market.Line{{Part: &c.Parts[0]}, {Part: &c.Parts[0]}}}}, {}})
	if n != 1 || !slices.Equal(never, []string{"B"}) {
		t.Errorf("%d bought, never %v", n, never)
	}
	if got := boughtText(&Data{Bought: n, NeverBought: never}); got != "1 of the price list’s 2, by the designs in full; never bought: B" {
		t.Error(got)
	}
}
