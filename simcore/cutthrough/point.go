package cutthrough

import (
	"context"
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// Point is what a simulation at one load measured. Loads are fractions of the bandwidth of an
// endpoint, averaged over the endpoints that send. What has no unit in its name is as in
// simcore.Point, with a nanosecond for a cycle and a cell for a flit.
type Point struct {
	Offered      float64          `json:"offered"`
	Accepted     float64          `json:"accepted"`
	AcceptedErr  float64          `json:"accepted_stderr"`
	AcceptedCI95 float64          `json:"accepted_ci95"`
	AcceptedMin  float64          `json:"accepted_min"`
	AcceptedMax  float64          `json:"accepted_max"`
	Latency      simcore.Latency  `json:"latency"`         // from the creation of a packet to its last byte's arrival
	Network      simcore.Latency  `json:"network_latency"` // from the start of its transmission
	Hops         simcore.Hops     `json:"hops"`
	Fairness     simcore.Fairness `json:"fairness"`
	// Saturated means that less than 97 % of what was offered was delivered in the window, or that
	// its packets had not arrived DrainNs after it. Latencies are then lower bounds.
	Saturated  bool      `json:"saturated"`
	Deadlocked bool      `json:"deadlocked"`
	Deadlock   *Deadlock `json:"deadlock,omitempty"`
	// Interrupted: the context ended; the figures are of what had been measured.
	Interrupted bool  `json:"interrupted,omitempty"`
	Packets     int64 `json:"packets"` // measured
	Unreachable int64 `json:"unreachable,omitempty"`
	Cycles      int64 `json:"cycles"`
	FlitHops    int64 `json:"flit_hops"` // cells that crossed a switch, in all Cycles

	OfferedGbps  float64 `json:"offered_gbps"` // per endpoint that sends
	AcceptedGbps float64 `json:"accepted_gbps"`
	LatencyUs    Micros  `json:"latency_us"`
	NetworkUs    Micros  `json:"network_latency_us"`
	// ECNMarked is the number of packets that arrived in the window with a congestion mark, ECNShare
	// their share of those that arrived.
	ECNMarked int64   `json:"ecn_marked"`
	ECNShare  float64 `json:"ecn_share"`
	// Pauses is the number of PFC pauses, in all Cycles.
	Pauses int64 `json:"pauses"`
	// Dropped counts packets that found no room. Flow control is lossless: it is 0, or the model
	// is wrong.
	Dropped int64 `json:"dropped"`
	// BufferPeak is what the fullest switch ever held, BufferPeakPort the fullest input and VC.
	BufferPeak     int64 `json:"buffer_peak_bytes"`
	BufferPeakPort int64 `json:"buffer_peak_port_bytes"`
	PacketHops     int64 `json:"packet_hops"` // packets that passed a switch, in all Cycles
	// Links is the utilisation of the channels of each kind in the window: bytes begun there, as a
	// fraction of what they can carry.
	Links []simcore.LinkUse `json:"links,omitempty"`
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

// finish fills in what does not belong to the window.
func (s *Sim) finish(pt *Point) {
	t := s.total()
	pt.LatencyUs, pt.Latency = summarize(&t.plat)
	pt.NetworkUs, pt.Network = summarize(&t.nlat)
	var means []float64
	for i, n := range t.batchN {
		if n > 0 {
			means = append(means, float64(t.batchSum[i])/float64(n)/1000)
		}
	}
	pt.Latency.StdErr = simcore.ErrOfMean(means)
	pt.Latency.CI95 = simcore.CI95(pt.Latency.StdErr, len(means))
	pt.LatencyUs.StdErr, pt.LatencyUs.CI95 = pt.Latency.StdErr/1000, pt.Latency.CI95/1000
	pt.Packets, pt.Unreachable = t.packets, t.unreachable
	pt.Hops = simcore.HopsOf(t.packets, t.switches, t.viaNic)
	if t.inWindow > 0 {
		pt.ECNShare = float64(t.marked) / float64(t.inWindow)
	}
	pt.OfferedGbps, pt.AcceptedGbps = pt.Offered*s.cfg.BandwidthGbps, pt.Accepted*s.cfg.BandwidthGbps
	pt.ECNMarked, pt.Pauses, pt.Dropped = t.marked, t.pauses, t.overflows
	pt.BufferPeak, pt.BufferPeakPort = t.peak, int64(t.peakPort)
	pt.Cycles, pt.PacketHops = s.now/1000, t.hops
	pt.FlitHops = int64(math.Round(float64(t.hops) * s.mean / float64(s.cfg.CellBytes)))
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

// links sums up the utilisation of channels by kind: class, and classes of the ends.
func (s *Sim) links(length int64) []simcore.LinkUse {
	n := s.net
	var all []simcore.LinkUse
	number := make(map[topology.Kind]int)
	for sw := range topology.SwitchID(s.switches) {
		first, end := n.Out(sw)
		for c := first; c < end; c++ {
			k := n.Kind(sw, c)
			i, ok := number[k]
			if !ok {
				i = len(all)
				number[k] = i
				all = append(all, simcore.LinkUse{Class: n.LinkClasses[k.Link].Name, From: n.SwitchClasses[k.From].Name,
					To: n.SwitchClasses[k.To].Name, Min: math.Inf(1)})
			}
			o := &s.out[s.outStart[sw]+int32(c-first)]
			use := float64(o.carried) * float64(s.ser[o.class][0]) / float64(s.bytes[0]) / float64(length)
			u := &all[i]
			u.Channels++
			u.Mean += use
			u.Min, u.Max = min(u.Min, use), max(u.Max, use)
		}
	}
	for i := range all {
		all[i].Mean /= float64(all[i].Channels)
	}
	return all
}

// Saturation is the result of a search for the saturation load, as simcore.Saturation.
type Saturation struct {
	Load        float64 `json:"load"`
	Above       float64 `json:"above"`
	Deadlocked  bool    `json:"deadlocked"`
	Tolerance   float64 `json:"tolerance"`
	Interrupted bool    `json:"interrupted,omitempty"`
	LoadGbps    float64 `json:"load_gbps"`
	Points      []Point `json:"points"` // every load tried, in order
}

// Saturation finds the largest load accepted to 97 %, to a tolerance (0: 2 %), as the flit engine
// does.
func (s *Sim) Saturation(ctx context.Context, tolerance float64) (Saturation, error) {
	var r Saturation
	f, err := simcore.SearchSaturationTo(tolerance, func(load float64) (simcore.Point, error) {
		p, err := s.Run(ctx, load)
		if err == nil {
			r.Points = append(r.Points, p)
		}
		return simcore.Point{Offered: p.Offered, Accepted: p.Accepted, Saturated: p.Saturated, Deadlocked: p.Deadlocked}, err
	})
	r.Load, r.Above, r.Deadlocked, r.Tolerance, r.Interrupted = f.Load, f.Above, f.Deadlocked, f.Tolerance, f.Interrupted
	r.LoadGbps = f.Load * s.cfg.BandwidthGbps
	return r, err
}
