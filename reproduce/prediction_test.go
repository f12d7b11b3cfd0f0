package reproduce

import (
	"context"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
)

// The sample has as many different designs as it says, of every family, and a shorter one is its beginning.
func TestSampleDesigns(t *testing.T) {
	racing.Figures(t)
	all := sampleDesigns(predictionSeed, predictionDesigns)
	seen, of := map[string]bool{}, map[string]int{}
	for _, d := range all {
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil || s.Endpoints < leastEnds || s.Endpoints > largestEnds || seen[d.String()] {
			t.Errorf("%s: %d endpoints (%v), seen %v", d, s.Endpoints, err, seen[d.String()])
		}
		seen[d.String()] = true
		of[d.Family.Name]++
	}
	if len(all) != predictionDesigns {
		t.Errorf("%d designs", len(all))
	}
	for _, f := range family.All() {
		if of[f.Name] == 0 && f.Name != "th1a" { // whose networks have more than 1,024 endpoints
			t.Errorf("no design of %s", f.Name)
		}
	}
	for i, d := range sampleDesigns(predictionSeed, predictionFast) {
		if d.String() != all[i].String() {
			t.Errorf("design %d is %s in a short sample, %s in a long one", i, d, all[i])
		}
	}
}

// What agrees is within a tenth at the near end of the interval; a contradiction of what is certified counts however small it is,
// and the notes name the worst first.
func TestPredictionReport(t *testing.T) {
	d := familytest.Parse(t, "ring(n=6)")
	point := func(predicted, lo, hi float64, contradicts bool, cause string) *comparedDesign {
		return &comparedDesign{design: d, line: &verify.Result{Predicted: predicted, Saturation: lo, Above: hi}, agrees: &search.Verified{Contradicts: contradicts}, cause: cause}
	}
	table := predictionReport([]*comparedDesign{point(0.5, 0.49, 0.52, false, ""), point(0.5, 0.42, 0.451, false, ""), point(0.5, 0.42, 0.449, false, "one"),
		point(0.5, 0.56, 0.57, false, "two"), point(0.5, 0.25, 0.26, false, "three"), point(0.5, 0.52, 0.53, true, "four"),
		{design: d, line: &verify.Result{Skipped: "too large"}}})
	cells := table.Rows[0].Cells
	if len(table.Rows) != 1 || len(cells) != 7 || cells[0].Computed != 6 || table.Disagreements() != 4 || !cells[1].Agrees || !cells[2].Agrees || cells[3].Agrees {
		t.Errorf("rows %+v", table.Rows)
	}
	text := strings.Join(table.Notes, "\n")
	for _, want := range []string{"6 designs: in 1 the simulation contradicts", "in 1 more it saturates more than 10 % above", "in 2 more than 10 % below", "Worst 1: ring(n=6): 0.52 of the prediction; three", "too large"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if p := table.Plots(); len(p) != 1 || p[0].Figure.Panels[0].X.Title != "Predicted" || p[0].Figure.Panels[0].Y.Title != "Simulated" {
		t.Errorf("figures %+v", p)
	}
}

// A design that falls short says by experiment what costs it throughput.
func TestFindCause(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	d := familytest.Parse(t, "ring(n=6)")
	x, err := simulated(context.Background(), d, comparison{})
	if err != nil {
		t.Fatal(err)
	}
	if x.differs() != (x.cause != "") {
		t.Errorf("[%g, %g] of %g: cause %q", x.line.Saturation, x.line.Above, x.line.Predicted, x.cause)
	}
	// Predicted far too high, no switch makes good for it.
	x.line.Predicted, x.line.Expected = 3*x.line.Predicted, 3*x.line.Expected
	if cause, err := x.findCause(context.Background(), predictionProblem(d)); err != nil || !strings.HasPrefix(cause, "more than the switch") {
		t.Errorf("cause %q, %v", cause, err)
	}
}
