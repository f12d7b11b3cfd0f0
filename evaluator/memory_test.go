package evaluator

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/memory"
	"toposearch/internal/racing"
	"toposearch/workload"
)

// TestTooMuchMemory: what would take more memory than an evaluation may is absent with both figures, and at once;
// what takes none is there.
func TestTooMuchMemory(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		keys   []metric.Key // asked for by name: whatever time they take
	}{
		{"kntree(k=66,n=5)", []metric.Key{metric.Cost, metric.Latency, metric.Bisection, metric.GraphDiameter, metric.RackCables, metric.VCsFixed}},
		{"bcube(n=34,l=6)", []metric.Key{metric.Cost, metric.Latency, metric.MeanPathLinksFail, metric.DisjointPaths, metric.TableEntries, metric.ShortestPaths}},
		{"polarstar_iq(q=128,d=128,p=400)", []metric.Key{metric.MeanHops, metric.UniformThroughput}},
	} {
		d := parse(t, c.design)
		for _, req := range []Request{{Level: 1}, {Level: 2}, {Level: 3}, {Keys: c.keys}} {
			r, err := e.Evaluate(context.Background(), d, req)
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if !r.Have[metric.Endpoints] || !r.Have[metric.PhysicalPorts] && r.Reject.Constraint == "" {
				t.Errorf("%s: no counts at level %d", d, req.Level)
			}
			for _, k := range req.Keys {
				why := r.Absent[k]
				if k == metric.Latency || k == metric.RackCables {
					why = r.Absent[metric.CableMax]
				}
				if k == metric.VCsFixed && r.Have[k] {
					continue // one VC, and none changes
				}
				if r.Have[k] || !strings.Contains(why, "of memory, and an evaluation may take 4.29 GB; level 0 takes none") {
					t.Errorf("%s: %s = %v, absent because %q", d, metric.Keys[k].Name, r.Metrics[k].Value, why)
				}
			}
		}
	}
}

// TestMemoryAllowed: the limit is that of the options, and more memory admits more.
func TestMemoryAllowed(t *testing.T) {
	d := parse(t, "jellyfish(n=400,r=11,p=3)")
	for _, c := range []struct {
		bytes int64
		want  bool
	}{{1 << 20, false}, {1 << 28, true}} {
		r, err := newEvaluator(t, Options{MemoryBytes: c.bytes}).Evaluate(context.Background(), d, Request{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Have[metric.MeanHops]; got != c.want {
			t.Errorf("%s with %d bytes: mean hops known: %v, want %v (%s)", d, c.bytes, got, c.want, r.Absent[metric.MeanHops])
		}
	}
}

// TestShapeMemory: what collectives take that are counted without the network is predicted, too: with less they are walked.
func TestShapeMemory(t *testing.T) {
	o := trainingOptions(t)
	for _, c := range []struct {
		bytes int64
		want  string
	}{{32 << 20, "loads of collectives"}, {1 << 30, "loads of grids and trees"}} {
		o.MemoryBytes = c.bytes
		by := ""
		evaluate(t, newEvaluator(t, o), parse(t, "dragonfly(p=8,a=16,h=8,g=64)"), Request{Keys: []metric.Key{metric.AllreduceTime}, Trace: func(s Step, run func() error) error {
			if s.Metric == metric.AllreduceTime {
				by = s.Method
			}
			return run()
		}})
		if by != c.want {
			t.Errorf("with %d bytes: by %q, want %q", c.bytes, by, c.want)
		}
	}
}

// TestExpertsModelled: replicas of an expert are few where those of a layer are too many to send to all others, and such messages are counted one by one where sides are odd: what that is modelled to take has them.
func TestExpertsModelled(t *testing.T) {
	m, err := workload.Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	o := trainingOptions(t)
	o.Training.Model, o.Training.Batch, o.Training.Accelerator.Memory = m, 8*1816, 1e15
	for _, c := range []struct {
		ep          int
		least, most float64 // ns
	}{{1, 0, 1e7}, {8, 14528 * 1816 / 8 * 20, 1e9}} {
		o.Training.Parallelism = &workload.Parallelism{TP: 8, CP: 1, PP: 1, DP: 1816, EP: c.ep, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		ns := -1.0
		stop := errors.New("modelled")
		_, err := newEvaluator(t, o).Evaluate(context.Background(), parse(t, "torus(k1=17,k2=15,k3=19,t=3)"), Request{Keys: []metric.Key{metric.StepTime}, Trace: func(s Step, run func() error) error {
			if s.Metric == metric.StepTime {
				ns = s.Ns
				return stop
			}
			return run()
		}})
		if !errors.Is(err, stop) || ns < c.least || ns > c.most {
			t.Errorf("ep = %d: modelled to take %g ns, want %g to %g (%v)", c.ep, ns, c.least, c.most, err)
		}
	}
}

// TestMachineTooSmall: what an evaluation may take and the machine does not have is an error, so that no result
// depends on the machine.
func TestMachineTooSmall(t *testing.T) {
	e := newEvaluator(t, Options{MemoryBytes: math.MaxInt64})
	_, err := e.Evaluate(context.Background(), parse(t, "fattree(k=64,l=6,pods=60)"), Request{Keys: []metric.Key{metric.GraphDiameter}})
	if limit, _ := memory.Limit(); limit > 1<<45 {
		t.Skip("the machine has more memory than that takes")
	}
	var bad *memory.Error
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "of fattree(k=64,l=6,pods=60) needs about") {
		t.Errorf("Evaluate: %v, want an error of package memory", err)
	}
}

// TestLargeOnesWait: large evaluations side by side give what they give alone, and none waits for ever.
func TestLargeOnesWait(t *testing.T) {
	e := newEvaluator(t, Options{})
	d := parse(t, "polarfly(q=127)") // 1 million links: some 400 MB
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			r, err := e.Evaluate(context.Background(), d, Request{Keys: []metric.Key{metric.GraphDiameter}})
			if err != nil || r.Metrics[metric.GraphDiameter].Value != 2 {
				t.Errorf("%s: diameter %v, error %v", d, r, err)
			}
		})
	}
	wg.Wait()
}

// TestBillBeyondCounting: an amount that integers do not hold is no cost, rather than a negative one.
func TestBillBeyondCounting(t *testing.T) {
	c := *catalog.Builtin()
	c.Parts = slices.Clone(c.Parts)
	for i := range c.Parts {
		c.Parts[i].UnitPrice, c.Parts[i].PriceBreaks = math.MaxInt64/40, nil // 12 switches and 32 cables of nics are more
	}
	r, err := newEvaluator(t, Options{Catalog: &c, BandwidthGbps: 400}).Evaluate(context.Background(), parse(t, "fattree(k=8,l=2)"), Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	if why := r.Absent[metric.Cost]; r.Have[metric.Cost] || !strings.Contains(why, "beyond counting") || strings.Contains(why, "evaluator:") {
		t.Errorf("cost = %v, absent because %q", r.Metrics[metric.Cost].Value, why)
	}
}

// TestNoCableNoRackCables: where no cable is long enough there is no plan, and its cables out of racks are not
// counted.
func TestNoCableNoRackCables(t *testing.T) {
	racing.Figures(t)
	r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{BuildingDistM: 1e6, Buildings: 2}}), parse(t, "fattree(k=16,l=3)"), Request{Level: 2})
	if r.Reject.Constraint != metric.RejectReach || r.Have[metric.RackCables] || !strings.Contains(r.Absent[metric.RackCables], "a cable must be") {
		t.Errorf("rejected as %q; rack_cables: %v, absent because %q", r.Reject.Constraint, r.Have[metric.RackCables], r.Absent[metric.RackCables])
	}
}

// TestStepsModelled: what a step is modelled to take knows where a closed form answers, which division does not run at all, and how many steps are tried where ranks are placed as is best.
func TestStepsModelled(t *testing.T) {
	for _, c := range []struct {
		design, mapping string
		tp, dp          int
		least, most     float64 // ns
	}{
		{"ring(n=68,t=147)", "", 8, 208, 0, 1e6}, // groups lie alike
		{"fattree(k=16,l=6)", "", 8, 20480, 0, 2e7},
		{"zcube(n=10,k=5)", "", 8, 2083, 2e7, 2e9},     // rows are counted
		{"zcube(n=10,k=5)", "", 8, 2100, 0, 1e6},       // more ranks than endpoints
		{"ring(n=68,t=147)", "best", 8, 208, 3e7, 3e9}, // 6 orders, 26 exchanges, in which messages are counted one by one
	} {
		o := trainingOptions(t)
		o.Training.Batch, o.Training.Accelerator.Memory, o.Training.Mapping = 8*c.dp, 1e15, c.mapping
		o.Training.Parallelism = &workload.Parallelism{TP: c.tp, CP: 1, PP: 6, DP: c.dp, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		e, ns := newEvaluator(t, o), [2]float64{-1, -1} // the second is remembered
		for i := range ns {
			_, err := e.Evaluate(context.Background(), parse(t, c.design), Request{Keys: []metric.Key{metric.StepTime}, Trace: func(s Step, run func() error) error {
				if s.Metric != metric.StepTime {
					return run()
				}
				ns[i] = s.Ns
				return ErrSkipped
			}})
			if err != nil || ns[i] < c.least || ns[i] > c.most || ns[i] != ns[0] {
				t.Errorf("%s, dp %d, mapping %q: modelled to take %g ns, want %g to %g, and %g at first (%v)", c.design, c.dp, c.mapping, ns[i], c.least, c.most, ns[0], err)
			}
		}
	}
}
