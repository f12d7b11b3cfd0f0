package bench

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/study"
)

// TestGaps: the ends of a front of which random shapes and steps from design to design know nothing are found all the same: with four rails a single
// switch of 512 ports each is alone at its end of the front, and without it a search that has most of the rest comes to .48 in the place of .88 of the hypervolume.
func TestGaps(t *testing.T) {
	racing.Figures(t)
	st, err := load("rails")
	if err != nil {
		t.Fatal(err)
	}
	ctx, o := context.Background(), Options{Workers: 2}
	st.Search.Evaluations = 0
	_, exact, _, err := trial(ctx, st, study.Enumerate, 1, &o)
	if err != nil {
		t.Fatal(err)
	}
	st.Search.Evaluations = 2000
	for strategy, least := range map[string]float64{study.NSGA2: 0.95, study.Local: 0.88} {
		_, got, _, err := trial(ctx, st, strategy, 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if h := objectives.Compared(got, exact).Hypervolume; h < least {
			t.Errorf("%s: %.4f of the exact hypervolume, want %.2f at least", strategy, h, least)
		}
	}
}
