package route

import (
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// pick is how one of several candidate hops is selected.
type pick uint8

const (
	random   pick = iota // each with the same probability, packet by packet
	hash                 // by source, destination and switch: a flow keeps its path (ECMP)
	sameHash             // by source and destination alone, modulo the number of candidates: switches that share a hash function
	adaptive             // the least congested channel as the switch sees it by its credits; ties at random
)

// flow says that a flow keeps to one of its paths. Ports are chosen by a hash of the endpoint's own.
func (p pick) flow() bool { return p == hash || p == sameHash }

// chooser goes through candidates one by one and keeps one of them, so that no list is needed.
type chooser struct {
	p    *simcore.Packet
	v    *simcore.View
	how  pick
	n    int // candidates seen (adaptive: those that share the least congestion)
	used int
	key  uint64 // hash: of the kept candidate
	hop  routing.Hop
}

func (c *chooser) offer(h routing.Hop, flow uint64) {
	switch c.how {
	case random:
		c.n++
		if c.n == 1 || c.p.Rand.IntN(c.n) == 0 {
			c.hop = h
		}
	case hash:
		// The candidate with the highest weight of (flow, channel): rendezvous hashing.
		if key := stream.Mix(flow ^ uint64(h.Channel)*0x9e3779b97f4a7c15); c.n == 0 || key > c.key {
			c.n, c.key, c.hop = 1, key, h
		}
	case adaptive:
		switch used := usedOf(c.v, h.Channel); {
		case c.n == 0 || used < c.used:
			c.n, c.used, c.hop = 1, used, h
		case used == c.used:
			c.n++
			if c.p.Rand.IntN(c.n) == 0 {
				c.hop = h
			}
		}
	}
}

// usedOf is the congestion of a channel; without a view the network is idle.
func usedOf(v *simcore.View, c topology.ChannelID) int {
	if v == nil {
		return 0
	}
	return v.Used(c)
}

// flowOf names the flow that a packet belongs to.
func flowOf(p *simcore.Packet) uint64 { return stream.Mix(uint64(p.Src)<<32 | uint64(uint32(p.Dst))) }

// choose selects a hop of a node towards a destination; ok is false at the destination and
// where there is no route. Lists, where the table has them, spare the scan of every channel.
func choose(t *routing.Table, dst, node int, how pick, p *simcore.Packet, v *simcore.View) (routing.Hop, bool) {
	if !t.HasLists() {
		return chooseByScan(t, dst, node, how, p, v)
	}
	hops := t.Hops(dst, node)
	switch {
	case len(hops) == 0:
		return routing.Hop{}, false
	case len(hops) == 1:
		return hops[0], true
	case how == random:
		return hops[p.Rand.IntN(len(hops))], true
	case how == sameHash:
		return hops[flowOf(p)%uint64(len(hops))], true
	}
	c := chooser{p: p, v: v, how: how}
	flow := flowOf(p)
	for _, h := range hops {
		c.offer(h, flow)
	}
	return c.hop, true
}

func chooseByScan(t *routing.Table, dst, node int, how pick, p *simcore.Packet, v *simcore.View) (routing.Hop, bool) {
	if here := t.Dist(dst, node); here == 0 || here == routing.Far {
		return routing.Hop{}, false
	}
	c := chooser{p: p, v: v, how: how}
	flow := flowOf(p)
	if how == sameHash {
		n := uint64(0)
		t.EachHop(dst, node, func(routing.Hop) { n++ })
		at := flow % n
		t.EachHop(dst, node, func(h routing.Hop) {
			if c.n == int(at) {
				c.hop = h
			}
			c.n++
		})
		return c.hop, true
	}
	t.EachHop(dst, node, func(h routing.Hop) { c.offer(h, flow) })
	return c.hop, c.n > 0
}
