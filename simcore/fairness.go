package simcore

// Fairness compares the endpoints of a run.
type Fairness struct {
	Sent     Share `json:"sent"`     // into the network, over the endpoints that had packets to send
	Received Share `json:"received"` // over all endpoints with a port that works
}

// Share is the spread of what single endpoints got, as loads.
type Share struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// Jain is (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one has everything (Jain, Chiu,
	// Hawe, DEC-TR-301, 1984). 1 if nothing was sent.
	Jain float64 `json:"jain"`
}
