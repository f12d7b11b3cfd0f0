package simcore

// LoopResult is what a workload measured.
type LoopResult struct {
	Workload Workload `json:"workload"`
	// Point: of a window the measured cycles, of the others all. Offered is 0: the network itself
	// decides what is sent.
	Point
	// Completed reports whether everything arrived, in Completion cycles from the first send; not for
	// windows, which go on.
	Completed  bool  `json:"completed"`
	Completion int64 `json:"completion_cycles,omitempty"`
	// Rounds of a barrier, cycles.
	Round *RoundTimes `json:"round_cycles,omitempty"`
	// Ideal is a bound for the routes that the packets took: of the completion from below, of the
	// accepted load of a window from above. IdealBy names what sets it; Efficiency is the ratio of
	// the two, at most 1.
	Ideal      float64 `json:"ideal,omitempty"` // 0 where it is not known: nothing arrived, or not everything
	IdealBy    string  `json:"ideal_by,omitempty"`
	Efficiency float64 `json:"efficiency,omitempty"`
}

// RoundTimes sums up the rounds of a barrier.
type RoundTimes struct {
	Mean float64 `json:"mean"`
	Min  int64   `json:"min"`
	Max  int64   `json:"max"`
}

// RoundsOf sums up how long rounds took; there is at least one.
func RoundsOf(took []int64) *RoundTimes {
	r := &RoundTimes{Min: took[0]}
	for _, x := range took {
		r.Min, r.Max = min(r.Min, x), max(r.Max, x)
		r.Mean += float64(x) / float64(len(took))
	}
	return r
}
