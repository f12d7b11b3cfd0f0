package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/simcore/routing"
	"toposearch/topology"
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

// simLine is what the journal keeps of one finalist under one traffic.
type SimLine struct {
	Design     string              `json:"design"`
	Traffic    string              `json:"traffic"`
	Skipped    string              `json:"skipped,omitempty"` // why it was not simulated
	Saturation float64             `json:"saturation"`
	HalfLoad   float64             `json:"latency_half_load"`
	Above      float64             `json:"saturated_at,omitempty"`           // the smallest load found that saturates
	HalfCI     float64             `json:"latency_half_load_ci95,omitempty"` // half the 95 % confidence interval
	ZeroLoad   float64             `json:"zero_load_latency"`
	Predicted  float64             `json:"predicted"`           // load at which the busiest channel is full, at most 1
	PredictedZ float64             `json:"predicted_zero_load"` // cycles
	Exact      bool                `json:"exact"`               // the prediction is exact, not only a bound
	Certified  float64             `json:"certified"`           // no saturation load is above this
	Deadlocked bool                `json:"deadlocked,omitempty"`
	Curve      []search.CurvePoint `json:"curve"`
	Cycles     int                 `json:"cycles"`
	VCs        int                 `json:"vcs"`
	Routing    string              `json:"routing"`
	Notes      []string            `json:"notes,omitempty"`

	hops     float64           // mean channels of a route, as predicted
	matching *routing.Matching // who sends to whom under "worst"
}

// simNote is a simLine in the journal.
type simNote struct {
	Sim *SimLine `json:"sim"`
}

// verify simulates finalists and writes their results into the front. Simulations run in
// parallel; the journal gets them in a fixed order, so that what it holds is never repeated.
func Verify(ctx context.Context, d *search.Driver, f *search.Front) (stop string, err error) {
	ms := d.Front.Ordered()
	chosen := simFinalists(d.P, ms)
	traffics := d.P.Study.Verify.Traffic
	if len(chosen) == 0 || len(traffics) == 0 {
		return "", nil
	}
	d.Prog.Phase, d.Prog.Finalists, d.Prog.Fraction = search.PhaseVerify, len(chosen), 0
	lines := make([]*SimLine, len(chosen)*len(traffics))
	replayed, err := replaySims(d, lines, ms, chosen, traffics)
	if err != nil {
		return "", err
	}
	d.Report()
	stopped, err := simulateRest(ctx, d, lines, replayed, ms, chosen)
	if err != nil || stopped {
		return search.StopInterrupted, err
	}
	for k, i := range chosen {
		f.Front[i].Finalist = true
		f.Front[i].Verified = Combine(d.P, lines[k*len(traffics):(k+1)*len(traffics)], &f.Front[i])
	}
	Rejudge(d.P, f)
	return "", nil
}

// replaySims reads the simulations that the journal holds already.
func replaySims(d *search.Driver, lines []*SimLine, ms []search.Member, chosen []int, traffics []string) (int, error) {
	for k := range lines {
		if d.J == nil {
			return 0, nil
		}
		b, ok, err := d.J.NextNote(`{"sim":`)
		if !ok || err != nil {
			return k, err
		}
		var n simNote
		if err := json.Unmarshal(b, &n); err != nil || n.Sim == nil {
			return k, d.J.Foreign(search.ErrLine)
		}
		if n.Sim.Design != ms[chosen[k/len(traffics)]].Name || n.Sim.Traffic != traffics[k%len(traffics)] {
			return k, d.J.Foreign(fmt.Errorf("%w: it holds a simulation of %s under %s", search.ErrInputsChanged, n.Sim.Design, n.Sim.Traffic))
		}
		lines[k] = n.Sim
	}
	return len(lines), nil
}

// simulateRest runs what is not journalled yet, and journals the results in order as far as they
// are there without a gap.
func simulateRest(ctx context.Context, d *search.Driver, lines []*SimLine, from int, ms []search.Member, chosen []int) (stopped bool, err error) {
	traffics := d.P.Study.Verify.Traffic
	var mu sync.Mutex
	var fault error
	next := from
	d.Prog.Simulated = from / len(traffics)
	search.Each(ctx, d.Workers(), len(lines)-from, func(_, i int) {
		k := from + i
		mu.Lock()
		stopped = stopped || fault != nil || d.Opt.Stop != nil && d.Opt.Stop()
		skip := stopped
		mu.Unlock()
		if skip {
			return
		}
		m := ms[chosen[k/len(traffics)]]
		line, err := Simulate(ctx, d.P, d.P.Design(m.Space, m.V), traffics[k%len(traffics)])
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			fault = err
			return
		}
		lines[k] = line
		for ; fault == nil && next < len(lines) && lines[next] != nil; next++ {
			if d.J != nil {
				fault = d.J.Note(simNote{lines[next]})
			}
			d.Prog.Simulated = (next + 1) / len(traffics)
			d.Prog.Fraction = float64(next+1) / float64(len(lines))
		}
		d.Report()
	})
	if fault == nil {
		fault = ctx.Err()
	}
	return next < len(lines), fault
}

// combine puts the simulations of one finalist together and judges them.
func Combine(p *search.Problem, lines []*SimLine, r *search.Record) *search.Verified {
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
		v.Saturation[l.Traffic], v.LatencyHalfLoad[l.Traffic] = l.Saturation, l.HalfLoad
		v.ZeroLoadLatency[l.Traffic], v.Curves[l.Traffic] = l.ZeroLoad, l.Curve
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
func Compare(v *search.Verified, l *SimLine) {
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

// fractions of the saturation load at which a curve is measured: a tenth for the idle latency, a
// half for the latency that DESIGN names, and the rest spread between a tenth and nine tenths.
func fractions(loads int) []float64 {
	fs := []float64{0.1, 0.5}
	for i := 1; len(fs) < max(loads, 2); i++ {
		x := 0.1 + 0.8*float64(i)/float64(max(loads-1, 2))
		if x > 0.95 {
			break
		}
		if x < 0.49 || x > 0.51 {
			fs = append(fs, x)
		}
	}
	slices.Sort(fs)
	return fs
}

// buildFor makes the network that is simulated: with its scale-up domains where the study has
// them.
func buildFor(p *search.Problem, d topology.Design) (*topology.Network, error) {
	return p.Study.Options.Network(d)
}
