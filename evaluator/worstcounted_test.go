package evaluator

import (
	"math"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// counted is what worstCounted says of a design, whether other methods would come before it or not.
func counted(t *testing.T, e *Evaluator, d topology.Design, check func(w *work)) (m metric.Figure, ok bool) {
	t.Helper()
	w := &work{e: e.of(d), ctx: t.Context(), d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}},
		req: Request{Level: 1, Keys: []metric.Key{metric.UniformThroughput, metric.MeanPathLinks}}}
	if err := d.Family.Size(d.V, &w.res.Size); err != nil {
		t.Fatal(err)
	}
	w.size = &w.res.Size
	defer w.done()
	if err := w.climb(); err != nil {
		t.Fatal(err)
	}
	if err := w.build(); err != nil {
		t.Fatal(err)
	}
	w.res.Have[metric.WorstThroughput] = false
	if worstCounted.applies(w) != "" {
		return m, false
	}
	if err := worstCounted.run(w); err != nil {
		t.Fatal(err)
	}
	if check != nil {
		check(w)
	}
	return w.res.Metrics[metric.WorstThroughput], w.res.Have[metric.WorstThroughput]
}

// TestCountedWorst: what is counted holds what matchings find, in every family: no permutation that is proven has more hops than the longest matching, no
// channel is loaded more by a traffic that was found than is counted, and the interval meets those of the other methods.
func TestCountedWorst(t *testing.T) {
	racing.Figures(t)
	intervals := 0
	for _, f := range family.All() {
		rng := rngOf("counted worst " + f.Name)
		for i, d := range topotest.Sample(f, rng, few(4), 24) {
			for _, names := range [][]string{nil, {"natural"}, {"valiant"}, {"ugal_l", "natural"}} {
				if i > 0 && names != nil {
					continue
				}
				e := newEvaluator(t, Options{Algorithms: names})
				m, ok := counted(t, e, d, func(w *work) { holdsMatchings(t, w) })
				if !ok {
					continue
				}
				intervals++
				r := evaluate(t, e, d, Request{Level: 3, Keys: []metric.Key{metric.WorstThroughput}})
				x := r.Metrics[metric.WorstThroughput]
				if r.Have[metric.WorstThroughput] && (m.Lo > x.Hi*(1+1e-6) || names == nil && m.Hi < x.Lo*(1-1e-6)) {
					t.Errorf("%s %v: counted [%g, %g] (%s), known [%g, %g] (%s)", d, names, m.Lo, m.Hi, m.Method, x.Lo, x.Hi, x.Method)
				}
				if m.Lo <= 0 || m.Lo > m.Hi || m.Value != m.Lo {
					t.Errorf("%s %v: %g in [%g, %g]", d, names, m.Value, m.Lo, m.Hi)
				}
			}
		}
	}
	if intervals < 40 {
		t.Errorf("%d intervals were compared", intervals)
	}
}

func holdsMatchings(t *testing.T, w *work) {
	t.Helper()
	far := w.reached(true)
	longest, err := routing.LongestMatching(t.Context(), w.net)
	if err != nil {
		return // apart
	}
	if least := farApart(within(w.net, far, w.symmetry().Endpoints), float64(w.net.Endpoints())); least > float64(longest.Hops) && w.takesShortest() {
		t.Errorf("%s: a permutation is said to have %g hops, the longest has %d", w.d, least, longest.Hops)
	}
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		t.Fatal(err)
	}
	worst, err := r.WorstCase(t.Context(), w.linkCapacity(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.FlowLoads(t.Context(), worst.Worst, routing.LoadOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	channels := l.Relative(w.net, w.linkCapacity())[:w.net.Channels()]
	found := 0.0
	if len(channels) > 0 {
		found = slices.Max(channels)
	}
	if most := w.crossed(w.reached(w.takesShortest())); found > most*(1+1e-9) {
		t.Errorf("%s: a channel carries %g, counted are at most %g", w.d, found, most)
	}
	holdsCrowds(t, w, r, worst)
}

// holdsCrowds: no crowd loads a channel more than is proven of it, and what orbits prove of a kind of channel is no less, and where one
// endpoint stands for all no more, than what all pairs prove of the busiest of them.
func holdsCrowds(t *testing.T, w *work, r *routing.Router, worst *routing.WorstCase) {
	t.Helper()
	x, kinds := routing.NewCrowds(r), make([]float64, len(r.Kinds))
	for i := range w.net.Channels() {
		c := topology.ChannelID(i)
		kinds[r.KindOf(c)] = max(kinds[r.KindOf(c)], worst.Bound[i])
		if i%17 != 0 || w.net.LinkClasses[w.net.LinkClass(c)].Name == topology.ClassInternal {
			continue
		}
		load, err := x.Load(t.Context(), c, 1+i%5)
		if err != nil {
			t.Fatal(err)
		}
		if load /= w.linkCapacity()(w.net.LinkClass(c)); load > worst.Bound[i]*(1+1e-9) {
			t.Errorf("%s: a crowd of %g on channel %d, of which at most %g is proven", w.d, load, i, worst.Bound[i])
		}
	}
	if o := w.symmetry(); o.EvenLinks && o.Endpoints != nil {
		even, err := r.Even(t.Context(), w.linkCapacity(), o.Endpoints)
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range kinds {
			if math.Abs(even[k]-x) > 1e-9*x {
				t.Errorf("%s: channels like %s carry at most %g by those that stand for all, %g by all pairs", w.d, routing.KindName(w.net, r.Kinds[k]), even[k], x)
			}
		}
	}
}

// TestReach against a ring, where one can count: two at each distance; and a tree of which each switch has three neighbours.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		text string
		want []float64
	}{{"ring(n=10)", []float64{1, 2, 2, 2}}, {"hypercube(n=3)", []float64{1, 3, 6, 12}}} {
		d, err := topology.ParseDesign(c.text, family.All())
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range reach(n, 3, true).from(0) {
			if math.Abs(x-c.want[k]) > 1e-12 {
				t.Errorf("%s: %g at distance %d, want %g", c.text, x, k, c.want[k])
			}
		}
	}
}

// TestCountedUniform: in every family uniform traffic is inside what counting pairs says of it, and what of worst_throughput follows from that meets
// what is known of it.
func TestCountedUniform(t *testing.T) {
	racing.Figures(t)
	compared := 0
	for _, f := range family.All() {
		rng := rngOf("counted uniform " + f.Name)
		for _, d := range topotest.Sample(f, rng, few(4), 32) {
			e := newEvaluator(t, Options{EncloseWorst: true, Algorithms: []string{RoutingDeployed}, built: true})
			exact := evaluate(t, e, d, Request{Level: 1, Keys: []metric.Key{metric.UniformThroughput}})
			counted(t, e, d, func(w *work) {
				if why := w.uniformCounts(); why != "" || !exact.Have[metric.UniformThroughput] {
					return
				}
				w.chosen = nil
				if err := runCountedThroughput(w); err != nil {
					t.Fatal(err)
				}
				m, x := w.res.Metrics[metric.UniformThroughput], exact.Metrics[metric.UniformThroughput]
				if x.Value < m.Lo*(1-1e-9) || x.Value > m.Hi*(1+1e-9) {
					t.Errorf("%s: uniform_throughput %g is outside [%g, %g]: %s", d, x.Value, m.Lo, m.Hi, m.Method)
				}
				compared++
				r := evaluate(t, e, d, Request{Level: 3, Keys: []metric.Key{metric.WorstThroughput}})
				if err := worstCounted.run(w); err != nil {
					t.Fatal(err)
				}
				a, b := w.res.Metrics[metric.WorstThroughput], r.Metrics[metric.WorstThroughput]
				if w.res.Have[metric.WorstThroughput] && r.Have[metric.WorstThroughput] && (a.Lo > b.Hi*(1+1e-6) || a.Lo > a.Hi) {
					t.Errorf("%s: worst_throughput [%g, %g] from that, known [%g, %g]", d, a.Lo, a.Hi, b.Lo, b.Hi)
				}
			})
		}
	}
	if compared < few(40) {
		t.Errorf("%d intervals were compared", compared)
	}
}

// TestPairsOver: whatever number of hops is counted, no channel of a random graph carries more of uniform traffic than its pairs are bounded by.
func TestPairsOver(t *testing.T) {
	for _, name := range []string{"complete(n=5,t=2)", "jellyfish(n=24,r=3,p=2)", "jellyfish(n=40,r=5,p=1)", "dcell(n=2,l=2)", "ring(n=9,t=2)", "galaxyfly(q=3,a=5,h=1,p=2)"} {
		d := parse(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		l, err := routing.UniformLoads(t.Context(), n, topology.Minimal(), routing.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		most, w := l.MaxHops, &work{net: n}
		for counted := range most + 1 {
			far, tight := reach(n, counted, true), 0.0
			for s := range topology.SwitchID(n.Switches()) {
				for c, end := n.Out(s); c < end; c++ {
					bound := w.pairsOver(s, n.To(c), far, most, 0)
					if load := l.Channel[c]; load > bound*(1+1e-9) {
						t.Fatalf("%s, %d hops of %d counted: the channel from %d to %d carries %g, bounded by %g", name, counted, most, s, n.To(c), load, bound)
					}
					tight = max(tight, l.Channel[c]/bound)
				}
			}
			if counted == most && tight < 0.1 {
				t.Errorf("%s: no load is above %.3g of its bound", name, tight)
			}
		}
	}
}

// Who asks eval for uniform_throughput of a network without symmetry gets bounds that hold what all loads say, and the loads with level 2.
func TestUniformEnclosed(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, name := range []string{"jellyfish(n=1400,r=60,p=3)", "galaxyfly(q=7,a=22,h=5,p=4)"} {
		d, keys := parse(t, name), []metric.Key{metric.UniformThroughput}
		x := evaluate(t, e, d, Request{Keys: keys}).Metrics[metric.UniformThroughput]
		enclosed := evaluate(t, e, d, Request{Keys: keys, Enclosed: true})
		m := enclosed.Metrics[metric.UniformThroughput]
		if enclosed.Bottleneck != "" {
			t.Errorf("%s: bounds tell %q", name, enclosed.Bottleneck)
		}
		if x.Lo != x.Hi || m.Lo >= m.Hi || x.Value < m.Lo || x.Value > m.Hi || m.Value < m.Lo || m.Value > m.Hi {
			t.Errorf("%s: %g in [%g, %g] is bounded by [%g, %g], likely %g: %s", name, x.Value, x.Lo, x.Hi, m.Lo, m.Hi, m.Value, m.Method)
		}
	}
}

// TestHashedEnclosed: bounds of flows on one path each hold what is expected of hashes, and the value is that of an even split, which is no less; the bounds had no number for hi and the lower
// bound of an even split for the value.
func TestHashedEnclosed(t *testing.T) {
	e, d := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}}), parse(t, "galaxyfly(q=7,a=22,h=5,p=4)")
	x := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}}).Metrics[metric.UniformThroughput]
	m := evaluate(t, e, d, Request{Keys: []metric.Key{metric.UniformThroughput}, Enclosed: true}).Metrics[metric.UniformThroughput]
	if !(m.Lo == 0 && x.Value <= m.Value && m.Value <= m.Hi && x.Hi <= m.Hi*(1+1e-9)) {
		t.Errorf("%g in [%g, %g] is bounded by [%g, %g], likely %g: %s", x.Value, x.Lo, x.Hi, m.Lo, m.Hi, m.Value, m.Method)
	}
}
