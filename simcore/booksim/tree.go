package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// fattree is the k-ary n-tree: level 0 at the top, router id = level * k^(n-1) + position. Ports
// 0..k-1 lead down, k..2k-1 up; routers of the top level have no upward ports.
func (s *Settings) fattree() *fabric {
	k, n, ok := s.dims(2, 1)
	if !ok {
		return nil
	}
	per := pow(k, n-1)
	f := &fabric{plant: &flit.Plant{Switches: n * per, Endpoints: pow(k, n)}}
	for e := range f.plant.Endpoints {
		f.tie(e, (n-1)*per+e/k, e%k, e%k)
	}
	for l := range n - 1 {
		st := pow(k, n-2-l)
		for pos := range per {
			base, in := pos/(k*st)*(k*st), pos%(k*st)
			b, r := in/st, in%st
			lower := (l+1)*per + pos
			for q := range k {
				upper := l*per + base + q*st + r
				f.line(lower, k+q, upper, b, 1)
				f.line(upper, b, lower, k+q, 1)
			}
		}
	}
	name := s.str("routing_function")
	if name != "nca" && name != "anca" {
		return s.noRouting("nca and anca")
	}
	h := split0(s.vcs())
	level := fattreeBlocks(k, n, per)
	up := upward{int32(k), k, name == "anca"}
	f.routing = &hook{inject: h.everywhere, route: func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
		l := level[sw]
		if dst := int32(p.Dst) - l.first; uint32(dst) < uint32(l.nodes) {
			return h.all.hop(int32(l.down[dst]))
		}
		return h.all.hop(up.choose(sw, p, v))
	}}
	return f
}

// treeBlock is what a router of a fat tree has below: nodes from first on, and the port to each.
type treeBlock struct {
	first, nodes int32
	down         []uint16
}

// fattreeBlocks: below a router of a level are the nodes of its block of k^(n-1-level) leaves.
func fattreeBlocks(k, n, per int) []treeBlock {
	out := make([]treeBlock, n*per)
	for l := range n {
		leaves := pow(k, n-1-l)
		down := make([]uint16, leaves*k)
		for i := range down {
			down[i] = uint16(i / leaves)
		}
		for pos := range per {
			out[l*per+pos] = treeBlock{int32(pos / leaves * leaves * k), int32(leaves * k), down}
		}
	}
	return out
}

// upward chooses among the upward ports: a random one, or the less used of two random ones.
type upward struct {
	first    int32
	count    int
	adaptive bool
}

func (u upward) choose(sw int32, p *simcore.Packet, v *simcore.View) int32 {
	a := u.first + int32(p.Rand.IntN(u.count))
	if !u.adaptive {
		return a
	}
	b := u.first + int32(p.Rand.IntN(u.count))
	if v.UsedPort(sw, b) < v.UsedPort(sw, a) {
		return b
	}
	return a
}

// fly is the unidirectional k-ary n-fly: id = stage * k^(n-1) + address; stage s goes by digit
// n-1-s of the destination.
func (s *Settings) fly() *fabric {
	k, n, ok := s.dims(2, 1)
	if !ok {
		return nil
	}
	per := pow(k, n-1)
	f := &fabric{plant: &flit.Plant{Switches: n * per, Endpoints: pow(k, n)}}
	for e := range f.plant.Endpoints {
		f.plant.Inject = append(f.plant.Inject, flit.Tie{Endpoint: int32(e), Switch: int32(e / k), SwitchPort: int32(e % k), Latency: 1})
		f.plant.Eject = append(f.plant.Eject, flit.Tie{Endpoint: int32(e), Switch: int32((n-1)*per + e/k), SwitchPort: int32(e % k), Latency: 1})
	}
	for st := range n - 1 {
		w := pow(k, n-st-2)
		for a := range per {
			digit := a / w % k
			for o := range k {
				f.line(st*per+a, o, (st+1)*per+a+(o-digit)*w, digit, 1)
			}
		}
	}
	if s.str("routing_function") != "dest_tag" {
		return s.noRouting("dest_tag")
	}
	h := split0(s.vcs())
	f.routing = &hook{inject: h.everywhere, route: func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		return h.all.hop(int32(dest(p) / pow(k, n-1-int(sw)/per) % k))
	}}
	return f
}
