package cutthrough

import (
	"math"

	"toposearch/simcore"
)

// Point is what a simulation at one load measured: what simcore.Point says, with a nanosecond for
// a cycle, a cell for a flit, and loads as fractions of the bandwidth of an endpoint; and the same
// in us and Gb/s.
type Point struct {
	simcore.Point
	Deadlock *Deadlock `json:"deadlock,omitempty"`

	OfferedGbps  float64 `json:"offered_gbps"` // per endpoint that sends
	AcceptedGbps float64 `json:"accepted_gbps"`
	// LatencyUs and NetworkUs are zero, and absent in JSON, if no measured packet has arrived.
	LatencyUs Micros `json:"latency_us,omitzero"`
	NetworkUs Micros `json:"network_latency_us,omitzero"`
	// ECNMarked is the number of packets that arrived in the window with a congestion mark, ECNShare
	// their share of those that arrived; nil if none did.
	ECNMarked int64    `json:"ecn_marked"`
	ECNShare  *float64 `json:"ecn_share,omitempty"`
	// Pauses is the number of PFC pauses, in all Cycles.
	Pauses int64 `json:"pauses"`
	// Dropped counts packets that found no room. Flow control is lossless: it is 0, or the model
	// is wrong.
	Dropped int64 `json:"dropped"`
	// BufferPeak is what the fullest switch ever held, BufferPeakPort the fullest input and VC.
	BufferPeak     int64 `json:"buffer_peak_bytes"`
	BufferPeakPort int64 `json:"buffer_peak_port_bytes"`
	PacketHops     int64 `json:"packet_hops"` // packets that passed a switch, in all Cycles
}

// Unmeasured is simcore.Unmeasured for a Point of this model.
type Unmeasured struct {
	simcore.Unmeasured
	AcceptedGbps *struct{} `json:"accepted_gbps,omitempty"`
}

// Micros are latencies in us.
type Micros struct {
	Mean   float64 `json:"mean"`
	P50    float64 `json:"p50"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	P999   float64 `json:"p999"`
	Max    float64 `json:"max"`
	StdErr float64 `json:"stderr,omitempty"`
	CI95   float64 `json:"ci95,omitempty"`
}

// summarize gives a histogram of ps in us and in ns.
func summarize(h *simcore.Histogram) (Micros, simcore.Latency) {
	q := func(x float64) float64 { return float64(h.Quantile(x)) / 1e6 }
	u := Micros{Mean: h.Mean() / 1e6, P50: q(0.5), P95: q(0.95), P99: q(0.99), P999: q(0.999), Max: float64(h.Max()) / 1e6}
	ns := func(x float64) int64 { return int64(math.Round(x * 1000)) }
	return u, simcore.Latency{Mean: h.Mean() / 1000, P50: ns(u.P50), P95: ns(u.P95), P99: ns(u.P99), P999: ns(u.P999), Max: ns(u.Max)}
}

// latency sums up the measured packets.
func (s *Sim) latency(pt *Point, t *tally) {
	pt.LatencyUs, pt.Latency = summarize(&t.plat)
	l := &pt.Latency
	l.Errors(t.batchSum, t.batchN)
	l.StdErr, l.CI95 = l.StdErr/1000, l.CI95/1000 // ps
	pt.LatencyUs.StdErr, pt.LatencyUs.CI95 = l.StdErr/1000, l.CI95/1000
}

// fairness sums up what endpoints sent and received in the window; one is load 1.
func (s *Sim) fairness(pt *Point, one float64) {
	got, sent := make([]int64, len(s.src)), make([]int64, len(s.src))
	for k := range s.nic {
		e := s.nic[k].endpoint
		got[e] += s.accept[k]
		sent[e] += s.nic[k].sent
	}
	pt.Fairness.Received = simcore.ShareOf(got, one, func(e int) bool { return s.epStart[e] < s.epStart[e+1] })
	pt.Fairness.Sent = simcore.ShareOf(sent, one, func(e int) bool { return s.src[e].sends })
	pt.AcceptedMin, pt.AcceptedMax = pt.Fairness.Received.Min, pt.Fairness.Received.Max
}

// watchedResult is what came of the pair, in ns; nil if none is watched.
func (s *Sim) watchedResult(t *tally) *simcore.Watched {
	w := s.watch
	if w == nil {
		return nil
	}
	out := simcore.NewWatched(&w.Pair, w.load, s.load*float64(s.able), &t.pair)
	if out.Packets > 0 {
		stdErr, ci := out.Latency.StdErr/1000, out.Latency.CI95/1000
		_, out.Latency = summarize(&t.pair)
		out.Latency.StdErr, out.Latency.CI95 = stdErr, ci
	}
	return out
}
