package search

import (
	"math/big"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
)

// FrontSchema names the form of front.json.
const FrontSchema = "toposearch.front/1"

// Front is front.json: what a run found, without clock, machine or worker count.
type Front struct {
	Schema string `json:"schema"`
	Study  string `json:"study"`
	// Strategy is the one that ran: enumerate, nsga2, local, random, or "enumerate+nsga2" where
	// some families were enumerated and others not.
	Strategy string `json:"strategy"`
	// Complete means that no design of the space is missing from the front, but by Tolerance.
	Complete bool `json:"complete"`
	// Tolerance is by what part a design that is missing may be better than one of the front in any objective ([search] tolerance).
	Tolerance float64 `json:"tolerance,omitempty"`
	// LocallyComplete means that no neighbour of the front (one parameter moved to its next value,
	// and repaired) improves it.
	LocallyComplete bool `json:"locally_complete"`
	// Proof says how much a front that is not complete may lack; absent if it is complete or empty, or the run was interrupted.
	Proof      *Proof   `json:"proof,omitempty"`
	Stopped    string   `json:"stopped,omitempty"` // "evaluations", "time", "interrupted"
	Counts     Counts   `json:"counts"`
	Objectives []string `json:"objectives"` // metric keys
	Front      []Record `json:"front"`      // ordered by objectives, then by name
	// Simulated tells how measured metrics came in, where objectives or limits are such.
	Simulated *Simulated `json:"simulated,omitempty"`
	// Closest has an entry for each family without a feasible design; none of those whose feasible
	// designs the front outdoes.
	Closest []Closest `json:"closest,omitempty"`
	// Incumbents are the networks that the study names to be judged beside the front, in its order.
	Incumbents []Incumbent `json:"incumbents,omitempty"`
	// Unsimulated are finalists and incumbents of which the budget of time ended a simulation; resume makes it.
	Unsimulated []string `json:"unsimulated,omitempty"`
}

// Points counts the designs on the front, those that are one network with the same figures as one: what every count for people is.
func (f *Front) Points() (n int) {
	for i := range f.Front {
		if f.Front[i].SameAs == "" {
			n++
		}
	}
	return n
}

// Incumbent is a network that somebody had in mind, evaluated and simulated as designs on the front are.
type Incumbent struct {
	Name  string `json:"name,omitempty"`
	Asked string `json:"asked"` // as the study writes it
	// Chosen says how the design was chosen where a family was named.
	Chosen string `json:"chosen,omitempty"`
	Record
	// Verdict, Why and the rest are as in explain --json.
	Verdict     string             `json:"verdict"`
	Why         string             `json:"why"`
	Misses      []constraints.Miss `json:"misses,omitempty"`
	DominatedBy []string           `json:"dominated_by,omitempty"`
	Admit       []string           `json:"admit,omitempty"`
}

// Proof bounds what a front may lack by the best corners of all boxes and designs that nothing has excluded yet.
type Proof struct {
	// Proved is the least part that the hypervolume of this front has of that of the complete one, in [0, 1]; 0 if an objective is without
	// bound in what is open.
	Proved float64 `json:"proved"`
	// Within is the part within which the front is complete: for each design that keeps the limits one on the front is worse by at most that in every objective;
	// absent if an objective is without bound in what is open.
	Within *float64 `json:"within,omitempty"`
	// Reference is the point from which hypervolumes are measured, by objective: the worst of the front and of what is open, and a
	// tenth of the range; without objectives that have no bound in what is open.
	Reference map[string]float64 `json:"reference"`
	Open      int64              `json:"open"`     // boxes and designs that nothing excludes yet
	Families  []string           `json:"families"` // in which they are
	// Alone is what Proved would be if all families but one were complete, by that one: the least holds the proof up most.
	Alone map[string]float64 `json:"alone"`
}

// Counts are in tuples of parameter values, but for Evaluated and Feasible, which count designs.
// In a complete enumeration Enumerated is the sum of Rejected, Dominated, Duplicates and Feasible.
type Counts struct {
	Enumerated *big.Int `json:"enumerated"` // tuples decided, also those cut as whole boxes
	Evaluated  int64    `json:"evaluated"`  // designs scored at level 1 or above
	Feasible   int64    `json:"feasible"`   // of those, designs that meet every limit
	// Rejected is by constraint name; constraints.NoNetwork and Window stand beside the names of limits.
	Rejected   map[string]*big.Int `json:"rejected"`
	Dominated  *big.Int            `json:"dominated"`  // tuples that bounds show to be dominated
	Duplicates *big.Int            `json:"duplicates"` // other ways to write the same design
	Families   []FamilyCounts      `json:"families"`
}

// FamilyCounts are the counts of one family, which add up in the same way.
type FamilyCounts struct {
	Family     string              `json:"family"`
	Space      *big.Int            `json:"space"` // tuples in all
	Enumerated *big.Int            `json:"enumerated"`
	Evaluated  int64               `json:"evaluated"`
	Feasible   int64               `json:"feasible"`
	OnFront    int                 `json:"on_front"`
	Rejected   map[string]*big.Int `json:"rejected"`
	Dominated  *big.Int            `json:"dominated"`
	Duplicates *big.Int            `json:"duplicates"`
	Complete   bool                `json:"complete"`
}

// Record is a design on the front.
type Record struct {
	Design     string                   `json:"design"`
	Family     string                   `json:"family"`
	Params     map[string]any           `json:"params"`
	Metrics    map[string]metric.Figure `json:"metrics"`
	Absent     map[string]string        `json:"absent,omitempty"`
	Objectives map[string]float64       `json:"objectives"`
	Bottleneck string                   `json:"bottleneck,omitempty"`
	Routing    string                   `json:"routing"` // of throughput, and that verification runs unless [verify] names another
	// Unfit says which of the routings that may be chosen the design cannot take, and why.
	Unfit string `json:"routing_unfit,omitempty"`
	// Detour is the mean zero-load latency of packets that Routing sends on detours.
	Detour *metric.Figure `json:"detour_latency,omitempty"`
	// SameAs is the design of the front that is the same network with the same figures under another name: both are one point.
	SameAs string `json:"same_as,omitempty"`
	// SameNetwork is one that is the same network, too, but gets other figures, from the routes, floor plan or parts that its family has.
	SameNetwork string `json:"same_network,omitempty"`
	// MaybeSame is one with the same figures, of which a bounded comparison did not decide whether it is the same network.
	MaybeSame string `json:"maybe_same,omitempty"`
	// ShownBy is a design of the front from which this one differs by at most 2 % in every objective, and which stands for it where
	// people read a front; of what is the same as another (SameAs) it is not asked.
	ShownBy string `json:"shown_by,omitempty"`
	// Vouched says, of a front judged at two fidelities, which level vouches for the value of each objective.
	Vouched  map[string]string `json:"vouched,omitempty"`
	Finalist bool              `json:"finalist,omitempty"`
	Verified *Verified         `json:"verified,omitempty"`
}

// Verified puts the simulator's measurements beside the model's predictions. Maps are by traffic.
type Verified struct {
	Saturation      map[string]float64 `json:"saturation"`        // largest load accepted to 97 %
	SaturatedAt     map[string]float64 `json:"saturated_at"`      // smallest load found that is not; 1: there is none
	LatencyHalfLoad map[string]float64 `json:"latency_half_load"` // cycles, at half the saturation load
	// Predicted holds, by traffic, the load at which the busiest channel is full if the routing
	// splits evenly ("uniform", "worst"), the load above which 97 % cannot be accepted
	// ("certified.uniform"), and "zero_load_latency" (cycles). Where the routing makes detours, it is the load that
	// the best split into direct routes and detours carries, and "direct.uniform" the part that goes directly.
	// "expected.uniform" is the load at which switches with the simulated VCs and buffers saturate by the model of package queue.
	Predicted map[string]float64 `json:"predicted"`
	LimitedBy map[string]string  `json:"limited_by,omitempty"` // by traffic: what limits the expected load
	Agrees    bool               `json:"agrees"`
	// Differs are the traffics whose saturation is not what is expected, or contradicts it.
	Differs []string `json:"differs,omitempty"`
	// Contradicts means that a measurement lies outside what the model certifies; a mere shortfall
	// of a real switch against the ideal one does not contradict.
	Contradicts bool     `json:"contradicts"`
	Notes       []string `json:"notes,omitempty"` // where they disagree, and why; or why not simulated
	// ZeroLoadLatency is measured at the lowest load of the curve, cycles.
	ZeroLoadLatency map[string]float64      `json:"zero_load_latency"`
	Curves          map[string][]CurvePoint `json:"curves"`
	// Cycles are measured per load point, and where Precision is not 0 more until latency and accepted load are known to that part of them.
	Cycles    int     `json:"cycles"`
	Precision float64 `json:"precision,omitempty"`
	VCs       int     `json:"vcs"`
	// Gbps is load 1: what an endpoint sends, of which uniform_throughput is a fraction.
	Gbps    float64 `json:"load_gbps"`
	Routing string  `json:"routing"`
	// Workload is the communication whose traffic "workload" is, in words.
	Workload string `json:"workload,omitempty"`
	Model    string `json:"model,omitempty"` // "cut_through": cycles are ns, packets of an MTU; absent: flits
}

// Doubtful tells whether a note of a simulation is of one of the traffics that do not agree, with whose name it begins; where these are not known any is.
func Doubtful(note string, differs []string) bool {
	traffic, _, ok := strings.Cut(note, ": ")
	return !ok || len(differs) == 0 || slices.Contains(differs, traffic)
}

// CurvePoint is a simulated load: offered and accepted as fractions of an endpoint's bandwidth.
type CurvePoint struct {
	Offered   float64 `json:"offered"`
	Accepted  float64 `json:"accepted"`
	Latency   float64 `json:"latency,omitempty"` // mean, cycles; a lower bound if saturated, absent if no packet has arrived
	P99       float64 `json:"p99,omitempty"`     // cycles
	Saturated bool    `json:"saturated"`
	// Measured is the length of the window, cycles; LatencyCI95 and AcceptedCI95 are half the 95 % intervals of the means, absent
	// if too little was measured.
	Measured     int64   `json:"measured_cycles,omitempty"`
	LatencyCI95  float64 `json:"latency_ci95,omitempty"`
	AcceptedCI95 float64 `json:"accepted_ci95,omitempty"`
}

// HalfLoadCI is half the 95 % confidence interval of LatencyHalfLoad, as its point of the curve has it; 0: too little was measured.
func (v *Verified) HalfLoadCI(traffic string) float64 {
	for _, c := range v.Curves[traffic] {
		if c.Offered == v.Saturation[traffic]/2 && c.Latency == v.LatencyHalfLoad[traffic] { // other windows may have been measured at that load
			return c.LatencyCI95
		}
	}
	return 0
}

// HalfLoadInterval are the ends of the confidence interval of a latency at half the saturation load, and what to say of it; ci is half of it, 0 if it is
// not known.
func HalfLoadInterval(latency, ci float64) (lo, hi float64, text string) {
	const mean = "mean at half the saturation load"
	if ci <= 0 {
		return latency, latency, mean + ", of too few packets for a confidence interval"
	}
	return latency - ci, latency + ci, mean + ", 95 % confidence"
}

// Closest is the design of a family that comes nearest to being feasible.
type Closest struct {
	Family     string             `json:"family"`
	Design     string             `json:"design,omitempty"` // "" if the space holds no network at all
	Violation  float64            `json:"violation"`        // summed over limits, as fractions of their bounds
	Misses     []constraints.Miss `json:"misses,omitempty"`
	Relaxation []Relaxation       `json:"relaxations,omitempty"`
	// Exhausted means that the search for it went through everything, so that there is none closer.
	Exhausted bool `json:"exhausted"`
	// Unsettled means that a search for a relaxation ended before: there may be others, or nearer ones.
	Unsettled bool `json:"relaxations_unsettled,omitempty"`
}

// Relaxation is a single constraint whose change would admit a design.
type Relaxation struct {
	Constraint string  `json:"constraint"`
	Bound      float64 `json:"bound"`  // as it is
	Needed     float64 `json:"needed"` // the nearest value that admits Design
	Design     string  `json:"design"`
	Origin     string  `json:"origin,omitempty"`
}

// Find gives the record of a design by its canonical name, nil if it is not on the front.
func (f *Front) Find(design string) *Record {
	for i := range f.Front {
		if f.Front[i].Design == design {
			return &f.Front[i]
		}
	}
	return nil
}

// Simulated says how metrics that only the simulator measures came into a front. A simulation
// takes seconds where a search asks for a hundred thousand designs, so that it is steered by a
// stand-in for each of them; finalists of the front found are simulated, and the front is judged
// again among those, by what was measured.
type Simulated struct {
	Objectives []string `json:"objectives,omitempty"` // of the study, measured
	Limits     []string `json:"limits,omitempty"`
	// StandIns gives the metric by which the search was steered in the place of a measured one.
	StandIns   map[string]string `json:"stand_ins"`
	Candidates int               `json:"candidates"` // designs on the front of the search
	Measured   int               `json:"measured"`   // of them
	// Why candidates are not on the front.
	Rejected    []SimMiss `json:"rejected,omitempty"`
	Dominated   []string  `json:"dominated,omitempty"`
	NotMeasured []string  `json:"not_measured,omitempty"`
	Fidelity    *Fidelity `json:"fidelity,omitempty"` // of a search at two fidelities
	Note        string    `json:"note"`
}

// SimMiss is a measured limit that a design does not meet.
type SimMiss struct {
	Design string `json:"design"`
	constraints.Miss
}

// SameText says which other design of the front is the same network, "" if none is known to be.
func (r *Record) SameText() string {
	switch {
	case r.SameAs != "":
		return "the same network as " + r.SameAs + ", with the same figures"
	case r.SameNetwork != "":
		return "the same network as " + r.SameNetwork + ", whose family has other routes, floor plans or parts"
	case r.MaybeSame != "":
		return "perhaps the same network as " + r.MaybeSame + ", with the same figures: a comparison took too long"
	}
	return ""
}
