package reproduce

import (
	"context"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// adaptiveRow is a row of the survey's Table 2; a name that the program does not know is not simulated.
type adaptiveRow struct {
	title, name string
	solves      [3]bool // indirect, phantom, asymmetric
	space       string
	lowLogic    bool
	vcs         int
}

// adaptiveRows are the ten rows as printed.
var adaptiveRows = []adaptiveRow{
	{"UGAL", "ugal_l", [3]bool{}, "O(1)", true, 4},
	{"PB", "pb", [3]bool{true, false, false}, "O(k)", false, 4},
	{"PAR", "par", [3]bool{true, false, false}, "O(1)", true, 5},
	{"OFAR", "ofar", [3]bool{true, true, false}, "O(1)", true, 2},
	{"PARph", "par_ph", [3]bool{true, true, false}, "O(kT)", false, 5},
	{"ECtN", "ectn", [3]bool{true, true, false}, "O(k^2)", true, 4},
	{"TPR", "tpr", [3]bool{true, true, false}, "O(k^2 T)", false, 4},
	{"Q-adaptive", "q_adaptive", [3]bool{true, true, true}, "O(k^4)", false, 5},
	{"DGB", "dgb", [3]bool{true, true, true}, "O(k^4)", false, 4},
	{"UGAL-LE", "ugal_le", [3]bool{true, false, false}, "O(k^3 T)", true, 4},
}

// adaptiveControls are not in the survey: what the scenarios have to tell from adaptive routings.
var adaptiveControls = []adaptiveRow{{title: "Minimal", name: "natural"}, {title: "Valiant", name: "valiant"}, {title: "UGAL-G", name: "ugal_g"}}

// adaptiveLab is the network on which all are simulated. A balanced dragonfly of nine groups: a group has as many links
// to others as endpoints, and one to each.
type adaptiveLab struct {
	design topology.Design
	net    *topology.Network
	blocks []int32
}

const (
	adaptiveDesign = "dragonfly(p=2,a=4,h=2)"
	adaptiveVCs    = 5 // what the most demanding of the routings of Table 2 needs, for all
)

func newAdaptiveLab() (*adaptiveLab, error) {
	d, _, err := sized(adaptiveDesign)
	if err != nil {
		return nil, err
	}
	n, err := d.Build()
	if err != nil {
		return nil, err
	}
	return &adaptiveLab{d, n, routing.BlocksOf(n, d.Family.Place(d.V))}, nil
}

// trial is one simulation.
type trial struct {
	routing string
	traffic simcore.Traffic
	load    float64
	buffer  int                                        // flits of a VC; 0: derived
	global  int                                        // cycles on a link between groups
	direct  func(src, dst topology.EndpointID) float64 // of valiant, see route.Options
}

const (
	localCycles    = 1    // on a link within a group
	adaptiveSettle = 8000 // cycles before anything is measured: hundreds of round trips, in which routings that learn can do so
	adaptiveLook   = 6000 // cycles measured, for mean latencies to a few percent
)

// run simulates, and gives the VCs that the routing needs.
func (l *adaptiveLab) run(ctx context.Context, t trial) (p simcore.Point, vcs int, err error) {
	r, err := route.ByName(ctx, t.routing, l.net, route.Options{Natural: l.design.Family.Natural(l.design.V), Blocks: l.blocks, Want: adaptiveVCs, Workers: 1, Direct: t.direct})
	if err != nil {
		return p, 0, err
	}
	cfg := flit.SwitchConfig()
	cfg.VCs = max(adaptiveVCs, r.VCs())
	cfg.BufferFlits, cfg.PacketFlits = t.buffer, 4
	cfg.ClassLatency = []int{1, localCycles, max(localCycles, t.global)}
	cfg.Warmup, cfg.Measure = adaptiveSettle, adaptiveLook
	s, err := flit.New(l.net, r, t.traffic, cfg)
	if err != nil {
		return p, 0, err
	}
	p, err = s.Run(ctx, t.load)
	return p, r.VCs(), err
}
