package bench

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"toposearch/internal/chart"
	"toposearch/study"
)

// A space is measured the same on any number of workers; enumeration finds all of it, and figures can be drawn.
func TestRun(t *testing.T) {
	var results []*Result
	for _, workers := range []int{1, 3} {
		r, err := Run(context.Background(), "grids", Options{Seeds: 1, Evaluations: 60, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Errorf("1 worker: %+v\n3 workers: %+v", results[0], results[1])
	}
	r := results[0]
	for i, x := range r.Strategies {
		h := x.Hypervolume
		if x.Strategy != Strategies[i] || h.Q1 > h.Median || h.Median > h.Q3 || h.Q3 > 1+1e-9 || h.Median <= 0 {
			t.Errorf("%s: hypervolume %+v", x.Strategy, h)
		}
		if x.Used.Q3 > 60 && x.Strategy != study.Enumerate {
			t.Errorf("%s: %g evaluations of 60", x.Strategy, x.Used.Q3)
		}
		for k := 1; k < len(x.Points); k++ { // an archive loses nothing
			if p, q := x.Points[k-1], x.Points[k]; p.Evaluations >= q.Evaluations || p.Hypervolume.Median > q.Hypervolume.Median+1e-9 {
				t.Errorf("%s: %+v before %+v", x.Strategy, p, q)
			}
		}
	}
	if e := r.Strategies[0]; math.Abs(e.Hypervolume.Median-1) > 1e-12 || e.Recall.Median != 1 || e.IGDPlus.Median != 0 || e.Factor.Median != 1 {
		t.Errorf("enumeration: %+v", e)
	}
	if b, err := json.Marshal(Quartiles{1, 2, math.Inf(1)}); err != nil || string(b) != `{"median":2,"q1":1,"q3":null}` {
		t.Errorf("%s, %v", b, err)
	}
	for _, f := range r.Figures() {
		if _, err := chart.Encode(f.Figure, "svg"); err != nil {
			t.Error(err)
		}
	}
}

// Every space inside can be read, and names that are none are told.
func TestSpaces(t *testing.T) {
	names, titles := Spaces()
	for i, n := range names {
		if st, err := load(n); err != nil || st.Name != n || titles[i] == "" {
			t.Errorf("%s: %v", n, err)
		}
	}
	if _, err := load("grid"); err == nil {
		t.Error("a space that is none was read")
	}
}

// Quartiles are order statistics.
func TestQuartiles(t *testing.T) {
	if q := quartiles([]float64{5, 1, 4, 2, 3}); q != (Quartiles{2, 3, 4}) {
		t.Errorf("%+v", q)
	}
	if q := quartiles([]float64{7}); q != (Quartiles{7, 7, 7}) {
		t.Errorf("%+v", q)
	}
}
