package routing

import (
	"testing"

	"toposearch/topology"
)

const any8 = topology.Any

var (
	oneSwitch = []topology.SwitchClass{{Name: "switch"}}
	twoLinks  = []topology.LinkClass{{Name: "nic"}, {Name: "local"}, {Name: "global"}}
)

func built(t testing.TB, b *topology.Builder, name string) *topology.Network {
	t.Helper()
	n, err := b.Build(name)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// torus is a k-ary torus of the given sizes with one endpoint per switch; dimension d has link
// class 2d+1 inside and 2d+2 for the links that wrap.
func torus(t testing.TB, wrap bool, dims ...int) *topology.Network {
	links := []topology.LinkClass{{Name: "nic"}}
	size := 1
	for range dims {
		links = append(links, topology.LinkClass{Name: "inner"}, topology.LinkClass{Name: "wrap"})
	}
	for _, k := range dims {
		size *= k
	}
	b := topology.NewBuilder(oneSwitch, links)
	b.Switch(0, size)
	stride := 1
	for d, k := range dims {
		for s := range size {
			switch x := s / stride % k; {
			case x+1 < k:
				b.Link(2*d+1, topology.SwitchID(s), topology.SwitchID(s+stride))
			case wrap && k > 1:
				b.Link(2*d+2, topology.SwitchID(s), topology.SwitchID(s-(k-1)*stride))
			}
		}
		stride *= k
	}
	for s := range size {
		b.Endpoints(1, []topology.SwitchID{topology.SwitchID(s)})
	}
	return built(t, b, "torus")
}

// torusDOR takes dimensions in order; crossing the wrap of a dimension raises the VC from 0 to 1
// until the next dimension (dateline). States 2d and 2d+1: in dimension d before, after the wrap.
func torusDOR(dims int) topology.Rule {
	r := topology.Rule{Name: "dor", States: 2 * dims}
	for d := range dims {
		in := topology.Kind{Link: uint8(2*d + 1), From: any8, To: any8}
		wrap := topology.Kind{Link: uint8(2*d + 2), From: any8, To: any8}
		for s := range 2*d + 1 {
			r.Steps = append(r.Steps, topology.Step{From: uint8(s), Kind: in, To: uint8(2 * d), VC: 0},
				topology.Step{From: uint8(s), Kind: wrap, To: uint8(2*d + 1), VC: 1})
		}
		r.Steps = append(r.Steps, topology.Step{From: uint8(2*d + 1), Kind: in, To: uint8(2*d + 1), VC: 1})
	}
	return r
}

// dragonfly has g = a*h+1 groups with one link per pair, absolute arrangement.
func dragonfly(t testing.TB, p, a, h int) *topology.Network {
	g := a*h + 1
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, a*g)
	for i := range g {
		for r := range a {
			for q := range r {
				b.Link(1, topology.SwitchID(i*a+q), topology.SwitchID(i*a+r))
			}
		}
		for q := range a * h {
			j, back := q+1, i
			if q < i {
				continue // the pair was linked from the other side
			}
			b.Link(2, topology.SwitchID(i*a+q/h), topology.SwitchID(j*a+back/h))
		}
	}
	for s := range a * g {
		b.Endpoints(p, []topology.SwitchID{topology.SwitchID(s)})
	}
	return built(t, b, "dragonfly")
}

// lgl is local, global, local, each at most once; the second local link has VC 1.
func lgl() topology.Rule {
	l := topology.Kind{Link: 1, From: any8, To: any8}
	g := topology.Kind{Link: 2, From: any8, To: any8}
	return topology.Rule{Name: "lgl", States: 4, Steps: []topology.Step{
		{From: 0, Kind: l, To: 1, VC: 0}, {From: 0, Kind: g, To: 2, VC: 0}, {From: 1, Kind: g, To: 2, VC: 0},
		{From: 2, Kind: l, To: 3, VC: 1}}}
}

// hyperx has dimensions that are full meshes, class d+1, with t endpoints per switch.
func hyperx(t testing.TB, per int, dims ...int) *topology.Network {
	links := []topology.LinkClass{{Name: "nic"}}
	size := 1
	for _, k := range dims {
		size *= k
		links = append(links, topology.LinkClass{Name: "dim"})
	}
	b := topology.NewBuilder(oneSwitch, links)
	b.Switch(0, size)
	stride := 1
	for d, k := range dims {
		for s := range size {
			for y := s/stride%k + 1; y < k; y++ {
				b.Link(d+1, topology.SwitchID(s), topology.SwitchID(s+(y-s/stride%k)*stride))
			}
		}
		stride *= k
	}
	for s := range size {
		b.Endpoints(per, []topology.SwitchID{topology.SwitchID(s)})
	}
	return built(t, b, "hyperx")
}

// dor takes each dimension of a hyperx at most once, in order.
func dor(dims int) topology.Rule {
	r := topology.Rule{Name: "dor", States: dims + 1}
	for d := range dims {
		for s := range d + 1 {
			r.Steps = append(r.Steps, topology.Step{From: uint8(s), To: uint8(d + 1),
				Kind: topology.Kind{Link: uint8(d + 1), From: any8, To: any8}})
		}
	}
	return r
}

// zcube is ZCube(n,k) (ATOP, SIGCOMM 2025, section 5): the level-l switch of an endpoint has its
// digits above l and, as its index, those below; the level-(l-1) switch with index i of a copy
// joins the level-l switches i*n to i*n+n-1 of the copy above it.
func zcube(t testing.TB, n, k int) *topology.Network {
	var sw []topology.SwitchClass
	for range k {
		sw = append(sw, topology.SwitchClass{Name: "level"})
	}
	b := topology.NewBuilder(sw, twoLinks[:2])
	pow := []int{1}
	for l := range k {
		pow = append(pow, pow[l]*n)
	}
	for l := range k {
		b.Switch(l, pow[k-1])
	}
	id := func(l, high, index int) topology.SwitchID { return topology.SwitchID(l*pow[k-1] + high*pow[l] + index) }
	for l := 1; l < k; l++ {
		for high := range pow[k-l] { // digits l and up of the lower switch
			for i := range pow[l-1] {
				for x := range n {
					b.Link(1, id(l-1, high, i), id(l, high/n, i*n+x))
				}
			}
		}
	}
	b.EndpointLanes(int32(k))
	ports := make([]topology.SwitchID, k)
	for e := range pow[k] {
		for l := range k {
			ports[l] = id(l, e/pow[l+1], e%pow[l])
		}
		b.Endpoints(1, ports)
	}
	return built(t, b, "zcube")
}

// monotone lets routes only climb or only descend the levels of a zcube.
func monotone(k int) topology.Rule {
	r := topology.Rule{Name: "zcube", States: 3}
	for l := range k - 1 {
		up := topology.Kind{Link: 1, From: uint8(l), To: uint8(l + 1)}
		down := topology.Kind{Link: 1, From: uint8(l + 1), To: uint8(l)}
		r.Steps = append(r.Steps, topology.Step{From: 0, Kind: up, To: 1}, topology.Step{From: 1, Kind: up, To: 1},
			topology.Step{From: 0, Kind: down, To: 2}, topology.Step{From: 2, Kind: down, To: 2})
	}
	return r
}

// allOneVC is every shortest route on one VC.
func allOneVC() topology.Rule {
	r := topology.Minimal()
	r.HopVCs = false
	return r
}

// zettafly3 has s = h+1 sub-networks of c full-mesh groups of a routers; global router t of a
// pair of sub-networks joins router t of all their groups.
func zettafly3(t testing.TB, a, p, h, c int) *topology.Network {
	s := h + 1
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "router"}, {Name: "global"}}, twoLinks)
	b.Switch(0, s*c*a)
	b.Switch(1, s*(s-1)/2*a)
	router := func(i, g, r int) topology.SwitchID { return topology.SwitchID((i*c+g)*a + r) }
	for i := range s * c {
		for r := range a {
			for q := range r {
				b.Link(1, topology.SwitchID(i*a+q), topology.SwitchID(i*a+r))
			}
		}
	}
	at := topology.SwitchID(s * c * a)
	for i := range s {
		for j := range i {
			for r := range a {
				for g := range c {
					b.Link(2, router(i, g, r), at)
					b.Link(2, router(j, g, r), at)
				}
				at++
			}
		}
	}
	for r := range s * c * a {
		b.Endpoints(p, []topology.SwitchID{topology.SwitchID(r)})
	}
	return built(t, b, "zettafly3")
}

// localFirst allows local, then up and down through a global router.
func localFirst() topology.Rule {
	return topology.Rule{Name: "updown", States: 4, Steps: []topology.Step{
		{From: 0, Kind: topology.Kind{Link: 1, From: 0, To: 0}, To: 1},
		{From: 0, Kind: topology.Kind{Link: 2, From: 0, To: 1}, To: 2},
		{From: 1, Kind: topology.Kind{Link: 2, From: 0, To: 1}, To: 2},
		{From: 2, Kind: topology.Kind{Link: 2, From: 1, To: 0}, To: 3}}}
}
