package flit

import (
	"errors"
	"fmt"
	"math/bits"

	"toposearch/internal/memory"
	"toposearch/simcore"
	"toposearch/topology"
)

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
	given := cfg
	if e, ok := r.(simcore.EscapeChannelRouting); ok && e.Escapes() && cfg.largestPacket() > 1 {
		cfg.WaitForTailCredit = true // a head behind another packet's tail could not escape
	}
	if err := memory.Require("a simulation of "+n.Design, Bytes(simcore.CountsOf(n), &cfg)); err != nil {
		return nil, err
	}
	p, err := FromNetwork(n, &cfg)
	if err != nil {
		return nil, err
	}
	start, _ := n.Adjacency()
	a := &nativeRouting{r: r, first: start, nic: simcore.NicClasses(n)}
	s := &Sim{net: n, native: r, given: given, routingName: r.Name()}
	a.s = s
	s.escape = escapeOf(a)
	if err := s.init(p, a, t, cfg); err != nil {
		return nil, err
	}
	s.chanOut = make([]int32, n.Channels())
	for sw := range n.Switches() {
		for c := start[sw]; c < start[sw+1]; c++ {
			s.chanOut[c] = s.outStart[sw] + c - start[sw]
		}
	}
	st, ok := r.(simcore.Stateful)
	stateful := ok && st.KeepsState()
	if cfg.Failures != nil {
		if stateful || s.escape != nil {
			return nil, fmt.Errorf("simcore: for routing %s switches keep state or an escape ring, which do not follow new tables: nothing can fail while it runs; use ugal_l or par", s.routingName)
		}
		s.failing = newFailing(s)
		s.resetFailures()
	}
	if stateful {
		return s, s.makeState(st)
	}
	return s, nil
}

// NewPlant makes a simulation of a plant. Views then know ports, not channels.
func NewPlant(p *Plant, r PortRouting, t simcore.Traffic, cfg Config) (*Sim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Failures != nil {
		return nil, errors.New("simcore: a plant has no channels that could fail")
	}
	s := &Sim{routingName: "of the plant"}
	return s, s.init(p, r, t, cfg)
}

// Clone makes another simulation of the same network, in no state; its results are the same.
func (s *Sim) Clone() (*Sim, error) {
	if s.native != nil {
		return New(s.net, s.native, s.traffic, s.given)
	}
	return NewPlant(s.plant, s.routing, s.traffic, s.cfg)
}

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
	if s.cfg.BufferFlits == 0 {
		s.cfg.BufferFlits = s.cfg.autoBuffer(p.roundTrip())
	}
	s.vcs = cfg.VCs
	for 1<<s.vs < s.vcs {
		s.vs++
	}
	s.vmask = 1<<s.vs - 1
	if err := s.makeRoom(p); err != nil {
		return err
	}
	if err := s.compile(p); err != nil {
		return err
	}
	s.private, s.depth = int32(s.cfg.BufferFlits), int32(s.cfg.BufferFlits+s.cfg.SharedFlits)
	if err := errors.Join(s.checkEscape(), s.checkWatch()); err != nil {
		return err
	}
	s.allocate()
	s.Reset(0, cfg.Seed)
	return nil
}

// roundTrip is the time on the longest line into a switch and back, cycles.
func (p *Plant) roundTrip() int32 {
	longest := int32(1)
	for _, l := range p.Lines {
		longest = max(longest, l.Latency+orElse(l.CreditLatency, l.Latency))
	}
	for _, t := range p.Inject {
		longest = max(longest, t.Latency+orElse(t.CreditLatency, t.Latency))
	}
	return longest
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
	if s.lean && s.cfg.InternalSpeedup > 1 {
		s.steps = newLeanSteps(s)
	}
	if s.cfg.InternalSpeedup > 1 {
		s.longest += s.vcs * int(s.depth) // flits and credits queue behind the crossbar
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
	if !s.lean && !s.cfg.plain() {
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
	s.lean = s.cfg.lean() && (s.slow == nil || s.cfg.InternalSpeedup > 1)
	s.blind = s.lean && s.readsNoWaiting()
}

// own makes the lists, sets and scratch memory that every part has for itself.
func (s *Sim) own() {
	s.active, s.epActive = make([]uint64, (s.switches+63)>>6), make([]uint64, (s.endpoints+63)>>6)
	w := 4
	for w <= s.longest+s.slowBehind()+2 {
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
	if s.escape != nil { // all its heads may have a second choice
		s.makeAlts()
		s.asked, s.askedAt = make([]int32, len(s.out)), nil
	}
	s.calendar = make([]int32, calendarSize)
	s.scratch.init(s.maxPorts, s.vcs, s.vs)
	s.mail = nil
	s.slab = nil // or two parts would hand out the same pages under different numbers
}

// Reset empties the network and starts at cycle 0 with a load and a seed. It keeps all memory.
func (s *Sim) Reset(load float64, seed uint64) {
	for i := range s.in {
		p := &s.in[i]
		p.saPtr, p.off, p.ready, p.listed = 0, 0, 0, 0
	}
	for i := range s.out {
		s.out[i].saPtr = 0
	}
	for i := range s.slow {
		s.slow[i].free = 0
	}
	s.emptyPorts()
	s.pool.used.Store(0)
	s.resetState()
	for _, p := range s.all() {
		p.resetOwn()
		if p.full != nil {
			p.full.reset(p, seed)
		}
		p.steps.reset()
		clear(p.asked)
		p.stat.reset()
	}
	s.resetSources(load, seed)
	s.resetFailures()
}

// emptyPorts empties buffers and gives every sender all credits.
func (s *Sim) emptyPorts() {
	for i := range s.out {
		o := &s.out[i]
		o.inUse, o.full, o.asleep, o.heads, o.bid = 0, 0, -1, -1, -1
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
}

// emptyNetwork does so in the middle of a run, with all that is on its way between ports and in crossbars.
func (s *Sim) emptyNetwork() {
	s.emptyPorts()
	s.emptyLists()
	s.full.empty(s)
	s.inNet = 0
}

// resetOwn empties what a part has for itself.
func (s *Sim) resetOwn() {
	s.now, s.moved = 0, 0
	s.free, s.fresh, s.freshEnd = -1, 0, 0
	s.live, s.inNet = 0, 0
	clear(s.epActive)
	for i := range s.calendar {
		s.calendar[i] = -1
	}
	s.emptyLists()
	for i := range s.lanes {
		s.lanes[i].reset()
	}
	for i := range s.mail {
		s.mail[i] = s.mail[i][:0]
	}
	s.parity = 0
	for _, set := range s.outboxes {
		for i := range set {
			b := &set[i]
			b.flits, b.credits, b.freed, b.notes = b.flits[:0], b.credits[:0], b.freed[:0], b.notes[:0]
		}
	}
	s.stopped = false
}

// emptyLists empties the lines of a part and its lists of what switches have to do.
func (s *Sim) emptyLists() {
	clear(s.active)
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
}
