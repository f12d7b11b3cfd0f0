package evaluator

import (
	"context"
	"fmt"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestPlannedBoxes: a box of designs with one floor plan, and each step of the ladder of one of them, encloses what level 1 computes, where
// groups take several racks, or share one, and where cables may be too long.
func TestPlannedBoxes(t *testing.T) {
	racing.Figures(t)
	compared, rejected := 0, 0
	for i := range few(40) {
		rng := stream.New(17, "planned boxes", uint64(i))
		site := floor.Site{RackServers: 1 + rng.IntN(3), RackSwitches: rng.IntN(4)}
		if i%3 == 0 {
			site.Limits = market.Limits{ReachM: float64(10 + rng.IntN(40))}
		}
		e, draw := newEvaluator(t, Options{BandwidthGbps: 400, PerServer: 1 + rng.IntN(8), Site: site}), fmt.Sprint("planned boxes ", i)
		for _, name := range []string{"dragonfly", "dragonflyplus"} {
			f, _ := family.ByName(name)
			v := []int{1 + rng.IntN(60), 1 + rng.IntN(8), 1 + rng.IntN(12), 2 + rng.IntN(24), rng.IntN(4)}
			if name == "dragonflyplus" {
				v = []int{1 + rng.IntN(8), 1 + rng.IntN(12), 1 + rng.IntN(30), 1 + rng.IntN(12), 2 + rng.IntN(24)}
			}
			d := topology.Design{Family: f, V: v}
			var s topology.Size
			if f.Size(v, &s) != nil {
				continue
			}
			compared += stepsEnclose(t, e, d, rng, draw)
			r, err := e.Evaluate(context.Background(), d, enclosed(e))
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := append([]int(nil), v...), append([]int(nil), v...)
			for _, k := range f.Unplaced {
				if k == f.Param("h") && i%2 == 0 {
					continue // with the same rounds
				}
				lo[k], hi[k] = max(f.Params[k].Min, v[k]-rng.IntN(3)), min(f.Params[k].Max, v[k]+rng.IntN(3))
			}
			var bl, bh topology.Size
			f.SizeBounds(lo, hi, &bl, &bh)
			var per topology.PerEndpoint
			f.BoundPerEndpoint(lo, hi, bl.Endpoints, bh.Endpoints, &per)
			per.Tighten(&bl, &bh)
			for part := range 3 { // each is asked for more
				per.PlanBetween, per.PlanRounds = part == 0, part == 2
				var l bound.Ladder
				var box metric.Intervals
				e.Enclose(bound.Between(&bl, &bh, &per), &l, &box)
				if box.Reject.Constraint != "" {
					if rejected++; r.Reject.Constraint == "" {
						t.Errorf("%s, %s, in the box %v..%v: %v is said of all, and not of it", d, draw, lo, hi, box.Reject)
					}
					continue
				}
				for k := range metric.Key(metric.Count) {
					if m := r.Metrics[k]; box.Have[k] && r.Have[k] {
						if compared++; m.Value < box.At[k].Lo || m.Value > box.At[k].Hi {
							t.Errorf("%s, %s, in the box %v..%v: %s = %.17g is outside [%.17g, %.17g]", d, draw, lo, hi, metric.Keys[k].Name, m.Value, box.At[k].Lo, box.At[k].Hi)
						}
					}
				}
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d figures were compared", compared)
	}
	t.Logf("%d figures, %d boxes rejected", compared, rejected)
}
