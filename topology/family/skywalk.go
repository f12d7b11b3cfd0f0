package family

import "toposearch/topology"

// skywalk is a random graph made for a machine room: cabinets on a grid, and a fixed number of
// random links per switch inside its cabinet, to cabinets of its row or column, and to others.
var skywalk = &topology.Family{
	Name:  "skywalk",
	Title: "Skywalk: random links inside cabinets, along rows and columns, and across; least cable of several draws",
	Source: topology.Source{
		Authors: "I. Fujiwara, M. Koibuchi, H. Matsutani, H. Casanova",
		Title:   "Skywalk: a Topology for HPC Networks with Low-Delay Switches", Venue: "IPDPS, pp. 263-272", Year: 2014,
		Departures: "Known from a survey, whose words are: cabinets on a grid, fixed numbers of links in the cabinet, in the same row or " +
			"column and across, several draws of which the one with the least cable is kept. All else is ours: each draw starts from a regular " +
			"pattern and exchanges the ends of random pairs of links; s and d are even; a column step is 0.6 m, a row step 3 m; " +
			"a draw that falls apart is dropped, and the pattern itself stays if all do.",
	},
	Params: []topology.Param{
		{Name: "rows", Doc: "rows of cabinets", Min: 1, Max: 256},
		{Name: "cols", Doc: "cabinets of a row", Min: 1, Max: 256},
		{Name: "m", Doc: "switches of a cabinet", Min: 2, Max: 64},
		{Name: "l", Doc: "links per switch inside the cabinet; below m, and m*l even", Min: 1, Max: 63},
		{Name: "s", Doc: "links per switch to other cabinets of its row or column; even", Min: 0, Max: 256},
		{Name: "d", Doc: "links per switch to cabinets of another row and column; even", Min: 0, Max: 256},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
		{Name: "tries", Doc: "draws, of which the one with the least cable is kept", Min: 1, Max: 1024, Default: topology.Const(8), Draw: true},
		{Name: "seed", Doc: "of the random wiring", Min: 0, Max: 1 << 30, Default: topology.Const(1), Draw: true},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "inside a cabinet"},
		{Name: "straight", Doc: "between cabinets of a row or a column"},
		{Name: "diagonal", Doc: "between cabinets of different rows and columns"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch of a cabinet, with endpoints"}},
	Check:         checkSkywalk,
	Count: func(v []int, s *topology.Size) {
		d := skywalkParams(v)
		n, p := int64(d.rows())*int64(d.cols())*int64(d.m()), int64(d.p())
		s.Endpoints = n * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0] = s.Endpoints
		for i := range 3 {
			s.Link[1+i] = n * int64(v[3+i]) / 2
		}
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(p), int32(d.l()), int32(d.s()), int32(d.d()))
	},
	Wire: wireSkywalk,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := skywalkParams(v)
		attachEach(d.rows()*d.cols()*d.m(), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		d := skywalkParams(v)
		return topology.Placement{Blocks: d.rows() * d.cols(), Homes: []topology.Home{topology.WithEndpoints}}
	},
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = rows*cols*m",
			"endpoints = n*p",
			"switches = n",
			"links = n*(l+s+d)/2",
			"radix = l + s + d + p",
		},
		Traps: "The pitches by which a draw is judged are fixed; the cables of a study are laid by its own floor.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Layout: topology.Layout{
		// Each draw tries exchanges of some 500 ns; the pattern, the best draw, and this one with its rows are kept.
		WireCost: func(v []int) (ns, bytes float64) {
			d := skywalkParams(v)
			n := float64(d.rows()) * float64(d.cols()) * float64(d.m())
			links := n * float64(d.l()+d.s()+d.d()) / 2
			return float64(d.tries()) * swapsPerLink * links * 500, 24*n + 70*links
		},
	},
	Figures: topology.Figures{
		Regular:     true,
		NonBlocking: func(v []int) int64 { return int64(skywalkParams(v).p()) },
	},
}

// checkSkywalk asks for what the regular pattern needs: a cabinet in one piece, two links per switch
// along every direction in which there are other cabinets, and no link twice.
func checkSkywalk(v []int, s *topology.Size) error {
	rows, cols, m, l, straight, diagonal := v[0], v[1], v[2], v[3], v[4], v[5]
	least := 0
	if rows > 1 {
		least += 2
	}
	if cols > 1 {
		least += 2
	}
	switch {
	case l >= m:
		return s.Fail("l", l, "l < m", m-1)
	case l == 1 && m > 2:
		return s.Fail("l", l, "l >= 2 for m above 2", 2)
	case m*l%2 != 0:
		return s.Fail("l", l, "m*l is even", l-1)
	case straight%2 != 0:
		return s.Fail("s", straight, "s is even", straight+1)
	case diagonal%2 != 0:
		return s.Fail("d", diagonal, "d is even", diagonal+1)
	case straight < least:
		return s.Fail("s", straight, "s >= 2 along the row, and 2 along the column, where there are others", least)
	case straight > m*(rows+cols-2):
		return s.Fail("s", straight, "s <= m*(rows+cols-2)", m*(rows+cols-2)/2*2)
	case diagonal > m*(rows-1)*(cols-1):
		return s.Fail("d", diagonal, "d <= m*(rows-1)*(cols-1)", m*(rows-1)*(cols-1)/2*2)
	}
	return nil
}
