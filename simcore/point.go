package simcore

import "math"

// Point is what a simulation at one load measured. Loads are fractions of the bandwidth of an
// endpoint (flits per cycle per endpoint, where it has one port of full rate), averaged over the
// endpoints that send; latencies are cycles from the creation of a packet, time in the source
// queue included, to the arrival of its last flit.
type Point struct {
	Offered  float64 `json:"offered"`
	Accepted float64 `json:"accepted"`
	// AcceptedErr is the standard error of Accepted by batch means; AcceptedMin and AcceptedMax
	// are those of single endpoints.
	AcceptedErr  float64 `json:"accepted_stderr"`
	AcceptedCI95 float64 `json:"accepted_ci95"` // half the width of the 95 % confidence interval
	AcceptedMin  float64 `json:"accepted_min"`
	AcceptedMax  float64 `json:"accepted_max"`
	// Latency, Network and Hops are of the measured packets; zero, and absent in JSON, if there are none.
	Latency Latency `json:"latency,omitzero"`
	Network Latency `json:"network_latency,omitzero"` // from the injection of the head
	Hops    Hops    `json:"hops,omitzero"`
	// Saturated means that clearly less than 97 % of what was offered in the window is accepted (Judge), or
	// that its packets had not arrived DrainLimit cycles after it, or were not waited for as the load is one that a
	// search for saturation could not decide on. Latencies are then lower bounds. A window that ended while the network
	// still filled says nothing of it (StopTooShort).
	Saturated bool `json:"saturated"`
	// Share is the part of the offered load that is accepted, 1 less the growth of the backlog: unlike
	// Accepted over Offered it does not depend on how much was offered by chance.
	Share      float64   `json:"accepted_share,omitempty"`
	ShareErr   float64   `json:"accepted_share_stderr,omitempty"`
	Verdict    Verdict   `json:"-"` // on the load, of the window
	Continued  bool      `json:"-"` // from the state of the run before, not from an empty network
	Deadlocked bool      `json:"deadlocked"`
	Deadlock   *Deadlock `json:"deadlock,omitempty"`
	// Interrupted: the context ended; the figures are of what had been measured.
	Interrupted bool  `json:"interrupted,omitempty"`
	Packets     int64 `json:"packets"` // measured
	Unreachable int64 `json:"unreachable,omitempty"`
	Cycles      int64 `json:"cycles"`
	FlitHops    int64 `json:"flit_hops"` // flits that crossed a switch, in all Cycles
	// Fairness compares endpoints in the window.
	Fairness Fairness `json:"fairness,omitzero"`
	// Warmup and Stop say how the measured cycles began and why they ended; Measured is their number.
	Warmup   WarmupReport `json:"warmup,omitzero"`
	Stop     string       `json:"stop,omitempty"`
	Measured int64        `json:"measured_cycles,omitempty"`
	Detail   *Detail      `json:"detail,omitempty"`
	// Watched is what came of the pair that is watched; nil if none is.
	Watched *Watched `json:"watched,omitempty"`
	// Failures says what failures in the window cost; nil if nothing is to fail.
	Failures *FailureReport `json:"failures,omitempty"`
	Series   []Sample       `json:"series,omitempty"`
}

// Hops sums up the ways of the measured packets.
type Hops struct {
	// Mean number of hops, counted as mean_hops of the evaluator does (ARCHITECTURE.md): links from
	// switch to switch, embedded ones included, without the first and the last nic link. Of a bare
	// plant, such as a BookSim2 configuration's, it is what the caller makes it.
	Mean float64 `json:"mean"`
	// Switches is the mean number of switches passed, embedded ones included: what the zero-load
	// latency follows.
	Switches float64 `json:"switches,omitempty"`
}

// HopsOf are the mean figures of packets that passed a number of switches together, viaNic of them
// over nic links between embedded and real switches.
func HopsOf(packets, switches, viaNic int64) Hops {
	if packets == 0 {
		return Hops{}
	}
	n := float64(packets)
	// Nic links between switches come in pairs, the first and the last of a way.
	return Hops{Mean: float64(switches-2*viaNic)/n - 1, Switches: float64(switches) / n}
}

// Decide sets Stop after a window, in a run that is to measure to a precision (0: just the window)
// and has cycles left for one twice as long, or not; false: go on.
func (pt *Point) Decide(precision float64, left bool) bool {
	switch {
	case precision <= 0:
		pt.Stop = StopWindow
	case pt.Saturated:
		pt.Stop = StopSaturated
	case pt.within(precision):
		pt.Stop = StopPrecision
	case !left:
		pt.Stop = StopBudget
	default:
		return false
	}
	return true
}

// StillFills takes a rejection back, and says so, where most of what the backlog grew by in a window is on its way in the network:
// grown flits more than when the window began. A network takes up what its routes hold, however little is offered, before it
// delivers as much; it saturates when what waits at sources grows.
func (pt *Point) StillFills(grown int, borders []Border) bool {
	if pt.Verdict != Rejected || 2*float64(grown) <= borders[len(borders)-1].Backlog-borders[0].Backlog {
		return false
	}
	pt.Verdict, pt.Saturated = Unclear, false
	return true
}

// DecideLoad sets Stop in a search for saturation after a window, as Decide. windows is its length in windows of the
// length that was asked for, of which it may become most long: the shorter, the less of a load may be accepted for it to be rejected. A short run is
// one that ends after such a window, and leaves what is not clear by then undecided; a long one ends where the longest would not be
// clear if its share stayed where it is, or came a standard error further from 97 %: other loads are clearer. Where errors are so large that no share would
// ever be clear it goes on, as a backlog that is steady may still tell.
func (pt *Point) DecideLoad(windows, most float64, left, short bool) bool {
	below := 1.0
	switch {
	case windows < 0.75: // the whole window may be a little shorter, for batches of equal length
		below = EarlyBelow
	case windows < 1.5:
		below = WindowBelow
	}
	whole := below > EarlyBelow
	if pt.Offered == 1 && windows >= 0.45 { // no interval goes beyond load 1, so that little is lost where it is rejected too soon; it is not accepted sooner
		below = max(below, WindowBelow)
	}
	needed := sure * pt.ShareErr * math.Sqrt(windows/max(most, windows)) // of the longest run, from 97 %
	switch {
	case pt.Verdict == Rejected && (pt.Share < below || !left && !short), pt.Verdict == Accepted && whole:
		pt.Stop = StopDecided
	case left && (short || windows < 0.75 || needed > 1-SaturatedBelow || math.Abs(pt.Share-SaturatedBelow)+pt.ShareErr > needed):
		return false
	default:
		pt.Stop, pt.Verdict = StopBudget, Unclear
	}
	return true
}

// within reports whether mean latency and accepted load are known to a fraction of themselves, with
// 95 % confidence.
func (pt *Point) within(precision float64) bool {
	return pt.Latency.CI95 > 0 && pt.Latency.CI95 <= precision*pt.Latency.Mean && pt.AcceptedCI95 <= precision*pt.Accepted
}
