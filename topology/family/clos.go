package family

import "toposearch/topology"

// closParams are the parameters of clos by name.
type closParams []int

func (v closParams) m() int { return v[0] }
func (v closParams) n() int { return v[1] }
func (v closParams) r() int { return v[2] }

// clos: r ingress switches of n inputs and m outputs, m middle switches of r x r, r egress
// switches of m inputs and n outputs.
var clos = &topology.Family{
	Name:  "clos",
	Title: "three-stage Clos network C(m, n, r): rearrangeable for m >= n, strictly non-blocking for m >= 2n-1 (unidirectional)",
	Source: topology.Source{
		Authors: "C. Clos", Title: "A Study of Non-Blocking Switching Networks",
		Venue: "Bell System Technical Journal 32(2)", Year: 1953, Departures: "none",
	},
	Params: []topology.Param{
		{Name: "m", Doc: "middle switches", Min: 1, Max: 1024},
		{Name: "n", Doc: "endpoints of an ingress switch, and of an egress switch", Min: 1, Max: 1024},
		{Name: "r", Doc: "ingress switches, and egress switches", Min: 1, Max: 4096},
	},
	LinkClasses: []topology.LinkClass{
		stageLinks[stageInternal], stageLinks[stageNic],
		{Name: "stage", Doc: "ingress to middle switch"},
		{Name: "out", Doc: "middle to egress switch"},
	},
	SwitchClasses:  closClasses,
	Unidirectional: true,
	Check: func(v []int, s *topology.Size) error {
		d := closParams(v)
		if d.n()*d.r() < 2 {
			return s.Fail("r", d.r(), "n*r >= 2", 2)
		}
		return nil
	},
	Count: countClos,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		m, n, r := v[0], v[1], v[2]
		middle, egress, terminal := r, r+m, 2*r+m
		for x := range n * r {
			emit(stageNic, topology.SwitchID(terminal+x), topology.SwitchID(x/n))
		}
		for i := range r {
			for j := range m {
				emit(stageLink, topology.SwitchID(i), topology.SwitchID(middle+j))
			}
		}
		for j := range m {
			for i := range r {
				emit(closOut, topology.SwitchID(middle+j), topology.SwitchID(egress+i))
			}
		}
		for x := range n * r {
			emit(stageNic, topology.SwitchID(egress+x/n), topology.SwitchID(terminal+x))
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := closParams(v)
		attachTerminals(int64(2*d.r()+d.m()), int64(d.n())*int64(d.r()), emit)
	},
	Natural: func([]int) topology.Rule {
		r := stageRule(closTerminal)
		r.Steps = append(r.Steps, topology.Step{From: 1, Kind: topology.Kind{Link: closOut, From: topology.Any, To: topology.Any}, To: 1})
		return r
	},
	Place:    placeStages,
	VCReason: stageReason,
	Documentation: topology.Documentation{
		OnlyNamed: "its links lead one way, and switches on sale have ports for both: a folded one is a fat tree",
		Formulas: []string{
			"endpoints = n*r",
			"endpoint_ports = 2; in and out",
			"switches = 2*r + m",
			"links = 2*m*r; channels",
			"radix = max(n+m, 2*r)",
		},
		Deployments: "Telephone exchanges; the inside of large switches.",
		Traps:       "Here channels go one way, and a radix counts inputs and outputs.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 2,
	},
	Routes: topology.Routes{
		Spread:   spreadClos,
		Messages: closMessages,
		Paths: func(v []int, p *topology.Paths) bool {
			n := int64(v[1]) * int64(v[2])
			p.Reset()
			var c [topology.MaxClasses]int16
			c[stageInternal], c[stageNic], c[stageLink], c[closOut] = 2, 2, 1, 1
			p.Add(n-1, c)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countClos(v, &s)
			return classOrbits(closClasses, &s)
		},
	},
	Layout: topology.Layout{
		// Whatever an endpoint sends goes by way of all middle switches alike.
		Subtrees: func(v []int) []topology.Subtree {
			d := closParams(v)
			switch {
			case d.m()%d.n() == 0:
				return []topology.Subtree{{Endpoints: 1, Links: int64(d.m() / d.n()), Class: stageLink}}
			case d.m() < d.n(): // what an endpoint has of them depends on how many of its switch send
				return nil
			}
			return []topology.Subtree{{Endpoints: 1, Links: int64(d.m()), Class: stageLink, Sharing: int64(d.n())}}
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := closParams(v)
			if d.m() >= d.n() {
				return int64(d.n()) * int64(d.r())
			}
			return int64(d.m()) // as many of an ingress switch as have a middle switch of their own
		},
		Middle: func(v []int) float64 { d := closParams(v); return min(1, float64(d.m())/float64(d.n())) },
	},
}

var closClasses = []topology.SwitchClass{
	{Name: "ingress", Doc: "first stage"},
	{Name: "middle", Doc: "second stage"},
	{Name: "egress", Doc: "third stage"},
	terminalClass,
}

const (
	closOut      = stageLink + 1
	closTerminal = 3
)

func countClos(v []int, s *topology.Size) {
	m, n, r := int64(v[0]), int64(v[1]), int64(v[2])
	s.Endpoints = n * r
	s.EndpointPorts, s.EndpointLanes = 2, 1
	s.Link[stageInternal], s.Link[stageNic], s.Link[stageLink], s.Link[closOut] = n*r, 2*n*r, m*r, m*r
	s.Switch[0].Count, s.Switch[1].Count, s.Switch[2].Count = r, m, r
	s.Switch[0].Ports[stageNic], s.Switch[0].Ports[stageLink] = int32(n), int32(m)
	s.Switch[1].Ports[stageLink], s.Switch[1].Ports[closOut] = int32(r), int32(r)
	s.Switch[2].Ports[closOut], s.Switch[2].Ports[stageNic] = int32(m), int32(n)
	countTerminals(closTerminal, s)
}

// bus: one shared medium, drawn as a single channel from where all send to where all receive.
// Neither end is a switch that is bought.
var bus = &topology.Family{
	Name:  "bus",
	Title: "bus: n endpoints on one shared medium (unidirectional)",
	Source: topology.Source{
		Authors: "J. L. Hennessy, D. A. Patterson", Title: "Computer Architecture: A Quantitative Approach, Appendix F",
		Venue: "Morgan Kaufmann", Year: 2017,
		Departures: "the medium is a channel between two embedded ends, so that it has the capacity of one link",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "endpoints", Min: 2, Max: 1024},
	},
	LinkClasses: []topology.LinkClass{
		stageLinks[stageInternal],
		{Name: topology.ClassNic, Doc: "tap"},
		{Name: "bus", Doc: "the shared medium"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "sending", Doc: "where endpoints drive the medium", Embedded: true, Relay: true},
		{Name: "receiving", Doc: "where endpoints listen to it", Embedded: true, Relay: true},
		terminalClass,
	},
	Unidirectional: true,
	Count: func(v []int, s *topology.Size) {
		n := int64(v[0])
		s.Endpoints = n
		s.EndpointPorts, s.EndpointLanes = 2, 1
		s.Link[stageInternal], s.Link[stageNic], s.Link[stageLink] = n, 2*n, 1
		for i := range 2 {
			s.Switch[i].Count = 1
			s.Switch[i].Ports[stageNic], s.Switch[i].Ports[stageLink] = int32(n), 1
		}
		countTerminals(busTerminal, s)
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		n := v[0]
		for x := range n {
			emit(stageNic, topology.SwitchID(2+x), 0)
		}
		emit(stageLink, 0, 1)
		for x := range n {
			emit(stageNic, 1, topology.SwitchID(2+x))
		}
	},
	Attach:  func(v []int, emit func(int, []topology.SwitchID)) { n := v[0]; attachTerminals(2, int64(n), emit) },
	Natural: func([]int) topology.Rule { return stageRule(busTerminal) },
	Place: func([]int) topology.Placement {
		return topology.Placement{
			Blocks: 1, Homes: []topology.Home{topology.Inside, topology.Inside, topology.Inside}, Boards: []int{stageNic, stageLink},
		}
	},
	VCReason: stageReason,
	Documentation: topology.Documentation{
		OnlyNamed: "nobody buys one: all endpoints share one medium",
		Formulas: []string{
			"endpoints = n",
			"endpoint_ports = 2; in and out",
			"switches = 0",
			"links = 1; the medium",
			"radix = 0",
		},
		Deployments: "Early Ethernet, memory buses.",
		Traps:       "All endpoints share the rate of one link: throughput falls as 1/n.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread:   noSpread,
		Messages: busMessages,
		Paths: func(v []int, p *topology.Paths) bool {
			n := v[0]
			stagePaths(int64(n), 1, p)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			n := int64(v[0])
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: 1}, {Rep: 1, Count: 1}, {Rep: 2, Count: n}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: n}},
			}
		},
	},
	Layout: topology.Layout{
		Media: []topology.LinkMedium{{Classes: []int{stageLink}, Medium: "backplane"}},
	},
	Figures: topology.Figures{
		// Two endpoints share the medium with nobody.
		NonBlocking: func([]int) int64 { return 2 },
		Middle:      func(v []int) float64 { n := v[0]; return min(1, 2/float64(n)) },
	},
}

const busTerminal = 2

// spreadClos: any middle switch.
func spreadClos(v []int, out *[topology.MaxClasses]float64) bool {
	x := 1 - 1/float64(v[0])
	out[stageLink], out[closOut] = x, x
	return true
}

// closMessages: all that a switch sends, and all that one receives, is spread over the middle switches, its own included.
func closMessages(v []int) *topology.Messages {
	d := closParams(v)
	n := d.n() * d.r()
	return stageMessages(n, []stageBundles{{stageLink, d.m(), d.n(), d.r(), n}, {closOut, d.m(), 1, 1, d.n()}})
}

// busMessages: all load the medium.
func busMessages(v []int) *topology.Messages {
	return stageMessages(v[0], []stageBundles{{stageLink, 1, 1, 1, v[0]}})
}
