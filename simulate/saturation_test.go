package simulate_test

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// A saturation load holds at ten times the cycles, also where a window of 4,000 is so short for a small network that the interval is a
// wide one: a run ten times as long as the longest that decided accepts 97 % of
// the lower end, and not of the upper one, half a percent for its own chance aside. 97 % is accepted where about
// 1.03 times the load that fills the busiest channel is offered, and no run of any length accepts more than these 3 %
// beyond where all sources share that channel, as in zettafly4, whose 0.5556 / 0.97 = 0.573 must lie inside.
func TestSaturationHolds(t *testing.T) {
	racing.Figures(t)
	designs := []string{"zettafly4(a=2,p=3,h=4,s=2)"}
	if !testing.Short() {
		designs = append(designs, "bcube(n=3,l=2)", "torus(k1=4,k2=4)", "hyperx(s1=4,k1=1,t=6)", "slimfly(q=3,p=2)", "jellyfish(n=12,r=4,p=2,seed=1)", "dcell(n=4,l=1)")
	}
	for _, name := range designs {
		n, sim, with := atRates(t, name)
		s, err := sim.Saturation(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		longest := int64(0)
		for _, p := range s.Points {
			if p.Offered == s.Load || p.Offered == s.Above {
				longest = max(longest, p.Measured)
			}
		}
		var share [2]float64
		long := with(int(10*longest), 1)
		for i, load := range []float64{s.Load, s.Above} {
			if share[i] = math.NaN(); load == 0 {
				continue
			}
			p, err := long.Run(context.Background(), load)
			if err != nil {
				t.Fatal(err)
			}
			share[i] = p.Share
		}
		t.Logf("%-34s %3d endpoints: [%.4f, %.4f] by %6d cycles; %.4f and %.4f of these accepted in %7d", name, n.Endpoints(), s.Load, s.High(), longest, share[0], share[1], 10*longest)
		if share[0] < 0.965 || share[1] > 0.975 || s.High()-s.Load > 0.16*s.High() {
			t.Errorf("%s: [%.4f, %.4f], of which %.4f and %.4f are accepted in %d cycles", name, s.Load, s.High(), share[0], share[1], 10*longest)
		}
		if name == designs[0] && (s.Load > 0.5556/0.97 || s.Above < 0.5556/0.97) {
			t.Errorf("%s: [%.4f, %.4f]", name, s.Load, s.Above)
		}
	}
}

// Of intervals that searches with other seeds find in windows of some thousand cycles nearly all hold the answer: zettafly4, by hand 0.5556 / 0.97 as above.
// This is what the rule costs and how often it fails, in the fewest flit-hops; -v prints it.
func TestSaturationCovers(t *testing.T) {
	racing.Figures(t)
	if testing.Short() {
		t.Skip("searches 40 times")
	}
	const (
		searches = 40
		cycles   = 4000
		slack    = 0.005 // of the answer: what queues add to what the channel carries
	)
	_, _, with := atRates(t, "zettafly4(a=2,p=3,h=4,s=2)")
	answer := 0.5556 / 0.97
	missed, undecided, width, spent := 0, 0, 0.0, int64(0)
	for seed := range uint64(searches) {
		sim := with(cycles, seed)
		s, err := sim.Saturation(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if s.Load > answer*(1+slack) || s.High() < answer*(1-slack) {
			missed++
		}
		undecided, width, spent = undecided+s.Undecided, width+(s.High()-s.Load)/answer, spent+sim.Spent()
	}
	t.Logf("%d of %d intervals miss the answer, %.1f %% wide, %.2f loads undecided, %.0f cycles at the answer", missed, searches, 100*width/searches,
		float64(undecided)/searches, float64(spent)/searches/11.4) // flit-hops of a cycle there
	if missed > 2 || width > 0.08*searches {
		t.Errorf("%d of %d intervals miss the answer, which are %.1f %% wide in the mean", missed, searches, 100*width/searches)
	}
}

// Tapered trees saturate where their thinnest level says, less what switches with queues lose. By hand, the uplinks of
// a pod over what its endpoints send to others: 1/3 / (6/11); 1/9 / (36/71).
func TestTapersSaturate(t *testing.T) {
	racing.Figures(t)
	for name, predicted := range map[string]float64{
		"fattree(k=4,l=3,taper2=3:1,pods=2)":                1. / 3 * 11 / 6,
		"multirail(k=4,l=3,taper2=3:1,r=2,planes=2,pods=2)": 1. / 3 * 11 / 6,
		"roft(k=8,taper1=3:1,taper2=3:1,g=2,pods=2)":        1. / 9 * 71 / 36,
		"fattree(k=6,l=4,taper2=2:1,taper3=5:1,pods=2)":     1. / 10 * 119 / 60,
	} {
		if testing.Short() && name[0] != 'r' {
			continue
		}
		_, sim, _ := atRates(t, name)
		s, err := sim.Saturation(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: predicted %.4f, [%.4f, %.4f]", name, predicted, s.Load, s.High())
		if s.High() < 0.9*predicted || s.Load > predicted/0.97*1.005 {
			t.Errorf("%s: saturates between %.4f and %.4f, predicted is %.4f", name, s.Load, s.High(), predicted)
		}
	}
}

// atRates is a design at the rates on sale, a simulation of it, and what makes others that measure longer.
func atRates(t *testing.T, name string) (*topology.Network, *flit.Sim, func(cycles int, seed uint64) *flit.Sim) {
	t.Helper()
	d, n := familytest.Build(t, name)
	e, err := evaluator.New(evaluator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, _, err = e.Rated(d, n); err != nil {
		t.Fatal(err)
	}
	c := simulate.Choice{Routing: "natural", Traffic: "uniform", Want: 4, Seed: 1}
	r, tr, err := c.Build(context.Background(), d, n)
	if err != nil {
		t.Fatal(err)
	}
	with := func(cycles int, seed uint64) *flit.Sim {
		cfg := flit.SwitchConfig()
		cfg.VCs, cfg.PacketFlits, cfg.Seed, cfg.Measure, cfg.Warmup = max(4, r.VCs()), 4, seed, cycles, 500
		s, err := flit.New(n, r, tr, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	return n, with(4000, 1), with
}
