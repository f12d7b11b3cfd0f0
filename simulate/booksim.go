package simulate

import (
	"context"
	"strconv"

	"toposearch/simcore"
	"toposearch/simcore/booksim"
)

// BookSimPoint is what BookSim2 would print, in the form of the other simulations. Hops counts
// the routers passed, as BookSim2 does, not the links between them.
type BookSimPoint struct {
	simcore.Point
	WallS    float64 `json:"wall_s"`
	Status   string  `json:"status"`
	Injected float64 `json:"injected"`
	// Latencies, and Fragmentation, are absent where nothing has arrived.
	LatencyMin float64 `json:"latency_min,omitempty"`
	NetworkMin float64 `json:"network_latency_min,omitempty"`
	// Flit is of all flits that arrived since the warm-up, each from its own injection.
	Flit          simcore.Latency `json:"flit_latency,omitzero"`
	FlitMin       float64         `json:"flit_latency_min,omitempty"`
	Fragmentation *float64        `json:"fragmentation,omitempty"`
}

// BookSimDocument is a configuration of BookSim2 that was run.
type BookSimDocument struct {
	Schema string         `json:"schema"`
	Design string         `json:"design"`
	Config map[string]any `json:"config"`
	Points []BookSimPoint `json:"points"` // one
}

// BookSim runs a configuration. The document is whole with an error, too: it then holds what was reached.
func (r *Runner) BookSim(ctx context.Context, file string, b *booksim.Run) (*BookSimDocument, error) {
	wall := r.stopwatch()
	res, err := b.Run(ctx)
	return &BookSimDocument{Schema: Schema, Design: "booksim:" + file, Config: numbers(b.Settings.Values()),
		Points: []BookSimPoint{bookSimPoint(b, res, wall())}}, err
}

// acceptedShare is the share of the offered load that has to be accepted below saturation.
const acceptedShare = 0.97

// bookSimPoint gives a result the fields of the other simulations.
func bookSimPoint(r *booksim.Run, res booksim.Result, wall float64) BookSimPoint {
	p := BookSimPoint{Status: res.Status, Injected: res.Injected, LatencyMin: res.MinLat, NetworkMin: res.MinNet,
		Flit: res.Flit, FlitMin: res.MinFlit}
	if res.Packets > 0 {
		p.Fragmentation = &res.Fragment
	}
	p.Point = simcore.Point{Offered: r.Load(), Accepted: res.Accepted, AcceptedMin: res.AcceptMin, AcceptedMax: res.AcceptMax,
		Latency: res.Latency, Network: res.Network, Hops: simcore.Hops{Mean: res.Hops}, Packets: res.Packets,
		Cycles: res.Cycles, FlitHops: res.FlitHops, Deadlock: res.Deadlock,
		Deadlocked: res.Status == booksim.StatusDeadlocked, Interrupted: res.Status == booksim.StatusInterrupted}
	p.Saturated = p.Deadlocked || res.Status == booksim.StatusUnstable || !p.Interrupted && !r.Batch() && p.Accepted < acceptedShare*p.Offered
	p.WallS = wall
	return p
}

// numbers gives values that are numbers as numbers.
func numbers(values map[string]string) map[string]any {
	out := make(map[string]any, len(values))
	for k, v := range values {
		if i, err := strconv.ParseInt(v, 10, 64); err == nil {
			out[k] = i
		} else if x, err := strconv.ParseFloat(v, 64); err == nil && x-x == 0 {
			out[k] = x
		} else {
			out[k] = v
		}
	}
	return out
}
