package evaluator

import (
	"strings"
	"sync"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
	"toposearch/workload"
)

// TestBestOfAll times all divisions of a step one by one, on designs of all families, with domains and without, whose packets may make detours or not, and in another order of ranks: none is shorter than what was found, and the bounds of no
// division, of those that were not counted for them, are above its time.
func TestBestOfAll(t *testing.T) {
	racing.Figures(t)
	var es []*Evaluator
	for i := range 8 {
		o := trainingOptions(t)
		x := *o.Training
		x.Model, x.Batch, x.Accelerator.FLOPS = tiny(t), 24, 1e17
		if i&1 == 1 {
			o.Scaleup, o.PerServer, o.ScaleupGbps = true, 2+i/2, 1600
		}
		if i&2 == 2 {
			o.Algorithms = []string{"ugal_l"}
		}
		if i&4 == 4 {
			x.Mapping = "dp, tp, cp, pp"
		}
		o.Training, o.BoundTraining = &x, true
		es = append(es, newEvaluator(t, o))
	}
	compared, others := 0, 0
	for _, f := range families() {
		rng := stream.New(1, "best of all "+f.Name)
		for _, d := range topotest.Sample(f, rng, few(4), 40) {
			e := es[rng.IntN(len(es))]
			w := &work{e: e.of(d), ctx: t.Context(), d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}}, req: Request{Level: 1, Keys: []metric.Key{metric.UniformThroughput}}}
			if err := d.Family.Size(d.V, &w.res.Size); err != nil {
				t.Fatal(err)
			}
			w.size = &w.res.Size
			if err := w.climb(); err != nil {
				t.Fatal(err)
			}
			if noTraining(w) != "" || w.build() != nil { // endpoints that do not divide into domains
				continue
			}
			n, err := w.job()
			if err != nil {
				t.Fatal(err)
			}
			r, why, err := w.timeStep(n, len(n.Endpoint), e.opt.Training.Batch, nil)
			if why != "" || err != nil {
				continue
			}
			s := e.steps.system(n)
			all, _, err := e.steps.chooser(s, e.opt.Training.Batch).Shortest(len(n.Endpoint), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range all {
				on := n.On(e.opt.Training.order().Place(c.Parallelism, n.Endpoint))
				step, err := c.TimeOn(s, on.Fabric(t.Context()))
				if err != nil {
					t.Fatal(err)
				}
				if step.Total < c.Seconds*(1-1e-9) || step.Total < r.hi.Total*(1-1e-9) {
					t.Errorf("%s, %v, %s: %s takes %.12g s, on an ideal network %.12g; the best was %s, %.12g s", d, e.opt.Algorithms, e.opt.Training.Mapping, c.Parallelism, step.Total, c.Seconds, r.x.Parallelism, r.hi.Total)
					break
				}
				if i == 0 && step.Total > r.hi.Total*(1+1e-9) {
					others++
				}
			}
			compared++
		}
	}
	if !testing.Short() && (compared < 80 || others*10 < compared) {
		t.Errorf("%d designs, of which another division than on an ideal network is best on %d", compared, others)
	}
}

// TestBestElsewhere: on two switches joined by few links another parallelism is faster than on an ideal network, and the method says what that of an ideal network would take. Where nothing blocks it is the best, as the method says.
func TestBestElsewhere(t *testing.T) {
	o := trainingOptions(t)
	o.Training.Batch, o.Training.Accelerator.FLOPS = 1536, 989e12
	step := func(design string) metric.Figure {
		return evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.StepTime}}).Metrics[metric.StepTime]
	}
	narrow, full := step("hyperx(s1=2,t=16)"), step("fattree(k=8,l=2)")
	o.Training.Parallelism = &workload.Parallelism{TP: 1, CP: 1, PP: 2, DP: 16, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
	if given := step("hyperx(s1=2,t=16)"); given.Value < narrow.Value || !strings.Contains(narrow.Method, "that of an ideal network takes") {
		t.Errorf("%.6g s with %s, %.6g s as searched: %s", given.Value, o.Training.Parallelism, narrow.Value, narrow.Method)
	}
	if strings.Contains(full.Method, "that of an ideal network takes") || !strings.Contains(full.Method, "the best on an ideal network") {
		t.Errorf("where nothing blocks: %s", full.Method)
	}
}

// TestForgotten: times and bounds of steps are the same to the last digit whatever was asked before, of how many at once, and however little is remembered.
func TestForgotten(t *testing.T) {
	o := trainingOptions(t)
	o.Training.MessageBytes, o.BoundTraining = 1e5, true
	keys := []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}
	var designs []topology.Design
	for _, text := range []string{"zcube(n=3,k=3)", "zcube(n=6,k=2)", "zcube_rect(n=6,m=3)", "torus(k1=5,k2=4,t=2)", "mesh(k1=7,k2=3)", "hyperx(s1=5,s2=3,t=3)", "hyperx(s1=2,t=9)", "dragonfly(p=2,a=3,h=2)", "dragonflyplus(l=3,m=3,p=2,h=1)",
		"fattree(k=6,l=2)", "fattree(k=6,l=3)", "complete(n=7,t=5)", "ring(n=11,t=2)", "slimfly(q=3)", "polarfly(q=3,p=3)", "dcell(n=5,l=1)"} {
		designs = append(designs, parse(t, text))
	}
	type answer struct {
		values [3]metric.Figure
		step   float64
	}
	ask := func(e *Evaluator, d topology.Design) (a answer) {
		r := evaluate(t, e, d, Request{Keys: keys})
		for i, k := range keys {
			a.values[i] = r.Metrics[k]
		}
		a.step = e.steps.least(r.Size.Endpoints).step
		return a
	}
	want := make([]answer, len(designs))
	for i, d := range designs {
		want[i] = ask(newEvaluator(t, o), d)
	}
	e := newEvaluator(t, o)
	s := &e.steps
	s.best.Clear(2)
	s.bounded.Clear(2)
	s.within.Clear(2)
	s.through.Clear(2)
	s.rings.Clear(2)
	s.known.Clear(2)
	s.counts.Clear(2)
	var all sync.WaitGroup
	for crew := range 4 {
		all.Go(func() {
			rng := stream.New(uint64(crew), "forgotten")
			for range 2 {
				for _, i := range rng.Perm(len(designs)) {
					if got := ask(e, designs[i]); got != want[i] {
						t.Errorf("%s: %+v, alone %+v", designs[i], got, want[i])
					}
				}
			}
		})
	}
	all.Wait()
}
