package plan

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/memory"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
	"toposearch/topology/netfile"
)

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"zcube(n=64,k=2)":                      "zcube_n64_k2",
		"zcube_partial(n=4)":                   "zcube_partial_n4",
		"fullmesh(d1=12,d2=3)":                 "fullmesh_d1-12_d2-3",
		"dragonfly(p=4,arrangement=circulant)": "dragonfly_p4_arrangement-circulant",
		"bus":                                  "bus",
	} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
	// Whatever the name, the folder is one name that every file system takes, and different names
	// have different folders.
	hostile := []string{"", ".", "..", "../../etc/passwd", "/", "a/b", `a\b`, "con\x00", "zcube(n=64, k=2)", "Zcube(n=64,k=2)", "zcube(n=64,k=2", "-rf", "~", "$(rm)",
		strings.Repeat("a", 300), strings.Repeat("a", 301), "a_b", "a(b)", "ä", "ö", "f(d1=12)", "f(d11=2)", "file:/tmp/x.json", "CON", "a ", "a.", "x(a=1)", "x(a=-1)"}
	seen := map[string]string{}
	for _, h := range hostile {
		got := FileName(h)
		if got == "" || len(got) > maxFileName || strings.ContainsAny(got, `/\.: $()~`) || got[0] == '-' || got != strings.ToLower(got) {
			t.Errorf("FileName(%q) = %q", h, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("FileName(%q) = FileName(%q) = %q", h, other, got)
		}
		seen[got] = h
	}
}

// exported evaluates a design with the built-in catalogue and writes its folder.
func exported(t *testing.T, name, dir string) (*evaluator.Result, topology.Design) {
	t.Helper()
	d := familytest.Parse(t, name)
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := Export{Design: d, Plan: r.Plan, Supply: ev.Supply(r.Plan), EachCable: func(f func(floor.Cable) bool) error { return ev.EachCable(d, f) },
		EachRack: func(f func(floor.Rack) bool) error { return ev.EachRack(d, f) }}
	if err := WriteDesign(dir, x); err != nil {
		t.Fatal(err)
	}
	return r, d
}

// TestWriteDesign compares every file with the evaluation that it came from: the bill sums to the
// cost, the schedule has every cable of the plan in length and part, the network reads back.
func TestWriteDesign(t *testing.T) {
	for _, name := range []string{"zcube(n=16,k=2)", "dragonfly(p=2,a=4,h=2)", "fullmesh(d1=4,d2=4)", "fattree(k=8,l=3)", "bcube(n=4,l=2)"} {
		dir := filepath.Join(t.TempDir(), FileName(name))
		r, d := exported(t, name, dir)
		total := 0.0
		bom := readCSV(t, filepath.Join(dir, "bom.csv"))
		for _, row := range bom[1:] {
			each, err1 := strconv.ParseFloat(row[6], 64)
			sum, err2 := strconv.ParseFloat(row[8], 64)
			n, err3 := strconv.ParseFloat(row[5], 64)
			if err := errors.Join(err1, err2, err3); err != nil || math.Abs(n*each-sum) > 1e-6*sum {
				t.Errorf("%s: %s x %s is not %s (%v)", name, row[5], row[6], row[8], err)
			}
			total += sum
		}
		if want := r.Metrics[metric.Cost].Value; math.Abs(total-want) > 0.005 {
			t.Errorf("%s: the bill sums to %.2f, the cost is %.2f", name, total, want)
		}
		cables := readCSV(t, filepath.Join(dir, "cables.csv"))
		compareCables(t, name, cables, r.Plan)
		compareBill(t, name, bom, cables)
		compareRacks(t, name, readCSV(t, filepath.Join(dir, "racks.csv")), cables, r)
		svg, err := os.ReadFile(filepath.Join(dir, "floor.svg"))
		if err != nil {
			t.Fatal(err)
		}
		checkXML(t, string(svg))
		f, err := netfile.Load(filepath.Join(dir, "network.json"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got, want topology.Size
		if err := errors.Join(f.Family.Size(nil, &got), d.Family.Size(d.V, &want)); err != nil {
			t.Fatal(err)
		}
		if got.Endpoints != want.Endpoints || got.AllSwitches() != want.AllSwitches() || got.SwitchLinks() != want.SwitchLinks() {
			t.Errorf("%s: network.json has %d endpoints, %d switches, %d links, want %d, %d, %d", name, got.Endpoints,
				got.AllSwitches(), got.SwitchLinks(), want.Endpoints, want.AllSwitches(), want.SwitchLinks())
		}
	}
}

// compareCables counts the schedule by link class and length, and checks that no port is used twice.
func compareCables(t *testing.T, name string, rows [][]string, p *evaluator.Plan) {
	t.Helper()
	got, ports := map[string]int64{}, map[string]bool{}
	for i, r := range rows[1:] {
		got[r[1]+" "+r[12]+" "+r[11]]++
		laid, _ := strconv.ParseFloat(r[10], 64)
		bought, _ := strconv.ParseFloat(r[11], 64)
		if laid > bought+0.005 || laid <= 0 {
			t.Errorf("%s: cable %s of %v m is laid from a stock of %v m", name, r[0], laid, bought)
		}
		for _, end := range [][]string{r[2:6], r[6:10]} {
			port := end[0] + " " + end[3]
			if ports[port] {
				t.Fatalf("%s: cable %d ends at %s, which has one", name, i, port)
			}
			ports[port] = true
		}
	}
	want := map[string]int64{}
	for _, c := range p.Classes {
		want[c.Link+" "+c.Medium+" "+strconv.FormatFloat(c.StockM, 'f', -1, 64)] += c.Count
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: %d cables of %s, the plan has %d", name, got[k], k, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: kinds of cables %v, the plan has %v", name, got, want)
	}
}

// compareBill checks that what the schedule lays is what the bill orders: every cable and fibre once,
// a module at both ends of a link that has any (each serves one port in the built-in list).
func compareBill(t *testing.T, name string, bom, cables [][]string) {
	t.Helper()
	laid := map[string]int64{}
	for _, c := range cables[1:] {
		laid[c[13]]++
		if c[14] != "" {
			laid[c[14]] += 2
		}
	}
	for _, row := range bom[1:] {
		n, err := strconv.ParseInt(row[4], 10, 64)
		if kind := row[1]; kind == "cable" || kind == "fibre" || kind == "transceiver" {
			if err != nil || n != laid[row[0]] {
				t.Errorf("%s: the bill has %s of %s, the schedule %d", name, row[4], row[0], laid[row[0]])
			}
			delete(laid, row[0])
		}
	}
	if len(laid) > 0 {
		t.Errorf("%s: the bill does not have %v", name, laid)
	}
}

// compareRacks checks that every box stands once in racks.csv, and that each end of a cable says the
// rack and position of its box there; that labels tell cables apart, and say what the columns say.
func compareRacks(t *testing.T, name string, racks, cables [][]string, r *evaluator.Result) {
	t.Helper()
	at, endpoints, switches := map[string]string{}, int64(0), int64(0)
	stand := func(device, where string) {
		if at[device] != "" {
			t.Errorf("%s: %s stands at %s and at %s", name, device, at[device], where)
		}
		at[device] = where
	}
	for _, b := range racks[1:] {
		where := b[0] + " " + b[4]
		if b[5] != "server" {
			stand(b[5], where)
			if switches++; b[6] == "" {
				t.Errorf("%s: %s has no part", name, b[5])
			}
			continue
		}
		first, err1 := strconv.Atoi(strings.TrimPrefix(b[7], "endpoint-"))
		last, err2 := strconv.Atoi(strings.TrimPrefix(b[8], "endpoint-"))
		if err1 != nil || err2 != nil || last < first {
			t.Errorf("%s: a server of %q to %q", name, b[7], b[8])
		}
		for e := first; e <= last; e++ {
			stand(fmt.Sprintf("endpoint-%d", e), where)
			endpoints++
		}
	}
	if endpoints != r.Size.Endpoints || switches != r.Size.Switches() {
		t.Errorf("%s: %d endpoints and %d switches stand in racks, there are %d and %d", name, endpoints, switches, r.Size.Endpoints, r.Size.Switches())
	}
	labels := map[string]bool{}
	for _, c := range cables[1:] {
		for _, end := range [][]string{c[2:5], c[6:9]} {
			if at[end[0]] != end[1]+" "+end[2] {
				t.Errorf("%s: cable %s ends at %s in %s %s, which stands at %s", name, c[0], end[0], end[1], end[2], at[end[0]])
			}
		}
		label := c[17]
		want := fmt.Sprintf("%s-%02s:%s > %s-%02s:%s", c[3], c[4], c[15], c[7], c[8], c[16])
		if labels[label] || label != want {
			t.Errorf("%s: cable %s has the label %q, want one of its own, %q", name, c[0], label, want)
		}
		labels[label] = true
	}
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A folder that cannot be written is named, and a failed file leaves nothing behind.
func TestWriteDesignFails(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := familytest.Parse(t, "zcube(n=4,k=2)")
	plan := &evaluator.Plan{LaneGbps: 400}
	full := errors.New("disk full")
	var pathErr *fs.PathError
	if err := WriteDesign(blocked, Export{Design: d, Plan: plan}); !errors.As(err, &pathErr) || !strings.Contains(err.Error(), blocked) {
		t.Errorf("a file in the way: %v", err)
	}
	x := Export{Design: d, Plan: plan, EachCable: func(func(floor.Cable) bool) error { return full }}
	to := filepath.Join(dir, "d")
	if err := WriteDesign(to, x); !errors.Is(err, full) || !strings.Contains(err.Error(), "cables.csv") {
		t.Errorf("a failing schedule: %v", err)
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "cables.csv" || strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left behind", e.Name())
		}
	}
	if err := WriteDesign(to, Export{Design: d}); err == nil || !strings.Contains(err.Error(), "zcube(n=4,k=2)") {
		t.Errorf("without a plan: %v", err)
	}
}

// Texts of a price list that a spreadsheet would run, or that need quotes, stay texts.
func TestBOMHostile(t *testing.T) {
	var b bytes.Buffer
	err := WriteBOM(&b, []market.Line{{Part: &catalog.Part{PartNo: "=1+2", Description: "5\" cable, \"long\"\nnew line", Vendor: "@x"}, Quantity: 3, Order: 4, UsedIn: "a, b"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	if r := rows[1]; r[0] != "'=1+2" || r[2] != "'@x" || r[3] != "5\" cable, \"long\"\nnew line" || r[6] != "" || r[8] != "" {
		t.Errorf("line = %q", r)
	}
}

// TestFloorPlanSize: a hall of 20,000 racks in two buildings is a small picture with every kind of
// rack in it, and one of a single rack is drawn too.
func TestFloorPlanSize(t *testing.T) {
	f := floor.Summary{Racks: 19_990, Rows: 50, PerRow: 200, Buildings: 2, PerBuilding: 10_000, WidthM: 120, DepthM: 150}
	for r := range 20_000 {
		k := floor.RackEndpoints
		switch {
		case r%100 == 50:
			k = floor.RackNetwork
		case r >= 19_990:
			k = floor.RackNone
		}
		f.Kind = append(f.Kind, k)
	}
	file := FloorPlan("big", &f, true)
	checkXML(t, file)
	if racks := strings.Count(file, "z") - 1; len(file) > 2_500_000 || strings.Count(file, ">200<") != 99 || racks < 19_990 {
		t.Errorf("a file of %d bytes draws %d racks, %d of them number 200", len(file), racks, strings.Count(file, ">200<"))
	}
	svg := FloorPlan("big", &f, false)
	checkXML(t, svg)
	if len(svg) > 40_000 || !strings.Contains(svg, "19,990 racks") || !strings.Contains(svg, `class="k1"`) || strings.Count(svg, `class="ai"`) != 2 ||
		!strings.Contains(svg, "in 2 buildings of 50 rows, 120 by 150") || !strings.Contains(svg, ">B2<") {
		t.Errorf("%d bytes: %.300s", len(svg), svg)
	}
	one := FloorPlan("one", &floor.Summary{Racks: 1, Rows: 1, PerRow: 1, WidthM: 0.6, DepthM: 3, Kind: []uint8{2}}, true)
	checkXML(t, one)
	if !strings.Contains(one, "1 rack in 1 row") {
		t.Errorf("one rack: %s", one)
	}
	// Where there is room, rows and places are named as in cables.csv; an empty place is not.
	few := FloorPlan("few", &floor.Summary{Racks: 5, Rows: 2, PerRow: 3, WidthM: 1.8, DepthM: 6, Kind: []uint8{0, 1, 0, 0, 2, 3}}, true)
	checkXML(t, few)
	if strings.Count(few, `class="pn"`) != 5 || !strings.Contains(few, ">R02<") {
		t.Errorf("places of five racks: %s", few)
	}
}

func checkXML(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not well formed: %v in %.200s", err, s)
		}
	}
}

// BenchmarkCables writes a schedule as the rate of a million cables.
func BenchmarkCables(b *testing.B) {
	d := familytest.Parse(b, "zcube(n=64,k=2)")
	part := &catalog.Part{PartNo: "DAC-400-3"}
	x := Export{Design: d, Plan: &evaluator.Plan{LaneGbps: 400}, EachCable: func(f func(floor.Cable) bool) error {
		for i := range 1_000_000 {
			if !f(floor.Cable{ID: i + 1, Link: "nic", FromSwitch: -1, Endpoint: topology.EndpointID(i), ToSwitch: topology.SwitchID(i % 64), ToRack: i % 40, LaidM: 2.3, StockM: 3, Part: part, Medium: "dac-passive"}) {
				break
			}
		}
		return nil
	}}
	for b.Loop() {
		if err := WriteCables(discard{}, &x); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestOmitted: of a design that would list too much there is what can be read, and a file that says what there is
// not and why; a smaller one in the same folder has all, and no such file.
func TestOmitted(t *testing.T) {
	dir := t.TempDir()
	exported(t, "fattree(k=4,l=2)", dir)
	d := familytest.Parse(t, "kntree(k=66,n=5)")
	x := Export{Design: d, Plan: &evaluator.Plan{Floor: floor.Summary{Racks: 39_135_393, Rows: 1, PerRow: 1}},
		EachCable: func(func(floor.Cable) bool) error { t.Error("cables are listed"); return nil },
		EachRack:  func(func(floor.Rack) bool) error { t.Error("racks are listed"); return nil }}
	if err := WriteDesign(dir, x); err != nil {
		t.Fatal(err)
	}
	names := func() (out string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			out += e.Name() + " "
		}
		return out
	}
	text, err := os.ReadFile(filepath.Join(dir, "omitted.txt"))
	if got := names(); got != "bom.csv omitted.txt " || err != nil || !strings.Contains(string(text), "cables.csv would list 6261662880, and 20000000 is the most") {
		t.Errorf("the folder has %s; omitted.txt: %q, %v", got, text, err)
	}
	exported(t, "fattree(k=4,l=2)", dir)
	if got := names(); got != "bom.csv cables.csv floor.svg install.csv network.json order.xlsx racks.csv racks.svg " {
		t.Errorf("the folder of a small design has %s", got)
	}
}

// TestOmittedForMemory: a file that does not fit the memory is left out, another fault is an error.
func TestOmittedForMemory(t *testing.T) {
	dir := t.TempDir()
	r, d := exported(t, "fattree(k=4,l=2)", dir)
	x := Export{Design: d, Plan: r.Plan, EachRack: func(func(floor.Rack) bool) error {
		return fmt.Errorf("racks: %w", memory.Require("the schedule", math.Inf(1)))
	}}
	if err := WriteDesign(dir, x); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "omitted.txt"))
	if err != nil || !strings.Contains(string(text), "racks.csv is not written: the schedule needs about") {
		t.Errorf("omitted.txt: %q, %v", text, err)
	}
	x.EachRack = func(func(floor.Rack) bool) error { return errors.New("no disk") }
	if err := WriteDesign(dir, x); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("WriteDesign: %v, want the error of the disk", err)
	}
}
