package cutthrough

import (
	"errors"
	"fmt"
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// New makes a simulation of n. The routing must be made for the same network.
func New(n *topology.Network, r simcore.Routing, t simcore.Traffic, cfg Config) (*Sim, error) {
	return newSim(n, r, t, cfg, nil)
}

// newSim is New for the traffic of a workload, if there is one.
func newSim(n *topology.Network, r simcore.Routing, t simcore.Traffic, cfg Config, l *loop) (*Sim, error) {
	if r == nil || t == nil {
		return nil, errors.New("cutthrough: a simulation needs a routing and a traffic")
	}
	if e, ok := r.(simcore.EscapeRouting); ok {
		if _, ok := e.Escape(); ok {
			return nil, fmt.Errorf("cutthrough: routing %s needs an escape ring with bubble flow control, which only the flit model has", r.Name())
		}
	}
	if err := errors.Join(cfg.Validate(), cfg.validateFor(n)); err != nil {
		return nil, err
	}
	if n.Endpoints() < 1 {
		return nil, fmt.Errorf("cutthrough: %s has no endpoints", n.Design)
	}
	if st, ok := r.(simcore.Stateful); ok && st.KeepsState() {
		return nil, fmt.Errorf("cutthrough: routing %s keeps state in the switches, which the flit model alone simulates; ugal_l and par keep none", r.Name())
	}
	if e, ok := r.(simcore.EscapeChannelRouting); ok && e.Escapes() {
		return nil, fmt.Errorf("cutthrough: a packet queues for one output, so that it cannot go over to the escape channels of routing %s; the flit model simulates it", r.Name())
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
	s.remote, s.asks = !ok || !local.Local(), asks(r)
	s.nicLinks = simcore.NicClasses(n)
	s.net = n
	for _, stage := range cfg.Failures {
		local, ok := stage.Routing.(simcore.LocalRouting)
		s.remote = s.remote || !ok || !local.Local()
		s.asks = s.asks || asks(stage.Routing)
	}
	if err := s.makeRoom(simcore.CountsOf(n)); err != nil {
		return nil, err
	}
	if err := s.compile(n, &s.cfg); err != nil {
		return nil, err
	}
	if err := s.buffers(); err != nil {
		return nil, err
	}
	if cfg.Failures != nil {
		if l != nil {
			return nil, errors.New("cutthrough: a workload waits for what arrives, and what is lost is not sent again")
		}
		s.failing = newFailing(s, cfg.Failures)
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
	if s.seesBehind() {
		s.overdue = make([]overdue, len(s.out))
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

// Split has the network simulated by a number of workers at a time from the next Run on; results do
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

// Reset empties the network and starts at time 0 with a load and a seed. It keeps all memory.
func (s *Sim) Reset(load float64, seed uint64) {
	s.now, s.lone = 0, false
	for i := range s.out {
		o := &s.out[i]
		*o = outPort{down: o.down, downSw: o.downSw, class: o.class}
	}
	s.fillCredits()
	for i := range s.overdue {
		s.overdue[i] = overdue{sent: s.overdue[i].sent[:0]}
	}
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
	s.resetFailures()
	s.batch.from, s.batch.length = 0, 0
	s.observe()
	s.resetSources(load, seed)
}

// Uses reports whether there are links of a class.
func (s *Sim) Uses(class int) bool { return s.ser[class] != nil }

// Endpoints is the number of endpoints.
func (s *Sim) Endpoints() int { return len(s.src) }

// asks says whether a routing may ask for queues.
func asks(r simcore.Routing) bool {
	o, ok := r.(simcore.ObliviousRouting)
	return !ok || !o.Oblivious()
}
