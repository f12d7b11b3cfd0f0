package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// grid is a k-ary n-cube: mesh or torus. Router = node; output 2d leads to +1 in dimension d,
// 2d+1 to -1, 2n ejects; input 2d comes from the +1 neighbour, 2d+1 from the -1 neighbour.
type grid struct {
	k, n  int
	pow   []int
	coord []uint16 // of router r in dimension d at r*n+d
	torus bool
	vc    halves
	count int // nodes
}

func (g *grid) at(r, d int) int { return int(g.coord[r*g.n+d]) }

func (g *grid) neighbor(r, d, by int) int {
	x := g.at(r, d)
	return r + ((x+by)%g.k-x)*g.pow[d]
}

// dor is the output towards dst in the lowest differing dimension, or the highest.
func (g *grid) dor(r, dst int, highest bool) int32 {
	for i := range g.n {
		d := i
		if highest {
			d = g.n - 1 - i
		}
		a, b := g.at(r, d), g.at(dst, d)
		if a < b {
			return int32(2 * d)
		}
		if a > b {
			return int32(2*d + 1)
		}
	}
	return int32(2 * g.n)
}

type routeFunc = func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop

// xyyx chooses the order of dimensions at the source; later routers see it in the VC, and misread
// the middle one if V is odd.
func (g *grid) xyyx(vcs int, adaptive bool) routeFunc {
	return func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == dst {
			return g.vc.all.hop(int32(2 * g.n))
		}
		yx := int(p.VC) >= vcs/2
		if p.Hops == 0 {
			yx = orderAtSource(sw, p, v, adaptive, g.dor(r, dst, false), g.dor(r, dst, true))
		}
		return g.vc.part(yx).hop(g.dor(r, dst, yx))
	}
}

// orderAtSource reports whether the second order is taken: the one whose first output is less used,
// or a coin.
func orderAtSource(sw int32, p *simcore.Packet, v *simcore.View, adaptive bool, a, b int32) bool {
	if adaptive {
		if x, y := v.UsedPort(sw, a), v.UsedPort(sw, b); x != y {
			return x > y
		}
	}
	return p.Rand.Coin()
}

// twoPhase goes to an intermediate router on the lower VCs, then to the destination on the upper
// ones; ROMM draws it from the minimal box, Valiant from all.
func (g *grid) twoPhase(romm bool) routeFunc {
	return func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if p.Hops == 0 {
			p.Mid = int32(g.middle(p, r, dst, romm))
		}
		if r == int(p.Mid) {
			p.Phase = 1
		}
		if p.Phase == 0 {
			return g.vc.lower.hop(g.dor(r, int(p.Mid), false))
		}
		if r == dst {
			return g.vc.all.hop(int32(2 * g.n))
		}
		return g.vc.upper.hop(g.dor(r, dst, false))
	}
}

func (g *grid) middle(p *simcore.Packet, r, dst int, box bool) int {
	if !box {
		return p.Rand.IntN(g.count)
	}
	m := 0
	for d := range g.n {
		a, b := g.at(r, d), g.at(dst, d)
		m += (min(a, b) + p.Rand.IntN(max(a, b)-min(a, b)+1)) * g.pow[d]
	}
	return m
}

// minAdapt is what is left of minimal adaptive routing when a route set keeps one element per
// priority: dimension order on VCs 1 and up, with VC 0 as escape.
func (g *grid) minAdapt(vcs int) routeFunc {
	rest := vcRange{1, uint8(vcs - 1)}
	return func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == dst {
			return g.vc.all.hop(int32(2 * g.n))
		}
		port := g.dor(r, dst, false)
		if p.VC == 0 && p.Hops > 0 {
			return vcRange{0, 0}.hop(port)
		}
		h := rest.hop(port)
		h.HasAlt, h.AltPort = true, port
		return h
	}
}
