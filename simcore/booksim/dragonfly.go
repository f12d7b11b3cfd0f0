package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// dragonfly is dragonflynew: p nodes, 2p-1 local and p global links per router, 2p routers per
// group, 2p^2+1 groups, global link o of group G (o counts through the group) to group o, or o+1
// from G on. Local links take 10 cycles, global ones 100.
type dragonfly struct {
	p, a, groups  int
	router, group []int32 // of a node; of a router
	owner         []int32 // the router within its group that has global link o
}

const (
	dragonflyLocal  = 10
	dragonflyGlobal = 100
)

func (s *Settings) dragonfly() *fabric {
	p := s.between("k", 1, 100)
	if s.between("n", 1, 1) != 1 {
		return nil
	}
	d := &dragonfly{p: p, a: 2 * p, groups: 2*p*p + 1}
	routers := d.a * d.groups
	f := &fabric{plant: &flit.Plant{Switches: routers, Endpoints: routers * p}}
	for o := range routers * p {
		d.router = append(d.router, int32(o/p))
		d.owner = append(d.owner, int32(o%(d.a*p)/p))
	}
	for r := range routers {
		d.group = append(d.group, int32(r/d.a))
	}
	for r := range routers {
		g, own := r/d.a, r%d.a
		for j := range p {
			f.tie(r*p+j, r, j, j)
			o := own*p + j
			to := o
			if o >= g {
				to = o + 1
			}
			back := g
			if g > to {
				back = g - 1
			}
			f.line(r, p+d.a-1+j, to*d.a+back/p, p+d.a-1+back%p, dragonflyGlobal)
		}
		for j := range d.a {
			if j != own {
				f.line(r, d.localPort(own, j), g*d.a+j, d.localPort(j, own), dragonflyLocal)
			}
		}
	}
	f.routing = d.routing(s)
	return f
}

func (d *dragonfly) localPort(own, j int) int {
	if j > own {
		j--
	}
	return d.p + j
}

// port is the minimal output from router r towards a node.
func (d *dragonfly) port(r, node int) int32 {
	to := int(d.router[node])
	if to == r {
		return int32(node - to*d.p)
	}
	g, tg := int(d.group[r]), int(d.group[to])
	own, j := r-g*d.a, to-tg*d.a
	if g != tg {
		o := tg
		if tg > g {
			o--
		}
		if j = int(d.owner[o]); j == own {
			return int32(d.p + d.a - 1 + o - j*d.p)
		}
	}
	return int32(d.localPort(own, j))
}

func (d *dragonfly) global(port int32) bool { return int(port) >= d.p+d.a-1 }

func (d *dragonfly) routing(s *Settings) flit.PortRouting {
	v := s.vcs()
	h := &redraw{hook{inject: func(p *simcore.Packet, _ *simcore.View) (lo, hi uint8) {
		x := uint8(p.Rand.IntN(v))
		return x, x
	}}}
	switch s.str("routing_function") {
	case "min":
		if !s.needVCs(v, 2) {
			return nil
		}
		h.route = func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
			return d.onward(int(sw), dest(p), p, 0)
		}
	case "ugal":
		if !s.needVCs(v, 3) {
			return nil
		}
		h.route = d.ugal
	default:
		s.noRouting("min and ugal")
		return nil
	}
	return h
}

// onward goes minimally on VC first, and on the next one on the global link and after.
func (d *dragonfly) onward(r, node int, p *simcore.Packet, first uint8) flit.PortHop {
	port := d.port(r, node)
	if d.global(port) {
		p.State = 1
	}
	vc := first + p.State
	return vcRange{vc, vc}.hop(port)
}

// ugal compares the queues of the first hops: minimal iff qMin <= 2 qNon + 30.
func (d *dragonfly) ugal(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
	r, dst := int(sw), dest(p)
	if p.Hops == 0 {
		d.decide(sw, p, v)
	}
	if p.Phase == 0 && r == int(d.router[p.Mid]) {
		p.Phase = 1
	}
	if p.Phase == 0 {
		return vcRange{0, 0}.hop(d.port(r, int(p.Mid)))
	}
	return d.onward(r, dst, p, 1)
}

func (d *dragonfly) decide(sw int32, p *simcore.Packet, v *simcore.View) {
	r, dst := int(sw), dest(p)
	g := d.group[r]
	p.Phase = 1
	if d.group[d.router[dst]] == g {
		p.State = 1 // VC 2 throughout
		return
	}
	mid := p.Rand.IntN(d.groups * d.a * d.p)
	if d.group[d.router[mid]] == g {
		return
	}
	if v.UsedPort(sw, d.port(r, dst)) <= 2*v.UsedPort(sw, d.port(r, mid))+30 {
		return
	}
	p.Mid, p.Phase = int32(mid), 0
}
