package queue

import "math"

// Switch is what matters of a simulated switch. Times are cycles, sizes flits.
type Switch struct {
	VCs    int
	Buffer float64 // of a VC
	Packet float64
	Trip   float64 // from taking a slot until its credit can be used again, if nothing waits
	// Speedup is that of the crossbar, at least 2: with less what the allocator loses in a single round (1/e of what
	// it could match) limits, and is not in the model.
	Speedup float64
	// Turn is the time from the last flit of a packet leaving the front of a VC to the first of the next: it has to get a
	// route and a VC.
	Turn float64
}

// waiting is the mean number of packets at an output of utilisation rho below 1, that in transmission included; mix is the
// part of the arrivals of a slot that come from another input than others.
func waiting(rho, mix float64) float64 { return rho + mix*rho*rho/(2*(1-rho)) }

// met corrects the mean number of packets that wait at an output for what an input has there itself: packets do not wait
// for themselves where they stand at the fronts of vcs VCs (the arrival theorem of closed networks; Reiser, Lavenberg, J.
// ACM 27(2), 1980). Of two ports with one VC 0.76 of the rate are then left where 0.75 is exact, without it 0.67.
func met(packets, rho, mix, vcs float64) float64 {
	if mix <= 0 || rho <= 0 {
		return packets
	}
	each := packets / rho
	return packets / (1 + 2*(1-mix)/vcs*each/mix)
}

// stored is the mean number of packets of a VC at the switch behind a channel, for the part u < 1 of the time in which one is at its front, and at most the slots: Kingman's
// formula for arrivals of a squared coefficient of variation and constant service.
func stored(u, vary, slots float64) float64 {
	if u >= 1 {
		return slots
	}
	return min(u+u*u*vary/(2*(1-u)), slots)
}

// varies is the squared coefficient of variation of the packets that come to one of the VCs behind a channel of utilisation rho. What leaves it comes more evenly than by chance, since it
// sends one after another, with 1 - rho^2 (Marshall's formula of departures for arrivals by chance and constant service). Of that a leg has a part by chance, one of legs that are equal, which
// leaves 1 - rho^2 / legs, and as packets are dealt out to its vcs / legs VCs in turn, of that a part again. Packets that keep their layer come to it by chance as far as the others are in other
// layers; which of both that is, is not told apart.
func varies(rho, vcs, legs float64, layers bool) float64 {
	if layers {
		return 1 / vcs
	}
	return (legs - rho*rho) / vcs
}

// beyond is the mean of what two geometric queues of means q and n together have beyond room packets, 0 where they have less.
func beyond(q, n, room float64) float64 {
	if room <= 0 {
		return q + n - room
	}
	s, u := q/(1+q), n/(1+n) // the chances of one more
	const alike = 1e-6       // below it the geometric series is a sum of equal terms
	all := math.Pow(u, room+1)
	series := 0.0
	if math.Abs(s-u) > alike {
		series = (math.Pow(s, room+1) - all) / (s - u)
	} else {
		series = (room + 1) * math.Pow(s, room)
	}
	return all*(q+1+n) + (1-u)*q*series
}
