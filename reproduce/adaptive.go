package reproduce

import (
	"cmp"
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
	// How it is simulated where not as eval and run do it, and why it may differ from the survey.
	tuning route.Tuning
	settle int       // cycles before anything is measured, beyond adaptiveSettle
	look   int       // cycles measured; 0: adaptiveLook
	why    [3]string // by column
}

// published is UGAL's rule as its authors give it. The rule that queues like those of a switch's other channels are no congestion
// (Tuning.Peers) is the program's own, and solves by itself what the survey calls phantom congestion.
var published = route.Tuning{Peers: new(float64)}

// qSettle are the cycles after which q_adaptive's estimates are measured: on long links they are told after 200 cycles, and after
// adaptiveSettle it does not yet carry the load that it carries then.
const qSettle = 400_000

// qLook are the cycles for which q_adaptive is measured. All packets of a source take the channel with the best estimate until they are told
// otherwise, so that queues come and go over thousands of cycles: mean latencies of adaptiveLook cycles, one after the other, were 38 to 50 under
// indirect congestion.
const qLook = 60_000

// adaptiveRows are the ten rows as printed.
var adaptiveRows = []adaptiveRow{
	{title: "UGAL", name: "ugal_l", space: "O(1)", lowLogic: true, vcs: 4, tuning: published},
	{title: "PB", name: "pb", solves: [3]bool{true, false, false}, space: "O(k)", vcs: 4, tuning: published},
	{title: "PAR", name: "par", solves: [3]bool{true, false, false}, space: "O(1)", lowLogic: true, vcs: 5, tuning: published},
	{title: "OFAR", name: "ofar", solves: [3]bool{true, true, false}, space: "O(1)", lowLogic: true, vcs: 2,
		why: [3]string{2: "each switch on the way may choose again, so that packets find the idle groups"}},
	{title: "PARph", name: "par_ph", solves: [3]bool{true, true, false}, space: "O(kT)", vcs: 5},
	{title: "ECtN", name: "ectn", solves: [3]bool{true, true, false}, space: "O(k^2)", lowLogic: true, vcs: 4,
		why: [3]string{"it counts the heads of VCs, which tells of congestion once deep buffers are full; only the source decides here. With ectn_combined = 4, below what follows from the VCs, 123 cycles"}},
	{title: "TPR", name: "tpr", solves: [3]bool{true, true, false}, space: "O(k^2 T)", vcs: 4},
	{title: "Q-adaptive", name: "q_adaptive", solves: [3]bool{true, true, true}, space: "O(k^4)", vcs: 5, settle: qSettle, look: qLook,
		why: [3]string{"a packet that is drawn at random and finds a queue short brings all of its source's after it into buffers of 64 flits, for thousands of cycles: chance decides, as five other seeds of the simulation took 40 to 45 cycles, which is solved, and five without exploration 37 to 44", "", "all packets of a source take the channel with the best estimate until news of it comes back, so that links are too full and idle by turns; 0.57 to 0.64 with " +
			"rates of learning of 0.02 to 0.5, thresholds and exploration between none and more, 20 VCs, buffers of 256 flits, or a crossbar of four times the rate"}},
	{title: "DGB", name: "dgb", solves: [3]bool{true, true, true}, space: "O(k^4)", vcs: 4},
	{title: "UGAL-LE", name: "ugal_le", solves: [3]bool{true, false, false}, space: "O(k^3 T)", lowLogic: true, vcs: 4},
}

// adaptiveControls are not in the survey: what the scenarios have to tell from adaptive routings, and those as eval and run take them that
// are above as published.
var adaptiveControls = []adaptiveRow{{title: "Minimal", name: "natural"}, {title: "Valiant", name: "valiant"}, {title: "UGAL-G", name: "ugal_g"},
	{title: "UGAL, default", name: "ugal_l"}, {title: "PB, default", name: "pb"}, {title: "PAR, default", name: "par"}}

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
	tuning  route.Tuning
	settle  int // cycles beyond adaptiveSettle
	look    int // cycles measured; 0: adaptiveLook
}

const (
	localCycles    = 1    // on a link within a group
	adaptiveSettle = 8000 // cycles before anything is measured: hundreds of round trips, in which routings that learn can do so
	adaptiveLook   = 6000 // cycles measured, for mean latencies to a few percent
)

// run simulates, and gives the VCs that the routing needs.
func (l *adaptiveLab) run(ctx context.Context, t trial) (p simcore.Point, vcs int, err error) {
	r, err := route.ByName(ctx, t.routing, l.net, route.Options{Natural: l.design.Family.Natural(l.design.V), Blocks: l.blocks, Want: adaptiveVCs, Workers: 1, Direct: t.direct, Tuning: t.tuning})
	if err != nil {
		return p, 0, err
	}
	cfg := flit.SwitchConfig()
	cfg.VCs = max(adaptiveVCs, r.VCs())
	cfg.BufferFlits, cfg.PacketFlits = t.buffer, 4
	cfg.ClassLatency = []int{1, localCycles, max(localCycles, t.global)}
	cfg.Warmup, cfg.Measure = adaptiveSettle+t.settle, cmp.Or(t.look, adaptiveLook)
	s, err := flit.New(l.net, r, t.traffic, cfg)
	if err != nil {
		return p, 0, err
	}
	p, err = s.Run(ctx, t.load)
	return p, r.VCs(), err
}
