package cutthrough

import (
	"sync"

	"toposearch/simcore"
	"toposearch/topology"
)

// packet is one cache line.
type packet struct {
	src, dst int32
	mid      int32
	aux      uint32
	rand     simcore.Rand
	created  int64  // ps
	tail     int64  // ps at which its last byte has passed the pipeline of the switch where it is
	next     int32  // behind it in its queue, or in a free list
	sibling  int32  // of the first of a queue: the first of the next queue; at an endpoint, the VCs of the entry
	back     int32  // of the first of a queue: the last
	wait     uint32 // from creation to injection, in units of waitUnit ps
	in       uint16 // input port of the switch where it is
	size     uint8  // index of its size
	hops     uint8  // switches left
	vc       uint8  // on which it arrived; bits 5 to 7: flags
	port     uint8
	state    uint8
	phase    uint8 // from bit lanesBit on: simcore.Packet.Lanes; routings have a few phases
}

const (
	vcMask     = 31
	flagRec    = 1 << 5 // measured
	flagMarked = 1 << 6 // ECN
	flagNic    = 1 << 7 // has taken a nic link between an embedded and a real switch

	lanesBit = 6 // of packet.phase

	waitUnit = 64 // ps: 32 bits hold 0.27 s of waiting at an endpoint, with an error of 0.03 ns
)

// phaseOf is the phase byte of a packet as the routing left it.
func phaseOf(q *simcore.Packet) uint8 { return q.Phase | q.Lanes<<lanesBit }

// Packets stand in chunks, so that they stay where they are while others come.
const (
	chunkBits = 12
	maxChunks = 1 << 16 // 268 million packets, 17 GB
)

type chunk [1 << chunkBits]packet

// Sim is a simulation. It is not safe for concurrent use; Curve makes clones.
type Sim struct {
	plant
	cfg      Config
	routing  simcore.Routing
	traffic  simcore.Traffic
	remote   bool      // the routing reads queues of other switches
	asks     bool      // the routing asks for queues
	overdue  []overdue // by output port; nil under PFC, and of routings that ask for no queues or for those of other switches
	nicLinks uint64    // simcore.NicClasses

	sums []int   // of weights of sizes
	mean float64 // bytes of a packet

	// Buffers. occ is bytes by input port and VC; head, of these, in the headroom of a pause.
	voq     bool
	pfc     bool
	busy    []int64 // by input port: ps until which the crossbar reads it
	occ     []int32
	head    []int32
	pausing []uint32 // by input port: VCs paused
	stored  []int64  // bytes by switch
	pool    []int64  // shared bytes in use by switch, headroom aside
	shared  [2]int64 // size of the pool: of a switch, of a relay, at the least
	poolOf  []int64  // by switch; nil unless pfc
	room    [topology.MaxClasses]int64
	mark    [topology.MaxClasses]int32

	// Packets.
	chunks  []*chunk
	growing sync.Mutex
	used    int
	state   float64 // bytes, packets aside (Bytes)
	// mostChunks are those for which there is memory.
	mostChunks int
	lists      []int32 // free packets in lists of a chunk's size

	// Sources.
	src     []source
	calNext []int32
	gap     float64 // mean ps between packets of an endpoint
	// processes are those by which sources make packets; watch is the pair that is watched, nil if none is, and able then the endpoints with ports.
	processes []simcore.Process
	watch     *watch
	able      int
	load      float64
	depth     int32 // packets created ahead at a port

	now     int64    // start of the current window, ps
	lone    bool     // idle, and made ready for Lone
	loop    *loop    // the workload; nil: an open loop
	failing *failing // nil: nothing fails

	progress func(ns int64)
	observed []switchUse    // by switch; nil: without detail
	tick     int64          // ps of a sample of the series; 0: none
	probing  bool           // whether a load is accepted is asked, and no precision
	short    bool           // of that, only what one window tells
	known    simcore.Spread // likewise, from loads before
	open     bool           // the window may become longer: what arrives after it is noted
	owner    []uint8
	workers  []worker
	batch    struct{ from, length int64 }
	recFrom  int64
	recTo    int64
	behind   int64   // endpoints that had not created all their packets of the window when it was set
	accept   []int64 // bytes by tie in the window
}

const never = simcore.Never

// at is a packet by its number.
func (s *Sim) at(i int32) *packet { return &s.chunks[i>>chunkBits][i&(1<<chunkBits-1)] }

// event is something that happens at a switch. Its key is the time in ps, the kind in 3 bits and
// the number of the port within the switch in 16. Events of equal keys come from one place, in
// order, or commute.
type event struct {
	key  uint64
	sw   int32
	what uint32
}

// worker simulates some of the switches.
type worker struct {
	s         *Sim
	id        int
	from, end int32 // switches
	view      simcore.View
	query     simcore.Packet // what the routing is asked about

	now   int64 // ps
	until int64 // end of the window
	sw    int32 // switch at work
	boxes [][][]event
	// Lists of boxes that have been emptied are used again, the last first, while they are in cache:
	// few of the boxes are in use at a time. What worker i has emptied stands in emptied[i] until the
	// next window begins.
	lists   [][]event
	emptied [][][]event
	queue   []event // of the switch at work, in this window: a heap by key
	events  []event // of this window, by switch
	count   []int32
	// touched marks switches with events.
	touched []uint64
	turn    []event
	touch   int32 // keeps fetch from being optimised away

	free, spare int32 // lists of free packets, -1: none; spare holds as many as a chunk
	freeN       int
	calendar    []int32 // endpoints by the window of their next packet, mod calendarSize
	stat        tally
	inNet       int64

	// Of a workload: what endpoints of other workers, by slot, are told; those at work here.
	told     [][][]notice
	notices  []notice
	sending  []int32 // endpoints with something to send
	arrived  int64   // bytes since the last look
	lastTail int64   // ps of the last arrival
}

// source is an endpoint's side of packet creation.
type source struct {
	next                 int64 // ps of its next packet
	arrive, dest, packet simcore.Rand
	pend                 int32  // created, but its port has enough; -1: none
	sends                bool   // has had a packet
	made, silent         uint32 // times that its traffic had a destination for it, and had none
	process              *simcore.Process
	on                   bool  // of an on/off process
	turn                 int64 // ps at which that changes
}

// watch is a pair that is watched (Observe.Watch). Its packets are told from what else its source sends by their time of creation: odd ps, all others
// of that source even ones. Only the worker of the source touches it.
type watch struct {
	simcore.Pair
	load, gap float64 // of the bandwidth of an endpoint; mean, ps
	next      int64   // ps of its next packet
	rand      simcore.Rand
}

// loop is a workload under way. What an arrival lets happen happens at its instant, at whatever
// endpoint; windows of events are so short that an arrival is known a window ahead, when the last
// link is taken, so that workers tell each other between windows.
type loop struct {
	simcore.Workload                // Message in bytes
	script           simcore.Script // nil: a window or a barrier
	atOnce           int            // messages of an endpoint
	mtu              int32
	sizeOf           []uint8 // the number of the size that a packet of so many bytes has
	ends             []loopEnd
	permits          []int64 // of a window: when each packet was allowed, a ring for every endpoint
	left             int64   // bytes of the round, or of all, that have not arrived
	began            int64
	took             []int64 // rounds of a barrier, ps
	done             int64   // when the last byte arrived; never: not yet
	tags             []*tags
	idle             simcore.View
}

// tags are what packets are parts of.
type tags [1 << chunkBits]part

// part is a packet's part of a message: its bytes, told if its arrival is known already.
type part struct {
	tag   int64
	bytes int32
}

// loopEnd is an endpoint's side.
type loopEnd struct {
	simcore.Sending
	first   int32 // of a window: permits in the ring from first on
	held    int32
	sending bool // in worker.sending
}

// notice tells an endpoint of an arrival: its own, or that of what it sent.
type notice struct {
	at    int64
	tag   int64
	e     int32
	bytes int32
}

// tally is what one worker counts. Sums of workers do not depend on who counted what.
type tally struct {
	attempts, silent, unreachable int64
	outstanding                   int64 // measured packets created, less those that arrived
	behind                        int64 // endpoints that have passed the end of the window, negative
	hops                          int64 // packets that passed a switch
	moved                         int64 // ps at which a packet last moved
	peak                          int64 // bytes in the fullest switch
	peakPort                      int32 // bytes in the fullest input and VC
	pauses, overflows             int64

	plat, nlat         simcore.Histogram // of measured packets, ps
	pair               simcore.Histogram // of those of the watched pair
	switches, viaNic   int64             // passed by them; those that took channels of simcore.NicClasses
	inWindow, marked   int64             // packets that arrived in the window; of them, with an ECN mark
	accepted           []int64           // bytes by batch
	batchSum, batchN   []int64           // latency in ps by batch of creation
	packets, delivered int64             // measured; all

	injected   int64 // bytes that left their sources
	made, gone int64 // bytes of packets made, and arrived
	arrivals   int64 // sum of the latencies of all that was delivered, ps
	// Of measured packets: ps of their heads on cables and in pipelines; from the arrival of a head to
	// that of its last byte.
	way, rest int64
	waited    [numWhys]int64 // ps of all packets that waited for an output in the window
	series    []sample
	late      []late
	phases    simcore.Phases // nil: nothing fails
}

// late is an arrival behind the end of a window that may become longer.
type late struct {
	tail   int64
	bytes  int32
	tie    int32
	marked bool
}

// switchUse is the occupancy of a switch in the window.
type switchUse struct {
	since  int64   // ps up to which it has been counted
	sum    float64 // bytes times ps
	most   int64   // bytes
	mostVC int32   // bytes of an input and VC
}

// sample is what happened in a piece of the time series.
type sample struct {
	injected, accepted int64 // bytes
	n, sum             int64 // packets that arrived, and their latencies in ps
}

// failing is what a simulation whose network fails knows beside. Stages begin between two windows of events, when all
// switches stand still: what Config.Failures asks for is put off to the next border.
//
// That a port goes down is known before it does. So a packet whose last byte would be on the cable then is lost as it
// is sent, and nothing under way has to be looked for. A switch that has received half of it would in truth send that on,
// for its receiver to discard; here it ends at the cable: a packet's time of load at most is missing behind each
// channel that fails.
type failing struct {
	plan  simcore.FailurePlan
	from  []int64 // ps at which each stage begins; empty before the window is set
	stage int
	next  int64 // ps of the next stage
	// When a port that is to go down does, by output and by tie; 0: not again.
	outCut, nicCut map[int32]int64
	// Outputs and ties that do not work, by stage.
	outs, nics []map[int32]bool
}

// watched tells whether an endpoint is the source of the pair that is watched.
func (s *Sim) watched(e int32) bool { return s.watch != nil && int32(s.watch.Src) == e }

// createdBy is when the next packet of an endpoint is, of its own or of the pair.
func (s *Sim) createdBy(e int32, x *source) int64 {
	if s.watched(e) {
		return min(x.next, s.watch.next)
	}
	return x.next
}

// passOf is how long a head takes through the switch behind a port.
func (s *Sim) passOf(o *outPort) int64 {
	if s.internal && s.net.Embedded(topology.SwitchID(o.downSw)) {
		return s.pass[1]
	}
	return s.pass[0]
}

// seesBehind says whether the routing asks for queues, and switches know by credits what waits behind their links.
func (s *Sim) seesBehind() bool { return s.asks && !s.pfc && !s.remote }
