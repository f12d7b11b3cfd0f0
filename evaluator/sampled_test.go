package evaluator

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// What is enclosed where exact methods take too long encloses what they find: on designs small enough for both.
func TestEnclosedHoldExact(t *testing.T) {
	racing.Figures(t)
	for _, name := range []string{"dln(n=600,y=6,p=4)", "dcell(n=4,l=2)", "jellyfish(n=300,r=8,p=4)", "dragonfly(p=2,a=4,h=3,g=9,arrangement=absolute)", "polarstar_iq(q=4,d=3,p=2)",
		// Sources drawn from these do not find the longest shortest path.
		"dln(n=10,y=1,p=1,seed=12)", "dln(n=14,y=1,p=1,seed=32)", "dln(n=20,y=1,p=1,seed=20)"} {
		d := parse(t, name)
		e := newEvaluator(t, Options{BandwidthGbps: 400})
		exact := evaluate(t, e, d, Request{Level: 1, Keys: quickKeys()})
		w := &work{e: e.of(d), ctx: context.Background(), d: d, req: Request{Level: 1}, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
		if err := d.Family.Size(d.V, &w.res.Size); err != nil {
			t.Fatal(err)
		}
		w.size = &w.res.Size
		w.prepare()
		if err := runCounts(w); err != nil {
			t.Fatal(err)
		}
		if err := runPlan(w); err != nil {
			t.Fatal(err)
		}
		if err := w.build(); err != nil {
			t.Fatal(err)
		}
		runs := []func(*work) error{runDiameterWithin, boundedLatency.run}
		if w.rule().Free() {
			runs = []func(*work) error{runSampledDistances, runDiameterWithin, boundedLatency.run, runMooreWithin, vcGroup.methods[0].run}
		} else if err := runSearch(w, nil, ""); err != nil {
			t.Fatal(err)
		}
		for _, run := range runs {
			if err := run(w); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range append([]metric.Key{metric.GraphDiameter, metric.MooreEfficiency, metric.Latency, metric.VCsMinimal}, distanceKeys...) {
			a, b := exact.Metrics[k], w.res.Metrics[k]
			if w.res.Have[k] && (a.Lo < b.Lo-1e-9 || a.Hi > b.Hi+1e-9) {
				t.Errorf("%s: %s is %g to %g, and was enclosed in %g to %g", name, metric.Keys[k].Name, a.Lo, a.Hi, b.Lo, b.Hi)
			}
			if !w.res.Have[k] && k != metric.MooreEfficiency && k != metric.VCsMinimal {
				t.Errorf("%s: no %s: %s", name, metric.Keys[k].Name, w.res.Absent[k])
			}
			t.Logf("%s: %s %g to %g in %g to %g", name, metric.Keys[k].Name, a.Lo, a.Hi, b.Lo, b.Hi)
		}
	}
}

// Searches between all that turn out to take long, as a DCell is deep, are left to those from some places where metrics of levels 0 and 1 alone are
// asked for, which enclose what they find; a budget beyond the default asks for them, and a key of level 2 leaves all as it is.
func TestDeepNetworksAreEnclosed(t *testing.T) {
	if testing.Short() {
		t.Skip("searches between 24,492 endpoints")
	}
	d, e := parse(t, "dcell(n=12,l=2)"), newEvaluator(t, Options{BandwidthGbps: 400})
	keys := append([]metric.Key{metric.GraphDiameter, metric.MooreEfficiency, metric.VCsMinimal}, distanceKeys...)
	exact := evaluate(t, e, d, Request{Level: 1, Keys: keys, BudgetNs: 1e10})
	// The command passes the default on, which is no wish for more.
	for _, budget := range []float64{0, defaultBudgetNs} {
		got := evaluate(t, e, d, Request{Level: 1, Keys: keys, BudgetNs: budget})
		for _, k := range keys {
			a, b := exact.Metrics[k], got.Metrics[k]
			if !got.Have[k] || a.Lo < b.Lo-1e-9 || a.Hi > b.Hi+1e-9 {
				t.Errorf("%s is %g to %g, and was enclosed in %g to %g: %s", metric.Keys[k].Name, a.Lo, a.Hi, b.Lo, b.Hi, got.Absent[k])
			}
		}
		if m := got.Metrics[metric.MeanPathLinks]; m.Lo == m.Hi {
			t.Errorf("distances between all were searched: %s", m.Method)
		}
		if m := exact.Metrics[metric.MeanPathLinks]; m.Lo != m.Hi {
			t.Errorf("with a budget of 10 s distances were not searched between all: %s", m.Method)
		}
	}
	for _, c := range []struct {
		how   asked
		req   Request
		brisk bool
	}{
		{named, Request{Level: 1, Keys: keys}, true}, {patiently, Request{Level: 1, Keys: keys}, false}, {unnamed, Request{Level: 1}, false},
		{named, Request{Level: 2, Keys: keys}, false}, {named, Request{Keys: []metric.Key{metric.Latency, metric.WorstThroughput}}, false},
		{named, Request{Keys: keys, Wished: []metric.Key{metric.UniformThroughput}}, metric.Keys[metric.UniformThroughput].Level <= 1},
	} {
		if w := (&work{req: c.req, how: c.how}); w.brisk() != c.brisk {
			t.Errorf("%v, asked %d: brisk = %t", c.req, c.how, w.brisk())
		}
	}
}

// A mean beyond the ends is as unlikely as they say where numbers are 0 or 1, by the binomial distribution itself, and ends are narrower than those that do not know
// where on the scale the mean lies (Hoeffding's theorem 2).
func TestSampledMean(t *testing.T) {
	const least, most = 3.0, 13.0
	for _, n := range []int{2, 12, 256, 3840} {
		wide := (most - least) * math.Sqrt(math.Log(2/sampleRisk)/(2*float64(n)))
		for _, k := range []int{0, 1, n / 4, n / 2, n - 1, n} {
			mean := least + (most-least)*float64(k)/float64(n)
			lo, hi := sampledMean(mean, least, most, n)
			if lo < math.Max(least, mean-wide)-1e-9 || hi > math.Min(most, mean+wide)+1e-9 || lo > mean || hi < mean {
				t.Errorf("%d of %d: %g to %g, the wider %g to %g", k, n, lo, hi, mean-wide, mean+wide)
			}
			// Of none at all the chance is just what Hoeffding says, but for rounding.
			chance := func(end float64) distuv.Binomial {
				return distuv.Binomial{N: float64(n), P: (end - least) / (most - least)}
			}
			if k > 0 && lo > least && 1-chance(lo).CDF(float64(k)-1) > sampleRisk/2*(1+1e-9) {
				t.Errorf("%d of %d: of a mean of %g so many have a chance of %g", k, n, lo, 1-chance(lo).CDF(float64(k)-1))
			}
			if k < n && hi < most && chance(hi).CDF(float64(k)) > sampleRisk/2*(1+1e-9) {
				t.Errorf("%d of %d: of a mean of %g so few have a chance of %g", k, n, hi, chance(hi).CDF(float64(k)))
			}
		}
	}
}

// Of deep networks too large for the loads of all routes the latency is near what these say of smaller ones: 6,096 ns of dcell(n=7,l=2), 6,531 of
// dcell(n=9,l=2), and no bound is below what a path of so many links takes.
func TestBoundedLatencyIsNear(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for name, want := range map[string]float64{"dcell(n=7,l=2)": 6096, "dcell(n=9,l=2)": 6531} {
		d := parse(t, name)
		w := &work{e: e.of(d), ctx: t.Context(), d: d, req: Request{Level: 1}, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
		if err := d.Family.Size(d.V, &w.res.Size); err != nil {
			t.Fatal(err)
		}
		w.size = &w.res.Size
		w.prepare()
		for _, run := range []func(*work) error{runCounts, runPlan, (*work).build, runSampledDistances, boundedLatency.run} {
			if err := run(w); err != nil {
				t.Fatal(err)
			}
		}
		x := w.res.Metrics[metric.Latency]
		if math.Abs(x.Value-want) > 0.15*want || x.Lo < (w.dist.MeanLinks()-w.drawn.below-1)*400 || x.Lo > want || x.Hi < want {
			t.Errorf("%s: %g to %g, at %g, and the loads of all routes say %g", name, x.Lo, x.Hi, x.Value, want)
		}
	}
}
