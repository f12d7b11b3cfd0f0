package family

import "toposearch/topology"

// omegaParams are the parameters of omega by name.
type omegaParams []int

func (v omegaParams) k() int { return v[0] }
func (v omegaParams) n() int { return v[1] }

// omega: the same perfect shuffle before each of n stages of k x k switches: the address, n
// digits to base k, rotates left, and the switch replaces its last digit. One path per pair.
var omega = stageFamily(topology.Family{
	Name:  "omega",
	Title: "Omega network: n stages of k x k switches, a perfect shuffle before each (unidirectional)",
	Source: topology.Source{
		Authors: "D. H. Lawrie", Title: "Access and Alignment of Data in an Array Processor",
		Venue: "IEEE Trans. Computers C-24(12)", Year: 1975, Departures: "none",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "inputs, and outputs, of a switch", Min: 2, Max: 256},
		{Name: "n", Doc: "stages: k^n endpoints", Min: 1, Max: 24},
	},
	Check: checkStages,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		n, stages, per, k := stageShape(v)
		shuffle := func(x int64) int64 { return x*k%n + x/per }
		for x := range n {
			emit(stageNic, topology.SwitchID(stages*per+x), topology.SwitchID(shuffle(x)/k))
		}
		for s := range stages - 1 {
			for x := range n {
				emit(stageLink, topology.SwitchID(s*per+x/k), topology.SwitchID((s+1)*per+shuffle(x)/k))
			}
		}
		for x := range n {
			emit(stageNic, topology.SwitchID((stages-1)*per+x/k), topology.SwitchID(stages*per+x))
		}
	},
	Documentation: topology.Documentation{
		OnlyNamed: "its links lead one way, and switches on sale have ports for both",
		Formulas: []string{
			"endpoints = k^n",
			"endpoint_ports = 2; in and out",
			"switches = n*k^(n-1)",
			"links = (n-1)*k^n; channels",
			"radix = 2*k",
		},
		Traps: "One route per pair: it blocks. As channels go one way, and a radix counts inputs and outputs, compare " +
			"it with care.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 1,
	},
	Routes: topology.Routes{
		Spread:   noSpread,
		Messages: digitMessages(false),
		// Every channel would carry as many pairs as there are endpoints, and exactly one of them
		// would be from an endpoint to itself: the route from x to x is at a rotation of x.
		Paths: func(v []int, p *topology.Paths) bool {
			n, stages, _, _ := stageShape(v)
			stagePaths(n, int(stages-1), p)
			return true
		},
	},
}, stageShape)

// butterfly: stage s puts digit n-1-s of the destination right. One path per pair.
var butterfly = stageFamily(topology.Family{
	Name:  "butterfly",
	Title: "k-ary n-fly: n stages of k x k switches, one digit of the destination each (unidirectional)",
	Source: topology.Source{
		Authors: "W. J. Dally, B. Towles", Title: "Principles and Practices of Interconnection Networks, section 4.1",
		Venue: "Morgan Kaufmann", Year: 2004, Departures: "none; numbered as BookSim2's fly",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "inputs, and outputs, of a switch", Min: 2, Max: 256},
		{Name: "n", Doc: "stages: k^n endpoints", Min: 1, Max: 24},
	},
	Check: checkStages,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		n, stages, per, k := stageShape(v)
		for x := range n {
			emit(stageNic, topology.SwitchID(stages*per+x), topology.SwitchID(x/k))
		}
		w := per / k // weight of the digit that a stage replaces in the switch's address
		for s := range stages - 1 {
			for a := range per {
				for o := range k {
					emit(stageLink, topology.SwitchID(s*per+a), topology.SwitchID((s+1)*per+a+(o-a/w%k)*w))
				}
			}
			w /= k
		}
		for x := range n {
			emit(stageNic, topology.SwitchID((stages-1)*per+x/k), topology.SwitchID(stages*per+x))
		}
	},
	Documentation: topology.Documentation{
		OnlyNamed: "its links lead one way, and switches on sale have ports for both: a flattened one has both",
		Formulas: []string{
			"endpoints = k^n",
			"endpoint_ports = 2; in and out",
			"switches = n*k^(n-1)",
			"links = (n-1)*k^n; channels",
			"radix = 2*k",
		},
		Traps: "One route per pair: it blocks. As channels go one way, and a radix counts inputs and outputs, compare " +
			"it with care.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 1,
	},
	Routes: topology.Routes{
		Spread:   noSpread,
		Messages: digitMessages(true),
		// A channel carries as many pairs as there are endpoints. The pairs of an endpoint with itself
		// all keep their digits, so some channels lose none of these, and the mean loses one.
		Paths: func(v []int, p *topology.Paths) bool {
			n, stages, _, _ := stageShape(v)
			stagePaths(n, int(stages-1), p)
			if stages > 1 {
				p.Peak[stageLink] = float64(n) / float64(n-1)
			}
			return true
		},
	},
	// The first stage puts the highest digit right: of a switch's k inputs, which share that digit, one output leads to each of its values. Of the k^n
	// channels behind it those lead from one half of the values to the other whose pair of values, of k^2, does.
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			k, n := v[0], v[1]
			if n == 1 || k <= 3 { // of 3 inputs of a first switch one at most sends to the other half, by the only output that leads there
				return int64(k)
			}
			return 1
		},
		Middle: func(v []int) float64 {
			k, n := v[0], v[1]
			if n == 1 {
				return 1
			}
			return 2 * float64(k/2*(k-k/2)) / float64(k*k)
		},
	},
}, stageShape)

// stageShape is that of k^n endpoints, n stages.
func stageShape(v []int) (n, stages, per, k int64) {
	d := omegaParams(v)
	k, stages = int64(d.k()), int64(d.n())
	n = saturatingPow(k, d.n())
	return n, stages, n / k, k
}

// saturatingPow is x^n, or 2^40 if it is larger: beyond every network, and safe to multiply.
func saturatingPow(x int64, n int) int64 {
	p := int64(1)
	for range n {
		if p *= x; p > 1<<40 {
			return 1 << 40
		}
	}
	return p
}

func checkStages(v []int, s *topology.Size) error {
	d := omegaParams(v)
	most := 0
	for saturatingPow(int64(d.k()), most+1) <= 1<<24 {
		most++
	}
	if d.n() > most {
		return s.Fail("n", d.n(), "k^n <= 2^24", most)
	}
	return nil
}

// benes: two butterflies back to back that share the middle stage, of 2 x 2 switches. Any output
// will do in the first half, the destination decides in the second.
var benes = stageFamily(topology.Family{
	Name:  "benes",
	Title: "Benes network: 2n-1 stages of 2 x 2 switches, rearrangeable (unidirectional)",
	Source: topology.Source{
		Authors: "V. E. Benes", Title: "Mathematical Theory of Connecting Networks and Telephone Traffic",
		Venue: "Academic Press", Year: 1965, Departures: "none",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "digits of an address: 2^n endpoints", Min: 1, Max: 24},
	},
	Wire: wireBenes,
	Documentation: topology.Documentation{
		OnlyNamed: "its links lead one way, and its switches have two ports a side",
		Formulas: []string{
			"endpoints = 2^n",
			"endpoint_ports = 2; in and out",
			"switches = (2*n-1)*2^(n-1)",
			"links = (2*n-2)*2^n; channels",
			"radix = 4",
		},
		Traps: "Rearrangeable: free of blocking only if all routes are chosen together.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadBenes,
		// In the first half a channel carries what its sources send, split evenly; in the second what
		// its destinations receive. Nothing is uneven.
		Paths: func(v []int, p *topology.Paths) bool {
			n, stages, _, _ := benesShape(v)
			stagePaths(n, int(stages-1), p)
			return true
		},
	},
	Layout: topology.Layout{
		// Whatever an endpoint sends goes through all stages, over as many channels in each as there are endpoints.
		Subtrees: func(v []int) []topology.Subtree {
			if v[0] < 2 {
				return nil // a single switch
			}
			return []topology.Subtree{{Endpoints: 1, Links: 1, Class: stageLink}}
		},
	},
}, benesShape)

func benesShape(v []int) (n, stages, per, k int64) {
	dims := v[0]
	n = int64(1) << dims
	return n, 2*int64(dims) - 1, n / 2, 2
}

// wireBenes: on stage s of the first half, blocks of 2^(n-s) lines; output o of a switch leads to
// the half o of the block, where the switch's number is the line. The second half is its mirror.
func wireBenes(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	n, stages, per, _ := benesShape(v)
	for x := range n {
		emit(stageNic, topology.SwitchID(stages*per+x), topology.SwitchID(x/2))
	}
	half := stages / 2
	for s := range stages - 1 {
		t := s // the stage of the first half whose links these mirror
		if s >= half {
			t = stages - 2 - s
		}
		block := per >> t // switches of a block
		for a := range per {
			for o := range int64(2) {
				b := a/block*block + o*(block/2) + a%block/2
				if s < half {
					emit(stageLink, topology.SwitchID(s*per+a), topology.SwitchID((s+1)*per+b))
				} else {
					emit(stageLink, topology.SwitchID(s*per+b), topology.SwitchID((s+1)*per+a))
				}
			}
		}
	}
	for x := range n {
		emit(stageNic, topology.SwitchID((stages-1)*per+x/2), topology.SwitchID(stages*per+x))
	}
}

// spreadBenes: of 2(n-1) hops the i-th and the i-th from the end are one of 2^i each, whose mean is (1 - 2^(1-n)) / (n-1).
func spreadBenes(v []int, out *[topology.MaxClasses]float64) bool {
	if n := v[0]; n > 1 {
		out[stageLink] = 1 - (1-1/float64(ipow(2, n-1)))/float64(n-1)
	}
	return true
}

// digitMessages: behind stage s of n a channel leads from all that differ in the digits which stages so far have replaced, to all that have the same of these. The digits that stages replace are, of
// the sender's number, the highest of a shuffle, and of a butterfly the highest but for the lowest, which the first switch leaves behind.
func digitMessages(butterfly bool) func(v []int) *topology.Messages {
	return func(v []int) *topology.Messages {
		n, stages, _, k := stageShape(v)
		var list []stageBundles
		for s := 1; s < int(stages); s++ {
			left := int(ipow(int(k), int(stages)-s))
			b := stageBundles{class: stageLink, each: 1, div: 1, mod: left, to: left}
			if butterfly {
				b.div = int(k)
			}
			list = append(list, b)
		}
		return stageMessages(int(n), list)
	}
}
