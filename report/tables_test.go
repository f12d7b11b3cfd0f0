package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestText compares the report of twelve designs with testdata/report.golden.
func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, fixture(12), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.golden"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the report differs from %s; got\n%s", golden, b.Bytes())
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(l); n > 80 && !strings.Contains(l, "sha256") {
			t.Errorf("%d columns: %s", n, l)
		}
	}
}

// Colour adds escape codes and nothing else; a control character in a name does not reach the
// terminal.
func TestTextColor(t *testing.T) {
	var a, b bytes.Buffer
	d := fixture(12)
	d.Points[0].Name = "zcube(\x1b[2Jn=4)"
	if err := WriteText(&a, d, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(a.String(), '\x1b') {
		t.Error("an escape code without colour")
	}
	if err := WriteText(&b, d, TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	stripped := b.String()
	for _, code := range []string{"1", "2", "31", "32", "33", "0"} {
		stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
	}
	if stripped != a.String() {
		t.Error("the report in colour says something else")
	}
}

// TestCSV reads every figure back in full precision.
func TestCSV(t *testing.T) {
	d := fixture(12)
	d.Points[3].Family = "=cmd()"
	var b bytes.Buffer
	if err := WriteCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 13 {
		t.Fatalf("%d lines, want 13", len(rows))
	}
	at := map[string]int{}
	for j, h := range rows[0] {
		at[h] = j
	}
	for i := range d.Points {
		p, r := &d.Points[i], rows[i+1]
		if r[at["design"]] != p.Name {
			t.Errorf("design %d = %s, want %s", i, r[at["design"]], p.Name)
		}
		for h, want := range map[string]float64{"cost [USD]": p.Value(metric.Cost), "latency [ns]": p.Value(metric.Latency),
			"bisection lo": p.Metrics[metric.Bisection].Lo, "bisection": p.Value(metric.Bisection)} {
			s := r[at[h]]
			got, err := strconv.ParseFloat(s, 64)
			if want != want && s == "" {
				continue // absent is empty
			}
			if err != nil || got != want {
				t.Errorf("%s of %s = %q, want %v", h, p.Name, s, want)
			}
		}
	}
	if got := rows[4][at["family"]]; got != "'=cmd()" {
		t.Errorf("a text that begins as a formula is %q", got)
	}
	if got := rows[1][at["picks"]]; got != "Cheapest" {
		t.Errorf("picks of the first = %q, want Cheapest", got)
	}
}

func TestJSON(t *testing.T) {
	d := fixture(12)
	var b bytes.Buffer
	if err := WriteJSON(&b, d); err != nil {
		t.Fatal(err)
	}
	var r jsonReport
	if err := json.Unmarshal(b.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != "toposearch.report/1" || len(r.Front) != 12 || r.Picks["Cheapest"] != d.Points[0].Name {
		t.Errorf("schema %q, %d designs, picks %v", r.Schema, len(r.Front), r.Picks)
	}
	if got, want := r.Front[2].Metrics["bisection"], d.Points[2].Metrics[metric.Bisection]; got != want {
		t.Errorf("bisection = %+v, want %+v", got, want)
	}
	if got := r.Front[10].Absent["cost"]; got != "unpriced: XCV-800-DR8" {
		t.Errorf("absent cost = %q", got)
	}
	if got := r.Rejected[0]; got.Constraint != "endpoints.count" || got.Count.String() != "1904011" || got.Origin != "study.toml:8:1" {
		t.Errorf("first rejection = %+v", got)
	}
	det := r.Front[d.Details[0].Point].Detail
	if det == nil || len(det.BOM) != len(d.Details[0].Plan.BOM) || len(det.Cables) != len(d.Details[0].Plan.Classes) {
		t.Fatalf("detail of the first design shown in full: %+v", det)
	}
	for i, l := range d.Details[0].Plan.BOM {
		want := ""
		if l.Priced {
			want = number.ExactMoney(int64(l.Total), number.MinorDigits(l.Currency))
		}
		if p := det.BOM[i]; p.PartNo != l.Part.PartNo || p.OrderQuantity != l.Order || p.ExtendedPrice != want {
			t.Errorf("part %d = %+v, want %+v", i, p, l)
		}
	}
	sim := r.Front[4].Simulation
	if sim == nil || len(sim.Traffic) != len(d.Points[4].Sim.Traffic) || *sim.Traffic[0].Saturation != d.Points[4].Sim.Traffic[0].Saturation {
		t.Errorf("simulation of the fifth: %+v", sim)
	}
	if len(r.Limits) != len(d.Limits) || len(r.Closest) != len(d.Closest) || len(r.Counts.Families) != len(d.Counts.Families) ||
		r.Counts.Enumerated.String() != d.Counts.Enumerated.String() {
		t.Errorf("%d limits, %d closest, counts %+v", len(r.Limits), len(r.Closest), r.Counts)
	}
	if r.Front[4].Simulated != "contradicts" {
		t.Errorf("simulation of the fifth = %q", r.Front[4].Simulated)
	}
}

// A front that is not complete is named so where the workbook opens.
func TestXLSXNotComplete(t *testing.T) {
	d := fixture(12)
	var b bytes.Buffer
	d.Complete = false
	if err := WriteXLSX(&b, d); err != nil {
		t.Fatal(err)
	}
	part, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	if rows, err := part.GetRows("Front, not complete"); err != nil || len(rows) != 13 {
		t.Errorf("a front that is not complete: %d rows, %v", len(rows), err)
	}
}

// TestXLSX reads the workbook back: figures are numbers, in full.
func TestXLSX(t *testing.T) {
	d := fixture(12)
	var b bytes.Buffer
	if err := WriteXLSX(&b, d); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Front", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 13 || rows[1][0] != d.Points[0].Name {
		t.Fatalf("%d rows, first %v", len(rows), rows[1])
	}
	for j, h := range rows[0] {
		if h != "cost [USD]" {
			continue
		}
		x, err := strconv.ParseFloat(rows[1][j], 64)
		if err != nil || x != d.Points[0].Value(metric.Cost) {
			t.Errorf("cost = %q, want %v", rows[1][j], d.Points[0].Value(metric.Cost))
		}
	}
	cabling, err := f.GetRows("Cabling", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	cables, want := 0.0, 0.0
	for _, r := range cabling[1:] {
		n, err := strconv.ParseFloat(r[4], 64)
		if err != nil {
			t.Errorf("cables %v: %v", r, err)
		}
		cables += n
	}
	for _, det := range d.Details {
		if det.Plan != nil {
			for _, c := range det.Plan.Classes {
				want += float64(c.Count)
			}
		}
	}
	if cables != want || want == 0 {
		t.Errorf("%g cables in the workbook, %g in the plans", cables, want)
	}
	bom, err := f.GetRows("Bill of materials", excelize.Options{RawCellValue: true})
	if err != nil || len(bom) != 1+6*5 {
		t.Fatalf("%d lines of the bills with their sums, want 31 (%v)", len(bom), err)
	}
	if got := strings.Join(bom[1][1:10], "|"); got != "SW-64x400|survey|64 ports of 400 Gb/s|leaf, spine|72|72|31808|USD|2290176" {
		t.Errorf("first line = %s", got)
	}
}

// Every form can say that there is nothing, or one design.
func TestFewDesigns(t *testing.T) {
	for name, write := range Formats {
		for n := range 2 {
			var b bytes.Buffer
			if err := write(&b, fixture(n)); err != nil || b.Len() == 0 {
				t.Errorf("%s of %d designs: %d bytes, %v", name, n, b.Len(), err)
			}
		}
	}
	var b bytes.Buffer
	if err := WriteText(&b, fixture(0), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"No design. The search is complete", "zettafly4: zettafly4(a=4,p=4,h=5)", "admit  building.power from 2 MW to 2.16 MW"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report of an empty front lacks %q:\n%s", want, b.String())
		}
	}
}

// An error of the writer is handed on by every form.
func TestWriteErrors(t *testing.T) {
	for name, write := range Formats {
		if err := write(failing{}, fixture(12)); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

var errFull = errorString("disk full")

type errorString string

func (e errorString) Error() string { return string(e) }
