package plan

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// TestOrderFiles holds the files that an order and its installation are made from against the lists: the sum of the workbook is the
// cost, install.csv has every rack, box, cable and metre once, bundles and trays join the racks of their cables, and
// the elevations have every rack.
func TestOrderFiles(t *testing.T) {
	for _, name := range []string{"zcube(n=16,k=2)", "dragonfly(p=2,a=4,h=2)", "fattree(k=16,l=3)", "fullmesh(d1=4,d2=4)", "dragonfly(p=6,a=6,h=2)"} {
		dir := filepath.Join(t.TempDir(), FileName(name))
		r, _ := exported(t, name, dir)
		f, err := excelize.OpenFile(filepath.Join(dir, OrderName))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := f.GetRows("Order", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		last := rows[len(rows)-1]
		sum, _ := strconv.ParseFloat(last[8], 64)
		whole, _ := strconv.ParseFloat(last[14], 64)
		if want := r.Metrics[metric.Cost].Value; last[0] != "Total" || math.Abs(sum-want) > 0.005 || whole < sum {
			t.Errorf("%s: the workbook's last line is %q, the cost %.2f", name, last, want)
		}
		cables, racks := readCSV(t, filepath.Join(dir, "cables.csv")), readCSV(t, filepath.Join(dir, "racks.csv"))
		for sheet, want := range map[string]int{"Cables": len(cables), "Racks": len(racks), "Install": len(readCSV(t, filepath.Join(dir, "install.csv")))} {
			if rows, err := f.GetRows(sheet); err != nil || len(rows) != want {
				t.Errorf("%s: sheet %s has %d rows, %v, want %d", name, sheet, len(rows), err, want)
			}
		}
		compareInstall(t, name, readCSV(t, filepath.Join(dir, "install.csv")), cables, racks)
		compareTrays(t, name, cables)
		svg, err := os.ReadFile(filepath.Join(dir, "racks.svg"))
		if err != nil {
			t.Fatal(err)
		}
		checkXML(t, string(svg))
		if want := strconv.Itoa(r.Plan.Floor.Racks) + " rack"; !strings.Contains(string(svg), want) {
			t.Errorf("%s: the elevations do not have %ss", name, want)
		}
	}
}

// TestFromStock: what is ordered from stock has no lead time in any list, so that the longest of the lines is that of their sum.
func TestFromStock(t *testing.T) {
	lines := []market.Line{
		{Part: &catalog.Part{PartNo: "S", LeadWeeks: 20, Stock: 5}, Quantity: 4, Order: 4},
		{Part: &catalog.Part{PartNo: "A", LeadWeeks: 12, Stock: 5}, Quantity: 6, Order: 6},
	}
	m, err := market.New(market.Options{Catalog: &catalog.Catalogue{}, Currency: "USD", Spares: market.NoSpares})
	if err != nil {
		t.Fatal(err)
	}
	supply := m.Supply(lines, func(*catalog.Part) float64 { return 0 })
	rows := BillRows(lines, supply)
	if got := []any{rows[0][9], rows[1][9], rows[2][9]}; !slices.Equal(got, []any{0.0, 12.0, 12.0}) {
		t.Errorf("lead times of the workbook: %v, want 0, 12 and 12 in all", got)
	}
	var b strings.Builder
	if err := WriteBOM(&b, lines, supply); err != nil {
		t.Fatal(err)
	}
	if csv := strings.Split(b.String(), "\n"); !strings.Contains(csv[1], ",,0,") || !strings.Contains(csv[2], ",,12,") {
		t.Errorf("bom.csv: %q", csv)
	}
}

func compareInstall(t *testing.T, name string, install, cables, racks [][]string) {
	t.Helper()
	got, want := map[string]float64{}, map[string]float64{}
	for _, r := range install[1:] {
		n, _ := strconv.ParseFloat(r[5], 64)
		switch r[0] {
		case "1":
			got["racks"] += n
		case "2", "3":
			got["boxes"] += n
		default:
			laid, _ := strconv.ParseFloat(r[6], 64)
			got["cables "+r[0]] += n
			got["metres"] += laid
		}
	}
	seen := map[string]bool{}
	last := 0
	for _, r := range racks[1:] {
		if r[5] == "server" {
			end, _ := strconv.Atoi(strings.TrimPrefix(r[8], "endpoint-"))
			last = max(last, end)
			want["boxes"]-- // counted by endpoints: a server that the plan divides has two lines
		}
		for _, k := range []string{"racks " + r[0], "boxes " + r[0] + " " + r[4]} {
			if what, _, _ := strings.Cut(k, " "); !seen[k] {
				seen[k] = true
				want[what]++
			}
		}
	}
	want["boxes"] += math.Ceil(float64(last+1) / 8)
	for _, c := range cables[1:] {
		laid, _ := strconv.ParseFloat(c[10], 64)
		want["cables "+c[21]]++
		want["metres"] += laid
	}
	for k, n := range want {
		// Lengths are rounded to a hundredth in the one, sums to a tenth in the other.
		if math.Abs(got[k]-n) > 0.005*float64(len(cables)) && k == "metres" || k != "metres" && got[k] != n {
			t.Errorf("%s: install.csv has %g %s, the lists %g", name, got[k], k, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: install.csv has %v, the lists %v", name, got, want)
	}
}

// compareTrays: what stays in a rack has no bundle; others lie in the trays of the row of one end and the place of the other.
func compareTrays(t *testing.T, name string, cables [][]string) {
	t.Helper()
	for _, c := range cables[1:] {
		from, to, bundle, tray := c[3], c[7], c[19], c[20]
		a, b, _ := strings.Cut(bundle, "/")
		if from == to {
			if bundle != "" || tray != "" || c[21] != "7" {
				t.Fatalf("%s: cable %s stays in %s and has bundle %q, tray %q, step %s", name, c[0], from, bundle, tray, c[21])
			}
			continue
		}
		if !(a == from && b == to || a == to && b == from) {
			t.Fatalf("%s: cable %s from %s to %s is in bundle %s", name, c[0], from, to, bundle)
		}
		rowA, placeA, _ := strings.Cut(a, "-")
		rowB, placeB, _ := strings.Cut(b, "-")
		var want []string
		if placeA != placeB {
			want = append(want, rowA+"/"+placeA+"-"+placeB)
		}
		if rowA != rowB {
			want = append(want, placeB+"/"+rowA+"-"+rowB)
		}
		if tray != strings.Join(want, " ") {
			t.Fatalf("%s: cable %s of %s lies in %q, want %q", name, c[0], bundle, tray, want)
		}
	}
}
