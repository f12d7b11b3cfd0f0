package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// The direction and the VC class of a packet are chosen when it enters a dimension and kept while
// it is in it; Packet.Aux holds them as the last output port plus 1, times 2, plus the class.

func (g *grid) torusRouting(s *Settings, name string) flit.PortRouting {
	v := s.vcs()
	h := &hook{inject: g.vc.everywhere}
	switch name {
	case "dor", "dim_order":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = g.torusOrder(false)
	case "dim_order_bal":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = g.torusOrder(true)
	case "valiant":
		if !s.needVCs(v, 4) {
			return nil
		}
		h.route = g.torusValiant()
	case "min_adapt":
		if !s.needVCs(v, 4) {
			return nil
		}
		h.route = g.torusMinAdapt()
	default:
		s.noRouting("dor, dim_order, dim_order_bal, valiant and min_adapt")
		return nil
	}
	return h
}

// step gives the output towards dst and the VC class, and remembers them.
func (g *grid) step(r, dst int, p *simcore.Packet, balanced bool) (port int32, class int) {
	// Dimensions before the one that it is in have been dealt with.
	d := 0
	if last := int(p.Aux>>1) - 1; last >= 0 {
		if d = last / 2; g.at(r, d) != g.at(dst, d) {
			return int32(last), int(p.Aux & 1)
		}
	}
	for g.at(r, d) == g.at(dst, d) {
		d++
	}
	cur, to := g.at(r, d), g.at(dst, d)
	dist := to - cur
	if dist < 0 {
		dist += g.k
	}
	right := 2*dist < g.k
	if 2*dist == g.k {
		right = p.Rand.Coin()
	}
	if balanced {
		class = g.balancedClass(p, cur, to, right)
	} else if right && cur > to || !right && to < cur {
		class = 1
	}
	port = int32(2 * d)
	if !right {
		port++
	}
	p.Aux = uint32(port+1)<<1 | uint32(class)
	return port, class
}

// balancedClass: 1 if the route wraps around, 0 if it crosses the middle, else a coin.
func (g *grid) balancedClass(p *simcore.Packet, cur, to int, right bool) int {
	mid := (g.k - 1) / 2
	switch {
	case right && cur > to, !right && cur < to:
		return 1
	case right && cur <= mid && to > mid, !right && cur > mid && to <= mid:
		return 0
	case p.Rand.Coin():
		return 1
	}
	return 0
}

func (g *grid) torusOrder(balanced bool) routeFunc {
	n, coord := g.n, g.coord
	of := [2]vcRange{g.vc.part(false), g.vc.part(true)}
	all, out := g.vc.all, int32(2*n)
	return func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == dst {
			return flit.PortHop{Port: out, Lo: all.lo, Hi: all.hi}
		}
		// Straight on, as step says; most hops are.
		if last := int(p.Aux>>1) - 1; last >= 0 && coord[r*n+last>>1] != coord[dst*n+last>>1] {
			v := &of[p.Aux&1]
			return flit.PortHop{Port: int32(last), Lo: v.lo, Hi: v.hi}
		}
		port, class := g.step(r, dst, p, balanced)
		v := &of[class&1]
		return flit.PortHop{Port: port, Lo: v.lo, Hi: v.hi}
	}
}

// torusValiant goes through a random node; the class picks a half of the VCs, the phase a half of
// that. It keeps the class while going straight, as the repaired build of the reference does.
func (g *grid) torusValiant() routeFunc {
	low, high := split(g.vc.lower), split(g.vc.upper)
	return func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if p.Hops == 0 {
			p.Mid = int32(p.Rand.IntN(g.count))
		}
		if p.Phase == 0 && r == int(p.Mid) {
			p.Phase, p.Aux = 1, 0
		}
		to := dst
		if p.Phase == 0 {
			to = int(p.Mid)
		} else if r == dst {
			return g.vc.all.hop(int32(2 * g.n))
		}
		port, class := g.step(r, to, p, false)
		if class == 1 {
			return high.part(p.Phase == 1).hop(port)
		}
		return low.part(p.Phase == 1).hop(port)
	}
}

// torusMinAdapt is what is left of it: VC 3 in the lowest differing dimension, VCs 0 and 1 by
// dimension order as escape, in which a packet stays.
func (g *grid) torusMinAdapt() routeFunc {
	return func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == dst {
			return g.vc.all.hop(int32(2 * g.n))
		}
		if p.VC > 1 || p.Hops == 0 {
			p.Aux = 0
		}
		esc, class := g.step(r, dst, p, false)
		e := vcRange{uint8(class), uint8(class)}
		if p.VC <= 1 && p.Hops > 0 {
			return e.hop(esc)
		}
		d := int(esc) / 2
		port := int32(2*d + 1)
		if dist := (g.at(dst, d) - g.at(r, d) + g.k) % g.k; 2*dist < g.k {
			port = int32(2 * d)
		}
		h := vcRange{3, 3}.hop(port)
		h.HasAlt, h.AltPort, h.AltLo, h.AltHi = true, esc, e.lo, e.hi
		return h
	}
}
