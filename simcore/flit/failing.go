package flit

import (
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

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

func newFailing(s *Sim) *failing {
	f := &failing{plan: s.cfg.Failures, phases: make(simcore.Phases, len(s.cfg.Failures)+1)}
	for k := range f.plan {
		f.ports = append(f.ports, s.deadPorts(&f.plan[k]))
	}
	return f
}

// deadPorts are the input ports and sinks of the links that are down in a stage.
func (s *Sim) deadPorts(stage *simcore.Stage) map[int32]bool {
	dead := map[int32]bool{}
	for _, c := range stage.DownChannels(s.net) {
		dead[s.out[s.chanOut[c]].down] = true
	}
	// A port of an endpoint: its unit ports to a switch and from it stand in the same order.
	tie := func(e, k int32) {
		dead[s.out[s.nOut+s.srcStart[e]+k].down] = true
		dead[s.out[s.sinkOut[s.sinkStart[e]+k]].down] = true
	}
	for e := range int32(s.endpoints) {
		for k := range s.srcStart[e+1] - s.srcStart[e] {
			if slices.Contains(stage.Down.Switches, topology.SwitchID(s.sinkSwitch[s.sinkStart[e]+k])) {
				tie(e, k)
			}
		}
	}
	for _, p := range stage.Down.Ports { // of several on one switch as many as are named
		e, port := int32(p.Endpoint), -1
		for k := range s.srcStart[e+1] - s.srcStart[e] {
			at := int(s.src[s.srcStart[e]+k].port)
			if s.sinkSwitch[s.sinkStart[e]+k] == int32(p.Switch) && (at == port || port < 0 && !dead[s.out[s.nOut+s.srcStart[e]+k].down]) {
				port = at
				tie(e, k)
			}
		}
	}
	return dead
}

// resetFailures makes the network whole.
func (s *Sim) resetFailures() {
	f := s.failing
	if f == nil {
		return
	}
	f.from, f.stage, f.next = f.from[:0], 0, never
	f.dead, f.mode, f.lost, f.tails, f.drains = map[int32]bool{}, map[int32]uint8{}, map[int32]int{}, map[int32]int{}, f.drains[:0]
	f.phases.Reset()
	s.routing.(*nativeRouting).r = f.plan[0].Routing
}

// schedule says when stages begin, now that the window is known.
func (s *Sim) schedule(to simcore.Cycle) {
	f := s.failing
	if f == nil {
		return
	}
	f.from, f.stage, f.next = f.from[:0], 0, never
	for k := range f.plan {
		f.from = append(f.from, int64(s.now)+f.plan[k].At)
	}
	if len(f.plan) > 1 {
		f.next = simcore.Cycle(f.from[1])
	}
	f.phases.Begin(f.from, int64(to))
}

// changeStage begins the stage that is due, before the cycle.
func (s *Sim) changeStage() {
	f := s.failing
	before := f.stage
	f.stage++
	if f.next = never; f.stage+1 < len(f.plan) {
		f.next = simcore.Cycle(f.from[f.stage+1])
	}
	stage := &f.plan[f.stage]
	f.dead = f.ports[f.stage]
	for ip := range f.dead {
		if !f.ports[before][ip] && ip < s.nIn {
			s.cutPackets(ip)
		}
	}
	for i := range s.wheel {
		for _, e := range s.wheel[i].flits {
			if ip := int32(e>>32) >> s.vs; f.dead[ip] && !f.ports[before][ip] {
				s.mark(int32(uint32(e)>>2), simcore.LostOnLink)
			}
		}
	}
	for _, sw := range stage.Down.Switches {
		if !slices.Contains(f.plan[before].Down.Switches, sw) {
			s.eachFlitIn(func(at int32, flit uint32) {
				if at == int32(sw) {
					s.mark(int32(flit>>2), simcore.LostInSwitch)
				}
			})
		}
	}
	if stage.New {
		s.changeTables(stage)
	}
}

// cutPackets notes which VCs of an input hold, or have sent on, a part of a packet.
func (s *Sim) cutPackets(ip int32) {
	for v := range int32(s.vcs) {
		iv := ip<<s.vs | v
		st := &s.vc[iv]
		open := st.n == 0 && st.state != vcIdle
		if st.n > 0 {
			at := int32(st.head) + int32(st.n) - 1
			if at >= s.depth {
				at -= s.depth
			}
			open = *s.slot(iv, st, at)&tailBit == 0
		}
		if open && s.failing.mode[iv] == 0 {
			s.failing.mode[iv] = modeCut
		}
	}
}

// eachFlitIn visits the flits in switches, each with its switch.
func (s *Sim) eachFlitIn(visit func(sw int32, flit uint32)) {
	for ip := range s.nIn {
		for v := range int32(s.vcs) {
			iv := ip<<s.vs | v
			st := &s.vc[iv]
			for k := range int32(st.n) {
				visit(s.in[ip].sw, *s.slot(iv, st, (int32(st.head)+k)%s.depth))
			}
		}
	}
	s.full.underWay(func(ov int32, flit uint32) {
		op := ov >> s.vs
		sw, _ := slices.BinarySearch(s.outStart, op+1)
		visit(int32(sw-1), flit)
	})
}

// mark counts a packet as lost, unless it is. Its flits go on to where they are swallowed.
func (s *Sim) mark(i int32, cause int) {
	f := s.failing
	if _, ok := f.lost[i]; ok {
		return
	}
	f.lost[i] = cause
	p := s.packet(i)
	if p.rec {
		s.stat.outstanding--
	}
	s.stat.gone += int64(p.size)
	f.phases.Lose(int64(s.now), cause, int64(p.size))
}

// end takes a tail of a lost packet out, and with the last one the packet.
func (s *Sim) end(i int32) {
	f := s.failing
	if f.tails[i] > 0 {
		f.tails[i]--
		return
	}
	s.forget(i)
}

func (s *Sim) forget(i int32) {
	delete(s.failing.lost, i)
	delete(s.failing.tails, i)
	s.discard(i)
}

// arriveFailing takes the flits that arrive at switches.
func (s *Sim) arriveFailing(flits []uint64) {
	s.drain1()
	for _, e := range flits {
		iv, flit := int32(e>>32), uint32(e)
		if flit, ok := s.passes(iv, flit); ok {
			s.arrive(iv, flit)
		}
	}
}

// passes says whether a flit arrives at an input VC, and as what; otherwise it is swallowed.
func (s *Sim) passes(iv int32, flit uint32) (uint32, bool) {
	f, i, ip := s.failing, int32(flit>>2), iv>>(s.vs&31)
	switch m := f.mode[iv]; {
	case m == modeCut:
		delete(f.mode, iv)
		s.mark(i, simcore.LostOnLink)
		if flit&tailBit == 0 {
			f.tails[i]++
			f.mode[iv] = modeSwallow
		}
		return flit | tailBit, true
	case m == 0 && !f.dead[ip]:
		return flit, true
	}
	s.mark(i, simcore.LostAtPort)
	f.mode[iv] = modeSwallow
	s.swallow(ip, iv, flit)
	if flit&tailBit != 0 {
		delete(f.mode, iv)
	}
	return 0, false
}

// swallow takes a flit of a lost packet out, and returns its slot.
func (s *Sim) swallow(ip, iv int32, flit uint32) {
	s.giveCredit(ip, iv&s.vmask)
	s.inNet--
	s.moved = s.now
	if flit&tailBit != 0 {
		s.end(int32(flit >> 2))
	}
}

// ejectFailing takes flits at their endpoints: those of lost packets are swallowed.
func (s *Sim) ejectFailing(flits []uint64) {
	f := s.failing
	good := flits[:0]
	for _, e := range flits {
		iv, flit := int32(e>>32), uint32(e)
		i, ip := int32(flit>>2), iv>>(s.vs&31)
		if f.dead[ip] {
			s.mark(i, simcore.LostAtPort)
		}
		if _, lost := f.lost[i]; lost {
			s.swallow(ip, iv, flit)
			continue
		}
		good = append(good, e)
		if flit&tailBit != 0 {
			p := s.packet(i)
			f.phases.Arrive(int64(s.now), int64(p.size))
			f.phases.Deliver(int64(p.created), int64(s.now)-int64(p.created))
		}
	}
	s.eject(good)
}

// strand loses the packet at the front of an input VC, from which no route leads on.
func (s *Sim) strand(iv int32, st *vcState, flit uint32) {
	st.state = vcRouting // and stays so until its tail is gone
	s.mark(int32(flit>>2), simcore.LostNoRoute)
	s.failing.drains = append(s.failing.drains, iv)
}

// drain1 swallows a flit of each packet that is stranded.
func (s *Sim) drain1() {
	f := s.failing
	still := f.drains[:0]
	for _, iv := range f.drains {
		st := &s.vc[iv]
		if st.n == 0 {
			still = append(still, iv)
			continue
		}
		flit := s.pop(iv, st)
		s.swallow(iv>>(s.vs&31), iv, flit)
		if flit&tailBit == 0 {
			still = append(still, iv)
			continue
		}
		s.nextPacket(iv, st)
	}
	f.drains = still
}

// failures sums up what failures cost; nil if nothing fails.
func (s *Sim) failures() *simcore.FailureReport {
	if s.failing == nil {
		return nil
	}
	one := float64(s.rateNum) / float64(s.rateDen) * s.senders()
	return s.failing.phases.Report(int64(s.now), one, 1, true, simcore.Summarize)
}
