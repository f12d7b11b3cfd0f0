package route

import (
	"context"

	"toposearch/routing"
	"toposearch/topology"
)

// How far those see a way, in channels, that decide.
const (
	further  = credits + 1 // of the direct way, if the second switch decides again
	wholeWay = 1 << 16     // by all queues; so do others where buffers fill within a window, which press back to the source from all channels
)

// sees is how many channels of a way those see by credits that decide between the direct way and a detour by way of any switch with endpoints, of which Sighted is a
// model where packets take any of several hops; 0: it is none. Valiant, which makes all detours, looks at nothing.
func (r *Native) sees() int {
	switch {
	case r.anySet() && r.pick == random:
		return 1
	case r.via != viaSwitch || r.pick != random || r.tune.Peers != nil || r.tune.Bias != nil:
		return 0
	case r.plan == ugalL:
		return credits
	case r.plan == par:
		return further
	case r.plan == ugalG:
		return wholeWay
	}
	return 0
}

// SeenChannels is how many channels of a direct way the routing sees by credits where it decides, 0 where that is not known.
func (r *Native) SeenChannels() int { return r.sees() }

// Sees says whether Sighted may be a model of the routing.
func (r *Native) Sees() bool { return r.sees() > 0 }

// Sighted is what the routing carries as a fluid; nil where that is no model of it. shallow: buffers fill within a window.
func (r *Native) Sighted(ctx context.Context, flows []routing.Flow, capacity func(link int) float64, shallow bool) (*routing.Sighted, error) {
	hops := r.sees()
	if hops == 0 {
		return nil, nil
	}
	if shallow {
		hops = wholeWay
	}
	see := routing.Sight{Hops: hops, Draws: r.draws, May: r.mayGoBy, All: r.plan == valiant, Sums: r.plan == ugalG, Parts: r.parts, Again: r.plan.twice()}
	if !see.All && !see.Sums {
		see.Times = func(direct topology.ChannelID, peers int) float64 { return r.times(shallow, direct, peers) }
	}
	return r.t.Router.NewSighted(ctx, flows, capacity, see)
}

// mayGoBy says whether a detour from one set to another may go by way of a third, as drawMid draws it.
func (r *Native) mayGoBy(src, dst, mid int) bool {
	return r.mids[mid].dst >= 0 && (!r.plan.adaptive() || r.relieves(r.blockOfSet(int32(src)), r.blockOfSet(int32(dst)), int32(mid)))
}

// parts says whether detours that begin like the direct way are made: by par if the second switch, which decides again, sends nothing of its own, else as partsLater says.
func (r *Native) parts(from topology.SwitchID, dst int, direct topology.ChannelID) bool {
	if r.plan.twice() {
		return !r.sends[r.t.Router.Net.To(direct)]
	}
	return r.partsLater(from, int32(dst), direct)
}
