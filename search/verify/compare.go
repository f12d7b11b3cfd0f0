package verify

import (
	"fmt"
	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
)

// Tolerances of a verification. The simulated switch has finite buffers and real arbitration, the
// model has neither, so that a measured saturation may fall short of it; it cannot exceed it by
// more than what the measurement allows: a load counts as accepted at 97 %, and is found to 2 %.
const (
	SatAbove   = 1.05 // a saturation above this multiple of the model's contradicts it,
	settling   = 12.5 // and this many cycles over those measured, in which queues fill unseen
	longEnough = 1000 // cycles; in fewer a queue may not fill, and an overload go unseen
	SatBelow   = 0.70 // one below this multiple does not agree, though it contradicts nothing
	zeroSlow   = 1.30 // as much longer than predicted may a packet take at a tenth of saturation
	zeroFast   = 0.97 // faster than this no pipeline lets it through
)

// Combine puts the simulations of one finalist together and judges them.
func Combine(p *search.Problem, lines []*Result, r *search.Record) *search.Verified {
	v := &search.Verified{
		Saturation: map[string]float64{}, LatencyHalfLoad: map[string]float64{}, Predicted: map[string]float64{},
		ZeroLoadLatency: map[string]float64{}, Curves: map[string][]search.CurvePoint{}, Agrees: true,
	}
	for _, l := range lines {
		v.Notes = append(v.Notes, l.Notes...)
		if l.Skipped != "" {
			v.Agrees = false
			v.Notes = append(v.Notes, fmt.Sprintf("%s: not simulated: %s", l.Traffic, l.Skipped))
			continue
		}
		v.Saturation[l.Traffic], v.Curves[l.Traffic] = l.Saturation, l.Curve
		if l.HalfLoad > 0 { // else nothing was accepted, or no packet measured
			v.LatencyHalfLoad[l.Traffic] = l.HalfLoad
		}
		if l.ZeroLoad > 0 {
			v.ZeroLoadLatency[l.Traffic] = l.ZeroLoad
		}
		v.Predicted[l.Traffic] = l.Predicted
		v.Predicted["certified."+l.Traffic] = l.Certified
		v.Predicted["zero_load_latency."+l.Traffic] = l.PredictedZ
		if l.Traffic == "uniform" {
			v.Predicted["zero_load_latency"] = l.PredictedZ
		}
		v.Cycles, v.VCs, v.Routing = l.Cycles, l.VCs, l.Routing
		Compare(v, l)
	}
	return v
}

// compare notes where a measurement and its prediction part.
func Compare(v *search.Verified, l *Result) {
	note := func(contradicts bool, format string, args ...any) {
		v.Agrees = false
		v.Contradicts = v.Contradicts || contradicts
		v.Notes = append(v.Notes, l.Traffic+": "+fmt.Sprintf(format, args...))
	}
	above := SatAbove + settling/float64(max(l.Cycles, leastCycles))
	if l.Deadlocked {
		note(true, "the simulation deadlocked, though the routing is proved free of deadlock with these VCs")
	}
	switch {
	case l.Saturation > l.Certified*above && l.Cycles < longEnough:
		note(false, "saturates at load %.3f, above the %.3f that the model certifies; %d cycles are too few for queues to fill, so that this proves nothing",
			l.Saturation, l.Certified, l.Cycles)
	case l.Saturation > l.Certified*above:
		note(true, "saturates at load %.3f, above the %.3f that the model certifies (tolerance %.1f %%)", l.Saturation, l.Certified, 100*(above-1))
	case l.Saturation > l.Predicted*above:
		v.Notes = append(v.Notes, fmt.Sprintf("%s: the busiest channel is full at load %.3f, but so little traffic needs the full ones that 97 %% of all, as far as a window of this length can tell, is still accepted at %.3f",
			l.Traffic, l.Predicted, l.Saturation))
	case l.Exact && l.Saturation < l.Predicted*SatBelow:
		note(false, "saturates at load %.3f, %.0f %% of the model's %.3f: finite buffers and arbitration cost the rest (below %.0f %% it is noted)",
			l.Saturation, 100*l.Saturation/l.Predicted, l.Predicted, 100*SatBelow)
	}
	switch {
	case l.ZeroLoad == 0 || l.PredictedZ == 0:
	case l.ZeroLoad < l.PredictedZ*zeroFast: // of few packets, most may have been near
		note(l.Cycles >= longEnough, "a packet takes %.1f cycles in an idle network, less than the %.1f that its hops need", l.ZeroLoad, l.PredictedZ)
	case l.ZeroLoad > l.PredictedZ*zeroSlow:
		note(false, "a packet takes %.1f cycles at the lowest load, the model says %.1f when idle", l.ZeroLoad, l.PredictedZ)
	}
}

// meets tells whether a design on the front meets a threshold; the simulator's metrics are those
// for uniform traffic.
func Meets(p *search.Problem, l *constraints.Limit, r *search.Record) bool {
	x, ok := ValueOf(p, l.Key, r)
	return ok && l.Violation(x) == 0
}

// valueOf is a metric of a record, measured ones under uniform traffic.
func ValueOf(p *search.Problem, k metric.Key, r *search.Record) (float64, bool) {
	if k == metric.SimSaturation || k == metric.SimLatencyHalfLoad {
		if r.Verified == nil {
			return 0, false
		}
		measured := r.Verified.Saturation
		if k == metric.SimLatencyHalfLoad {
			measured = r.Verified.LatencyHalfLoad
		}
		x, ok := measured["uniform"]
		return x, ok
	}
	m, ok := r.Metrics[metric.Keys[k].Name]
	return m.Value, ok
}
