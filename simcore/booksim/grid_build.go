package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

func (s *Settings) grid() *fabric {
	k, n, ok := s.dims(2, 1)
	if !ok {
		return nil
	}
	g := &grid{k: k, n: n, torus: s.str("topology") == "torus", vc: split0(s.vcs()), count: pow(k, n)}
	if s.between("k", 2, 1<<16-1) != k {
		return nil
	}
	if c := s.integer("c"); c != 1 {
		s.warnAt("c", "for several nodes at a router there are cmesh and flatfly", "a %s has one node at every router; c = %d has no effect", s.str("topology"), c)
	}
	for d := range n {
		g.pow = append(g.pow, pow(k, d))
	}
	g.coord = make([]uint16, g.count*n)
	for i := range g.coord {
		g.coord[i] = uint16(i / n / g.pow[i%n] % k)
	}
	f := &fabric{plant: &flit.Plant{Switches: g.count, Endpoints: g.count}}
	latency := 1
	if g.torus && s.flag("use_noc_latency") {
		latency = 2 // folded
	}
	for r := range g.count {
		for d := range n {
			// The wrap-around channels of a mesh are there, and never used.
			f.line(r, 2*d, g.neighbor(r, d, 1), 2*d+1, latency)
			f.line(r, 2*d+1, g.neighbor(r, d, k-1), 2*d, latency)
		}
		f.tie(r, r, 2*n, 2*n)
	}
	f.routing = g.routing(s)
	return f
}

func (g *grid) routing(s *Settings) flit.PortRouting {
	name := s.str("routing_function")
	if g.torus {
		return g.torusRouting(s, name)
	}
	h := &hook{inject: g.vc.everywhere}
	v := s.vcs()
	switch name {
	case "dor", "dim_order":
		h.route = func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
			return g.vc.all.hop(g.dor(int(sw), dest(p), false))
		}
	case "xy_yx", "adaptive_xy_yx":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = g.xyyx(v, name == "adaptive_xy_yx")
	case "romm", "valiant":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = g.twoPhase(name == "romm")
	case "min_adapt":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = g.minAdapt(v)
	case "planar_adapt":
		if !s.needVCs(v, 3) {
			return nil
		}
		last := vcRange{uint8(2 * (v / 3)), uint8(v - 1)}
		h.route = func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
			if int(sw) == dest(p) {
				return g.vc.all.hop(int32(2 * g.n))
			}
			return last.hop(g.dor(int(sw), dest(p), false))
		}
	default:
		s.noRouting("dor, dim_order, xy_yx, adaptive_xy_yx, romm, valiant, min_adapt and planar_adapt")
		return nil
	}
	return h
}
