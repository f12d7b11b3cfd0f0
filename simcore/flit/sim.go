package flit

import (
	"fmt"

	"toposearch/internal/heap"
	"toposearch/simcore"
	"toposearch/topology"
)

// Flits are packet index << 2 | head | tail.
const (
	headBit = 1
	tailBit = 2
)

// States of an input VC.
const (
	vcIdle    = iota // empty, belongs to no packet
	vcRouting        // the head's route is being computed
	vcWaiting        // the head waits for an output VC
	vcGranted        // it has one, and bids for the switch from a later cycle on
	vcActive         // its flits bid for the switch
)

// Sim is a simulation. It is not safe for concurrent use; Curve and Saturation make clones.
type Sim struct {
	cfg         Config
	net         *topology.Network
	plant       *Plant
	routing     PortRouting
	routePort   RouteFunc
	reinject    Reinjector
	native      simcore.Routing
	given       Config // of a Sim with native: what New was given, for Clone
	routingName string
	traffic     simcore.Traffic
	view        simcore.View

	// Fixed by the plant.
	switches, endpoints int
	rateNum, rateDen    int64
	vcs                 int
	vs                  uint   // log2 of the stride of VCs in arrays
	vmask               int32  // 1<<vs - 1
	portMask            uint64 // a bit for each VC of a port
	quick               bool   // the plain cycle with stages of one cycle
	lean                bool   // the cycle of lean.go
	blind               bool   // likewise, and the routing never asks what waits at a switch
	deep                int32  // flits of a VC beyond its ring
	depth               int32  // slots that a VC can hold; private: those that are its own
	private             int32
	maxPorts            int
	longest             int
	doubly              int
	inStart, outStart   []int32
	nIn, nOut           int32
	chanOut             []int32 // output port of each channel of net
	stay                int     // cycles of a credit round trip beyond the lags of line and credit
	srcStart, sinkStart []int32
	sinkOut, sinkSwitch []int32
	dims                []dims // of each switch

	// State, by port, VC, switch or endpoint: what belongs to one is changed by no other, so that
	// parts (parallel.go) share the arrays.
	in       []inPort
	out      []outPort
	vc       []vcState
	buf      []uint32
	ov       []ovState
	common   []int32        // by output port: slots taken that the VCs of the next buffer share; nil if private
	kept     *simcore.State // of a routing that keeps one, nil otherwise
	marks    []int32        // by input VC: what State.Enter has given for the packet at the front; nil: not asked
	log      *sentLog       // nil: not asked for
	tailSent []uint32       // by output port: VCs that wait for their last credit before they are free again; nil: none does
	alts     []route        // second choices by input VC; nil until one is used
	asked    []int32        // escape: by output port, flits of the heads that asked for a VC when VCs were last allocated (reroute.go)
	askedAt  []int32        // the general cycle: ports counted there
	escape   *escape        // nil: the routing needs no escape ring
	slow     []slowOut
	// A bit per input VC, switch by switch in words of its own: ready are those that are active, not
	// empty, and have room at the next buffer; waiting those whose head waits for an output VC. What
	// becomes so in the plain cycle takes effect after the switch has worked: till then it stands in
	// the second set.
	readyW, readyNew []uint64
	waitW, waitNew   []uint64
	pool             *pool
	state            float64       // bytes, packets aside (Bytes)
	mostPages        int32         // of packets for which there is memory
	pages            []*packetPage // of pool
	src              []srcPort
	srcOf            []source
	calNext          []int32  // the next endpoint filed for the same cycle, by endpoint
	endOf            []uint16 // the part of each endpoint; nil: there is one part
	partOf           []uint16 // the part of each switch; nil likewise
	farOut, farIn    []uint16 // the part at the other end of each output and input port, plus 1; 0: its own; nil likewise
	sent             []uint32 // flits put on the line of each output port; nil: not counted
	sentBy           []uint32 // the memory of sent

	// State of which each part has its own.
	now             simcore.Cycle
	active          []uint64 // switches with a ready or a waiting VC
	free            int32    // first free packet, -1: none
	fresh, freshEnd int32    // packets of the page in use that were never taken
	live            int      // packets created and not delivered
	inNet           int      // flits injected and not delivered
	moved           simcore.Cycle
	full            *fullState // the general cycle; nil in the others
	steps           *leanSteps // of the lean cycle with internal speedup, else nil

	parts    []*Sim // this one and the others, by number; nil: there is one
	team     *team
	alone    [1]*Sim
	me       uint16      // number of this part
	outboxes [2][]outbox // by parity of the window and receiver
	parity   int
	patience int // how many times this part looks whether others have come through the stage (team.go)

	wheel     []bucket
	wheelMask simcore.Cycle
	spare     spares
	waitAt    [][]int32 // input VCs that wait from the end of a cycle on, by cycle mod len
	readyAt   [][]int32
	mail      [][]simcore.Note // notes to this part's switches by cycle mod len; nil: none was told
	lanes     []lane
	slab      []packetPage // packet pages of this part that are not in the table yet
	laneBits  uint         // log2 of the stride of lanes in wheel
	routeNext []int32
	bidFor    []int32 // lean cycle with second choices: by output VC, the best input VC so far, plus 1
	ahead     []int32 // packets whose next route is computed at the end of this cycle
	aheadAt   []int32 // and the switches

	epActive  []uint64
	calendar  []int32 // first endpoint filed for a cycle, by cycle mod len, -1: none
	load      float64
	prob      float64 // packets per trial, on the mean
	processes []process
	watch     *watch // nil: no pair is watched
	cumWeight []int
	srcDepth  int32
	able      int            // endpoints that have a port
	trials    int64          // of a packet in a cycle
	stopped   bool           // no new packets
	probing   bool           // whether a load is accepted is asked, and no precision
	short     bool           // of that, only what one window tells
	known     simcore.Spread // likewise, from loads before
	flitTimes bool           // every flit has its injection time (flits.go)

	scratch scratch
	stat    tally
	failing *failing  // nil: nothing fails
	loop    *loop     // of the workload that is under way, nil in an open loop
	obs     *observer // of the run that is under way, nil if it observes nothing
}

// Config is the configuration, with defaults that depend on the network filled in.
func (s *Sim) Config() Config { return s.cfg }

// SetMaxMeasure changes Config.MaxMeasure for what is simulated from then on, to at least Measure.
func (s *Sim) SetMaxMeasure(most int) { s.cfg.MaxMeasure = max(most, s.cfg.Measure) }

// Spent is the number of flits that have crossed a switch in all runs so far, of a network in one part.
func (s *Sim) Spent() int64 { return s.stat.spent + s.stat.flitHops }

// design names what is simulated.
func (s *Sim) design() string {
	if s.net == nil {
		return fmt.Sprintf("a network of %d switches", s.plant.Switches)
	}
	return s.net.Design
}

// all is every part.
func (s *Sim) all() []*Sim {
	if s.parts != nil {
		return s.parts
	}
	s.alone[0] = s
	return s.alone[:]
}

// Rate is the flits per cycle that an endpoint sends at load 1.
func (s *Sim) Rate() float64 { return float64(s.rateNum) / float64(s.rateDen) }

// Now is the current cycle.
func (s *Sim) Now() simcore.Cycle { return s.now }

// loop is a workload under way. It runs on one part: an arrival is known at its source in the next
// cycle, wherever that is.
type loop struct {
	simcore.Workload
	script simcore.Script // nil: a window or a barrier
	atOnce int            // messages of an endpoint
	ends   []loopEnd
	left   int64 // flits of the round or of all that have not arrived
	// Rounds of a barrier: when the running one began, and how long those before took.
	began simcore.Cycle
	took  []int64
	done  simcore.Cycle // when the last flit arrived; never: not yet

	permits []int32                 // of a window: when each packet was allowed, a ring for every endpoint
	tags    []int64                 // of the messages of packets, by their numbers
	later   heap.Heap[int64, int32] // endpoints of a script that may send something at a later time, by that
}

// loopEnd is an endpoint's side.
type loopEnd struct {
	simcore.Sending
	planned int64 // of a script: when it is to be woken next, as loop.later has it; 0: it is not
	// A window: permits in the ring from first on.
	first, held int32
}

// process is an injection process at a load.
type process struct {
	simcore.Process
	gaps geometric // trials between those with packets
}

// watch makes the packets of a watched pair, beside those of its source.
type watch struct {
	simcore.Pair
	load float64       // that they add, in flits per cycle
	next simcore.Cycle // when the next is created
	gaps geometric
	rand simcore.Rand
}

// observer takes the samples of one run.
type observer struct {
	s            *Sim
	begun        simcore.Cycle
	nextSnapshot simcore.Cycle // never: not in the window
	nextTick     simcore.Cycle
	series       []simcore.Sample

	lastIn, lastAcc, lastN, lastSum int64 // counters at the last tick; flits, packets and their latencies
	inWindow                        bool

	snapshots int64
	heads     [numPlaces]int64
	fill      []fillSum // by switch class
	perHere   []int64   // scratch: flits of each switch
}

// Places where a head flit can be between its injection and its arrival.
const (
	atRouting  = iota // its route is being computed
	atVC              // it waits for an output VC
	atSwitch          // it bids for the crossbar
	atCredit          // the next buffer has no room
	atLine            // the line is slower than a flit per cycle, and busy
	atBehind          // it stands behind another packet in its VC
	atCrossing        // it is in the crossbar or on a link
	numPlaces
)

// fillSum is the occupancy of the buffers of a class of switches.
type fillSum struct {
	sum, most, mostVC int64 // flits, over looks and switches; in one switch; in one VC
}

// lane is what is to be done at a set of switches.
type lane struct {
	// The ports with a ready VC, the outputs with heads that ask for a VC in the next cycle, each with
	// the memory of the list before.
	ports, portsNext []int32
	asked, askedNext []int32
	routed           []int32  // VCs whose heads were routed in this step
	again            []int32  // VCs whose heads came to the front behind a tail
	granted          []int32  // VCs whose heads have just been given an output VC
	heads            []uint64 // flits that have arrived as heads at the front, to be routed in this step
	fetched          int32    // what fetch has read, so that it is not left out
}

func (l *lane) reset() {
	l.ports, l.asked, l.routed, l.again, l.granted = l.ports[:0], l.asked[:0], l.routed[:0], l.again[:0], l.granted[:0]
}

// leanSteps is the state of crossbars with internal speedup in the lean cycle (leansteps.go).
type leanSteps struct {
	due   float64         // steps that are due, in fractions
	line  simcore.Cycle   // when what is granted in this step is behind the crossbar
	shut  []simcore.Cycle // by output port: the first cycle in which its line is free
	quiet []simcore.Cycle // by input port: the same of its credits
}

// failing is what a simulation whose network fails knows beside. It runs the general cycle, on one part.
//
// Inside the switches nothing is torn out. A link that is down swallows what is put on it and gives the credits back, so
// that a port that leads there empties at its rate, as a switch discards what its tables send to a dead port. A packet of
// which a part is beyond the link is ended there: the next flit that would have come becomes its tail, as InfiniBand's
// receivers end a bad packet with EBP; that part goes on to where it leads, for its last link to swallow, while
// the other part ends on the dead link. So no VC waits for flits that will not come, and every slot gets its credit.
type failing struct {
	plan   simcore.FailurePlan
	from   []int64 // cycle at which each stage begins; empty before the window is known
	stage  int
	next   simcore.Cycle // when the next one does
	ports  []map[int32]bool
	phases simcore.Phases

	dead map[int32]bool // input ports (and sinks) of links that are down
	mode map[int32]uint8
	// Packets that are lost, of which flits are still under way, and how many tails they have beyond one.
	lost, tails map[int32]int
	drains      []int32 // input VCs whose packet has no route onward: their flits are swallowed where they stand
}

// Modes of an input VC behind a link that is or was down; none: flits pass.
const (
	modeCut     = iota + 1 // its packet is not whole: the next flit ends it
	modeSwallow            // the rest of a packet is swallowed
)

// escape is what a simcore.EscapeRouting asks of switches (escape.go).
type escape struct {
	vc    int32     // of the ring
	again RouteFunc // asked anew for heads that have asked for a VC in vain
}
