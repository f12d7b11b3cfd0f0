package verify

import (
	"context"

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
	l, err := Simulate(ctx, p, d, "uniform", "")
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
	how := l.how(v.Packet)
	m.Metrics[metric.SimSaturation] = metric.Figure{Value: l.Saturation, Lo: l.Saturation, Hi: l.Above, Unit: metric.Keys[metric.SimSaturation].Unit,
		Method: how + "; " + saturationText + l.expectedText()}
	if l.HalfLoad == 0 { // no packet of the window arrived
		return m, nil
	}
	m.Metrics[metric.SimLatencyHalfLoad] = metric.Figure{Value: l.HalfLoad, Lo: l.HalfLoad - l.HalfCI, Hi: l.HalfLoad + l.HalfCI,
		Unit: metric.Keys[metric.SimLatencyHalfLoad].Unit, Method: how + "; mean at half the saturation load, 95 % confidence"}
	return m, nil
}

// saturationText says what the ends of the interval of a saturation load are.
const saturationText = "largest load found accepted to 97 %, smallest found not to be"
