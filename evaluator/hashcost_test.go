package evaluator

import (
	"testing"

	"toposearch/evaluator/metric"
)

// What hashing adds to uniform throughput is modelled within a factor of three: following flows where loads have a closed form, and nothing much where their
// spread has one. Times are of one core, the least of five.
func TestHashModelled(t *testing.T) {
	if testing.Short() {
		t.Skip("measures times")
	}
	e := newEvaluator(t, Options{BandwidthGbps: 400, Algorithms: []string{"natural+hash"}})
	for _, text := range []string{"zcube(n=16,k=3)", "zcube_partial(n=26)", "dragonflyplus(l=16,m=16,p=16,h=16,g=65)", "fattree(k=64,l=3)", "jellyfish(n=512,r=16,p=8)"} {
		modelled, took := 0.0, 0.0
		for range 5 {
			req := Request{Level: 1, Keys: []metric.Key{metric.UniformThroughput}, Trace: func(s Step, run func() error) error {
				from := cpu()
				err := run()
				if x := float64(cpu() - from); s.Metric == metric.UniformThroughput {
					if modelled = s.Ns; took == 0 || x < took {
						took = x
					}
				}
				return err
			}}
			if _, err := e.Evaluate(t.Context(), parse(t, text), req); err != nil {
				t.Fatal(err)
			}
		}
		const clock = 1e6 // ns that clocks of the processor's time may be off
		if took > 3*modelled+clock || took < modelled/3-clock {
			t.Errorf("%s: modelled to take %s, took %s", text, seconds(modelled), seconds(took))
		}
		t.Logf("%s: modelled to take %s, took %s", text, seconds(modelled), seconds(took))
	}
}
