package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// plan is what decides between the direct way and a detour.
type plan uint8

const (
	direct      plan = iota // the routes of the rule
	valiant                 // always by way of an intermediate (Valiant, Brebner, STOC 1981)
	ugalL                   // the better of the two by the queues at the source switch
	ugalG                   // the better of the two by all queues on the way
	par                     // ugalL, decided again at the second switch
	pb                      // ugalL, or what the switches of the block say of their channels to other blocks
	parPh                   // par by queues without what is in flight
	ectn                    // by how many packets want a channel
	dgb                     // ugalL with a bias that is learnt
	qAdaptive               // by estimates that are learnt; no intermediates
	onTheFly                // ofar
	aprShortest             // all-path routing: no detours
	aprDetour               // one detour
	aprBorrow               // one detour, and uplinks to HRSs
	lash                    // tables and layers (routing.LASH)
	dfsssp                  // tables and layers (routing.DFSSSP)
	escaping                // all shortest paths by queues, and escape channels (routing.Escape)
)

func (p plan) allPath() bool { return p >= aprShortest && p <= aprBorrow }

// layered plans keep a pair on one path in one layer.
func (p plan) layered() bool { return p == lash || p == dfsssp }

// adaptive plans decide between the direct way and a detour by queues, or by what follows from them.
func (p plan) adaptive() bool { return p > valiant && p < onTheFly }

// needsBlocks says that the switches of a block tell each other about the channels to other blocks.
func (p plan) needsBlocks() bool { return p == pb || p == ectn || p == qAdaptive }

// keepsState says that switches keep state for the plan.
func (p plan) keepsState() bool { return p >= pb && p <= qAdaptive }

// twice plans decide again at the second switch.
func (p plan) twice() bool { return p == par || p == parPh }

// detours says that packets go by an intermediate.
func (p plan) detours() bool { return p != direct && p != qAdaptive && p < onTheFly }

// via is what the intermediate of a detour is.
type via uint8

const (
	viaSwitch   via = iota // the switches of an attachment set, each set as likely as the others
	viaEndpoint            // the switches of a random endpoint
	viaBlock               // the first switch reached of a block: group, pod, sub-network
)

// Native is a routing for the simulator, made of parts that vary independently: the plan, the
// intermediate, how one of several candidate hops is selected, and the rule whose routes the
// direct way and both legs of a detour follow.
type Native struct {
	name     string
	planName string // what ByName knows the plan by
	plan     plan
	via      via
	pick     pick
	tune     Tuning
	draws    int // Tuning.Draws
	hopVC    bool
	rerouted bool    // all shortest paths stand for a rule that cannot avoid what has failed, or does not lead on from everywhere any more
	missed   *missed // nil: none
	around   bool    // pairs that are missed and connected go by way of an intermediate always
	t        *routing.Table

	direct func(src, dst topology.EndpointID) float64 // Options.Direct

	setOf   []int32   // per endpoint
	groupOf []int32   // per endpoint
	sends   []bool    // per switch: endpoints are attached
	blockOf []int32   // per switch; nil if the network has no blocks
	mids    []mid     // by set, or by block
	midsOf  [][]int32 // by block: its intermediates, where packets decide at switches that do not reach all
	// anyMid: detours need not avoid the blocks of source and destination. Beside these there is one at most, which cannot relieve both ways between them, or
	// blocks are no groups.
	anyMid    bool
	parallels []uint16 // see parallels
	mixed     []bool   // by channel, of plans that decide twice: see findMixed

	need   int           // VC classes
	later  int           // the most of the routings that take its place as parts fail (Outages.Plan)
	levels [phases]uint8 // of them those of a phase
	lanes                // of channels
	others [4]*lanes     // of those that are as divide says, by division; nil where they are no others
	top    uint8         // the last VC
	class  [topology.MaxClasses]int
	oneVC  []bool // by kind of channel: the rule knows a single VC there; nil if phases have a class each
	// division is, by channel, how it deals out its VCs (divide); nil: all as lanes does.
	division []uint8
	entering []float64 // see rings

	all   *allPath         // of all-path routing, else nil
	q     *qTables         // of qAdaptive, else nil
	ofar  *ofar            // of ofar, else nil
	paths *routing.Layered // of lash and dfsssp, else nil; they have no t
	esc   *escape          // of adaptive_escape, else nil
}

// qTables are what tables of estimates are made from: a row for each block and each endpoint of a switch.
type qTables struct {
	perSwitch int     // endpoints of the switch with the most
	index     []int32 // by endpoint: its number at its switch
}

// ofar is On-the-Fly Adaptive Routing (ofar.go).
type ofar struct {
	ring   []topology.ChannelID // by switch: the channel of the escape ring that leaves it
	global []bool               // by channel: between blocks
	block  []int32              // by switch
}

// allPath is the routing of UB-Mesh (H. Liao et al., arXiv:2503.20377, section 4.1) under the two lanes of
// routing.AllPath. The paper's sources choose whole paths and write them into the header; here switches decide by their own
// queues, as long as the packet is on the first lane and has hops left for detours.
type allPath struct {
	// tables: [0] without HRSs, for what is in one pod, unless they are borrowed; [1] of all links. The
	// same one where there are no HRSs or they are borrowed.
	tables [2]*routing.Table
	states uint8 // of the natural rule: those from it on are on the second lanes
	slack  int   // most hops of all detours of a packet beyond its shortest path; 0: no detours
}

// escape is routing on shortest paths with escape channels, which have the first VCs, one each; adaptive hops have
// all others.
type escape struct {
	t     *routing.Table // of the escape routes
	vcs   uint8          // escape VCs
	back  bool           // packets may leave escape channels
	proof *routing.DeadlockReport
}

// mid is an intermediate of detours.
type mid struct {
	dst    int32          // destination of the table; -1: nothing can go by way of it
	ports  []routing.Port // its switches
	onward []uint8        // hops from it to each set; nil: to be read from the table
}

// missed are the pairs of sets between which a rule has no route.
type missed struct {
	sets  int
	pairs []bool // [src*sets+dst]
}

// has says whether a pair is one; a nil missed has none.
func (m *missed) has(src, dst int32) bool { return m != nil && m.pairs[int(src)*m.sets+int(dst)] }

// Name is the name under which ByName finds it.
func (r *Native) Name() string { return r.name }

// VCs is the number of VC classes that the routing, and those that take its place as parts fail, need to be free of deadlock.
func (r *Native) VCs() int { return max(r.need, r.later) }

// ClassVCs is the same per link class.
func (r *Native) ClassVCs() [topology.MaxClasses]int { return r.class }

// Local says whether switches decide by their own queues and by what has travelled to them: all but ugal_g do.
func (r *Native) Local() bool { return r.plan != ugalG }

// rings says whether routes go around rings by a choice of VC classes which packets make at every hop by what is free: direct ways, both legs of Valiant's and those of UGAL, which decides at
// the source alone. entering is then what routing.Router.Entering knows, else nil.
func (r *Native) rings() bool { return r.entering != nil }

// legsApart says whether the VC classes of a leg stand side by side there: no packet may take those of both. Otherwise those of a VC of the rule do.
func (r *Native) legsApart() bool { return r.rings() && !r.plan.adaptive() }

// Either says whether packets take either of two VC classes where the rule leaves them the choice.
func (r *Native) Either() bool { return r.plan == direct || r.rings() }

// Blind says whether nothing depends on the heads that wait at a switch.
func (r *Native) Blind() bool { return r.plan == direct || r.plan == valiant || r.plan.layered() }

// Oblivious says whether hops do not depend on queues.
func (r *Native) Oblivious() bool { return r.Blind() && r.pick != adaptive }

// Tables are those of lash and dfsssp, nil of other routings.
func (r *Native) Tables() *routing.Layered { return r.paths }

// Escapes says whether packets rely on escape channels, for which a buffer must hold one packet at a time, or whole ones.
func (r *Native) Escapes() bool { return r.esc != nil }

// Adaptive says whether packets choose between the direct way and a detour by queues, as Tuning says.
func (r *Native) Adaptive() bool { return r.plan.adaptive() }

// Unreachable counts the pairs of endpoints to which neither the direct way of the routing leads nor, where the rule misses them, a detour that they always make.
func (r *Native) Unreachable() routing.Gap {
	if r.paths != nil {
		return r.paths.Unreachable()
	}
	if r.around {
		return routing.Disconnected(r.t.Router.Net)
	}
	return r.t.Unreachable()
}

// Rerouted reports whether a routing whose packets leave the direct way follows all shortest paths in the place of a rule that cannot avoid what has failed.
func (r *Native) Rerouted() bool { return r.rerouted }

// Settings are those of Tuning that the routing uses, by key; nil: derived.
func (r *Native) Settings() map[string]any { return r.tune.of(r.planName) }

// sourceSwitch is the switch by which a packet has entered the network.
func (r *Native) sourceSwitch(p *simcore.Packet) topology.SwitchID {
	_, _, ports := r.t.Router.Net.Group(int(r.groupOf[p.Src]))
	return ports[p.Port]
}

// number notes the group and the set of every endpoint, and their switches.
func (r *Native) number(c *routing.Router) {
	n := c.Net
	r.sends = make([]bool, n.Switches())
	for i := range c.Sets {
		for _, p := range c.Sets[i].Ports {
			r.sends[p.Switch] = true
		}
	}
	if r.draws = r.tune.draws(manyDraws); !r.ofOneSort(n) {
		r.draws = r.tune.draws(fewDraws)
	}
	r.groupOf, r.setOf = make([]int32, n.Endpoints()), make([]int32, n.Endpoints())
	for g := range n.Groups() {
		first, end, _ := n.Group(g)
		for e := first; e < end; e++ {
			r.groupOf[e], r.setOf[e] = int32(g), c.SetOf[g]
		}
	}
}

// ofOneSort tells whether the channels of every switch with endpoints all lead to switches with endpoints, or all to others.
func (r *Native) ofOneSort(n *topology.Network) bool {
	for sw, sends := range r.sends {
		first, end := n.Out(topology.SwitchID(sw))
		for c := first; sends && c < end; c++ {
			if r.sends[n.To(c)] != r.sends[n.To(first)] {
				return false
			}
		}
	}
	return true
}
