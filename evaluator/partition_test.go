package evaluator

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology/topotest"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestCutsBound: no algorithm is faster than what cuts say, for any groups of the endpoints of designs of all families: those of built networks
// and those of grids and trees.
func TestCutsBound(t *testing.T) {
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
	if compared < 2000 || cut < 300 {
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
