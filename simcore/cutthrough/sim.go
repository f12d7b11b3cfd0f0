package cutthrough

import (
	"errors"
	"fmt"
	"math"
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
	phase    uint8
}

const (
	vcMask     = 31
	flagRec    = 1 << 5 // measured
	flagMarked = 1 << 6 // ECN
	flagNic    = 1 << 7 // has taken a nic link between an embedded and a real switch

	waitUnit = 64 // ps: 32 bits hold 0.27 s of waiting at an endpoint, with an error of 0.03 ns
)

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
	remote   bool   // the routing reads queues of other switches
	nicLinks uint64 // simcore.NicClasses

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
	lists   []int32 // free packets in lists of a chunk's size

	// Sources.
	src     []source
	calNext []int32
	gap     float64 // mean ps between packets of an endpoint
	load    float64
	depth   int32 // packets created ahead at a port

	now  int64 // start of the current window, ps
	lone bool  // idle, and made ready for Lone
	loop *loop // the workload; nil: an open loop

	progress func(ns int64)
	observed []switchUse // by switch; nil: without detail
	tick     int64       // ps of a sample of the series; 0: none
	open     bool        // the window may become longer: what arrives after it is noted
	owner    []uint8
	workers  []worker
	batch    struct{ from, length int64 }
	recFrom  int64
	recTo    int64
	behind   int64   // endpoints that had not created all their packets of the window when it was set
	accept   []int64 // bytes by tie in the window
}

// New makes a simulation of n. The routing must be made for the same network.
func New(n *topology.Network, r simcore.Routing, t simcore.Traffic, cfg Config) (*Sim, error) {
	return newSim(n, r, t, cfg, nil)
}

// newSim is New for the traffic of a workload, if there is one.
func newSim(n *topology.Network, r simcore.Routing, t simcore.Traffic, cfg Config, l *loop) (*Sim, error) {
	if r == nil || t == nil {
		return nil, errors.New("cutthrough: a simulation needs a routing and a traffic")
	}
	if err := errors.Join(cfg.Validate(), cfg.validateFor(n)); err != nil {
		return nil, err
	}
	if n.Endpoints() < 1 {
		return nil, fmt.Errorf("cutthrough: %s has no endpoints", n.Design)
	}
	if cfg.VCs == 0 {
		cfg.VCs = r.VCs()
	}
	if need := r.VCs(); need > cfg.VCs {
		return nil, fmt.Errorf("cutthrough: routing %s needs %d VCs, VCs = %d", r.Name(), need, cfg.VCs)
	}
	if cfg.VCs > maxVCs || cfg.FlowControl == PFC && cfg.VCs > 8 {
		return nil, fmt.Errorf("cutthrough: routing %s needs %d VCs; %s has at most %d", r.Name(), cfg.VCs, cfg.FlowControl, map[string]int{Credit: maxVCs, PFC: 8}[cfg.FlowControl])
	}
	s := &Sim{cfg: cfg, routing: r, traffic: t, voq: cfg.Queueing == VOQ, pfc: cfg.FlowControl == PFC, loop: l}
	s.closed = l != nil
	_, s.sums, s.mean = cfg.sizes()
	local, ok := r.(simcore.LocalRouting)
	s.remote = !ok || !local.Local()
	s.nicLinks = simcore.NicClasses(n)
	if err := s.compile(n, &s.cfg); err != nil {
		return nil, err
	}
	if err := s.buffers(); err != nil {
		return nil, err
	}
	s.allocate()
	s.Reset(0, cfg.Seed)
	return s, nil
}

// Clone makes another simulation of the same network, in no state; its results are the same.
func (s *Sim) Clone() (*Sim, error) { return New(s.net, s.routing, s.traffic, s.cfg) }

// Config is the configuration, with defaults that depend on the network filled in.
func (s *Sim) Config() Config { return s.cfg }

// portDepth is the least number of packets that wait at a port of an endpoint that has several (64
// in the flit engine too): when one is full, the next packet may hold up others for an idle port.
const portDepth = 64

func (s *Sim) allocate() {
	if s.voq {
		s.busy = make([]int64, len(s.in))
	}
	s.occ = make([]int32, len(s.in)*s.vcs)
	if s.pfc {
		s.head = make([]int32, len(s.in)*s.vcs)
		s.pausing = make([]uint32, len(s.in))
		s.pool = make([]int64, s.switches)
	}
	s.stored = make([]int64, s.switches)
	s.chunks = make([]*chunk, maxChunks)
	if s.loop != nil {
		s.loop.tags = make([]*tags, maxChunks)
	}
	s.src = make([]source, s.net.Endpoints())
	s.calNext = make([]int32, len(s.src))
	s.accept = make([]int64, len(s.nic))
	// A port can send for a window from what it was given before it, twice over.
	least := int64(math.MaxInt64)
	for _, x := range s.ser[0] {
		least = min(least, x)
	}
	s.depth = int32(min(4+2<<s.shift/least, 1<<12))
	if len(s.nic) > len(s.src) {
		s.depth = max(s.depth, portDepth)
	}
	s.share(max(1, s.cfg.Workers))
}

// Split has the network simulated by so many workers at a time from the next Run on; results do
// not depend on it.
func (s *Sim) Split(workers int) {
	if workers = min(max(1, workers), maxWorkers); workers != s.cfg.Workers {
		s.cfg.Workers = workers
		s.share(workers)
	}
}

// OnProgress has f called now and then during a Run with the time in ns.
func (s *Sim) OnProgress(f func(ns int64)) { s.progress = f }

// share gives every worker consecutive switches with about as many ports as the others.
func (s *Sim) share(workers int) {
	if s.remote {
		workers = 1 // what it reads would depend on who is first
	}
	workers = min(workers, s.switches)
	s.owner, s.lone = make([]uint8, s.switches), false
	s.workers = make([]worker, workers)
	for sw := range s.owner {
		s.owner[sw] = uint8(min(workers-1, int(int64(s.outStart[sw])*int64(workers)/int64(len(s.out)))))
	}
	for i := range s.workers {
		s.workers[i].init(s, i)
	}
	for sw := range s.owner {
		w := &s.workers[s.owner[sw]]
		if w.end == 0 {
			w.from = int32(sw)
		}
		w.end = int32(sw) + 1
	}
	for i := range s.workers {
		w := &s.workers[i]
		w.count = make([]int32, max(0, w.end-w.from))
		w.touched = make([]uint64, (len(w.count)+63)>>6)
	}
}

// maxWorkers: owner is a byte; more would have more lists than work.
const maxWorkers = 64

// Reset empties the network and starts at time 0 with a load and a seed. It keeps all memory.
func (s *Sim) Reset(load float64, seed uint64) {
	s.now, s.lone = 0, false
	for i := range s.out {
		o := &s.out[i]
		*o = outPort{down: o.down, downSw: o.downSw, class: o.class}
	}
	s.fillCredits()
	for k := range s.nic {
		x := &s.nic[k]
		*x = nicPort{head: -1, tail: -1, sw: x.sw, in: x.in, endpoint: x.endpoint}
	}
	clear(s.busy)
	clear(s.occ)
	clear(s.head)
	clear(s.pausing)
	clear(s.stored)
	clear(s.pool)
	clear(s.accept)
	s.lists = s.lists[:0]
	for i := range s.workers {
		s.workers[i].reset()
	}
	for c := range s.used {
		s.lists = append(s.lists, s.chain(int32(c)))
	}
	s.recFrom, s.recTo, s.open = never, never, false
	s.batch.from, s.batch.length = 0, 0
	s.observe()
	s.resetSources(load, seed)
}

const never = math.MaxInt64 / 4

// at is a packet by its number.
func (s *Sim) at(i int32) *packet { return &s.chunks[i>>chunkBits][i&(1<<chunkBits-1)] }

// chain makes a list of the packets of a chunk.
func (s *Sim) chain(c int32) int32 {
	for i := range s.chunks[c] {
		s.chunks[c][i].next = c<<chunkBits + int32(i) + 1
	}
	s.chunks[c][1<<chunkBits-1].next = -1
	return c << chunkBits
}

// takeList gives a list of free packets, as many as a chunk holds.
func (s *Sim) takeList() int32 {
	s.growing.Lock()
	defer s.growing.Unlock()
	if n := len(s.lists); n > 0 {
		l := s.lists[n-1]
		s.lists = s.lists[:n-1]
		return l
	}
	if s.used == maxChunks {
		panic("cutthrough: more than 268 million packets under way")
	}
	s.chunks[s.used] = new(chunk)
	if s.loop != nil {
		s.loop.tags[s.used] = new(tags)
	}
	s.used++
	return s.chain(int32(s.used - 1))
}

func (s *Sim) giveList(l int32) {
	s.growing.Lock()
	s.lists = append(s.lists, l)
	s.growing.Unlock()
}

// Uses tells whether there are links of a class.
func (s *Sim) Uses(class int) bool { return s.ser[class] != nil }

// Endpoints is the number of endpoints.
func (s *Sim) Endpoints() int { return len(s.src) }
