package verify

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// Measurement is what the simulator says of one design under uniform traffic.
type Measurement struct {
	Metrics map[metric.Key]metric.Figure
	// Absent is why there are none: a network too large, too few VCs. "" if there are.
	Absent string
}

// Measure simulates a design as a search simulates its finalists: sim_saturation with the bracket
// in which it lies, sim_latency_half_load with its 95 % confidence interval. The error is that of
// ctx, or a fault of ours.
func Measure(ctx context.Context, d topology.Design, opt evaluator.Options, v study.Verify, seed uint64) (*Measurement, error) {
	p := &search.Problem{Study: &study.Study{Options: opt, Verify: v}, Seed: seed}
	l, err := Simulate(ctx, p, d, "uniform")
	if err != nil {
		return nil, err
	}
	m := &Measurement{Metrics: map[metric.Key]metric.Figure{}}
	switch {
	case l.Skipped != "":
		m.Absent = l.Skipped
		return m, nil
	case l.Saturation == 0:
		m.Absent = "every load tried saturates"
		return m, nil
	}
	how := fmt.Sprintf("flit-level simulation: uniform traffic, routing %s, %d VCs, packets of %d flits, %d cycles a load", l.Routing, l.VCs, v.Packet, l.Cycles)
	hi := l.Above
	if hi == 0 {
		hi = l.Saturation
	}
	m.Metrics[metric.SimSaturation] = metric.Figure{Value: l.Saturation, Lo: l.Saturation, Hi: hi, Unit: metric.Keys[metric.SimSaturation].Unit,
		Method: how + "; largest load accepted to 97 %, smallest that is not"}
	if l.HalfLoad == 0 { // no packet of the window arrived
		return m, nil
	}
	m.Metrics[metric.SimLatencyHalfLoad] = metric.Figure{Value: l.HalfLoad, Lo: l.HalfLoad - l.HalfCI, Hi: l.HalfLoad + l.HalfCI,
		Unit: metric.Keys[metric.SimLatencyHalfLoad].Unit, Method: how + "; mean at half the saturation load, 95 % confidence"}
	return m, nil
}
