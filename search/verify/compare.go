package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/search"
	"toposearch/simcore"
)

// Combine puts the simulations of one finalist together and judges them.
func Combine(p *search.Problem, lines []*Result, r *search.Record) *search.Verified {
	v := &search.Verified{
		Saturation: map[string]float64{}, SaturatedAt: map[string]float64{}, LatencyHalfLoad: map[string]float64{}, Predicted: map[string]float64{},
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
		if l.Workload != "" {
			v.Workload = l.Workload
		}
		v.SaturatedAt[l.Traffic], v.Gbps = l.Above, l.Gbps
		v.Predicted[l.Traffic] = l.Predicted
		v.Predicted["certified."+l.Traffic] = l.Certified
		if l.Expected > 0 {
			v.Predicted["expected."+l.Traffic] = l.Expected
			if v.LimitedBy == nil {
				v.LimitedBy = map[string]string{}
			}
			v.LimitedBy[l.Traffic] = l.Limit
		}
		if l.PredictedZ > 0 { // detours that all packets make are not predicted
			v.Predicted["zero_load_latency."+l.Traffic] = l.PredictedZ
			if l.Traffic == "uniform" {
				v.Predicted["zero_load_latency"] = l.PredictedZ
			}
		}
		if l.Direct != nil {
			v.Predicted["direct."+l.Traffic] = *l.Direct
		}
		v.Cycles, v.Precision, v.VCs, v.Routing, v.Model = l.Cycles, l.Precision, l.VCs, l.Routing, l.Model
		Compare(v, l)
		l.doubt(r, v)
		if r != nil && l.Traffic == "worst" {
			v.Notes = append(v.Notes, l.milder(r)...)
		}
		if r != nil && l.Traffic == "uniform" {
			v.Notes = append(v.Notes, l.ofHashes(r)...)
		}
	}
	return v
}

// milder notes that other traffic than the permutation that is simulated is carried less, as worst_throughput knows of the same routing, by a
// share that two computations of one load do not differ by.
func (l *Result) milder(r *search.Record) []string {
	m, ok := r.Metrics[metric.Keys[metric.WorstThroughput].Name]
	if !ok || l.Routing != r.Routing || m.Value >= l.Predicted*Near {
		return nil
	}
	of := "other traffic"
	if l.hashed() {
		of = "other traffic, or the same by other hashes"
	}
	return []string{fmt.Sprintf("worst: simulated is %s, of which the busiest channel is full at load %.3f; worst_throughput, %.4g, is of %s, which is not simulated",
		l.Found, l.Predicted, m.Value, of)}
}

// ofHashes notes why uniform_throughput of hashed flows differs from the load that fills the busiest channel of the simulation: that is an expectation, this one draw.
func (l *Result) ofHashes(r *search.Record) []string {
	m, ok := r.Metrics[metric.Keys[metric.UniformThroughput].Name]
	if !ok || !l.hashed() || l.Routing != r.Routing || math.Abs(l.Predicted/min(m.Value, 1)-1) < nearHash {
		return nil
	}
	return []string{fmt.Sprintf("uniform: the busiest channel is full at load %.4g by the one hash that is simulated; uniform_throughput, %.4g, is what random hashes are expected to carry", l.Predicted, m.Value)}
}

// nearHash is a difference that shows in no figure of four digits.
const nearHash = 5e-5

// modelled are the metrics that say what a network carries of a traffic.
var modelled = map[string]metric.Key{"uniform": metric.UniformThroughput, "worst": metric.WorstThroughput}

// simulatedAt stands in the method of such a throughput, before the load.
const simulatedAt = "its simulation saturates "

// doubt says beside the figure of a throughput that its simulation, over the same routing, does not come within a tenth of it, and whether that is confirmed
// by what is expected of VCs and buffers. Whoever reads the figure reads its method, and need not come by the notes of the simulation.
func (l *Result) doubt(r *search.Record, v *search.Verified) {
	k, ok := modelled[l.Traffic]
	if r == nil || !ok || l.Routing != r.Routing {
		return
	}
	name := metric.Keys[k].Name
	m, ok := r.Metrics[name]
	if !ok || strings.Contains(m.Method, simulatedAt) {
		return
	}
	low := l.upper() < min(m.Value, 1)*Near
	switch {
	case slices.Contains(v.Differs, l.Traffic) && (low || l.Saturation > l.Certified*SatAbove):
		m.Method += "; NOT CONFIRMED: " + simulatedAt + l.where() + " (see its notes)"
	case low:
		m.Method += "; " + simulatedAt + l.where()
	}
	r.Metrics[name] = m
}

// Compare notes where a measurement and its prediction part.
func Compare(v *search.Verified, l *Result) {
	differs := false
	note := func(contradicts bool, format string, args ...any) {
		v.Agrees, differs = false, true
		v.Contradicts = v.Contradicts || contradicts
		v.Notes = append(v.Notes, l.Traffic+": "+fmt.Sprintf(format, args...))
	}
	if l.Undecided > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%s: %s tried between %.4f and %.4f, so near the answer that the longest run allowed would not decide", l.Traffic, unit.Count(l.Undecided, "load was", "loads were"), l.Saturation, l.Above))
	}
	if l.Deadlocked {
		note(true, "the simulation deadlocked, though the routing is proved free of deadlock with these VCs")
	}
	switch {
	case l.Saturation > l.Certified*SatAbove:
		note(true, "saturates at load %.3f, above the %.3f that the model certifies (tolerance %.1f %%)", l.Saturation, l.Certified, 100*(SatAbove-1))
	case l.Expected > 0 && l.Saturation > l.Expected*Above:
		note(false, "saturates %s, %.0f %% of the %.3f that is expected (the busiest channel is full at %.3f): not in the model %s (above %.0f %% it is noted)",
			l.where(), 100*l.Saturation/l.Expected, l.Expected, l.Predicted, l.more(), 100*Above)
	case l.Direct != nil && l.Saturation > l.Predicted/simcore.SaturatedBelow*SatAbove:
		v.Notes = append(v.Notes, fmt.Sprintf("%s: the best split that is the same for all flows, %.3g %% direct, fills a channel at load %.3f; sources that divert only what meets full channels carry %.3f",
			l.Traffic, 100**l.Direct, l.Predicted, l.Saturation))
	case l.Saturation > l.Predicted/simcore.SaturatedBelow*SatAbove:
		v.Notes = append(v.Notes, fmt.Sprintf("%s: the busiest channel is full at load %.3f, but so little traffic needs the full ones that 97 %% of all is still accepted at %.3f",
			l.Traffic, l.Predicted, l.Saturation))
	case l.Expected > 0 && l.upper() < l.Expected*Near:
		note(false, "saturates %s, %.0f %% of the %.3f that its VCs and buffers let expect (the busiest channel is full at %.3f): not in the model %s (below %.0f %% it is noted)",
			l.where(), 100*l.upper()/l.Expected, l.Expected, l.Predicted, l.missing(), 100*Near)
	case l.Least > 0 && l.upper() < l.Least*Near:
		note(false, "saturates %s, %.0f %% of the %.3f that direct routes alone let expect: detours that take more than they spare (below %.0f %% it is noted)",
			l.where(), 100*l.upper()/l.Least, l.Least, 100*Near)
	case l.Expected == 0 && l.Exact && l.upper() < l.Predicted*SatBelow:
		note(false, "saturates %s, %.0f %% of the model's %.3f: %s (below %.0f %% it is noted)",
			l.where(), 100*l.upper()/l.Predicted, l.Predicted, l.short(), 100*SatBelow)
	case l.Expected == 0 && l.Exact && l.Least == 0 && l.upper() < l.Predicted*Near:
		v.Notes = append(v.Notes, fmt.Sprintf("%s: saturates %s, %.0f %% of the model's %.3f: %s", l.Traffic, l.where(), 100*l.upper()/l.Predicted, l.Predicted, l.short()))
	}
	if differs {
		v.Differs = append(v.Differs, l.Traffic)
	}
	if l.Expected > 0 && l.Expected < l.Predicted*nearFull {
		v.Notes = append(v.Notes, fmt.Sprintf("%s: expected to saturate at load %.3g of the %.3g that fills the busiest channel; what limits is %s",
			l.Traffic, l.Expected, l.Predicted, l.Limit))
	}
	switch {
	case l.ZeroLoad == 0 || l.PredictedZ == 0:
	case l.ZeroLoad+zeroSure*l.ZeroErr < l.PredictedZ*zeroFast: // of few packets, most may have been near
		note(l.Cycles >= longEnough, "a packet takes %.1f %s in an idle network, less than the %.1f that its hops need", l.ZeroLoad, l.unit(), l.PredictedZ)
	case l.ZeroLoad > l.idle()*zeroSlow:
		note(false, "a packet takes %.1f %s at the lowest load, the model says %.1f when idle", l.ZeroLoad, l.unit(), l.PredictedZ)
	}
}

// idle is what the slower of the packets take that even a network so little loaded sends on two ways: a routing that chooses sends
// some on detours as soon as direct routes carry more than the tenth at which a network counts as idle.
func (l *Result) idle() float64 {
	if l.Alone > 0 && l.Saturation > l.Alone {
		return max(l.PredictedZ, l.DetourZ)
	}
	return l.PredictedZ
}

// where is the load at which a simulation saturates, or between which, in words. Shares of a prediction are those of the upper end.
func (l *Result) where() string {
	if l.Above > l.Saturation {
		return fmt.Sprintf("between loads %.3f and %.3f", l.Saturation, l.Above)
	}
	return fmt.Sprintf("at load %.3f", l.Saturation)
}

// Meets tells whether a design on the front meets a threshold; the simulator's metrics are those
// for uniform traffic.
func Meets(p *search.Problem, l *constraints.Limit, r *search.Record) bool {
	x, ok := ValueOf(p, l.Key, r)
	return ok && l.Violation(x) == 0
}

// ValueOf is a metric of a record, measured ones under uniform traffic.
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
