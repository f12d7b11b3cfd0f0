package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/growth"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// grown evaluates a design as the growth of another.
func grown(t *testing.T, from, to string, change func(*Growth)) (*Evaluator, *Result) {
	t.Helper()
	return grownServers(t, from, to, DefaultOptions().PerServer, change)
}

// grownServers does with so many endpoints in a server.
func grownServers(t *testing.T, from, to string, perServer int, change func(*Growth)) (*Evaluator, *Result) {
	t.Helper()
	parse := func(s string) topology.Design {
		d, err := topology.ParseDesign(s, family.Known())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	opt := DefaultOptions()
	opt.BandwidthGbps, opt.PerServer = 400, perServer
	opt.Growth = &Growth{From: parse(from), Name: from, Rules: growth.Rules{Switches: true}}
	if change != nil {
		change(opt.Growth)
	}
	e, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Evaluate(context.Background(), parse(to), Request{Level: 1, Keys: []metric.Key{metric.GrowthCost, metric.KeptSwitches, metric.KeptCables, metric.MovedCables}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Have[metric.GrowthCost] {
		t.Fatalf("%s to %s: %s", from, to, r.Absent[metric.GrowthCost])
	}
	return e, r
}

// Growth to the same design buys nothing, moves nothing and keeps all, with racks that stay, too.
func TestGrowthToItself(t *testing.T) {
	for _, d := range []string{"fattree(k=8,l=2)", "dragonfly(p=2,a=4,h=2)", "hyperx(s1=4,s2=4,t=4)", "zcube(n=8,k=2)", "bcube(n=4,l=2)"} {
		for _, stay := range []bool{false, true} {
			_, r := grown(t, d, d, func(g *Growth) { g.LabourCable, g.LabourEndpoint, g.Rules.Stay = 2500, 4000, stay })
			cables := 0.0
			for _, c := range r.Plan.Classes {
				cables += float64(c.Count)
			}
			for k, want := range map[metric.Key]float64{metric.GrowthCost: 0, metric.KeptSwitches: r.Metrics[metric.Switches].Value, metric.KeptCables: cables, metric.MovedCables: 0} {
				if got := r.Metrics[k]; got.Value != want || got.Hi != want {
					t.Errorf("%s to itself (stay %v): %s = %v, want %v (%s)", d, stay, metric.Keys[k].Name, got.Value, want, got.Method)
				}
			}
		}
	}
}

// What is bought costs the price of the new network less that of what stays, and labour by its counts.
func TestGrowthCost(t *testing.T) {
	racing.Figures(t)
	e, r := grown(t, "hyperx(s1=4,s2=4,t=4)", "hyperx(s1=5,s2=4,t=4)", nil)
	p, old, to, err := e.Grow(r)
	if err != nil {
		t.Fatal(err)
	}
	lines, labour, err := e.Bought(r, p, old, to)
	if err != nil || labour != 0 {
		t.Fatalf("labour %d, %v, want none", labour, err)
	}
	switches := int64(0)
	for _, l := range lines {
		if l.Part.Kind == "switch" {
			switches += l.Quantity
		}
	}
	if switches != 4 { // 20 less 16
		t.Errorf("%d switches are bought, want 4", switches)
	}
	if c := r.Metrics[metric.GrowthCost].Value; c <= 0 || c >= r.Metrics[metric.Cost].Value {
		t.Errorf("growth costs %v, want between nothing and %v", c, r.Metrics[metric.Cost].Value)
	}
	_, none := grown(t, "hyperx(s1=4,s2=4,t=4)", "hyperx(s1=4,s2=4,t=4)", func(g *Growth) { g.Rules.Switches = false })
	// Without the old switches nothing stays plugged at both ends: all of them are bought, and all cables are free to be used again.
	if k := none.Metrics; k[metric.KeptSwitches].Value != 0 || k[metric.KeptCables].Value != 0 || k[metric.MovedCables].Value != 112 || math.IsNaN(k[metric.GrowthCost].Value) {
		t.Errorf("without old switches %v kept, %v cables kept, %v moved; want 0, 0, 112", k[metric.KeptSwitches].Value, k[metric.KeptCables].Value, k[metric.MovedCables].Value)
	}
}

// TestGrowthEnclosed: boxes of designs of all families, and each step of the ladder of one, enclose what growth costs, keeps and moves, under
// price lists with breaks, packs and minimum orders; and what stands beside the figure of a design does.
func TestGrowthEnclosed(t *testing.T) {
	racing.Figures(t)
	keys := []metric.Key{metric.Cost, metric.GrowthCost, metric.KeptSwitches, metric.KeptCables, metric.MovedCables}
	compared, above := 0, 0
	for i, from := range []string{"hyperx(s1=4,s2=4,t=4)", "fattree(k=8,l=3)", "zcube(n=8,k=2)"} {
		rng := stream.New(uint64(i), "growth enclosed")
		d, err := topology.ParseDesign(from, family.Known())
		if err != nil {
			t.Fatal(err)
		}
		o := Options{BandwidthGbps: 400, CountNICs: i == 1, Growth: &Growth{From: d, Name: from, LabourCable: 2000, Rules: growth.Rules{Switches: i < 2, Stay: i == 2}}}
		o.Catalog = catalog.Builtin()
		if i > 0 {
			o.Catalog = varied()
		}
		e := newEvaluator(t, o)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, 2, 400) {
				req := Request{Level: 1, Keys: keys}
				compared += stepsHold(t, e, d, req, rng, "from "+from)
				_, n := boxEncloses(t, e, d, req, rng, "from "+from)
				compared += n
				r, err := e.Evaluate(context.Background(), d, req)
				if err != nil {
					t.Fatal(err)
				}
				if x := r.Metrics[metric.GrowthCost]; r.Have[metric.GrowthCost] {
					if x.Lo > 0 {
						above++
					}
					if x.Lo > x.Value || x.Value > r.Metrics[metric.Cost].Value+1e6 {
						t.Errorf("from %s to %s: growth costs %g, at least %g, and all of it %g", from, d, x.Value, x.Lo, r.Metrics[metric.Cost].Value)
					}
				}
			}
		}
	}
	if compared < 500 || above < 20 {
		t.Errorf("%d figures were compared, %d bounds are above nothing", compared, above)
	}
	t.Logf("%d figures, %d bounds above nothing", compared, above)
}

// A tree of 6 leaves with 4 endpoints each becomes a HyperX of 3 to 9 switches, servers of 4 whole: as many cables stay as in the best of all assignments of boxes and servers, which another
// program found.
func TestGrowthIntoFewerSwitches(t *testing.T) {
	for _, c := range []struct {
		to   string
		kept float64
	}{
		{"hyperx(s1=3,t=12)", 12}, {"hyperx(s1=3,t=11)", 9}, {"hyperx(s1=3,k1=2,t=12)", 12}, {"hyperx(s1=3,s2=2,t=6)", 20}, {"hyperx(s1=3,s2=3,t=4)", 26},
	} {
		_, r := grownServers(t, "fattree(k=8,l=2,pods=6)", c.to, 4, func(g *Growth) { g.LabourCable, g.LabourEndpoint = 2500, 4000 })
		if got := r.Metrics[metric.KeptCables]; got.Value != c.kept || got.Hi < c.kept {
			t.Errorf("%s keeps %v cables, at most %v, want %v", c.to, got.Value, got.Hi, c.kept)
		}
	}
}

// Of two plans the cheaper is taken: where endpoints are alone 12 cables could stay, but those that the other plan frees are long enough to be moved, and spare what is bought.
func TestGrowthTakesTheCheaperPlan(t *testing.T) {
	e, r := grownServers(t, "fattree(k=8,l=2,pods=6)", "hyperx(s1=3,t=12)", 1, func(g *Growth) { g.LabourCable, g.LabourEndpoint = 2500, 4000 })
	p, old, to, err := e.Grow(r)
	if err != nil {
		t.Fatal(err)
	}
	matches := growth.Matches(old, to, e.opt.Growth.Rules)
	if len(matches) != 2 {
		t.Fatalf("%d plans, want 2", len(matches))
	}
	lines, chosen, _ := e.Bought(r, p, old, to)
	chosen += totalOf(lines)
	cheap := e.cheapToMove(r.Plan.BOM)
	for _, x := range matches {
		q := growth.Count(old, to, x, e.opt.Growth.Rules, func(c *growth.Cable) bool { return cheap(c.Part, c.Kind.Modules) })
		lines, labour, _ := e.Bought(r, q, old, to)
		if cost := labour + totalOf(lines); cost < chosen {
			t.Errorf("a plan that keeps %d cables costs %d, the one taken, of %d cables, %d", q.CablesKept, cost, p.CablesKept, chosen)
		}
	}
	if most := growth.Kept(old, to, matches[0], e.opt.Growth.Rules); p.CablesKept >= most {
		t.Errorf("the plan taken keeps %d cables, the other %d: the case tells nothing", p.CablesKept, most)
	}
}
