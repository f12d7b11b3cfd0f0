package cutthrough_test

import (
	"math"
	"testing"

	"toposearch/simcore/cutthrough"
)

// A packet of D = 81.92 ns (4096 B at 400 Gb/s) waits at a Poisson source for rho/(2(1-rho)) D
// on average (Pollaczek and Khinchine, M/D/1). From there it meets what 63 other sources send to
// its output: nearly an M/D/1 queue again, thinner by 1/64 for what its own source cannot send at
// the same time. With a lone packet's 2 x 10 ns of cable, 400 ns and D that is the latency.
func TestQueueOfOneSwitch(t *testing.T) {
	s := sim(t, "crossbar(n=64)", "minimal", "uniform", func(c *cutthrough.Config) {
		c.Queueing, c.MeasureNs = cutthrough.Output, 200_000
	})
	const d = 81.92
	for _, rho := range []float64{0.3, 0.6, 0.8} {
		p := run(t, s, rho)
		wait := rho / (2 * (1 - rho)) * d
		source := (p.LatencyUs.Mean - p.NetworkUs.Mean) * 1000
		network := p.NetworkUs.Mean*1000 - 20 - 400 - d
		if math.Abs(source-wait) > 0.04*wait {
			t.Errorf("load %g: mean wait at the source %.2f ns, want %.2f", rho, source, wait)
		}
		if math.Abs(network-wait) > 0.06*wait {
			t.Errorf("load %g: mean wait at the output %.2f ns, want about %.2f", rho, network, wait)
		}
		t.Logf("load %g: waits %.2f and %.2f ns, M/D/1 %.2f; accepted %.4f", rho, source, network, wait, p.Accepted)
	}
}
