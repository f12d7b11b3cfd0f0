package evaluator

import (
	"fmt"

	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/workload/placed"
)

// Collectives where every flow keeps to one path that a hash picks: what two ranks send each other in a step is one flow, so that few cross each link, and collisions cost more than
// they do of uniform traffic.

// hashedTree gives shapes what hashes cost, in closed form, nil if that is not known: the links of each level are alike, and of those that leave a subtree a flow takes each with the same probability, as it
// does of those that lead into one. Channels are taken to be independent: where all that a leaf sends goes to one other the same flows meet on the way down as on the way up, and of some tens of
// endpoints the expected time is up to an eighth too long, of 1,024 some percent.
func (w *work) hashedTree(busiest func([]route.Crowd) float64) *placed.Hashes {
	f := w.d.Family
	spread := [len(w.rates.Link)]float64{}
	if f.Subtrees == nil || f.Spread == nil || !f.Spread(w.d.V, &spread) {
		return nil
	}
	blocks := f.Subtrees(w.d.V)
	return &placed.Hashes{Tree: func(ranks int, own float64, levels []float64, share float64) float64 {
		c := &crowds{flows: 1 / share}
		c.add(0, 1, 1, own, 1)
		if w.severalPorts() {
			ports := float64(w.size.EndpointPorts)
			c.add(spread[0], 2*float64(ranks)*ports, 1, own/ports, w.rates.Capacity(0))
		}
		for i, b := range blocks {
			links := float64(b.Links) / float64(max(b.Sharing, 1))
			c.add(spread[b.Class], 2*b.Holding(int64(ranks))*links, 1, levels[i]/links, w.rates.Capacity(b.Class))
		}
		return max(own, busiest(c.of))
	}}
}

// hashedNetwork gives the network at hand what they cost, channel by channel, by how likely its flows take them, or, of many, all do.
func (w *work) hashedNetwork(r *routing.Router, busiest func([]route.Crowd) float64) (*placed.Hashes, error) {
	if w.spread == nil {
		spread, err := r.HashSpread(w.ctx, hashSets)
		if err != nil {
			return nil, err
		}
		w.spread = w.byClass(spread, make([]float64, len(w.d.Family.LinkClasses)+1))
	}
	return &placed.Hashes{Loads: func(l *routing.Loads, own, share float64) float64 {
		c := &crowds{flows: 1 / share}
		c.add(0, 1, 1, own, 1)
		w.crowd(c, l, w.spread, r)
		return busiest(c.of)
	}}, nil
}

// rarely is a network whose collectives take what all but one hash in a million do; nil where there are no hashes.
func (w *work) rarely(n *placed.Network) (*placed.Network, error) {
	if n.Hashes == nil {
		return nil, nil
	}
	m := n.On(n.Endpoint)
	within := func(c []route.Crowd) float64 { return route.HashedWithin(c, hashedRarely) }
	if m.Known = nil; n.Shape != nil {
		m.Hashes = w.hashedTree(within)
		return m, nil
	}
	var err error
	m.Hashes, err = w.hashedNetwork(n.Router, within)
	return m, err
}

// hashedText says what times are of that hashes decide.
func (w *work) hashedText() string {
	return fmt.Sprintf(" (%s: each pair of ranks is one flow on one path; steps take what the busiest link is expected to of random hashes, hi what all but one in a million do; all wait for the slowest of a step)", w.routing().Name)
}
