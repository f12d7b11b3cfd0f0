package booksim

import (
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/topology"
)

// fabric is a topology with its numbering, and what its routing functions have to know.
type fabric struct {
	plant   *flit.Plant
	routing flit.PortRouting
}

// hook is a routing function: the VCs at injection, and the decision at a router.
type hook struct {
	inject func(p *simcore.Packet, v *simcore.View) (lo, hi uint8)
	route  func(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop
}

func (h *hook) InjectPort(p *simcore.Packet, v *simcore.View) simcore.Entry {
	lo, hi := h.inject(p, v)
	return simcore.Entry{Lo: lo, Hi: hi}
}

func (h *hook) RoutePort(sw int32, p *simcore.Packet, v *simcore.View) flit.PortHop {
	return h.route(sw, p, v)
}

// Func lets the engine call the decision directly.
func (h *hook) Func() flit.RouteFunc { return h.route }

// Local: every routing function of BookSim2 looks at the queues of its own router only.
func (h *hook) Local() bool { return true }

// redraw is a hook whose injection VCs are drawn again in every cycle.
type redraw struct{ hook }

func (h *redraw) Reinject(p *simcore.Packet, v *simcore.View) (lo, hi uint8) { return h.inject(p, v) }

// vcRange is a range of VCs.
type vcRange struct{ lo, hi uint8 }

func (r vcRange) hop(port int32) flit.PortHop {
	return flit.PortHop{Port: port, Lo: r.lo, Hi: r.hi}
}

// halves are the ranges of BookSim2: all, the lower part (the larger one if V is odd) and the
// upper part.
type halves struct{ all, lower, upper vcRange }

func split(r vcRange) halves {
	n := r.hi - r.lo + 1
	return halves{r, vcRange{r.lo, r.hi - n/2}, vcRange{r.hi - n/2 + 1, r.hi}}
}

func split0(vcs int) halves { return split(vcRange{0, uint8(vcs - 1)}) }

func (h halves) part(upper bool) vcRange {
	if upper {
		return h.upper
	}
	return h.lower
}

func (h halves) everywhere(*simcore.Packet, *simcore.View) (lo, hi uint8) { return h.all.lo, h.all.hi }

// tie joins node e to ports of router sw.
func (f *fabric) tie(e, sw, in, out int) {
	t := flit.Tie{Endpoint: int32(e), Switch: int32(sw), Latency: 1}
	t.SwitchPort = int32(in)
	f.plant.Inject = append(f.plant.Inject, t)
	t.SwitchPort = int32(out)
	f.plant.Eject = append(f.plant.Eject, t)
}

func (f *fabric) line(from, fromPort, to, toPort, latency int) {
	f.plant.Lines = append(f.plant.Lines, flit.Line{From: int32(from), FromPort: int32(fromPort),
		To: int32(to), ToPort: int32(toPort), Latency: int32(latency)})
}

// pow is b^n for small numbers.
func pow(b, n int) int {
	x := 1
	for range n {
		x *= b
	}
	return x
}

func dest(p *simcore.Packet) int { return int(p.Dst) }

// nodeOf turns an index into an endpoint.
func nodeOf(i int) topology.EndpointID { return topology.EndpointID(i) }

// maxNodes bounds the size of a network, so that a mistyped k is an error and not a crash.
const maxNodes = 1 << 21

// dims reads k and n and checks that k^n * per nodes are not too many.
func (s *Settings) dims(leastK, per int) (k, n int, ok bool) {
	before := len(s.diags)
	k, n = s.between("k", leastK, maxNodes), s.between("n", 1, 20)
	total := per
	for range n {
		if total *= k; total > maxNodes {
			s.errorAt("k", "", "%s with k = %d and n = %d has more than %d nodes", s.str("topology"), k, n, maxNodes)
			break
		}
	}
	return k, n, len(s.diags) == before
}

// needVCs reports too few VCs for a routing function.
func (s *Settings) needVCs(vcs, least int) bool {
	if vcs < least {
		s.errorAt("num_vcs", "", "routing_function %s needs at least %d, not %d", s.str("routing_function"), least, vcs)
		return false
	}
	return true
}

func (s *Settings) noRouting(known string) *fabric {
	s.errorAt("routing_function", "for "+s.str("topology")+" there are "+known, "there is no routing function %q for %s",
		s.str("routing_function"), s.str("topology"))
	return nil
}

func (s *Settings) vcs() int { return s.between("num_vcs", 1, 32) }
