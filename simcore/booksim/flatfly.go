package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// flatfly is the flattened butterfly: n dimensions of k fully connected routers, c = xr * yr
// nodes each, on a floor of x by y routers.
type flatfly struct {
	k, n, c, x, xr, yr int
	pow                []int
	coord              []uint16 // of router r in dimension d at r*n+d
	router, local      []int32  // of each node
	vc                 halves
	count              int // nodes
}

func (s *Settings) flatfly() *fabric {
	c := s.between("c", 1, 4096)
	k, n, ok := s.dims(2, c)
	if !ok {
		return nil
	}
	ff := &flatfly{k: k, n: n, c: c, x: s.between("x", 1, maxNodes), xr: s.between("xr", 1, 4096), yr: s.between("yr", 1, 4096)}
	y := s.between("y", 1, maxNodes)
	if ff.xr*ff.yr != c {
		s.errorAt("c", "", "c = %d is not xr * yr = %d * %d", c, ff.xr, ff.yr)
		return nil
	}
	routers := pow(k, n)
	if ff.x*y != routers {
		s.errorAt("x", "", "x * y = %d * %d is not k^n = %d", ff.x, y, routers)
		return nil
	}
	ff.count = routers * c
	ff.vc = split0(s.vcs())
	for d := range n {
		ff.pow = append(ff.pow, pow(k, d))
	}
	ff.coord = make([]uint16, routers*n)
	for i := range ff.coord {
		ff.coord[i] = uint16(i / n / ff.pow[i%n] % k)
	}
	f := &fabric{plant: &flit.Plant{Switches: routers, Endpoints: ff.count}}
	ff.wire(f, s.flag("use_noc_latency"))
	if s.flag("use_noc_latency") && max(ff.xr, ff.yr) > 2 {
		s.warnAt("xr", "", "with more than 2 x 2 nodes at a router BookSim2 may make the links of its outer nodes longer; here they take 1 cycle")
	}
	f.routing = ff.routing(s)
	return f
}

func (ff *flatfly) wire(f *fabric, latency bool) {
	w := ff.x * ff.xr
	for e := range ff.count {
		row, col := e/w, e%w
		r, l := row/ff.yr*ff.x+col/ff.xr, ff.xr*(row%ff.yr)+col%ff.xr
		ff.router, ff.local = append(ff.router, int32(r)), append(ff.local, int32(l))
		f.tie(e, r, l, l)
	}
	inputs := make([]int, f.plant.Switches) // ordered by source router
	for r := range f.plant.Switches {
		for d := range ff.n {
			own := ff.at(r, d)
			for j := range ff.k {
				if j == own {
					continue
				}
				to := r + (j-own)*ff.pow[d]
				l := 1
				if latency {
					l = ff.xr*abs(r%ff.x-to%ff.x) + ff.yr*abs(r/ff.x-to/ff.x)
				}
				f.line(r, int(ff.port(r, d, j)), to, ff.c+inputs[to], l)
				inputs[to]++
			}
		}
	}
}

func abs(x int) int { return max(x, -x) }

func (ff *flatfly) at(r, d int) int { return int(ff.coord[r*ff.n+d]) }

// port is the output to coordinate j of dimension d.
func (ff *flatfly) port(r, d, j int) int32 {
	if j > ff.at(r, d) {
		j--
	}
	return int32(ff.c + (ff.k-1)*d + j)
}

// dor is the output towards a node in the lowest differing dimension, or the highest.
func (ff *flatfly) dor(r, node int, highest bool) int32 {
	to := int(ff.router[node])
	if r == to {
		return ff.local[node]
	}
	for i := range ff.n {
		d := i
		if highest {
			d = ff.n - 1 - i
		}
		if ff.at(r, d) != ff.at(to, d) {
			return ff.port(r, d, ff.at(to, d))
		}
	}
	panic("booksim: flatfly coordinates")
}

func (ff *flatfly) differ(a, b int) int {
	n := 0
	for d := range ff.n {
		if ff.at(a, d) != ff.at(b, d) {
			n++
		}
	}
	return n
}

func (ff *flatfly) routing(s *Settings) flit.PortRouting {
	h := &hook{inject: ff.vc.everywhere}
	v := s.vcs()
	switch name := s.str("routing_function"); name {
	case "ran_min", "dim_order", "dor":
		h.route = func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
			return ff.vc.all.hop(ff.dor(int(sw), dest(p), false))
		}
	case "xyyx", "adaptive_xyyx":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = ff.xyyx(v, name == "adaptive_xyyx")
	case "valiant":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = ff.detour(nil, false)
	case "ugal":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = ff.detour(ff.ugal, false)
	case "ugal_xyyx":
		if !s.needVCs(v, 4) {
			return nil
		}
		h.route = ff.detour(ff.ugal, true)
	default:
		s.noRouting("ran_min, xyyx, adaptive_xyyx, valiant, ugal and ugal_xyyx")
		return nil
	}
	return h
}

func (ff *flatfly) xyyx(vcs int, adaptive bool) routeFunc {
	return func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == int(ff.router[dst]) {
			return ff.vc.all.hop(ff.local[dst])
		}
		yx := int(p.VC) >= vcs/2
		if p.Hops == 0 {
			yx = orderAtSource(sw, p, v, adaptive, ff.dor(r, dst, false), ff.dor(r, dst, true))
		}
		return ff.vc.part(yx).hop(ff.dor(r, dst, yx))
	}
}

// detour goes to an intermediate node (phase 0, lower VCs) and then to the destination (phase 1,
// upper VCs). minimal, if not nil, decides at the source whether to go straight; without it the
// intermediate is any node. With orders a coin picks the order of dimensions, and it a half of the
// VCs, of which the leg picks a half.
func (ff *flatfly) detour(minimal func(int32, *simcore.Packet, *simcore.View, bool) bool, orders bool) routeFunc {
	low, high := split(ff.vc.lower), split(ff.vc.upper)
	return func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
		r, dst := int(sw), dest(p)
		if r == int(ff.router[dst]) {
			return ff.vc.all.hop(ff.local[dst])
		}
		yx := p.State == 1
		if p.Hops == 0 {
			if orders && p.Rand.Coin() {
				p.State, yx = 1, true
			}
			if minimal == nil {
				p.Mid = int32(p.Rand.IntN(ff.count))
			} else if minimal(sw, p, v, yx) {
				p.Phase = 1
			}
		}
		if p.Phase == 0 && r == int(ff.router[p.Mid]) {
			p.Phase = 1
		}
		to := dst
		if p.Phase == 0 {
			to = int(p.Mid)
		}
		vc := ff.vc
		if orders {
			vc = low
			if yx {
				vc = high
			}
		}
		return vc.part(p.Phase == 1).hop(ff.dor(r, to, yx))
	}
}

// ugal draws an intermediate in the box of source and destination and compares the queues.
func (ff *flatfly) ugal(sw int32, p *simcore.Packet, v *simcore.View, yx bool) bool {
	r, dst := int(sw), dest(p)
	to, mid := int(ff.router[dst]), 0
	local := p.Rand.IntN(ff.c)
	for d := range ff.n {
		x := ff.at(r, d)
		if x != ff.at(to, d) {
			x = p.Rand.IntN(ff.k)
		}
		mid += x * ff.pow[d]
	}
	p.Mid = ff.nodeAt(mid, local)
	if mid == r {
		return true
	}
	qMin := v.UsedPort(sw, ff.dor(r, dst, yx))
	qNon := v.UsedPort(sw, ff.dor(r, int(p.Mid), yx))
	return ff.differ(r, to)*qMin <= (ff.differ(r, mid)+ff.differ(mid, to))*qNon+2
}

func (ff *flatfly) nodeAt(router, local int) int32 {
	row, col := router/ff.x*ff.yr+local/ff.xr, router%ff.x*ff.xr+local%ff.xr
	return int32(row*ff.x*ff.xr + col)
}
