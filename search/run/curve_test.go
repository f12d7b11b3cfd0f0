package run

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/search/searchtest"
)

// At the bound of each step the changed study has the value of the step as its best, and a hair stricter that of the step before, or no design.
func testCurves(t *testing.T, dir *RunDir) {
	cs, err := Curves(context.Background(), dir.Path, Effort{1 << 20, 1 << 30, testing.Short()}, 2)
	searchtest.Must(t, err)
	best := func(c *Curve, bound float64) float64 {
		side := "min"
		if c.Max {
			side = "max"
		}
		value := fmt.Sprint(bound)
		switch c.Limit {
		case "building.power":
			value = fmt.Sprintf("\"%.9f W\"", bound)
		case "procurement.lead_time":
			value = fmt.Sprintf("\"%v weeks\"", bound)
		case "switch.ports", "building.racks":
			value = fmt.Sprintf("%.0f", math.Floor(bound))
		}
		w, err := AskWhatIf(context.Background(), dir.Path, fmt.Sprintf("[what_if.limits]\n%s = { %s = %s }\n", c.Limit, side, value), nil, Effort{1 << 20, 1 << 30, false}, 2)
		searchtest.Must(t, err)
		least := math.Inf(1)
		for _, k := range w.Front {
			least = min(least, k.Objectives[c.Objective])
		}
		if !w.Complete {
			t.Errorf("%s at %v is not complete", c.Limit, bound)
		}
		return least
	}
	seen := map[string]int{}
	for i := range cs {
		c := &cs[i]
		seen[c.Limit] = len(c.Steps)
		if !c.Complete || len(c.Steps) == 0 || c.At(c.Bound) < 0 {
			t.Errorf("%s: %+v", c.Limit, c)
			continue
		}
		if testing.Short() || c.Limit == "procurement.lead_time" || c.Limit == "cable.reach" || c.Limit == "routing.vcs" || c.Limit == "procurement.cost" {
			continue // as the others are found, but slower to ask about, or without a step to compare
		}
		for k := max(0, len(c.Steps)-2); k < len(c.Steps); k++ {
			s := &c.Steps[k]
			if got := best(c, s.Bound); got != s.Value {
				t.Errorf("%s at %v: best %s %v, the curve says %v", c.Limit, s.Bound, c.Objective, got, s.Value)
			}
			if c.Limit == "switch.ports" { // between sizes on the list nothing is tried
				continue
			}
			stricter, want := s.Bound*(1-1e-6), math.Inf(1)
			if !c.Max {
				stricter = s.Bound * (1 + 1e-6)
			}
			if k > 0 {
				want = c.Steps[k-1].Value
			}
			if got := best(c, stricter); got != want && k > 0 {
				t.Errorf("%s at %v: best %s %v, the curve says %v", c.Limit, stricter, c.Objective, got, want)
			}
		}
	}
	for _, name := range []string{"building.power", "building.racks", "limits.uniform_throughput", "switch.ports"} {
		if seen[name] < 2 && (name != "switch.ports" || !testing.Short()) {
			t.Errorf("%s has %d steps: nothing is compared", name, seen[name])
		}
	}
}
