package route

import (
	"context"

	"toposearch/routing"
)

// How far a source sees a way, in channels, for Sighted.
const (
	Credits  = 2       // by credits: what waits for the first one and behind it
	WholeWay = 1 << 16 // buffers that fill within a window press back to it from all of them
)

// DecidesOnce says whether sources alone decide between the direct way and a detour by way of any switch with endpoints, by what they see, and take any of several
// hops: what Sighted is a model of.
func (r *Native) DecidesOnce() bool {
	return r.plan == ugalL && r.via == viaSwitch && r.pick == random && r.tune.Peers == nil && r.tune.Bias == nil
}

// Sighted is what the routing carries as a fluid, of sources that see so many hops far; nil where that is no model of it.
func (r *Native) Sighted(ctx context.Context, flows []routing.Flow, capacity func(link int) float64, hops int) (*routing.Sighted, error) {
	if !r.DecidesOnce() {
		return nil, nil
	}
	return r.t.Router.NewSighted(ctx, flows, capacity, routing.Sight{Hops: hops, Draws: r.tune.draws(), May: r.mayGoBy})
}

// mayGoBy says whether a detour from one set to another may go by way of a third, as drawMid draws it.
func (r *Native) mayGoBy(src, dst, mid int) bool {
	return r.mids[mid].dst >= 0 && r.relieves(r.blockOfSet(int32(src)), r.blockOfSet(int32(dst)), int32(mid))
}
