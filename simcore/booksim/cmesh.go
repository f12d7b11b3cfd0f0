package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// cmesh is the concentrated mesh of k by k routers with four nodes each: ports 0..3 to nodes,
// 4 +x, 5 -x, 6 +y, 7 -y. On the edges the outward port is an express link to the router half the
// edge away; dor_no_express, the one routing here, never takes it.
func (s *Settings) cmesh() *fabric {
	k, n, ok := s.dims(2, 4)
	if !ok {
		return nil
	}
	if n != 2 || s.between("c", 4, 4) != 4 || k%2 != 0 {
		s.errorAt("n", "", "cmesh has n = 2, c = 4 and an even k")
		return nil
	}
	inner, express := 1, 1
	if s.flag("use_noc_latency") {
		inner, express = 2, k
	}
	if xr, yr := s.between("xr", 1, 4096), s.between("yr", 1, 4096); xr != 2 || yr != 2 {
		s.errorAt("xr", "write xr = 2; yr = 2;", "cmesh has 2 x 2 nodes at a router, not %d x %d", xr, yr)
		return nil
	}
	f := &fabric{plant: &flit.Plant{Switches: k * k, Endpoints: 4 * k * k}}
	for e := range 4 * k * k {
		row, col := e/(2*k), e%(2*k)
		l := 2*(row%2) + col%2
		f.tie(e, row/2*k+col/2, l, l)
	}
	for y := range k {
		for x := range k {
			r := y*k + x
			side := func(port, nx, ny, back int, inside bool, half int) {
				if inside {
					f.line(r, port, ny*k+nx, back, inner)
				} else {
					f.line(r, port, half, port, express)
				}
			}
			alongY, alongX := (y+k/2)%k*k+x, y*k+(x+k/2)%k
			side(4, x+1, y, 5, x+1 < k, alongY)
			side(5, x-1, y, 4, x > 0, alongY)
			side(6, x, y+1, 7, y+1 < k, alongX)
			side(7, x, y-1, 6, y > 0, alongX)
		}
	}
	if s.str("routing_function") != "dor_no_express" {
		return s.noRouting("dor_no_express")
	}
	h := split0(s.vcs())
	f.routing = &hook{inject: h.everywhere, route: func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		row, col := dest(p)/(2*k), dest(p)%(2*k)
		x, y, tx, ty := int(sw)%k, int(sw)/k, col/2, row/2
		switch {
		case x < tx:
			return h.all.hop(4)
		case x > tx:
			return h.all.hop(5)
		case y < ty:
			return h.all.hop(6)
		case y > ty:
			return h.all.hop(7)
		}
		return h.all.hop(int32(2*(row%2) + col%2))
	}}
	return f
}
