package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// TestThinned: a front of very many designs gives a page of a few megabytes, with its picks, its designs in full, every family and the best in every
// objective; what is left out is near to what is there, and counted; files for programs hold all.
func TestThinned(t *testing.T) {
	racing.Figures(t)
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	d := fixture(n)
	for i := range d.Points { // points of a front have all objectives
		for _, o := range d.Objectives {
			d.Points[i].Have[o.Key] = true
		}
	}
	picks := Picks(d)
	few, at := thinned(d, picks, mostOnPage)
	if len(few.Points) > mostOnPage || len(few.Points) < mostOnPage/10 || few.onFront() != n {
		t.Fatalf("%d of %d points are left, of %d", len(few.Points), n, few.onFront())
	}
	for i, p := range picks {
		if few.Points[at[i].Point].Name != d.Points[p.Point].Name {
			t.Errorf("pick %s is %s, want %s", p.Name, few.Points[at[i].Point].Name, d.Points[p.Point].Name)
		}
	}
	for i, det := range d.Details {
		if few.Points[few.Details[i].Point].Name != d.Points[det.Point].Name {
			t.Errorf("design %d in full is %s, want %s", i, few.Points[few.Details[i].Point].Name, d.Points[det.Point].Name)
		}
	}
	if got, want := countFamilies(few), countFamilies(d); got != want {
		t.Errorf("%d families, want %d", got, want)
	}
	for _, o := range d.Objectives {
		values := func(points []Point) []float64 {
			return slices.DeleteFunc(column(points, o.Key), math.IsNaN)
		}
		all, left := values(d.Points), values(few.Points)
		if slices.Min(all) != slices.Min(left) || slices.Max(all) != slices.Max(left) {
			t.Errorf("%v: %v to %v, want %v to %v", o.Key, slices.Min(left), slices.Max(left), slices.Min(all), slices.Max(all))
		}
	}
	near := func(a, b *Point) bool {
		return !slices.ContainsFunc(d.Objectives, func(o Objective) bool {
			x, y := a.Value(o.Key), b.Value(o.Key)
			return !(math.Abs(x-y) <= few.LeftWithin*max(math.Abs(x), math.Abs(y)))
		})
	}
	for i := 0; i < n; i += 997 {
		a := &d.Points[i]
		if !slices.ContainsFunc(few.Points, func(b Point) bool { return b.Name == a.Name || near(a, &b) }) {
			t.Errorf("%s is left out, and nothing on the page is within %v", a.Name, few.LeftWithin)
		}
	}
	page := pageOf(t, "many", d)
	t.Logf("%d designs: %d bytes, %d on the page, within %v", n, len(page), len(few.Points), few.LeftWithin)
	if len(page) > 5_000_000 || strings.Count(page, "<tr data-i=") != len(few.Points) || !strings.Contains(page, few.leftNote()) {
		t.Errorf("%d bytes, %d rows; want less than 5 MB and %d rows, and %q", len(page), strings.Count(page, "<tr data-i="), len(few.Points), few.leftNote())
	}
	var csv bytes.Buffer
	if err := WriteCSV(&csv, d); err != nil || bytes.Count(csv.Bytes(), []byte("\n")) != n+1 {
		t.Errorf("%d lines of CSV, %v; want %d", bytes.Count(csv.Bytes(), []byte("\n")), err, n+1)
	}
}

// TestThinnedApart: where nothing is near anything else, designs at even steps are shown, and the page says so.
func TestThinnedApart(t *testing.T) {
	d := fixture(300)
	for i := range d.Points {
		for _, o := range d.Objectives {
			d.Points[i].Metrics[o.Key].Value = math.Pow(2.5, float64(i))
		}
	}
	few, _ := thinned(d, Picks(d), 50)
	if n := len(few.Points); n < 40 || n > 50 || !strings.Contains(few.leftNote(), "even steps") {
		t.Errorf("%d points, %q", n, few.leftNote())
	}
}
