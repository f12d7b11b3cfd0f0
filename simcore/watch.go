package simcore

import (
	"fmt"
	"math"

	"toposearch/topology"
)

// Pair is a source and a destination whose latency is watched: packets from the one to the other are added to the traffic, with
// random gaps, and measured by themselves.
type Pair struct {
	Src, Dst topology.EndpointID
}

// Check says why a pair of n endpoints cannot be watched; connected tells of one of them whether it has a port.
func (p *Pair) Check(n int, connected func(topology.EndpointID) bool) error {
	for _, e := range []topology.EndpointID{p.Src, p.Dst} {
		if e < 0 || int(e) >= n {
			return fmt.Errorf("simcore: endpoint %d of the watched pair is not one of 0 to %d", e, n-1)
		}
		if !connected(e) {
			return fmt.Errorf("simcore: endpoint %d of the watched pair has no port", e)
		}
	}
	if p.Src == p.Dst {
		return fmt.Errorf("simcore: the watched pair is endpoint %d twice; two are needed", p.Src)
	}
	return nil
}

const (
	// watchShare is the part of all that is offered that the packets of a watched pair add at most: what they disturb is below what
	// any measurement shows.
	watchShare = 0.001
	// watchOwn is the part of the bandwidth of the source that they take at most: in a large network a thousandth of all is more
	// than one endpoint can send.
	watchOwn = 0.02
)

// WatchLoad is the load that the packets of a watched pair add at a load of so many endpoints, of the bandwidth of one.
func WatchLoad(load float64, senders int) float64 {
	return min(watchShare*load*float64(senders), watchOwn)
}

// Watched is what came of a watched pair.
type Watched struct {
	Source      int64 `json:"source"`
	Destination int64 `json:"destination"`
	// Load is what its packets add, as a part of the source's bandwidth, and Share as a part of all that is offered.
	Load    float64 `json:"load"`
	Share   float64 `json:"share"`
	Packets int64   `json:"packets"`
	// Latency is that of its packets, absent if there are none. StdErr counts them as independent of one another: they are
	// rare.
	Latency Latency `json:"latency,omitzero"`
}

// NewWatched sums up the packets of a pair that added a load to a total.
func NewWatched(p *Pair, load, total float64, h *Histogram) *Watched {
	w := &Watched{Source: int64(p.Src), Destination: int64(p.Dst), Load: load, Share: load / total, Packets: h.N()}
	if w.Packets > 0 {
		w.Latency = Summarize(h)
	}
	if w.Packets > 1 {
		w.Latency.StdErr = h.StdDev() / math.Sqrt(float64(w.Packets))
		w.Latency.CI95 = CI95(w.Latency.StdErr, int(w.Packets))
	}
	return w
}
