package flit

import (
	"fmt"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// grid is a k x k mesh or torus with one endpoint per switch, built by hand so that the tests of
// the engine need no family, and dimension-order routing on it: the simplest Routing there is.
type grid struct {
	k     int
	torus bool
	vcs   int
	at    []int // position of each switch
	n     *topology.Network
	chan_ [][4]topology.ChannelID // +x, -x, +y, -y
}

func newGrid(tb testing.TB, k int, torus bool) *grid {
	tb.Helper()
	perm := make([]int, k*k)
	for i := range perm {
		perm[i] = i
	}
	return newNumberedGrid(tb, k, torus, perm)
}

// newNumberedGrid gives the switch at position i the number perm[i].
func newNumberedGrid(tb testing.TB, k int, torus bool, perm []int) *grid {
	tb.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "link"}})
	b.Switch(0, k*k)
	g := &grid{k: k, torus: torus, vcs: 1, at: make([]int, k*k)}
	for i, s := range perm {
		g.at[s] = i
	}
	num := func(x, y int) topology.SwitchID { return topology.SwitchID(perm[y%k*k+x%k]) }
	if torus {
		g.vcs = 2
	}
	for y := range k {
		for x := range k {
			s := num(x, y)
			if x+1 < k || torus {
				b.Link(1, s, num(x+1, y))
			}
			if y+1 < k || torus {
				b.Link(1, s, num(x, y+1))
			}
			b.Endpoints(1, []topology.SwitchID{s})
		}
	}
	var err error
	if g.n, err = b.Build(fmt.Sprintf("grid(%d)", k)); err != nil {
		tb.Fatal(err)
	}
	g.chan_ = make([][4]topology.ChannelID, k*k)
	for s := range k * k {
		first, end := g.n.Out(topology.SwitchID(s))
		for c := first; c < end; c++ {
			t, f := g.at[g.n.To(c)], g.at[s]
			dx, dy := (t%k-f%k+k)%k, (t/k-f/k+k)%k
			switch {
			case dx == 1:
				g.chan_[s][0] = c
			case dx == k-1:
				g.chan_[s][1] = c
			case dy == 1:
				g.chan_[s][2] = c
			default:
				g.chan_[s][3] = c
			}
		}
	}
	return g
}

func (g *grid) Name() string { return "dor" }
func (g *grid) VCs() int     { return g.vcs }

func (g *grid) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	return simcore.Entry{Hi: uint8(simOf(v).vcs - 1)}
}

// Route goes by x, then by y. On a torus the lower VCs serve routes of a dimension that still
// have the wrap-around ahead of them, the upper ones those that have not.
func (g *grid) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	s, d, k, hi := g.at[sw], int(p.Dst), g.k, uint8(simOf(v).vcs-1)
	for dim := range 2 {
		a, b := s%k, d%k
		if dim == 1 {
			a, b = s/k, d/k
		}
		if a == b {
			continue
		}
		right := b > a
		if g.torus {
			right = (b-a+k)%k <= k/2
		}
		dir, wrapAhead := 2*dim, b < a
		if !right {
			dir, wrapAhead = 2*dim+1, b > a
		}
		h := simcore.Hop{Channel: g.chan_[sw][dir], Hi: hi}
		if g.torus && wrapAhead {
			h.Hi = hi / 2
		} else if g.torus {
			h.Lo = hi/2 + 1
		}
		return h
	}
	return simcore.Hop{Channel: simcore.Eject, Hi: hi}
}

// uniform sends to every other endpoint alike.
type uniform struct{ n int }

func (uniform) Name() string { return "uniform" }
func (u uniform) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	d := topology.EndpointID(r.IntN(u.n - 1))
	if d >= src {
		d++
	}
	return d
}

// fixed is a permutation; -1 is silent.
type fixed []topology.EndpointID

func (fixed) Name() string                                                        { return "fixed" }
func (f fixed) Dest(src topology.EndpointID, _ *simcore.Rand) topology.EndpointID { return f[src] }
