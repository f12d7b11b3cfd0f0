package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// qtree is a k-ary tree of single routers with n levels: ports 0..k-1 lead down, port k up.
func (s *Settings) qtree() *fabric {
	k, n, ok := s.dims(2, 1)
	if !ok {
		return nil
	}
	f := &fabric{plant: &flit.Plant{Endpoints: pow(k, n)}}
	first := make([]int, n+1)
	for l := range n {
		first[l+1] = first[l] + pow(k, l)
	}
	f.plant.Switches = first[n]
	level := make([]int, first[n])
	for l := range n {
		for i := first[l]; i < first[l+1]; i++ {
			level[i] = l
			if l > 0 {
				pos := i - first[l]
				up := first[l-1] + pos/k
				f.line(i, k, up, pos%k, 1)
				f.line(up, pos%k, i, k, 1)
			}
		}
	}
	for e := range f.plant.Endpoints {
		f.tie(e, first[n-1]+e/k, e%k, e%k)
	}
	if s.str("routing_function") != "nca" {
		return s.noRouting("nca")
	}
	h := split0(s.vcs())
	f.routing = &hook{inject: h.everywhere, route: func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		l := level[sw]
		below := pow(k, n-l) // nodes
		if dest(p)/below == int(sw)-first[l] {
			return h.all.hop(int32(dest(p) / (below / k) % k))
		}
		return h.all.hop(int32(k))
	}}
	return f
}
