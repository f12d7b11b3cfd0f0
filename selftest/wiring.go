package selftest

import (
	"math/rand/v2"
	"slices"

	"toposearch/topology"
)

// wiring is a network taken apart, to be put together otherwise.
type wiring struct {
	of    topology.Design
	n     *topology.Network
	size  topology.Size
	links []link
	ports [][]topology.SwitchID // of each endpoint
	times int64                 // the network stands this number of times side by side
	wide  bool                  // every link between switches is there twice
}

// link is a link, or a channel of a unidirectional network.
type link struct {
	class    int
	from, to topology.SwitchID
}

// takeApart lists the links of the network of a design.
func takeApart(d topology.Design) (*wiring, error) {
	n, err := d.Build()
	if err != nil {
		return nil, err
	}
	w := &wiring{of: d, n: n, times: 1}
	if err := d.Family.Size(d.V, &w.size); err != nil {
		return nil, err
	}
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			if n.Unidirectional || n.Rev(c) > c {
				w.links = append(w.links, link{n.LinkClass(c), s, n.To(c)})
			}
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for range end - first {
			w.ports = append(w.ports, slices.Clone(ports))
		}
	}
	return w, nil
}

// clone is a copy to be changed.
func (w *wiring) clone() *wiring {
	c := *w
	c.links, c.ports = slices.Clone(w.links), make([][]topology.SwitchID, len(w.ports))
	for i := range w.ports {
		c.ports[i] = slices.Clone(w.ports[i])
	}
	return &c
}

// shuffle renumbers switches inside their classes, and endpoints, links and ports at will.
func (w *wiring) shuffle(rng *rand.Rand) {
	n := w.n
	to := make([]topology.SwitchID, n.Switches())
	for first := 0; first < len(to); {
		end := first
		for end < len(to) && n.Class(topology.SwitchID(end)) == n.Class(topology.SwitchID(first)) {
			end++
		}
		for i, k := range rng.Perm(end - first) {
			to[first+i] = topology.SwitchID(first + k)
		}
		first = end
	}
	for i := range w.links {
		l := &w.links[i]
		l.from, l.to = to[l.from], to[l.to]
	}
	for _, p := range w.ports {
		for i := range p {
			p[i] = to[p[i]]
		}
		rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	}
	rng.Shuffle(len(w.links), func(i, j int) { w.links[i], w.links[j] = w.links[j], w.links[i] })
	rng.Shuffle(len(w.ports), func(i, j int) { w.ports[i], w.ports[j] = w.ports[j], w.ports[i] })
}

// parallel lays a second link beside every link between switches.
func (w *wiring) parallel() {
	w.links = append(w.links, w.links...)
	w.wide = true
}

// twice sets a second network of the same kind beside the first, without a link between them: switches of
// a class are numbered one after another.
func (w *wiring) twice() {
	of := make([]topology.SwitchID, w.n.Switches()) // new number of the first
	copied := make([]topology.SwitchID, len(of))    // and of its copy
	next := topology.SwitchID(0)
	for first := 0; first < len(of); {
		end := first
		for end < len(of) && w.n.Class(topology.SwitchID(end)) == w.n.Class(topology.SwitchID(first)) {
			end++
		}
		size := topology.SwitchID(end - first)
		for i := first; i < end; i++ {
			of[i], copied[i] = next, next+size
			next++
		}
		next += size
		first = end
	}
	links, ports := w.links, w.ports
	w.links, w.ports = nil, nil
	for _, to := range [][]topology.SwitchID{of, copied} {
		for _, l := range links {
			w.links = append(w.links, link{l.class, to[l.from], to[l.to]})
		}
		for _, p := range ports {
			p = slices.Clone(p)
			for i := range p {
				p[i] = to[p[i]]
			}
			w.ports = append(w.ports, p)
		}
	}
	w.times = 2
}

// design makes a family of the wiring that has no closed forms or symmetries of its own; with
// rule, its packets take the routes of the original.
func (w *wiring) design(rule bool) topology.Design {
	wires, ports := slices.Clone(w.links), w.ports
	f := &topology.Family{
		Name: "replay", LinkClasses: w.n.LinkClasses, SwitchClasses: w.n.SwitchClasses,
		Count: func(_ []int, s *topology.Size) { w.count(s, wires) },
		Wire: func(_ []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
			for _, l := range wires {
				emit(l.class, l.from, l.to)
			}
		},
		Attach: func(_ []int, emit func(int, []topology.SwitchID)) {
			for _, p := range ports {
				emit(1, p)
			}
		},
	}
	f.Unidirectional, f.Media = w.of.Family.Unidirectional, w.of.Family.Media
	if w.of.Family.Place != nil && w.times == 1 { // which classes are traces of a board decides about rates
		f.Place = func([]int) topology.Placement { return w.of.Family.Place(w.of.V) }
	}
	if n := w.of.Family.Natural; n != nil && rule {
		f.Natural = func([]int) topology.Rule { return n(w.of.V) }
	}
	return topology.Design{Family: f}
}

// count gives the size of the original with the links that there are now.
func (w *wiring) count(s *topology.Size, links []link) {
	f := s.Family
	*s = w.size
	s.Family = f
	s.Endpoints *= w.times
	for c := range s.Switch {
		s.Switch[c].Count *= w.times
	}
	s.Link = [topology.MaxClasses]int64{}
	for _, l := range links {
		s.Link[l.class]++
	}
	for _, p := range w.ports {
		s.Link[0] += int64(len(p))
	}
	for i := range s.Switch {
		for c := 1; w.wide && c < topology.MaxClasses; c++ { // class 0 is that by which endpoints hang
			s.Switch[i].Ports[c] *= 2
		}
	}
}
