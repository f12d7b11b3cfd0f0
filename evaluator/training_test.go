package evaluator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
	"toposearch/workload"
	"toposearch/workload/collective"
)

func trainingOptions(t testing.TB) Options {
	t.Helper()
	m, err := workload.Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	s := workload.System{FLOPS: 312e12, Efficiency: 0.5, Memory: 80e9}
	s.Link[1].Alpha = 5e-6
	return Options{BandwidthGbps: 400, Training: &Training{Model: m, Sequence: 2048, Batch: 128, Accelerator: s, MessageBytes: 1e9}}
}

// TestAllreduceTime by hand: a ring of eight, 400 Gb/s a link: 14 steps of 5 us and 1.75 GB at 50 GB/s. Its all-to-all
// puts 1 GB on each link, and takes 7 steps. A full tree takes as long for the all-reduce of 32.
func TestAllreduceTime(t *testing.T) {
	e := newEvaluator(t, trainingOptions(t))
	for _, c := range []struct {
		design           string
		allreduce, reach float64 // and the all-to-all
	}{
		{"ring(n=8)", 14*5e-6 + 1.75e9/50e9, 7*5e-6 + 1e9/50e9},
		{"fattree(k=8,l=2)", 10*5e-6 + 2*31.0/32*1e9/50e9, 31*5e-6 + 31.0/32*1e9/50e9},
	} {
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{metric.AllreduceTime, metric.AlltoallTime}})
		a, b := r.Metrics[metric.AllreduceTime], r.Metrics[metric.AlltoallTime]
		if math.Abs(a.Value/c.allreduce-1) > 1e-9 || math.Abs(b.Value/c.reach-1) > 1e-9 || a.Lo > a.Value || b.Lo > b.Value || a.Lo <= 0 {
			t.Errorf("%s: all-reduce %+v, all-to-all %+v, want %g and %g", c.design, a, b, c.allreduce, c.reach)
		}
	}
}

// expert is tiny with experts.
func expert(t *testing.T) *workload.Transformer {
	m := tiny(t)
	m.FFN, m.Experts = 0, &workload.Experts{Routed: 16, Active: 2, FFN: 4096}
	return m
}

// TestDivided: where sources may divide all-to-alls of experts over several paths a step is never slower than without, and faster where few links join the
// switches of a group; and the method says what was counted. What else is sent is divided by the routing, and faster, too. Routings without detours, or whose packets all make one, do not divide; where
// all make one, steps are slower where routes were enough, and faster where one link was to carry what a switch sends.
func TestDivided(t *testing.T) {
	racing.Figures(t)
	o := trainingOptions(t)
	o.Training.Model, o.Training.Batch = expert(t), 192
	o.Training.Parallelism = &workload.Parallelism{TP: 1, CP: 1, PP: 1, DP: 48, EP: 16, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
	step := func(design string, routings ...string) metric.Figure {
		o.Algorithms = routings
		r := evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.StepTime}})
		if !r.Have[metric.StepTime] {
			t.Fatalf("%s: %s", design, r.Absent[metric.StepTime])
		}
		return r.Metrics[metric.StepTime]
	}
	around := map[bool]int{}
	faster := map[string]bool{"hyperx(s1=8,t=8)": true, "dragonfly(p=4,a=8,h=4)": true, "slimfly(q=5)": true, "fullmesh(d1=8,d2=6)": true}
	for _, design := range []string{"hyperx(s1=8,t=8)", "hyperx(s1=4,s2=4,t=4)", "dragonfly(p=4,a=8,h=4)", "slimfly(q=5)", "fullmesh(d1=8,d2=6)", "dragonflyplus(l=4,m=4,p=4,h=2)", "torus(k1=8,k2=8)", "polarfly(q=5)"} {
		plain, over := step(design, "natural"), step(design, "ugal_l")
		says := strings.Contains(over.Method, "multi-path: who sends divides each message ahead of time")
		switch {
		case over.Value > plain.Value, over.Value < over.Lo, over.Lo != plain.Lo, says && over.Value >= plain.Value, faster[design] && !says:
			t.Errorf("%s: %.6g s over several paths, %.6g without, at least %.6g: %s", design, over.Value, plain.Value, over.Lo, over.Method)
		}
		x := step(design, "valiant")
		if x.Value < x.Lo || x.Value == plain.Value || strings.Contains(x.Method, "multi-path") || !strings.Contains(x.Method, "valiant routing, by way of any switch") {
			t.Errorf("%s by valiant: %.6g s, without %.6g, at least %.6g: %s", design, x.Value, plain.Value, x.Lo, x.Method)
		}
		around[x.Value > plain.Value]++
		to := func(by string) float64 {
			o.Algorithms = []string{by}
			return evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.AlltoallTime}}).Metrics[metric.AlltoallTime].Value
		}
		if a, b := to("natural"), to("valiant"); b < 1.2*a || b > 2*a {
			t.Errorf("%s: all to all takes %g s by valiant, whose messages load links twice, and %g directly", design, b, a)
		}
	}
	if around[true] == 0 || around[false] == 0 {
		t.Errorf("with valiant %d designs are slower and %d faster", around[true], around[false])
	}
}

// TestStepTime: a tapered tree is slower than a full one, a scale-up domain faster than none, and lo is below.
func TestStepTime(t *testing.T) {
	given := &workload.Parallelism{TP: 4, CP: 1, PP: 1, DP: 8, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, Recompute: workload.Selective}
	step := func(design string, scaleup bool) metric.Figure {
		o := trainingOptions(t)
		o.Training.Parallelism = given
		if scaleup {
			o.Scaleup, o.PerServer = true, 4
			o.Domain = topology.Domain{Endpoints: 4, Levels: 1, Switches: 1}
		}
		r := evaluate(t, newEvaluator(t, o), parse(t, design), Request{Keys: []metric.Key{metric.StepTime}})
		if !r.Have[metric.StepTime] {
			t.Fatalf("%s: %s", design, r.Absent[metric.StepTime])
		}
		f := r.Metrics[metric.StepTime]
		if f.Lo > f.Value || f.Lo <= 0 || !strings.Contains(f.Method, "tp all-gather") {
			t.Errorf("%s: %+v", design, f)
		}
		return f
	}
	full, tapered, server := step("fattree(k=8,l=2)", false), step("fattree(k=16,l=2,d=14,pods=8)", false), step("fattree(k=8,l=2)", true)
	if full.Value >= tapered.Value || server.Value >= full.Value {
		t.Errorf("full %g s, tapered %g, with servers %g", full.Value, tapered.Value, server.Value)
	}
	// The ideal network of the same rates gives what the full tree does.
	o := trainingOptions(t)
	s := o.Training.Accelerator
	s.Domain = 4
	s.Link = [collective.Levels]collective.Link{{Alpha: 5e-6, BytesPerS: 450e9}, {Alpha: 5e-6, BytesPerS: 50e9}}
	x := &workload.Training{Model: o.Training.Model, Sequence: 2048, Batch: 128, Parallelism: *given}
	ideal, err := x.Time(s)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(server.Value/ideal.Total-1) > 0.01 {
		t.Errorf("with servers %g s, ideally %g", server.Value, ideal.Total)
	}
}

// tiny is a model that steps of eight ranks and more can be divided over in every way.
func tiny(t *testing.T) *workload.Transformer {
	t.Helper()
	m, found := workload.ReadModel("tiny.toml", []byte("layers = 4\nhidden = 4096\nheads = 8\nffn = 16384\nvocab = 1000\n"))
	if found.HasErrors() {
		t.Fatal(found)
	}
	return m
}

// TestStepBounds: boxes of designs, closed forms of one and each step of the ladder enclose the times of a workload, of all
// families, on lists of parts that let links be slower or faster than what is asked for; and what blocks nothing reaches the bound.
func TestStepBounds(t *testing.T) {
	racing.Figures(t)
	var es []*Evaluator
	for _, p := range []*workload.Parallelism{
		nil, {TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 1, CP: 2, PP: 1, DP: 16, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 2, CP: 1, PP: 4, DP: 3, EP: 1, SP: true, Interleave: 1, MicroBatch: 2, ZeRO: 3, FusedAttention: true},
	} {
		o := trainingOptions(t)
		o.Training.Model, o.Training.Batch, o.Training.Parallelism, o.BoundTraining = tiny(t), 192, p, true
		es = append(es, newEvaluator(t, o))
	}
	for _, mapping := range []string{"pp, tp", MappingBest} {
		o, x := es[1].opt, *es[1].opt.Training
		x.Mapping, o.Training = mapping, &x
		es = append(es, newEvaluator(t, o))
	}
	for _, p := range []*workload.Parallelism{ // all-to-alls of groups, over several paths
		{TP: 2, CP: 1, PP: 1, DP: 16, EP: 8, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}, {TP: 1, CP: 1, PP: 1, DP: 48, EP: 16, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
	} {
		o := es[1].opt
		x := *o.Training
		x.Model, x.Parallelism, o.Training, o.Algorithms = expert(t), p, &x, []string{"ugal_l", "natural"}
		es = append(es, newEvaluator(t, o))
	}
	o := es[1].opt
	o.BandwidthGbps, o.BoundMoney, o.Catalog = 800, true, varied()
	es = append(es, newEvaluator(t, o))
	o.Scaleup, o.PerServer, o.Domain = true, 4, topology.Domain{Endpoints: 4, Levels: 1, Switches: 1}
	es = append(es, newEvaluator(t, o))
	for i, x := range es[:4] { // in full meshes, with divisions that are tried and given
		o := x.opt
		o.Scaleup, o.PerServer, o.ScaleupGbps = true, []int{2, 8, 4, 3}[i], []float64{400, 200, 3600, 1600}[i]
		es = append(es, newEvaluator(t, o))
	}
	compared := 0
	for _, f := range families() {
		rng := stream.New(12, "bounds of steps "+f.Name)
		for i, d := range topotest.Sample(f, rng, few(5), 200) {
			e := es[i%len(es)]
			compared += stepsEnclose(t, e, d, rng, fmt.Sprint("options ", i%len(es)))
			boxEncloses(t, e, d, enclosed(e), rng, fmt.Sprint("options ", i%len(es)))
		}
	}
	if compared < 300 {
		t.Errorf("only %d figures were compared", compared)
	}
	d := parse(t, "fattree(k=8,l=2)")
	var iv metric.Intervals
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	es[1].Enclose(bound.One(d.V, &s), new(bound.Ladder), &iv)
	r := evaluate(t, es[1], d, Request{Keys: []metric.Key{metric.StepTime}})
	if got, least := r.Metrics[metric.StepTime].Value, iv.At[metric.StepTime].Lo; got != least {
		t.Errorf("%s blocks nothing: a step takes %.17g s, and at least %.17g", d, got, least)
	}
}

// TestMapping: on a dragonfly with four endpoints a switch stages of a pipeline are better near each other than replicas; the best
// mapping says so, is as good as that order, and the same every time.
func TestMapping(t *testing.T) {
	times := map[string]float64{}
	for _, mapping := range []string{"", "tp, dp, pp", "tp, pp, dp", MappingBest, MappingBest} {
		o := trainingOptions(t)
		o.Training.Parallelism = &workload.Parallelism{TP: 4, CP: 1, PP: 4, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		o.Training.Mapping = mapping
		r := evaluate(t, newEvaluator(t, o), parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Keys: []metric.Key{metric.StepTime}})
		x := r.Metrics[metric.StepTime]
		if before, ok := times[mapping]; ok && before != x.Value {
			t.Errorf("%q: %g s, then %g", mapping, before, x.Value)
		}
		times[mapping] = x.Value
		if mapping != "" && !strings.Contains(x.Method, "next to each other") || mapping == MappingBest && !strings.Contains(x.Method, "the best of 6 orders") {
			t.Errorf("%q: %s", mapping, x.Method)
		}
	}
	if times[""] != times["tp, dp, pp"] || times["tp, pp, dp"] >= times[""] || times[MappingBest] > times["tp, pp, dp"]*(1+2*leastGain) {
		t.Errorf("%v", times)
	}
}

// TestNoStep: why there is none.
func TestNoStep(t *testing.T) {
	o := trainingOptions(t)
	o.Training.Parallelism = &workload.Parallelism{TP: 8, CP: 1, PP: 1, DP: 8, EP: 1, Interleave: 1, MicroBatch: 1}
	small := trainingOptions(t)
	small.Training.Accelerator.Memory = 1e9
	for _, c := range []struct {
		o    Options
		want string
	}{{o, "64 ranks, 32 more than the 32 endpoints"}, {small, "no parallelism on 32 accelerators fits"}} {
		r := evaluate(t, newEvaluator(t, c.o), parse(t, "fattree(k=8,l=2)"), Request{Keys: []metric.Key{metric.StepTime}})
		if r.Have[metric.StepTime] || !strings.Contains(r.Absent[metric.StepTime], c.want) {
			t.Errorf("%q, want %q", r.Absent[metric.StepTime], c.want)
		}
	}
}

// TestNoDivision: a division into nothing, or one that leaves something over, is refused as options are, before anything is divided by it.
func TestNoDivision(t *testing.T) {
	for dp, want := range map[int]string{0: "dp = 0; at least 1", -8: "dp = -8; at least 1", 7: "does not divide the batch", 1 << 62: "more than"} {
		o := trainingOptions(t)
		o.Training.Parallelism = &workload.Parallelism{TP: 8, CP: 1, PP: 8, DP: dp, EP: 1, SP: true, Interleave: 1, MicroBatch: 1}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("dp = %d: %v, want %q", dp, err, want)
		}
	}
}

// TestShapes: what is counted in grids and trees is what the routes of the built network carry, in every order of ranks, and messages of all
// to all in any network load it as uniform traffic does.
func TestShapes(t *testing.T) {
	var counted, walked []*Evaluator
	for _, mapping := range []string{"", "pp, tp", "dp, tp", "ep", "detours"} {
		o := trainingOptions(t)
		x := *o.Training
		o.Training = &x
		x.Model, x.Batch, x.Mapping = tiny(t), 192, mapping
		x.Parallelism = &workload.Parallelism{TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		if mapping == "ep" { // all-to-alls of experts, over several paths
			x.Mapping, x.Model, o.Algorithms = "", expert(t), []string{"ugal_l"}
			x.Parallelism = &workload.Parallelism{TP: 2, CP: 1, PP: 1, DP: 16, EP: 8, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		}
		if mapping == "detours" { // of what stages pass on, too
			x.Mapping, o.Algorithms = "", []string{"ugal_l"}
			x.Parallelism = &workload.Parallelism{TP: 2, CP: 1, PP: 4, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		}
		counted = append(counted, newEvaluator(t, o))
		o.built = true
		walked = append(walked, newEvaluator(t, o))
	}
	found := map[string]int{}
	for _, f := range families() {
		rng := stream.New(5, "grids "+f.Name)
		for i, d := range topotest.Sample(f, rng, 5, 150) {
			q := Request{Keys: []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}}
			fast, plain := counted[i%len(counted)], walked[i%len(counted)]
			if w := (&work{e: fast, d: d, res: &Result{}}); f.Size(d.V, &w.res.Size) == nil {
				w.size = &w.res.Size
				w.prepare()
				if s := w.shape(); s != nil {
					found[fmt.Sprintf("%T", s)]++
				} else if w.byMessage() {
					found["messages"]++
				} else {
					q.Keys = []metric.Key{metric.AlltoallTime}
				}
			}
			a, b := evaluate(t, fast, d, q), evaluate(t, plain, d, q)
			for _, k := range q.Keys {
				if x, y := a.Metrics[k].Value, b.Metrics[k].Value; a.Have[k] != b.Have[k] || math.Abs(x-y) > 1e-9*y {
					t.Errorf("%s: %s is %g, of the built network %g (%s, %s)", d, metric.Keys[k].Name, x, y, a.Absent[k], b.Absent[k])
				}
			}
		}
	}
	if (found["*placed.Grid"] < 15 || found["placed.Tree"] < 8 || found["*placed.Groups"] < 4 || found["placed.Rails"] < 4 || found["messages"] < 10) && !racing.On {
		t.Errorf("only %v were compared", found)
	}
}

// TestGroups: what is counted in groups of switches, ZCubes and rectangular ones, meshes, hypercubes, tori of cubes, BCubes, UB-Mesh of one pod and several and DCells, of HPN, of rail-optimised trees and of Clos networks, and in Zettafly's sub-networks, is what the routes of the built network carry, with and without detours, in all arrangements of the links
// between groups, whether all endpoints have ranks or not.
func TestGroups(t *testing.T) {
	racing.Figures(t)
	rng, compared := stream.New(7, "groups"), 0
	for i := range 500 {
		p, a, h := 1+rng.IntN(4), 1+rng.IntN(6), 1+rng.IntN(4)
		g := 2 + rng.IntN(a*h)
		d := parse(t, fmt.Sprintf("dragonfly(p=%d,a=%d,h=%d,g=%d,arrangement=%s)", p, a, h, g, []string{"palmtree", "absolute", "relative", "circulant"}[rng.IntN(4)]))
		switch k := 2 + rng.IntN(4); {
		case i >= 480: // middle switches, of which endpoints share some
			n := 2 + rng.IntN(8)
			d = parse(t, fmt.Sprintf("clos(m=%d,n=%d,r=%d)", n+1+rng.IntN(2*n), n, 2+rng.IntN(12)))
		case i >= 450: // rails of a tree
			k, g := 8+8*rng.IntN(2), 1+rng.IntN(2)
			d = parse(t, fmt.Sprintf("roft(k=%d,taper1=%s,taper2=%s,g=%d,pods=%d)", k, []string{"1:1", "3:1"}[rng.IntN(2)], []string{"1:1", "3:1"}[rng.IntN(2)], g, 2+rng.IntN(2)))
		case i >= 390: // sub-networks
			s, u := 2+rng.IntN(4), 1+rng.IntN(2)
			d = parse(t, fmt.Sprintf("zettafly4(a=%d,p=%d,h=%d,s=%d,c=%d)", 2+2*rng.IntN(3), 1+rng.IntN(6), u*(s-1), s, 1+rng.IntN(5)))
		case i >= 330: // switches of columns, and of racks
			d = pods(t, rng, 1+rng.IntN(4), 1+rng.IntN(3))
		case i >= 300: // rails
			d = parse(t, fmt.Sprintf("hpn(k=%d,g=%d,segments=%d,up=%d,groups=%d,core=%d)", 16+2*rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), 1+rng.IntN(4), 1+rng.IntN(3), 1+rng.IntN(2)))
		case i >= 215: // several pods, whose boards share switches above in different numbers
			d = pods(t, rng, 2+rng.IntN(6), 0)
		case i >= 200:
			d = parse(t, fmt.Sprintf("dcell(n=%d,l=1)", 2+rng.IntN(12)))
		case i >= 170:
			x, y, lanes := 1+rng.IntN(2), 1+rng.IntN(2), [...]int{0, 30, 10} // by half of them, so that 12 lanes lead upwards
			d = parse(t, fmt.Sprintf("ubmesh(x=%d,y=%d,z=%d,w=%d,lx=%d,ly=%d,lz=%d,lw=%d)", 2*x, 2*y, 1+rng.IntN(4), 1+rng.IntN(3), lanes[x], lanes[y], 8*y, 8*y))
		case i >= 160:
			d = parse(t, fmt.Sprintf("torus(k1=%d,k2=%d,k3=%d,t=%d)", 2+rng.IntN(6), 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(3)))
		case i >= 150:
			d = parse(t, fmt.Sprintf("hyperx(s1=%d,s2=%d,s3=%d,t=%d)", 2+rng.IntN(6), 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(3)))
		case i >= 135:
			d = parse(t, fmt.Sprintf("bcube(n=%d,l=%d)", 2+rng.IntN([]int{9, 4, 2, 1}[k-2]), k))
		case i >= 120:
			d = parse(t, fmt.Sprintf("tpuocs(x=%d,y=%d,z=%d)", 1+rng.IntN(2), 1+rng.IntN(2), 1+rng.IntN(3)))
		case i >= 110:
			d = parse(t, fmt.Sprintf("hypercube(n=%d,t=%d)", 2+rng.IntN(4), 1+rng.IntN(4)))
		case i >= 100:
			d = parse(t, fmt.Sprintf("mesh(k1=%d,k2=%d,k3=%d,t=%d)", 2+rng.IntN(5), 1+rng.IntN(5), 1+rng.IntN(3), 1+rng.IntN(3)))
		case i >= 88: // rows that are shorter than there are switches of a level, or walked
			m := 1 + rng.IntN(12)
			d = parse(t, fmt.Sprintf("zcube_rect(n=%d,m=%d)", m*(2+rng.IntN(20)), m))
		case i >= 60:
			d = parse(t, fmt.Sprintf("zcube(n=%d,k=%d)", 2+rng.IntN([]int{14, 4, 2, 2}[k-2]), k))
		}
		o := trainingOptions(t)
		x := *o.Training
		o.Training, x.Model, x.Batch = &x, tiny(t), 192
		if rng.IntN(3) > 0 {
			o.Algorithms = []string{"par"}
		}
		tp := 1 + rng.IntN(2)
		x.Parallelism = &workload.Parallelism{TP: tp, CP: 1, PP: 1 + i%2, DP: []int{2, 3, 4, 6, 8}[rng.IntN(5)], EP: 1, SP: tp > 1, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true}
		if i%5 == 0 {
			x.Model = expert(t)
			x.Parallelism.PP, x.Parallelism.DP, x.Parallelism.EP = 1, 8, 8
		}
		if i%4 == 0 {
			x.Mapping = "dp, tp"
		}
		fast := newEvaluator(t, o)
		o.built = true
		q := Request{Keys: []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}}
		r, s := evaluate(t, fast, d, q), evaluate(t, newEvaluator(t, o), d, q)
		for _, k := range q.Keys {
			x, y := r.Metrics[k].Value, s.Metrics[k].Value
			if r.Have[k] != s.Have[k] || math.Abs(x-y) > 1e-9*y || r.Metrics[k].Lo > x {
				t.Errorf("%s, %s: %s is %.12g, of the built network %.12g (%s, %s)", d, o.Training.Parallelism, metric.Keys[k].Name, x, y, r.Absent[k], s.Absent[k])
			}
			if r.Have[k] {
				compared++
			}
		}
		// Without tp, messages of pp to the next switch of a mesh have a bound from the built network's cuts that its lines do not know.
		if lo, built := r.Metrics[metric.StepTime].Lo, s.Metrics[metric.StepTime].Lo; i >= 100 && tp > 1 && lo < built*(1-1e-8) {
			t.Errorf("%s, %s: lo of step_time is %.12g, of the built network %.12g", d, o.Training.Parallelism, lo, built)
		}
	}
	if compared < 200 {
		t.Errorf("only %d times were compared", compared)
	}
}

// pods draws a UB-Mesh of so many pods of such racks: of more racks fewer boards share a switch above, and where there is room for one alone switches have several links.
func pods(t *testing.T, rng *rand.Rand, pods, rack int) topology.Design {
	ub := parse(t, "ubmesh(z=1,w=1)").Family
	for {
		x, y := 1+rng.IntN(8), []int{1, 2, 4, 6, 8}[rng.IntN(5)]
		z, w, lanes := 1+rng.IntN(3), 1+rng.IntN(3), 8*(1+rng.IntN(4))*[]int{y, x, 1, 9}[rack]
		d := topology.Design{Family: ub, V: []int{x, y, z, w, pods, 1 + rng.IntN(10), 1 + rng.IntN(10), lanes, lanes, rack, 0}}
		if rack > 0 {
			d.V[10] = rng.IntN(2)
		}
		var s topology.Size
		if d.Family.Size(d.V, &s) == nil && s.Endpoints <= 600 {
			return d
		}
	}
}

// TestScaledShapes: with scale-up domains that hang on one switch each, too; others are walked.
func TestScaledShapes(t *testing.T) {
	racing.Figures(t)
	for _, p := range []*workload.Parallelism{
		{TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
		{TP: 8, CP: 1, PP: 1, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 3, FusedAttention: true},
		{TP: 2, CP: 1, PP: 2, DP: 6, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1, FusedAttention: true},
	} {
		o := trainingOptions(t)
		o.Training.Model, o.Training.Batch, o.Training.Parallelism = tiny(t), 192, p
		o.Scaleup, o.PerServer, o.ScaleupGbps, o.Domain = true, 4, 1600, topology.Domain{Endpoints: 4, Levels: 1, Switches: 1}
		if p.TP == 8 { // a full mesh
			o.Domain = topology.Domain{}
		}
		fast := newEvaluator(t, o)
		o.built = true
		plain := newEvaluator(t, o)
		for _, design := range []string{"fattree(k=8,l=2)", "fattree(k=16,l=2,d=12,pods=4)", "hyperx(s1=4,s2=3,t=4)", "torus(k1=4,k2=2,t=8)", "fattree(k=8,l=3)", "zettafly4(a=4,p=8,h=4,s=3,c=3)", "roft(k=16,g=4,pods=2)", "complete(n=5,t=8)"} {
			q := Request{Keys: []metric.Key{metric.StepTime, metric.AllreduceTime, metric.AlltoallTime}}
			d := parse(t, design)
			a, b := evaluate(t, fast, d, q), evaluate(t, plain, d, q)
			for _, k := range q.Keys {
				x, y := a.Metrics[k], b.Metrics[k]
				if !a.Have[k] || !b.Have[k] || math.Abs(x.Value-y.Value) > 1e-9*y.Value || x.Lo > x.Value {
					t.Errorf("%s, %s: %s is %g, of the built network %g (%s, %s)", design, p, metric.Keys[k].Name, x.Value, y.Value, a.Absent[k], b.Absent[k])
				}
			}
		}
	}
}

// TestNoRoom: a hypercube has too many classes of links for scale-up domains, so that it cannot be built with them, and has no times, counted or not.
func TestNoRoom(t *testing.T) {
	o := trainingOptions(t)
	o.Scaleup, o.PerServer, o.Domain = true, 4, topology.Domain{Endpoints: 4, Levels: 1, Switches: 1}
	if r := evaluate(t, newEvaluator(t, o), parse(t, "hypercube(n=3,t=4)"), Request{Keys: []metric.Key{metric.AllreduceTime}}); r.Have[metric.AllreduceTime] {
		t.Errorf("%+v", r.Metrics[metric.AllreduceTime])
	}
}

// A metric that is wished for is there at any level if the budget holds it, and otherwise says what it takes.
func TestWished(t *testing.T) {
	e := newEvaluator(t, trainingOptions(t))
	d := parse(t, "fattree(k=8,l=2)")
	wished := []metric.Key{metric.AllreduceTime}
	by := evaluate(t, e, d, Request{Keys: wished}).Metrics[metric.AllreduceTime]
	if r := evaluate(t, e, d, Request{Level: 1, Wished: wished}); r.Metrics[metric.AllreduceTime] != by || r.Have[metric.AlltoallTime] {
		t.Errorf("wished for: %+v %q, by name %+v", r.Metrics[metric.AllreduceTime], r.Absent[metric.AllreduceTime], by)
	}
	if r := evaluate(t, e, d, Request{Level: 1, Wished: wished, BudgetNs: 1}); r.Have[metric.AllreduceTime] || !strings.Contains(r.Absent[metric.AllreduceTime], "budget") {
		t.Errorf("beyond the budget: %+v %q", r.Metrics[metric.AllreduceTime], r.Absent[metric.AllreduceTime])
	}
}

// Bounds of collectives alone are those beside bounds of steps, which are not asked for then.
func TestBoundCollectives(t *testing.T) {
	o := trainingOptions(t)
	o.Training.Model, o.Training.Batch, o.BoundTraining = tiny(t), 192, true
	both := newEvaluator(t, o)
	o.BoundTraining, o.BoundCollectives = false, true
	alone := newEvaluator(t, o)
	for _, name := range []string{"torus(k1=4,k2=4,t=2)", "dragonfly(p=2,a=4,h=2)", "zcube(n=4,k=2)"} {
		d := parse(t, name)
		size := evaluate(t, both, d, Request{Level: 1}).Size
		var l, m bound.Ladder
		var want, got metric.Intervals
		both.Enclose(bound.One(d.V, &size), &l, &want)
		alone.Enclose(bound.One(d.V, &size), &m, &got)
		for _, k := range []metric.Key{metric.AllreduceTime, metric.AlltoallTime} {
			if !got.Have[k] || got.At[k] != want.At[k] || got.At[k].Lo <= 0 {
				t.Errorf("%s: %s is bounded by %v, beside steps by %v", name, metric.Keys[k].Name, got.At[k], want.At[k])
			}
		}
		if got.Have[metric.StepTime] || !want.Have[metric.StepTime] {
			t.Errorf("%s: a step is bounded by %v, where it is asked for by %v", name, got.At[metric.StepTime], want.At[metric.StepTime])
		}
	}
}
