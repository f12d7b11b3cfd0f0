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
	// Absent is why there are none, or one is missing: a network too large, too few VCs. "" if there are all.
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
	case l.Saturation == 0 && l.Undecided > 0:
		m.Absent = fmt.Sprintf("whether any of %d loads is accepted to 97 %% was not decided within the cycles that a load may take: give it more", l.Undecided)
		return m, nil
	case l.Saturation == 0:
		m.Absent = "every load tried saturates"
		return m, nil
	}
	how := l.how(v.Packet)
	m.Metrics[metric.SimSaturation] = metric.Figure{Value: l.Saturation, Lo: l.Saturation, Hi: l.Above, Unit: metric.Keys[metric.SimSaturation].Unit,
		Method: how + "; " + saturationText + l.expectedText()}
	switch {
	case l.Model == study.CutThrough:
		m.Absent = fmt.Sprintf("%s is in cycles of the flit model, and [verify] model is %s", metric.Keys[metric.SimLatencyHalfLoad].Name, l.Model)
		return m, nil
	case l.HalfLoad == 0:
		m.Absent = "no packet arrived that was measured at half the saturation load"
		return m, nil
	}
	lo, hi, text := search.HalfLoadInterval(l.HalfLoad, l.HalfCI)
	m.Metrics[metric.SimLatencyHalfLoad] = metric.Figure{Value: l.HalfLoad, Lo: lo, Hi: hi, Unit: metric.Keys[metric.SimLatencyHalfLoad].Unit, Method: how + "; " + text}
	return m, nil
}

// saturationText says what the ends of the interval of a saturation load are.
const saturationText = "largest load found accepted to 97 %, smallest found not to be"
