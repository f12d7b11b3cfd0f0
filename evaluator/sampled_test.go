package evaluator

import (
	"context"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// What is enclosed where exact methods take too long encloses what they find: on designs small enough for both.
func TestEnclosedHoldExact(t *testing.T) {
	racing.Figures(t)
	for _, name := range []string{"dln(n=600,y=6,p=4)", "dcell(n=4,l=2)", "jellyfish(n=300,r=8,p=4)", "dragonfly(p=2,a=4,h=3,g=9,arrangement=absolute)", "polarstar_iq(q=4,d=3,p=2)"} {
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
			runs = []func(*work) error{runSampledDistances, runDiameterWithin, boundedLatency.run, runMooreWithin}
		} else if err := runSearch(w, nil, ""); err != nil {
			t.Fatal(err)
		}
		for _, run := range runs {
			if err := run(w); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range append([]metric.Key{metric.GraphDiameter, metric.MooreEfficiency, metric.Latency}, distanceKeys...) {
			a, b := exact.Metrics[k], w.res.Metrics[k]
			if w.res.Have[k] && (a.Lo < b.Lo-1e-9 || a.Hi > b.Hi+1e-9) {
				t.Errorf("%s: %s is %g to %g, and was enclosed in %g to %g", name, metric.Keys[k].Name, a.Lo, a.Hi, b.Lo, b.Hi)
			}
			if !w.res.Have[k] && k != metric.MooreEfficiency {
				t.Errorf("%s: no %s: %s", name, metric.Keys[k].Name, w.res.Absent[k])
			}
			t.Logf("%s: %s %g to %g in %g to %g", name, metric.Keys[k].Name, a.Lo, a.Hi, b.Lo, b.Hi)
		}
	}
}
