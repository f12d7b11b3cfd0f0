package verify

import (
	"encoding/json"
	"fmt"

	"toposearch/evaluator"
	"toposearch/routing"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/study"
)

// Result is what the journal keeps of one finalist under one traffic.
type Result struct {
	Design     string              `json:"design"`
	Traffic    string              `json:"traffic"`
	Skipped    string              `json:"skipped,omitempty"` // why it was not simulated
	Saturation float64             `json:"saturation"`
	HalfLoad   float64             `json:"latency_half_load,omitempty"`      // 0: no packet measured
	Above      float64             `json:"saturated_at,omitempty"`           // the smallest load found that saturates; 1: none
	Undecided  int                 `json:"undecided,omitempty"`              // loads tried between
	HalfCI     float64             `json:"latency_half_load_ci95,omitempty"` // half the 95 % confidence interval
	ZeroLoad   float64             `json:"zero_load_latency,omitempty"`      // 0: no packet measured
	ZeroErr    float64             `json:"zero_load_stderr,omitempty"`       // of its mean
	Predicted  float64             `json:"predicted"`                        // load at which the busiest channel is full, at most 1
	Expected   float64             `json:"expected,omitempty"`               // load at which switches with these VCs and buffers saturate; 0: not known
	Limit      string              `json:"limited_by,omitempty"`             // what limits Expected
	Sighted    bool                `json:"sighted,omitempty"`                // Expected follows from what sources see,
	Share      float64             `json:"expected_share,omitempty"`         // of which this part is accepted at Above
	Left       float64             `json:"expected_left,omitempty"`          // what VCs and buffers leave of what sources see that decide
	Seen       int                 `json:"seen_channels,omitempty"`          // of Way, the most of a direct way, so many are seen by credits where decisions are made; 0: all, or not known
	Way        int                 `json:"direct_channels,omitempty"`
	Tried      *Tried              `json:"tried,omitempty"`            // where it saturates long before Expected: what other switches accept of that load
	Least      float64             `json:"expected_least,omitempty"`   // where Expected is not known: what they let expect of direct routes alone
	PredictedZ float64             `json:"predicted_zero_load"`        // cycles
	DetourZ    float64             `json:"predicted_detour,omitempty"` // cycles of a packet on a detour, where a routing chooses
	Alone      float64             `json:"predicted_alone,omitempty"`  // load that direct routes carry, where a routing chooses
	Exact      bool                `json:"exact"`                      // the prediction is exact, not only a bound
	FlitHops   int64               `json:"flit_hops,omitempty"`        // flits that crossed a switch in all that was simulated
	Certified  float64             `json:"certified"`                  // no saturation load is above this
	Deadlocked bool                `json:"deadlocked,omitempty"`
	Curve      []search.CurvePoint `json:"curve"`
	Cycles     int                 `json:"cycles"`              // of the first window of a load
	Precision  float64             `json:"precision,omitempty"` // that loads below saturation are measured to; 0: in one window of Cycles
	VCs        int                 `json:"vcs"`
	Routing    string              `json:"routing"`
	Model      string              `json:"model,omitempty"`            // study.CutThrough; "" or study.Flit: flits. Cycles are ns there
	Direct     *float64            `json:"predicted_direct,omitempty"` // the part without detours in the prediction; nil: the routing makes none
	Gbps       float64             `json:"gbps,omitempty"`             // of an endpoint, at load 1
	Notes      []string            `json:"notes,omitempty"`

	// Found says how the traffic "worst" was found.
	Found string `json:"found,omitempty"`
	// Workload says which communication the traffic "workload" is.
	Workload string `json:"workload,omitempty"`

	longest int                 // channels of the longest route, both legs of a detour
	most    float64             // no split over all paths accepts more
	shares  *routing.FairShares // what flows get by the best split over all paths that was found
	hops    float64             // mean channels of a route, as predicted
	detour  float64             // mean channels of a detour, where a routing chooses
	flows   []routing.Flow      // of the traffic; nil: uniform
	pairs   []routing.Pair      // the same of endpoints
	classes int                 // of VCs that the routing tells apart
	drawn   simcore.Traffic     // of the workload, or of other traffics than "uniform" and "worst"; nil: by name
	native  *route.Native       // the routing that is simulated
	ports   float64             // of flows that keep to one way: the load, at most 1, at which a port of an endpoint that has several is full; 0: not known
	valiant *routing.Turns      // of detours by way of all sets, which Predicted is of; nil: by way of any endpoint
	sight   *routing.Sighted    // the model of Sighted
	buffer  int                 // flits of a VC; 0: those of the simulated switch
	load    *traffic.Load       // of other traffics, over direct routes

	again func(p *search.Problem, of *Result) (Simulator, error) // sets up another simulation of the same
}

// upper is the upper end of where a simulation saturates: no load above it was found to be accepted.
func (l *Result) upper() float64 { return max(l.Saturation, l.Above) }

// hashed tells whether each flow keeps to the path that a hash picks.
func (l *Result) hashed() bool {
	a, err := evaluator.ParseAlgorithm(l.Routing)
	return err == nil && a.Single
}

// simNote is a Result in the journal.
type simNote struct {
	Sim *Result `json:"sim"`
}

// NoteHead begins the line of a simulation in a journal.
const NoteHead = `{"sim":`

// NoteOf names the simulation that a line of a journal holds, as search.Driver.Sims is asked for it; ok is false
// if it holds none.
func NoteOf(line []byte) (name string, ok bool) {
	r, err := resultOf(line)
	if err != nil {
		return "", false
	}
	return simName(r.Design, r.Traffic), true
}

// ReadNote reads the line of a simulation in a journal, as it is without its seal.
func ReadNote(line []byte) (*Result, error) { return resultOf(line) }

// resultOf reads the line of a simulation.
func resultOf(line []byte) (*Result, error) {
	var n simNote
	if err := json.Unmarshal(line, &n); err != nil || n.Sim == nil {
		return nil, search.ErrLine
	}
	return n.Sim, nil
}

// simName is a design under a traffic; no name of a traffic has a blank.
func simName(design, traffic string) string { return traffic + " " + design }

// unit is that of latencies and windows.
func (l *Result) unit() string {
	if l.Model == study.CutThrough {
		return "ns"
	}
	return "cycles"
}

// windows says how long loads were measured.
func (l *Result) windows() string {
	if l.Precision == 0 {
		return fmt.Sprintf("%d %s a load and more near saturation", l.Cycles, l.unit())
	}
	return fmt.Sprintf("%d %s a load and more until latency and accepted load are known to %.3g %% with 95 %% confidence, or near saturation", l.Cycles, l.unit(), 100*l.Precision)
}

// how names what was simulated, for a method.
func (l *Result) how(packet int) string {
	if l.Model == study.CutThrough {
		return fmt.Sprintf("cut-through simulation: %s traffic, routing %s, %d VCs, packets of an MTU, %s; load 1 is %.6g Gb/s an endpoint, links have the rates on sale",
			l.Traffic, l.Routing, l.VCs, l.windows(), l.Gbps)
	}
	return fmt.Sprintf("flit-level simulation: %s traffic, routing %s, %d VCs, crossbar speedup %d, packets of %d flits, %s; load 1 is %.6g Gb/s an endpoint, links have the rates on sale",
		l.Traffic, l.Routing, l.VCs, flit.DefaultSpeedup, packet, l.windows(), l.Gbps)
}
