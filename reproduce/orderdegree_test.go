package reproduce

import (
	"testing"
	"time"

	"toposearch/internal/racing"
)

// TestOrderDegree: small cases are no worse than annealing by 2-opt in a hundredth of its time.
func TestOrderDegree(t *testing.T) {
	cases := wirings[:4]
	if racing.On {
		cases = cases[:1] // two workers share each
	}
	tab, err := wiringTable(t.Context(), 2, cases, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range tab.Rows {
		for _, c := range r.Cells[:1] {
			if !c.Agrees {
				t.Errorf("%s: %s %v, %s", r.Name, c.Column, c.Computed, c.Note)
			}
		}
		if found, bound := r.Cells[1].Computed.(float64), r.Cells[2].Computed.(float64); found < bound || found > 1.06*bound {
			t.Errorf("%s: mean %g, bound %g", r.Name, found, bound)
		}
	}
}
