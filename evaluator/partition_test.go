package evaluator

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/topotest"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestCutsBound: no algorithm is faster than what cuts say, for any groups of the endpoints of designs of all families: those of built networks
// and those of grids and trees.
func TestCutsBound(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, trainingOptions(t))
	compared, cut := 0, 0
	for _, f := range families() {
		rng := stream.New(6, "cuts of "+f.Name)
		for i, d := range topotest.Sample(f, rng, 3, 72) {
			w := &work{e: e, ctx: context.Background(), d: d, res: &Result{Design: d}}
			w.size = &w.res.Size
			if f.Size(d.V, w.size) != nil {
				continue
			}
			w.prepare()
			if noTraining(w) != "" {
				continue
			}
			net, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			w.net = net
			n, err := w.job()
			if err == nil && n.Shape != nil && i%2 == 0 { // half of them by their links
				r, rerr := routing.New(net, w.rule())
				if err = rerr; err == nil {
					n = w.jobNetwork(r)
					w.bottlenecks(n)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			free := w.unblocked()
			free.Endpoint, n.Link.Alpha, free.Link.Alpha = n.Endpoint, 0, 0
			for size := 2; size <= len(n.Endpoint); size++ {
				for stride := 1; stride*size <= len(n.Endpoint); stride++ {
					if len(n.Endpoint)%(stride*size) != 0 || rng.IntN(4) > 0 && size < len(n.Endpoint) {
						continue
					}
					for _, k := range []collective.Kind{collective.AllReduce, collective.AllGather, collective.ReduceScatter, collective.AllToAll, collective.Exchange} {
						c := workload.Communication{Kind: k, Group: workload.Group{Stride: stride, Size: size}, Bytes: 1e8, Count: 1}
						s, name, err := n.Collective(w.ctx, c)
						if err != nil {
							t.Fatalf("%s: %v", d, err)
						}
						lo := n.LowerBound(c)
						if compared++; math.IsNaN(lo) || s < lo*(1-1e-9) {
							t.Errorf("%s (%T): %s takes %g s by %s, less than the bound %g", d, n.Shape, c, s, name, lo)
						}
						if lo > free.LowerBound(c)*1.01 {
							cut++
						}
					}
				}
			}
		}
	}
	if (compared < 2000 || cut < 300) && !racing.On {
		t.Errorf("only %d times were compared, %d with bounds by cuts", compared, cut)
	}
}

// TestTightBounds by hand, in S at an endpoint's rate. Twelve rings of replicas, one on each place of eight leaves with four uplinks: each leaf merges and
// copies 2 x 7/8 of twelve vectors. Among all endpoints the same leaves pass a twelfth of that, less than what an endpoint sends. On a ring of sixteen switches with two endpoints each,
// all-to-all in halves: 16 x 16/32 leave either half by two links.
func TestTightBounds(t *testing.T) {
	e := newEvaluator(t, trainingOptions(t))
	for _, c := range []struct {
		design string
		k      collective.Kind
		g      workload.Group
		share  float64
	}{
		{"fattree(k=16,l=2,d=12,pods=8)", collective.AllReduce, workload.Group{Stride: 12, Size: 8}, 12 * 2 * 7.0 / 8 / 4},
		{"fattree(k=16,l=2,d=12,pods=8)", collective.AllReduce, workload.Group{Stride: 1, Size: 96}, 2 * 95.0 / 96},
		{"fattree(k=16,l=2,d=12,pods=8)", collective.AllGather, workload.Group{Stride: 12, Size: 8}, 12 * 7.0 / 8 / 4},
		{"ring(n=16,t=2)", collective.AllToAll, workload.Group{Stride: 1, Size: 32}, 16 * 16.0 / 32 / 2},
	} {
		for _, built := range []bool{false, true} {
			e.opt.built = built
			d := parse(t, c.design)
			w := &work{e: e, ctx: context.Background(), d: d, res: &Result{Design: d}}
			w.size = &w.res.Size
			net, err := d.Build()
			if err != nil || d.Family.Size(d.V, w.size) != nil {
				t.Fatal(err)
			}
			w.net = net
			w.prepare()
			n, err := w.job()
			if err != nil {
				t.Fatal(err)
			}
			got := n.LowerBound(workload.Communication{Kind: c.k, Group: c.g, Bytes: 1e9, Count: 1}) * n.Link.BytesPerS / 1e9
			if math.Abs(got/c.share-1) > 1e-8 {
				t.Errorf("%s, built %t: %s of %v takes at least %g of S, want %g", c.design, built, c.k, c.g, got, c.share)
			}
		}
	}
}

// TestReductionInSwitches by hand: where switches add at the rate of a port, an all-reduce of eight replicas on each of the four endpoints of eight leaves
// passes each of the four uplinks once, half as often as the whole vector does by other algorithms at least; with the segments of collective.InNetwork. Where they add at half of the rate it takes
// twice as long and other algorithms are as fast but for their steps; and only if every switch adds, on a tree, are they used.
func TestReductionInSwitches(t *testing.T) {
	racing.Figures(t)
	time := func(design string, gbps float64) metric.Figure {
		o := trainingOptions(t)
		list := *catalog.Builtin()
		list.Parts = slices.Clone(list.Parts)
		for i := range list.Parts {
			if p := &list.Parts[i]; p.Kind == catalog.KindSwitch && gbps > 0 {
				p.ReductionGbps = min(gbps, float64(p.RateGbps))
			}
		}
		o.Catalog, o.BoundTraining = &list, true
		e, d := newEvaluator(t, o), parse(t, design)
		r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.AllreduceTime}})
		var s topology.Size
		var iv metric.Intervals
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		e.Enclose(bound.One(d.V, &s), new(bound.Ladder), &iv)
		if f := r.Metrics[metric.AllreduceTime]; !r.Have[metric.AllreduceTime] || f.Lo > f.Value || iv.At[metric.AllreduceTime].Lo > f.Lo*(1+1e-9) {
			t.Errorf("%s: %+v, bounded by %+v", design, f, iv.At[metric.AllreduceTime])
		}
		return r.Metrics[metric.AllreduceTime]
	}
	const tree = "fattree(k=8,l=2)"
	in := collective.InNetwork{N: 32, Radix: 6, Segments: 1} // two levels of switches
	in.Segments = in.BestSegments(collective.Link{Alpha: 5e-6, BytesPerS: 50e9}, 1e9)
	cost, err := in.Cost(collective.AllReduce)
	if err != nil {
		t.Fatal(err)
	}
	want := cost.Time([collective.Levels]collective.Link{{Alpha: 5e-6, BytesPerS: 50e9}}, 1e9)
	plain, adds, half := time(tree, 0), time(tree, 400), time(tree, 200)
	if math.Abs(adds.Value/want-1) > 1e-9 || adds.Lo < 1e9/50e9*0.999 || !strings.Contains(adds.Method, "in-network") {
		t.Errorf("by switches that add: %+v, want %g", adds, want)
	}
	if math.Abs(half.Value/plain.Value-1) > 0.05 || strings.Contains(plain.Method, "in-network") {
		t.Errorf("%+v where no switch adds, %+v at half of the rate", plain, half)
	}
	if a, b := time("dragonfly(p=2,a=4,h=2)", 0), time("dragonfly(p=2,a=4,h=2)", 400); a.Value != b.Value {
		t.Errorf("on a dragonfly %+v, and %+v where switches add", a, b)
	}
}
