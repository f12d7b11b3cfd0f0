package flit

import (
	"sort"

	"toposearch/simcore"
)

// leastPorts is the number of switch ports of a part below which more parts do not pay: the
// barriers of a cycle, one or two microseconds, are then a tenth of its work at moderate load.
const leastPorts = 512

// Split lets Step use up to a number of cores for this one network, and empties it as Reset does. The
// answer is the number of parts made: 1 if the network is too small, if the configuration draws
// random numbers in the order of switches (the allocator pim), if switches take several
// internal steps in a cycle, or BatchStages are asked for, and the routing is not a LocalRouting, or
// with RouteAtInjection. Results do not depend on it.
func (s *Sim) Split(workers int) int { return s.split(min(workers, int(s.nIn)/leastPorts)) }

func (s *Sim) split(parts int) int {
	late := s.cfg.InternalSpeedup > 1 || s.cfg.BatchStages // routes are computed while other parts allocate
	if s.full != nil && (s.full.ordered() || late && !s.readsLocally()) || s.cfg.RouteAtInjection {
		parts = 1
	}
	parts = min(parts, s.switches)
	if parts <= 1 && s.parts == nil {
		return 1
	}
	s.parts, s.team, s.outboxes, s.me = nil, nil, [2][]outbox{}, 0
	if parts <= 1 {
		s.endOf, s.partOf, s.farOut, s.farIn = nil, nil, nil, nil
		s.pool = newPool(s.mostPackets(0), 1)
		s.pages = s.pool.pages
		s.Reset(s.load, s.cfg.Seed)
		return 1
	}
	of := s.partition(parts)
	ends := s.partOfEndpoints(of)
	window, steps := s.deal(of, ends), 1
	if !s.readsLocally() { // as many steps as phase knows
		if window, steps = 1, 3; s.cfg.RoutingDelay == 0 {
			steps = 4
		}
	}
	s.pool = newPool(s.mostPackets(2*window), parts)
	s.pages = s.pool.pages
	all := []*Sim{s}
	for range parts - 1 {
		all = append(all, s.part())
	}
	t := newTeam(parts, window, steps, func(p int, i int32) int { return all[p].runStage(i) })
	for i, p := range all {
		p.parts, p.team, p.me = all, t, uint16(i)
		p.outboxes = [2][]outbox{make([]outbox, parts), make([]outbox, parts)}
	}
	s.Reset(s.load, s.cfg.Seed)
	return parts
}

// part is another part of s: it shares the arrays of ports, VCs, packets and endpoints, and has
// its own of all that is a list, a set or a counter.
func (s *Sim) part() *Sim {
	p := new(Sim)
	*p = *s
	p.view = simcore.NewView(p.net, (*queues)(p), (*queues)(p))
	if p.kept != nil {
		p.view = p.view.WithState(p.kept.Of, (*queues)(p))
	}
	p.alts = nil
	p.spare = spares{}
	p.own()
	if s.full != nil {
		p.full = s.full.part(p)
	}
	p.stat = tally{}
	p.stat.init(0, s.cfg.Batches)
	p.stat.share(&s.stat)
	return p
}

// partition deals out the switches. Switches that are equal (in ports and endpoints: leaves,
// spines, core) are dealt out class by class in ranges of their numbers, equal in ports: each part
// gets its share of every layer, and whole groups, pods or slabs as far as they are numbered
// together.
func (s *Sim) partition(parts int) []uint16 {
	type kind struct{ in, out, ends int32 }
	ends := make([]int32, s.switches)
	for k := range s.sinkSwitch {
		ends[s.sinkSwitch[k]]++
	}
	classes := make(map[kind][]int32)
	for sw := range int32(s.switches) {
		k := kind{s.inStart[sw+1] - s.inStart[sw], s.outStart[sw+1] - s.outStart[sw], ends[sw]}
		classes[k] = append(classes[k], sw)
	}
	list := make([][]int32, 0, len(classes))
	for _, c := range classes {
		list = append(list, c)
	}
	sort.Slice(list, func(i, j int) bool { return list[i][0] < list[j][0] })
	of := make([]uint16, s.switches)
	next := 0 // where the rest of a class that does not divide begins
	for _, c := range list {
		for i, sw := range c {
			of[sw] = uint16((i*parts/len(c) + next) % parts)
		}
		next += len(c) % parts
	}
	return of
}

func (s *Sim) partOfEndpoints(of []uint16) []uint16 {
	ends := make([]uint16, s.endpoints)
	for e := range ends {
		if k := s.srcStart[e]; k < s.srcStart[e+1] {
			ends[e] = of[s.in[s.out[s.nOut+k].down].sw]
		} else if k := s.sinkStart[e]; k < s.sinkStart[e+1] {
			ends[e] = of[s.sinkSwitch[k]]
		}
	}
	return ends
}

// deal marks the ports whose other end is in another part, and gives the least number of cycles
// that anything takes between two parts.
func (s *Sim) deal(of, ends []uint16) (window int) {
	s.endOf, s.partOf = ends, of
	sinkOf := func(ip int32) uint16 {
		if ip < s.nIn {
			return of[s.in[ip].sw]
		}
		return ends[s.in[ip].sw]
	}
	srcOf := make([]uint16, len(s.out))
	for sw := range s.switches {
		for op := s.outStart[sw]; op < s.outStart[sw+1]; op++ {
			srcOf[op] = of[sw]
		}
	}
	for e := range s.endpoints {
		for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
			srcOf[s.nOut+k] = ends[e]
		}
	}
	s.farOut, s.farIn = make([]uint16, len(s.out)), make([]uint16, len(s.in))
	window = maxWindow
	for op := range s.out {
		o := &s.out[op]
		if o.down < 0 {
			continue
		}
		if a, b := srcOf[op], sinkOf(o.down); a != b {
			s.farOut[op], s.farIn[o.down] = b+1, a+1
			window = min(window, int(o.lag.delay()), int(s.in[o.down].crLag.delay()))
		}
	}
	return window
}
