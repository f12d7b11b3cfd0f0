package plan

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/growth"
	"toposearch/evaluator/metric"
	"toposearch/topology/family/familytest"
)

// TestGrowthFiles: growth.csv has every cable of both networks once and says of as many that they stay and move as the metrics do, and what is bought costs
// what growth_cost says.
func TestGrowthFiles(t *testing.T) {
	from, d := familytest.Parse(t, "hyperx(s1=4,s2=4,t=4)"), familytest.Parse(t, "hyperx(s1=5,s2=4,t=4)")
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400, Growth: &evaluator.Growth{From: from, Name: "today", LabourCable: 2500, Rules: growth.Rules{Switches: true}}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Keys: []metric.Key{metric.Cost, metric.GrowthCost, metric.KeptCables, metric.MovedCables}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := ev.Growing(r)
	if err != nil || g == nil {
		t.Fatal(g, err)
	}
	dir := t.TempDir()
	x := Export{Design: d, Plan: r.Plan, Supply: ev.Supply(r.Plan), Grown: g, EachCable: func(f func(floor.Cable) bool) error { return ev.EachCable(d, f) }}
	if err := WriteDesign(dir, x); err != nil {
		t.Fatal(err)
	}
	count, old, now := map[string]float64{}, map[string]bool{}, map[string]bool{}
	cables := readCSV(t, filepath.Join(dir, "cables.csv"))
	for _, row := range readCSV(t, filepath.Join(dir, "growth.csv"))[1:] {
		count[row[1]]++
		if row[2] != "" && old[row[2]] || row[0] != "" && now[row[0]] {
			t.Fatalf("%q is there twice", row)
		}
		old[row[2]], now[row[0]] = true, true
		if n, err := strconv.Atoi(row[0]); err == nil && (cables[n][2] != row[5] || cables[n][6] != row[6] || cables[n][13] != row[7]) {
			t.Fatalf("cable %d is %q, in cables.csv %q", n, row, cables[n])
		}
	}
	if moved := count[growth.Move] + count[growth.MoveEnd]; count[growth.Keep] != r.Metrics[metric.KeptCables].Value || moved != r.Metrics[metric.MovedCables].Value {
		t.Errorf("growth.csv has %v, the metrics %g kept and %g moved", count, r.Metrics[metric.KeptCables].Value, r.Metrics[metric.MovedCables].Value)
	}
	delete(now, "")
	if len(now) != len(cables)-1 {
		t.Errorf("growth.csv has %d new cables, cables.csv %d", len(now), len(cables)-1)
	}
	total := float64(g.Labour) / 100
	for _, row := range readCSV(t, filepath.Join(dir, "growth_bom.csv"))[1:] {
		x, err := strconv.ParseFloat(row[8], 64)
		if err != nil {
			t.Fatal(err)
		}
		total += x
	}
	if want := r.Metrics[metric.GrowthCost].Value; math.Abs(total-want) > 0.005 || g.Labour == 0 {
		t.Errorf("growth_bom.csv and labour come to %.2f, growth_cost is %.2f", total, want)
	}
}

// TestGrowthEnds: an old box has one new name in all cables that stay, old_from that of from and old_to that of to, and one end of those moved at one end
// has it, too.
func TestGrowthEnds(t *testing.T) {
	from, d := familytest.Parse(t, "dragonfly(p=2,a=4,h=2,g=5)"), familytest.Parse(t, "dragonfly(p=2,a=4,h=2)")
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400, Growth: &evaluator.Growth{From: from, Name: "today", Rules: growth.Rules{Switches: true}}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Keys: []metric.Key{metric.KeptCables}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := ev.Growing(r)
	if err != nil || g == nil {
		t.Fatal(g, err)
	}
	var out bytes.Buffer
	if err := writeGrowth(&out, g); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	becomes, was, renamed := map[string]string{}, map[string]string{}, 0
	for _, row := range rows {
		if row[1] != growth.Keep {
			continue
		}
		for k := 3; k < 5; k++ {
			before, after := row[k], row[k+2]
			if x, ok := becomes[before]; ok && x != after {
				t.Errorf("%s becomes %s, and %s in cable %s", before, x, after, row[0])
			}
			if x, ok := was[after]; ok && x != before {
				t.Errorf("%s was %s, and %s in cable %s", after, x, before, row[0])
			}
			becomes[before], was[after] = after, before
		}
	}
	for before, after := range becomes {
		if before != after {
			renamed++
		}
	}
	for _, row := range rows {
		if row[1] == growth.MoveEnd && becomes[row[3]] != row[5] && becomes[row[4]] != row[6] {
			t.Errorf("no end of %q stays: %s becomes %s, %s %s", row, row[3], becomes[row[3]], row[4], becomes[row[4]])
		}
	}
	if renamed == 0 {
		t.Error("no box has another name, so that nothing was tried")
	}
}
