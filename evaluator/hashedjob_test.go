package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Where each pair of ranks keeps to one path, a step takes the mean load of the busiest channel under hashes that are drawn: exchanges in groups of three patterns on networks of twelve families, in closed form, on trees without building them,
// and from the network. Channels
// are taken to be independent, where those that lead up and down a tree meet the same collisions: of so few the estimate is up to an eighth too large; where none has a choice it is that of an even split, exactly. No draw takes longer than hi.
func TestHashedSteps(t *testing.T) {
	for _, text := range []string{
		"fattree(k=4,l=3)", "fattree(k=8,l=2)", "fattree(k=16,l=2)", "fattree(k=8,l=3)", "multirail(k=8,l=2,r=2,planes=2,pods=4)", "hpn(k=12,g=3,segments=2)", "clos(m=4,n=4,r=6)",
		"dragonflyplus(l=2,m=2,p=2,h=2)", "hyperx(s1=4,s2=4,t=2)", "torus(k1=6,k2=6)", "jellyfish(n=16,r=6,p=2)", "jellyfish(n=64,r=8,p=4)", "slimfly(q=5)", "oft(k=4)", "mlfm(h=3)", "zcube(n=6,k=2)",
		"dragonfly(p=2,a=4,h=2)", "hypercube(n=5)",
	} {
		d := parse(t, text)
		n, r := routed(t, d)
		N := n.Endpoints()
		for _, stride := range []int{1, N / 2, N / 4} {
			g := workload.Group{Stride: stride, Size: N / stride}
			if g.Size < 2 || g.Stride*g.Size != N {
				continue
			}
			draw := func(yield func(from, to int) bool) {
				for from := range N {
					place := from / g.Stride % g.Size
					if !yield(from, from+((place+1)%g.Size-place)*g.Stride) {
						return
					}
				}
			}
			drawn, choice := drawnMost(n, r, 100, 1, draw)
			want, most := 0.0, 0.0
			for _, x := range drawn {
				want += max(x, 1) / float64(len(drawn))
				most = max(most, x)
			}
			even := exchange(t, text, "natural", g)
			for _, built := range []bool{false, true} {
				got := exchange(t, text, "natural+hash", g, built)
				t.Logf("%-40s stride %3d built %5v: even %.3f, expected %.3f, drawn %.3f (%+.1f %%), most %.3f, hi %.3f", text, stride, built, even.Value, got.Value, want, 100*(got.Value/want-1), most, got.Hi)
				if math.Abs(got.Value/want-1) > 0.12 || got.Hi < most*(1-same) || !choice && (got.Value != even.Value || got.Hi != even.Hi) {
					t.Errorf("%s, stride %d, built %v: %.4f in [%.4f, %.4f], %.4f drawn, %.4f of even splits (choice: %v)", text, stride, built, got.Value, got.Lo, got.Hi, want, even.Value, choice)
				}
			}
		}
	}
}

// Of ranks on the first endpoints of a tree the channels of those count, not of all: a step takes as long in closed form as on the network, and as long as all endpoints take of a tree that has no others.
func TestHashedStepsOfSomeEndpoints(t *testing.T) {
	for _, c := range []struct {
		design string
		g      workload.Group
		ranks  int
	}{
		{"fattree(k=16,l=2)", workload.Group{Stride: 8, Size: 2}, 16}, {"fattree(k=16,l=2)", workload.Group{Stride: 8, Size: 4}, 32}, {"fattree(k=32,l=2)", workload.Group{Stride: 16, Size: 2}, 32},
		{"fattree(k=8,l=3)", workload.Group{Stride: 4, Size: 4}, 16}, {"hpn(k=12,g=3,segments=2)", workload.Group{Stride: 18, Size: 2}, 36},
	} {
		closed, built := exchangeOf(t, c.design, "natural+hash", c.g, c.ranks, false), exchangeOf(t, c.design, "natural+hash", c.g, c.ranks, true)
		if math.Abs(closed.Value/built.Value-1) > 0.01 || math.Abs(closed.Hi/built.Hi-1) > 0.01 {
			t.Errorf("%s, %d ranks: %.4f, hi %.4f, in closed form, %.4f, hi %.4f on the network", c.design, c.ranks, closed.Value, closed.Hi, built.Value, built.Hi)
		}
	}
}

// exchange is what a message of each rank to the next of its group takes, at an endpoint's rate.
func exchange(t *testing.T, design, routing string, g workload.Group, built ...bool) (x metric.Figure) {
	t.Helper()
	return exchangeOf(t, design, routing, g, 0, len(built) > 0 && built[0])
}

// exchangeOf is it of so many ranks, on the first endpoints; 0: on all.
func exchangeOf(t *testing.T, design, routing string, g workload.Group, ranks int, built bool) (x metric.Figure) {
	t.Helper()
	o := trainingOptions(t)
	o.Training.Accelerator.Link[1].Alpha = 0
	o.Algorithms = []string{routing}
	o.built = built
	e, d := newEvaluator(t, o), parse(t, design)
	w := &work{e: e.of(d), ctx: t.Context(), d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}}, req: Request{Level: 1}}
	w.size = &w.res.Size
	if err := d.Family.Size(d.V, w.size); err != nil {
		t.Fatal(err)
	}
	w.prepare()
	if w.counted() == nil {
		if err := w.build(); err != nil {
			t.Fatal(err)
		}
	}
	n, err := w.job()
	if err != nil {
		t.Fatal(err)
	}
	if ranks > 0 {
		n = n.On(n.Endpoint[:ranks])
	}
	c := workload.Communication{Kind: collective.Exchange, Group: g, Bytes: n.Link.BytesPerS}
	if x.Value, _, err = n.Collective(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	x.Lo, x.Hi = n.LowerBound(c), x.Value
	if rare, err := w.rarely(n); err != nil {
		t.Fatal(err)
	} else if rare != nil {
		if x.Hi, _, err = rare.Collective(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return x
}
