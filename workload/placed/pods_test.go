package placed

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology/family/familytest"
	"toposearch/workload"
)

// podsOf is a partial ZCube of a side by the closed form of its messages (TestByMessage).
func podsOf(t *testing.T, side int) *Pods {
	t.Helper()
	d := familytest.Parse(t, fmt.Sprintf("zcube_partial(n=%d)", side))
	m := d.Family.Messages(d.V)
	c := &Pods{Channels: &Channels{Load: m.Load}, Side: m.Pods}
	for _, l := range m.Levels {
		c.Levels = append(c.Levels, Bundles{l.Bundles, float64(l.Each)})
	}
	return c
}

// TestPodRuns: what rows of partial ZCubes load is what messages load one by one, of all levels, of any ranks on the first endpoints, by shifts and by all-to-alls; and counting ends early only where the rest cannot be less.
func TestPodRuns(t *testing.T) {
	rng, early := stream.New(8, "pods"), 0
	for trial := range 1500 {
		side := 2 * (1 + rng.IntN(5))
		c, ends := podsOf(t, side), side*side*side
		of := workload.Group{Stride: 1 + rng.IntN(1<<rng.IntN(8)), Size: 2 + rng.IntN(1<<(1+rng.IntN(4)))}
		if trial%3 == 0 { // as many as divide a pod, or reach from one to another
			of = workload.Group{Stride: side / 2 * (1 + rng.IntN(2)), Size: []int{2, side, side / 2, 2 * side}[rng.IntN(4)]}
		}
		block := of.Stride * of.Size
		ranks := ends
		if rng.IntN(2) == 0 {
			ranks -= rng.IntN(ranks)
		}
		if ranks -= ranks % block; ranks == 0 || of.Size < 2 {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1)}
		if rng.IntN(4) == 0 {
			p = pattern{All: true}
		}
		got, l := c.byRuns(of, p, ranks, false).levels, c.loads()
		for r := range ranks {
			p.each(of, func(shift int) {
				place := r / of.Stride % of.Size
				l.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
			})
		}
		for i, want := range l.levels() {
			if math.Abs(got[i]-want) > 1e-12*want {
				t.Fatalf("zcube_partial(n=%d), %d ranks, %+v by %+v: levels carry %v, one by one %v", side, ranks, of, p, got, l.levels())
			}
		}
		limit := c.under(got) * 0.6
		some, whole := c.byRows(of, p, ranks, func(far float64) bool { return far >= limit })
		if far := max(some.own, c.under(some.levels)); far < limit && !whole || whole && !slices.Equal(some.levels, got) {
			t.Fatalf("zcube_partial(n=%d), %d ranks, %+v by %+v: ended with %v of %v, whole %t", side, ranks, of, p, some.levels, got, whole)
		}
		if !whole && !slices.Equal(some.levels, got) {
			early++
		}
	}
	if early < 50 {
		t.Errorf("only %d countings ended early", early)
	}
}
