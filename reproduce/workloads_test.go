package reproduce

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/simcore"
)

// loadTiny has the curves of the study on networks of 27 and 64 endpoints.
var loadTiny = loadPlan{
	small: [2]string{"torus(k1=3,k2=3,k3=3)", "kntree(k=3,n=3)"}, large: [2]string{"torus(k1=4,k2=4,k3=4)", "kntree(k=4,n=3)"},
	largeLoads: [2][]float64{{0.1, 0.3, 1}, {0.1, 0.3, 1}}, smallLoads: [2][]float64{{0.1, 0.4, 1}, {0.1, 0.4, 1}},
	mixLoads: []float64{0.1, 0.3}, radii: [2][]int{{1, 2}, {1, 2}}, shares: []float64{0.2, 0.8}, hot: []float64{0.2, 0.5}, cycles: [2]int{300, 300},
}

// TestWorkloadTable: every claim has an answer with figures, every finding its curves, whatever the number of workers.
func TestWorkloadTable(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	a, err := workloadTable(t.Context(), 1, &loadTiny)
	if err != nil {
		t.Fatal(err)
	}
	b, err := workloadTable(t.Context(), 3, &loadTiny)
	if err != nil || !reflect.DeepEqual(a.Rows, b.Rows) {
		t.Errorf("other rows on three workers (%v)", err)
	}
	claims := 0
	for _, r := range a.Rows {
		for _, c := range r.Cells {
			claims++
			if c.Published != "yes" || c.Computed != "yes" && c.Computed != "no" || c.Agrees != (c.Computed == "yes") || c.Note == "" || strings.Contains(c.Note, "%!") {
				t.Errorf("%s: %+v", r.Name, c)
			}
		}
	}
	if len(a.Rows) != 8 || claims != 25 || len(a.figures) != 5 {
		t.Errorf("%d rows, %d claims, %d figures", len(a.Rows), claims, len(a.figures))
	}
	for _, f := range a.figures {
		for _, p := range f.Figure.Panels {
			for _, s := range p.Series {
				if len(s.X) == 0 {
					t.Errorf("%s, %s: no points of %s", f.Name, p.Title, s.Name)
				}
			}
		}
	}
}

// curve makes one of latencies over loads; 0 is a load that was not accepted.
func curve(latency ...float64) *loadCurve {
	c := &loadCurve{}
	for i, x := range latency {
		p := simcore.Point{Offered: float64(i+1) / 10, Packets: 100, Latency: simcore.Latency{Mean: math.Abs(x), StdErr: 1}, Saturated: x < 0}
		c.points = append(c.points, p)
	}
	return c
}

// Latencies are compared where both sides accept the load, and are told apart by two standard errors.
func TestTell(t *testing.T) {
	for _, c := range []struct {
		a, b  *loadCurve
		lower bool
		loads int
		ratio float64
	}{
		{curve(90, 100, -300), curve(100, 125, 200), true, 2, 0.85},
		{curve(100, 110), curve(100, 111), false, 2, (1 + 110.0/111) / 2}, // by less than chance
		{curve(110), curve(100), false, 1, 1.1},
		{curve(-100), curve(50), false, 0, 0},
	} {
		if got := tell(c.a, c.b); got.lower != c.lower || got.loads != c.loads || math.Abs(got.ratio-c.ratio) > 1e-9 {
			t.Errorf("%+v", got)
		}
	}
	// Latency 100, 200, 400, 800 at loads 0.1 to 0.4: three times the first between 0.2 and 0.3, in the logarithm at log2(1.5).
	if got, want := curve(100, 200, 400, -800).knee(), 0.2+0.1*math.Log2(1.5); math.Abs(got-want) > 1e-9 {
		t.Errorf("knee at %v, want %v", got, want)
	}
	if got := curve(100, 110).knee(); !math.IsNaN(got) {
		t.Errorf("a flat curve bends at %v", got)
	}
}
