package evaluator

import (
	"math"
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestAlikeWorst: where one channel stands for all of its kind, shortest paths load it with what matchings of all pairs do, with a flow on all of its paths and on one; and
// the traffic that is given does so.
func TestAlikeWorst(t *testing.T) {
	racing.Figures(t)
	designs := []topology.Design{}
	for _, f := range family.All() {
		designs = append(designs, topotest.Sample(f, rngOf("alike worst "+f.Name), few(6), 40)...)
	}
	for _, text := range []string{"torus(k1=4,k2=4,k3=4)", "torus(k1=6,k2=6)", "torus(k1=7,k2=3,k3=3,t=2)", "ring(n=9,t=3)", "hyperx(s1=4,s2=4,s3=3,k1=2,k2=2,t=3)", "hypercube(n=5,t=2)", "slimfly(q=5)"} {
		d, err := topology.ParseDesign(text, family.All())
		if err != nil {
			t.Fatal(err)
		}
		designs = append(designs, d)
	}
	compared := 0
	for _, d := range designs {
		e := newEvaluator(t, Options{Routing: "minimal"})
		_, _ = counted(t, e, d, func(w *work) {
			alike := w.alikeLinks()
			if alike == nil {
				return
			}
			r, err := routing.New(w.net, w.rule())
			if err != nil {
				t.Fatal(err)
			}
			for _, single := range []bool{false, true} {
				all, err := r.WorstCase(t.Context(), w.linkCapacity(), single, nil)
				if err != nil {
					return // apart
				}
				one, err := r.WorstCase(t.Context(), w.linkCapacity(), single, alike)
				if err != nil {
					t.Fatal(err)
				}
				if len(all.Bound) == 0 {
					return
				}
				compared++
				want, got := slices.Max(all.Bound), slices.Max(one.Bound)
				if math.Abs(got-want) > 1e-4*want { // which rounds the parts of routes to some 65,000ths
					t.Errorf("%s single %v: one channel of a kind is loaded by %g at most, all by %g", d, single, got, want)
				}
				for c, x := range one.Bound {
					if x > all.Bound[c]*(1+1e-9) {
						t.Errorf("%s single %v: channel %d may be loaded by %g, not more than %g by all pairs", d, single, c, x, all.Bound[c])
						break
					}
				}
				l, err := r.FlowLoads(t.Context(), one.Worst, routing.LoadOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if found := slices.Max(l.Relative(w.net, w.linkCapacity())); !single && math.Abs(found-got) > 1e-9*got {
					t.Errorf("%s: what loads a channel by %g is found to load it by %g", d, got, found)
				}
			}
		})
	}
	if compared < 40 {
		t.Errorf("%d networks were compared", compared)
	}
}

// TestAlikeWorstBytes: where one channel of a kind is followed, every method that follows direct routes is predicted to take what that does, not what all channels would.
func TestAlikeWorstBytes(t *testing.T) {
	d, err := topology.ParseDesign("dcell(n=7,l=1)", family.All())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = counted(t, newEvaluator(t, Options{}), d, func(w *work) {
		if !w.oneForAll() || !w.followsWorst() {
			t.Fatal("its direct routes are not followed by one channel of a kind")
		}
		all, base := routing.WorstBytes(w.sets(), w.channels()), graphBytes(w)
		one := base + routing.AlikeBytes(w.sets())
		for _, m := range worstGroup.methods {
			if m.name == "adversary by concurrent flows" && m.bytes(w) != max(one, matchingBytes(w)) {
				t.Errorf("%s: predicted to take %g bytes, not %g (all channels: %g)", m.name, m.bytes(w), one, base+all)
			}
		}
	})
}
