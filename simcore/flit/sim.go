package flit

import (
	"errors"
	"fmt"
	"math/bits"

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
	lean                bool   // quick, and nothing of what makes the paths of lean.go long
	deep                int32  // flits of a VC beyond its ring
	depth               int32  // slots that a VC can hold; private: those that are its own
	private             int32
	maxPorts            int
	longest             int
	doubly              int
	inStart, outStart   []int32
	nIn, nOut           int32
	chanOut             []int32 // output port of each channel of net
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
	common   []int32  // by output port: slots taken that the VCs of the next buffer share; nil if private
	tailSent []uint32 // by output port: VCs that wait for their last credit before they are free again; nil: none does
	alts     []route  // second choices by input VC; nil until one is used
	slow     []slowOut
	// A bit per input VC, switch by switch in words of its own: ready are those that are active, not
	// empty, and have room at the next buffer; waiting those whose head waits for an output VC. What
	// becomes so in the plain cycle takes effect after the switch has worked: till then it stands in
	// the second set.
	readyW, readyNew []uint64
	waitW, waitNew   []uint64
	pool             *pool
	pages            []*packetPage // of pool
	src              []srcPort
	srcOf            []source
	calNext          []int32  // the next endpoint filed for the same cycle, by endpoint
	endOf            []uint16 // the part of each endpoint; nil: there is one part
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
	full            *fullState // the general cycle, nil in the plain one

	parts    []*Sim // this one and the others, by number; nil: there is one
	team     *team
	alone    [1]*Sim
	me       uint16      // number of this part
	outboxes [2][]outbox // by parity of the window and receiver
	parity   int

	wheel     []bucket
	wheelMask simcore.Cycle
	spare     spares
	waitAt    [][]int32 // input VCs that wait from the end of a cycle on, by cycle mod len
	readyAt   [][]int32
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
	prob      float64   // of a packet per trial
	gaps      geometric // trials between packets
	r1        float64
	cumWeight []int
	srcDepth  int32
	able      int   // endpoints that have a port
	trials    int64 // of a packet in a cycle
	stopped   bool  // no new packets
	flitTimes bool  // every flit has its injection time (flits.go)

	scratch scratch
	stat    tally
	loop    *loop     // of the workload that is under way, nil in an open loop
	obs     *observer // of the run that is under way, nil if it observes nothing
}

// New makes a simulation of n. The routing must be made for the same network.
func New(n *topology.Network, r simcore.Routing, t simcore.Traffic, cfg Config) (*Sim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if need := r.VCs(); need > cfg.VCs {
		return nil, fmt.Errorf("simcore: routing %s needs %d VCs, VCs = %d", r.Name(), need, cfg.VCs)
	}
	if n.Endpoints() < 1 {
		return nil, fmt.Errorf("simcore: %s has no endpoints", n.Design)
	}
	p, err := FromNetwork(n, &cfg)
	if err != nil {
		return nil, err
	}
	start, _ := n.Adjacency()
	a := &nativeRouting{r: r, first: start, nic: simcore.NicClasses(n)}
	s := &Sim{net: n, native: r, routingName: r.Name()}
	a.s = s
	if err := s.init(p, a, t, cfg); err != nil {
		return nil, err
	}
	s.chanOut = make([]int32, n.Channels())
	for sw := range n.Switches() {
		for c := start[sw]; c < start[sw+1]; c++ {
			s.chanOut[c] = s.outStart[sw] + c - start[sw]
		}
	}
	return s, nil
}

// NewPlant makes a simulation of a plant. Views then know ports, not channels.
func NewPlant(p *Plant, r PortRouting, t simcore.Traffic, cfg Config) (*Sim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Sim{routingName: "of the plant"}
	return s, s.init(p, r, t, cfg)
}

// Clone makes another simulation of the same network, in no state; its results are the same.
func (s *Sim) Clone() (*Sim, error) {
	if s.native != nil {
		return New(s.net, s.native, s.traffic, s.cfg)
	}
	return NewPlant(s.plant, s.routing, s.traffic, s.cfg)
}

// Config is the configuration, with defaults that depend on the network filled in.
func (s *Sim) Config() Config { return s.cfg }

func (s *Sim) init(p *Plant, r PortRouting, t simcore.Traffic, cfg Config) error {
	if t == nil || r == nil {
		return errors.New("simcore: a simulation needs a routing and a traffic")
	}
	s.cfg, s.plant, s.routing, s.traffic = cfg, p, r, t
	s.reinject, _ = r.(Reinjector)
	s.routePort = r.RoutePort
	if f, ok := r.(interface{ Func() RouteFunc }); ok {
		s.routePort = f.Func()
	}
	s.view = simcore.NewView(s.net, (*queues)(s), (*queues)(s))
	s.vcs = cfg.VCs
	for 1<<s.vs < s.vcs {
		s.vs++
	}
	s.vmask = 1<<s.vs - 1
	if err := s.compile(p); err != nil {
		return err
	}
	if s.cfg.BufferFlits == 0 {
		s.cfg.BufferFlits = s.autoBuffer(p)
	}
	s.private, s.depth = int32(s.cfg.BufferFlits), int32(s.cfg.BufferFlits+s.cfg.SharedFlits)
	s.allocate()
	s.Reset(0, cfg.Seed)
	return nil
}

// autoBuffer is what one VC needs to keep the longest line busy: the round trip of a credit, and
// a packet.
func (s *Sim) autoBuffer(p *Plant) int {
	longest := int32(1)
	for _, l := range p.Lines {
		longest = max(longest, l.Latency+orElse(l.CreditLatency, l.Latency))
	}
	size := s.cfg.PacketFlits
	for _, n := range s.cfg.Sizes {
		size = max(size, n)
	}
	return max(8, int(longest)+s.cfg.pipeline()+s.cfg.CreditDelay+size)
}

func (s *Sim) allocate() {
	nvc := int(s.nIn) << s.vs
	s.vc = inHugePages(make([]vcState, nvc))
	s.deep = max(0, s.depth-ringFlits)
	s.buf = make([]uint32, nvc*int(s.deep))
	s.ov = inHugePages(make([]ovState, len(s.out)<<s.vs))
	if s.cfg.WaitForTailCredit {
		s.tailSent = make([]uint32, len(s.out))
	}
	if s.cfg.SharedFlits > 0 {
		s.common = make([]int32, len(s.out))
	}
	s.makeMasks()
	if s.cfg.InternalSpeedup > 1 {
		s.longest += s.vcs * int(s.depth) // credits queue for their messages
	}
	s.srcOf, s.calNext = inHugePages(make([]source, s.endpoints)), inHugePages(make([]int32, s.endpoints))
	s.srcDepth = 1
	for e := range s.endpoints {
		if s.srcStart[e+1]-s.srcStart[e] > 1 {
			s.srcDepth = 64
		}
	}
	sum := 0
	for _, w := range s.cfg.Weights {
		sum += w
		s.cumWeight = append(s.cumWeight, sum)
	}
	s.pool = newPool(s.mostPackets(0), 1)
	s.pages = s.pool.pages
	s.own()
	s.dealLanes()
	s.stat.init(s.endpoints, s.cfg.Batches)
	if !s.cfg.plain() {
		s.full = newFullState(s)
	}
}

// makeMasks gives every switch words for its VCs. The bits of a port's VCs are in one word.
func (s *Sim) makeMasks() {
	s.dims = make([]dims, s.switches)
	words := int32(0)
	for sw := range s.dims {
		d := &s.dims[sw]
		d.in0, d.out0 = s.inStart[sw], s.outStart[sw]
		d.nIn, d.nOut = s.inStart[sw+1]-d.in0, s.outStart[sw+1]-d.out0
		for k := range d.nIn {
			bit := k << s.vs
			s.in[d.in0+k].word, s.in[d.in0+k].bit = words+bit>>6, uint8(bit&63)
		}
		d.word, d.words = words, (d.nIn<<s.vs+63)>>6
		words += d.words
	}
	s.readyW, s.readyNew = make([]uint64, words), make([]uint64, words)
	s.waitW, s.waitNew = make([]uint64, words), make([]uint64, words)
	s.portMask = 1<<(1<<s.vs) - 1
	s.quick = s.cfg.plain() && s.cfg.RoutingDelay <= 1 && s.cfg.VCAllocDelay == 1 && s.cfg.SharedFlits == 0
	s.lean = s.quick && s.cfg.RoutingDelay == 1 && !s.cfg.WaitForTailCredit && !s.cfg.VCBusyWhenFull && s.slow == nil
}

// own makes the lists, sets and scratch memory that every part has for itself.
func (s *Sim) own() {
	s.active, s.epActive = make([]uint64, (s.switches+63)>>6), make([]uint64, (s.endpoints+63)>>6)
	w := 4
	for w <= s.longest+2 {
		w *= 2
	}
	s.lanes = make([]lane, s.laneCount())
	s.laneBits = uint(bits.Len(uint(len(s.lanes))))
	s.wheel, s.wheelMask = make([]bucket, w<<s.laneBits), simcore.Cycle(w-1)
	s.waitAt = make([][]int32, max(1, s.cfg.RoutingDelay))
	if s.cfg.BatchStages { // its own clock says when a route is ready
		s.waitAt = s.waitAt[:1]
	}
	s.readyAt = make([][]int32, s.cfg.VCAllocDelay)
	s.routeNext, s.ahead, s.aheadAt = nil, nil, nil
	s.bidFor = nil
	s.calendar = make([]int32, calendarSize)
	s.scratch.init(s.maxPorts, s.vcs, s.vs)
}

// Reset empties the network and starts at cycle 0 with a load and a seed. It keeps all memory.
func (s *Sim) Reset(load float64, seed uint64) {
	for i := range s.in {
		p := &s.in[i]
		p.saPtr, p.off, p.ready, p.listed = 0, 0, 0, 0
	}
	for i := range s.out {
		o := &s.out[i]
		o.inUse, o.full, o.saPtr, o.asleep, o.heads, o.bid = 0, 0, 0, -1, -1, -1
	}
	for i := range s.slow {
		s.slow[i].free = 0
	}
	clear(s.vc)
	for i := range s.ov {
		s.ov[i] = ovState{last: -1}
	}
	clear(s.common)
	clear(s.tailSent)
	for _, w := range [][]uint64{s.readyW, s.readyNew, s.waitW, s.waitNew} {
		clear(w)
	}
	s.pool.used.Store(0)
	for _, p := range s.all() {
		p.resetOwn()
		if p.full != nil {
			p.full.reset(p, seed)
		}
		p.stat.reset()
	}
	s.resetSources(load, seed)
}

// all is every part.
func (s *Sim) all() []*Sim {
	if s.parts != nil {
		return s.parts
	}
	s.alone[0] = s
	return s.alone[:]
}

// resetOwn empties what a part has for itself.
func (s *Sim) resetOwn() {
	s.now, s.moved = 0, 0
	s.free, s.fresh, s.freshEnd = -1, 0, 0
	s.live, s.inNet = 0, 0
	clear(s.active)
	clear(s.epActive)
	for i := range s.calendar {
		s.calendar[i] = -1
	}
	for i := range s.wheel {
		s.spare.giveBack(&s.wheel[i])
	}
	for i := range s.waitAt {
		s.waitAt[i] = s.waitAt[i][:0]
	}
	for i := range s.readyAt {
		s.readyAt[i] = s.readyAt[i][:0]
	}
	s.routeNext, s.ahead, s.aheadAt = s.routeNext[:0], s.ahead[:0], s.aheadAt[:0]
	for i := range s.lanes {
		s.lanes[i].reset()
	}
	s.parity = 0
	for _, set := range s.outboxes {
		for i := range set {
			b := &set[i]
			b.flits, b.credits, b.freed = b.flits[:0], b.credits[:0], b.freed[:0]
		}
	}
	s.stopped = false
}

// Now is the current cycle.
func (s *Sim) Now() simcore.Cycle { return s.now }
