package simcore

// Observe says what Run measures beside the point itself. What is off costs nothing.
type Observe struct {
	// Detail fills Point.Detail: link utilisation, buffer occupancy, where packets wait.
	Detail bool
	// Channels fills Detail.Channels too: every channel, for a heat map.
	Channels bool
	// Series is the number of cycles of a sample of Point.Series; 0: none.
	Series int
	// Watch, if not nil, fills Point.Watched. Packets of the pair are added to the traffic.
	Watch *Pair
	// Progress, if not nil, is called every progressEvery cycles with the cycle reached.
	Progress func(now Cycle)
}

// Sample is what happened in some cycles. Loads are those of a Point.
type Sample struct {
	Cycle    int64   `json:"cycle"` // at the end of the sample
	Injected float64 `json:"injected"`
	Accepted float64 `json:"accepted"`
	// Latency is the mean of the packets that arrived, from their creation, recorded or not; 0, and
	// absent in JSON, if there were none.
	Latency  float64 `json:"latency,omitempty"`
	InFlight int     `json:"in_flight"` // flits in the network at the end
	// Window reports whether the sample lies in the measured cycles.
	Window bool `json:"window"`
}
