package search

import "toposearch/search/fidelity"

// Which level vouches for the value of an objective of a design on a front judged at two fidelities.
const (
	VouchModel     = "analytic"  // the evaluator's
	VouchSimulated = "simulated" // measured for this design
	VouchCorrected = "corrected" // the stand-in's value times the correction of the family, with a 95 % interval
)

// Fidelity tells how a front was found at two fidelities: simulations corrected the stand-in of each measured metric, family by
// family, and the front by corrected values was simulated until it stayed.
type Fidelity struct {
	// Pool is how many designs stood for simulation: of each family its own front by the model, and what comes within Epsilon of it in a
	// stand-in. Since a correction moves no design of a family past another but by its parameters, what a correction can bring to the front is there.
	Pool    int     `json:"pool"`
	Epsilon float64 `json:"epsilon"`
	// Partial are the families of which not all of that was looked for: the budget ended, or they were not enumerated.
	Partial     []string     `json:"partial,omitempty"`
	Simulations int          `json:"simulations"` // designs simulated, of at most Most
	Most        int          `json:"most"`
	Rounds      int          `json:"rounds"`
	Stays       bool         `json:"stays"` // the front by corrected values stayed over the last round, all of it measured
	Corrections []Correction `json:"corrections"`
}

// Correction is what simulations say of a stand-in in a family, "" for all together.
type Correction struct {
	Family    string          `json:"family,omitempty"`
	Metric    string          `json:"metric"`
	StandIn   string          `json:"stand_in"`
	Simulated int             `json:"simulated"`         // designs of it
	Ratio     *fidelity.Ratio `json:"ratio,omitempty"`   // of measured to stand-in, with its 95 % interval; absent of all families together
	Scatter   float64         `json:"scatter,omitempty"` // standard deviation of single designs around it, as a part; of all families together
	// Ranks compares the order of the stand-in's values with that of measured ones; absent where there is no order.
	Ranks *fidelity.Ranks `json:"ranks,omitempty"`
}
