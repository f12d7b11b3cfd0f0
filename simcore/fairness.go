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

// fairness sums up flits by endpoint, one of which is what load 1 is in the window; over those with
// a port; with senders, only those that have had a packet.
func (s *Sim) fairness(flits []int64, one float64, senders bool) Share {
	var n, sum, squares, lo, hi float64
	for e, f := range flits {
		if senders && s.srcOf[e].seq == 0 || s.sinkStart[e] == s.sinkStart[e+1] {
			continue // sends nothing, or is cut off
		}
		x := float64(f)
		if n == 0 || x < lo {
			lo = x
		}
		hi = max(hi, x)
		n++
		sum += x
		squares += x * x
	}
	r := Share{Min: lo / one, Max: hi / one, Jain: 1}
	if squares > 0 {
		r.Jain = sum * sum / (n * squares)
	}
	return r
}
