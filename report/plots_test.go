package report

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/chart"
	"toposearch/search/searchtest"
)

// Each pair of three objectives has a figure, all pairs one, and so has what was simulated; every
// design is in every pair, and the picks are named.
func TestFrontPlots(t *testing.T) {
	d := fixture(40)
	plots := append(d.frontPlots(), d.simPlots()...)
	var names []string
	for _, p := range plots {
		names = append(names, p.Name)
	}
	got := strings.Join(names, " ")
	if want := "front-cost-latency front-cost-uniform_throughput front-latency-uniform_throughput front simulated-"; !strings.HasPrefix(got, want) {
		t.Errorf("figures %s, want %s...", got, want)
	}
	p := plots[0].Figure.Panels[0]
	n := 0
	for _, s := range p.Series {
		n += len(s.X)
	}
	for i := range d.Points { // some have no latency
		if pt := &d.Points[i]; pt.Have[metric.Cost] && pt.Have[metric.Latency] {
			n--
		}
	}
	if n != 0 || len(p.Labels) == 0 || p.X.Title != "Cost (MUSD)" || !strings.HasPrefix(p.Y.Title, "Latency (") {
		t.Errorf("%d points too many, %d labels, axes %q and %q", n, len(p.Labels), p.X.Title, p.Y.Title)
	}
	if n := len(plots[3].Figure.Panels); n != 3 {
		t.Errorf("%d panels of three pairs", n)
	}
	d.Objectives = d.Objectives[:1]
	if p := d.frontPlots(); len(p) != 0 {
		t.Errorf("one objective gives %d figures", len(p))
	}
}

// The figure of loads marks what saturated and what was predicted, and one load is enough.
func TestLoadFigure(t *testing.T) {
	nan := math.NaN()
	one := Traffic{Name: "uniform", Saturation: nan, Predicted: nan, PredictedZero: nan, Curve: []CurvePoint{{0.3, 0.3, 20, 30, false}}}
	f := LoadFigure([]Traffic{one}, "Latency (cycles)")
	if f == nil || len(f.Panels) != 2 || len(f.Panels[0].Rules)+len(f.Panels[1].Rules) != 0 {
		t.Fatalf("one load: %+v", f)
	}
	if _, err := chart.Encode(f, "svg"); err != nil {
		t.Error(err)
	}
	two := Traffic{Name: "worst", Saturation: 0.5, Predicted: 1.2, PredictedZero: 18, Curve: []CurvePoint{{0.1, 0.1, 19, 25, false}, {0.6, 0.5, 400, 900, true}, {0.8, 0.5, 0, 0, true}}}
	f = LoadFigure([]Traffic{one, two}, "Latency (cycles)")
	lat, acc := f.Panels[0], f.Panels[1]
	if s := lat.Series[2]; s.Name != "worst" || s.Hollow[0] || !s.Hollow[1] || !math.IsNaN(s.Y[2]) {
		t.Errorf("the second traffic: %+v", s)
	}
	if !lat.Y.Log || len(lat.Rules) != 3 || len(acc.Rules) != 2 || acc.Rules[1].At != 1 {
		t.Errorf("rules %+v and %+v", lat.Rules, acc.Rules)
	}
	if LoadFigure([]Traffic{{Name: "none"}}, "") != nil {
		t.Error("no load gives a figure")
	}
}

// Three designs of which two are on the front, found as the first and the third.
func TestProgressPlot(t *testing.T) {
	dir := t.TempDir()
	journal := searchtest.Resealed(`{"schema":"toposearch.journal/2"}
{"k":"","d":"ring(n=4)","m":{}}
{"k":"","d":"bus(n=4)","m":{}}
{"k":"","d":"mesh(k1=4)","m":{}}
`) + `{"k":"","d":"torn`
	if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), []byte(journal), 0o666); err != nil {
		t.Fatal(err)
	}
	d := &Data{Points: []Point{{Name: "mesh(k1=4)"}, {Name: "ring(n=4)"}}, Counts: Counts{Evaluated: 3}}
	p, err := progressPlot(dir, d)
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	s := p.Figure.Panels[0].Series[0]
	if last := len(s.X) - 1; s.X[last] != 3 || s.Y[last] != 2 || s.X[1] != 1 || s.Y[2] != 1 {
		t.Errorf("progress %v, %v", s.X, s.Y)
	}
	d.Counts.Evaluated = 4
	if p, err := progressPlot(dir, d); p != nil || err == nil || !strings.Contains(err.Error(), "ends after 3 of the 4 designs") {
		t.Errorf("a journal that lacks a design: %v, %v", p, err)
	}
	if p, err := progressPlot(t.TempDir(), d); p != nil || err != nil {
		t.Errorf("without a journal: %v, %v", p, err)
	}
}
