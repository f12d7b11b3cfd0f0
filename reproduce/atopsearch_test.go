package reproduce

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// A search of a few designs, each published network beside it: both fronts stand in one table, by cost, and what is said to be at least as
// good is so in every cell.
func TestAtopFronts(t *testing.T) {
	racing.Figures(t) // its search is that of search/run
	x := atop256
	if x.evaluations = 1500; testing.Short() {
		x.evaluations = 150
	}
	tab, err := atopSearch(context.Background(), 2, &x)
	if err != nil {
		t.Fatal(err)
	}
	cost, published, found := 0.0, 0, 0
	for _, r := range tab.Rows {
		if len(r.Cells) != 3 || r.Cells[0].Column != "cost" || r.Cells[0].Note == "" {
			t.Fatalf("%s: %+v", r.Name, r.Cells)
		}
		at, ok := r.Cells[0].Published.(float64)
		if slices.Contains(x.published, r.Name) != ok {
			t.Errorf("%s: published cost %v", r.Name, r.Cells[0].Published)
		}
		if ok {
			published++
			for _, c := range r.Cells {
				ours, _ := c.Computed.(float64)
				theirs, _ := c.Published.(float64)
				if c.Agrees && theirs != 0 && (c.Column == "uniform_throughput" && ours < min(theirs, 1) || c.Column != "uniform_throughput" && ours > theirs) {
					t.Errorf("%s, %s: found %g is worse than published %g", r.Name, c.Column, ours, theirs)
				}
				if c.Agrees == strings.HasPrefix(r.Cells[0].Note, "not found") {
					t.Errorf("%s: agrees %v: %s", r.Name, c.Agrees, r.Cells[0].Note)
				}
			}
		} else {
			found++
			at = r.Cells[0].Computed.(float64)
		}
		if at < cost {
			t.Errorf("%s at %g stands behind %g", r.Name, at, cost)
		}
		cost = at
	}
	if published != len(x.published) || found < 2 {
		t.Errorf("%d published rows, %d found", published, found)
	}
}
