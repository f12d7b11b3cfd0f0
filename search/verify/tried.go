package verify

import (
	"fmt"

	"toposearch/simcore"
)

// Tried is what is accepted, flit by flit, of the load that was expected to saturate: by the simulated switch, and by switches of which one thing differs. What makes it accept that load is what its
// simulation lacks, and so what the expectation leaves out.
type Tried struct {
	Cycles int     `json:"cycles,omitempty"` // it was measured for: what deeper buffers hold up may show later
	AsIs   float64 `json:"as_is"`
	Buffer int     `json:"buffer_flits"` // of a VC, far more than it has,
	Deeper float64 `json:"deeper"`       // with which so much is accepted; 0: not simulated
	VCs    int     `json:"vcs"`          // the same
	Wider  float64 `json:"wider"`
}

// helps says whether what was tried makes up half of what is missing of a load that is accepted.
func (t *Tried) helps(accepted float64) bool {
	return accepted-t.AsIs >= (simcore.SaturatedBelow-t.AsIs)/2
}

// text tells what was tried at a load.
func (t *Tried) text(load float64) string {
	text := fmt.Sprintf("of load %.3f it accepts %.1f %% as it is", load, 100*t.AsIs)
	if t.Deeper > 0 {
		text += fmt.Sprintf(", %.1f %% with buffers of %d flits", 100*t.Deeper, t.Buffer)
	}
	if t.Wider > 0 {
		text += fmt.Sprintf(", %.1f %% with %d VCs", 100*t.Wider, t.VCs)
	}
	if t.Cycles > 0 {
		text += fmt.Sprintf(", each over %d cycles", t.Cycles)
	}
	return text
}
