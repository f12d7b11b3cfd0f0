package route

import (
	"toposearch/routing"
	"toposearch/topology"
)

// plan is what decides between the direct way and a detour.
type plan uint8

const (
	direct  plan = iota // the routes of the rule
	valiant             // always by way of an intermediate (Valiant, Brebner, STOC 1981)
	ugalL               // the better of the two by the queues at the source switch
	ugalG               // the better of the two by all queues on the way
	par                 // ugalL, decided again at the second switch
)

// adaptive plans decide by queues.
func (p plan) adaptive() bool { return p > valiant }

// via is what the intermediate of a detour is.
type via uint8

const (
	viaSwitch   via = iota // the switches of an attachment set, each set as likely as the others
	viaEndpoint            // the switches of a random endpoint
	viaBlock               // the first switch reached of a block: group, pod, sub-network
)

// Phases of a packet, in the order in which it passes through them. Each has VC classes of its
// own, above those of the phase before, so that no dependency leads back.
const (
	probing = iota // on the direct way, but not decided for good (par), or not yet decided
	outward        // to the intermediate
	homeward
	phases
)

// Native is a routing for the simulator, made of parts that vary independently: the plan, the
// intermediate, how one of several candidate hops is selected, and the rule whose routes the
// direct way and both legs of a detour follow.
type Native struct {
	name  string
	plan  plan
	via   via
	pick  pick
	tune  Tuning
	hopVC bool
	t     *routing.Table

	setOf   []int32 // per endpoint
	groupOf []int32 // per endpoint
	blockOf []int32 // per switch; nil if the network has no blocks
	mids    []mid   // by set, or by block
	// fewBlocks: there are no three blocks, and thus none beside those of a source and a destination.
	fewBlocks bool

	need   int            // VC classes
	levels [phases]uint8  // of them those of a phase
	offset [phases]uint8  // first VC class of a phase
	lo, hi []uint8        // VCs of each class
	at     []uint8        // by VC: the phase (hopVC: the class) that it belongs to
	ways   [][phases]span // by VC of the rule: the VCs for it of a phase and those above
	top    uint8          // the last VC
	class  [topology.MaxClasses]int
}

// span is an inclusive range of VCs.
type span struct{ lo, hi uint8 }

// mid is an intermediate of detours.
type mid struct {
	dst    int32          // destination of the table; -1: nothing can go by way of it
	ports  []routing.Port // its switches
	onward []uint8        // hops from it to each set; nil: to be read from the table
}

// Name is the name under which ByName finds it.
func (r *Native) Name() string { return r.name }

// VCs is the number of VC classes that the routing needs to be free of deadlock.
func (r *Native) VCs() int { return r.need }

// ClassVCs is the same per link class.
func (r *Native) ClassVCs() [topology.MaxClasses]int { return r.class }

// Local says whether switches decide by their own queues alone: all but ugal_g do.
func (r *Native) Local() bool { return r.plan != ugalG }

// Adaptive says whether packets choose between the direct way and a detour by queues, as Tuning says.
func (r *Native) Adaptive() bool { return r.plan.adaptive() }

// Unreachable counts the pairs of endpoints to which the direct way of the routing does not lead.
func (r *Native) Unreachable() routing.Gap { return r.t.Unreachable() }
