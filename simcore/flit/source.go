package flit

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// calendarSize is the number of cycles ahead for which idle endpoints are filed by their next
// packet; later ones are filed again when their slot comes.
const calendarSize = 1024

func (s *Sim) resetSources(load float64, seed uint64) {
	for i := range s.src {
		p := &s.src[i]
		*p = srcPort{cur: -1, head: -1, tail: -1, vc: -1, last: -1, port: p.port}
	}
	s.countSenders()
	for _, p := range s.all() {
		p.able, p.trials = s.able, s.trials
		p.setLoad(load)
	}
	s.resetWatch(load, seed)
	a, d, p := simcore.NewRand(seed, 1), simcore.NewRand(seed, 2), simcore.NewRand(seed, 3)
	of := simcore.Assign(s.cfg.processes(nil), len(s.srcOf), seed)
	for e := range s.srcOf {
		x := &s.srcOf[e]
		*x = source{pend: -1}
		x.arrive = a.Derive(uint64(e))
		x.dest = d.Derive(uint64(e))
		x.packet = p.Derive(uint64(e))
		x.process = of[e]
		x.on = s.processes[x.process].Kind == simcore.OnOff && x.arrive.Coin()
		x.next = -1
		p := s
		if s.endOf != nil {
			p = s.parts[s.endOf[e]]
		}
		p.advance(int32(e), x)
		p.file(int32(e), x)
	}
}

// countSenders finds how many endpoints have a port, and the most ports of one.
func (s *Sim) countSenders() {
	s.able, s.trials = 0, 1
	for e := range s.endpoints {
		if k := s.srcStart[e+1] - s.srcStart[e]; k > 0 {
			s.able++
			s.trials = max(s.trials, int64(k))
		}
	}
}

// setLoad derives the probability of a packet per trial. Every endpoint has as many trials per
// cycle as the one with the most ports has of these, so that the probability stays below 1 and an
// endpoint that has lost a port still offers what the others do.
func (s *Sim) setLoad(load float64) {
	s.load = load
	s.prob = min(1, load*float64(s.rateNum)/float64(s.rateDen)/s.cfg.MeanFlits()/float64(s.trials))
	s.processes = s.processes[:0:0]
	for _, p := range s.cfg.processes(nil) {
		q := process{Process: p}
		switch p.Kind {
		case simcore.OnOff:
			if q.Rate <= 0 {
				q.Rate = s.prob * (p.Alpha + p.Beta) / p.Alpha
			}
		case simcore.Poisson:
			q.gaps.set(-s.prob) // a trial without a packet has the probability exp(-prob)
		default:
			q.gaps.set(math.Log1p(-s.prob))
		}
		s.processes = append(s.processes, q)
	}
}

// advance moves an endpoint's clock to the trial of its next packet.
func (s *Sim) advance(e int32, x *source) {
	if s.prob <= 0 || s.srcStart[e+1] == s.srcStart[e] {
		x.next = never
		return
	}
	p := &s.processes[x.process]
	switch p.Kind {
	case simcore.OnOff:
		p.advanceOnOff(x)
		return
	case simcore.Poisson:
		s.advancePoisson(p, x)
		return
	}
	x.next++
	if s.prob < 1 {
		// The number of failures before a success: geometric.
		x.next += p.gaps.draw(x.arrive.Float64())
	}
}

// advancePoisson goes on to the next packet of the same trial, if there is one, or to the next trial that has some and draws
// their number, which has a Poisson distribution without 0, by inversion.
func (s *Sim) advancePoisson(p *process, x *source) {
	if x.more > 0 {
		x.more--
		return
	}
	x.next += 1 + p.gaps.draw(x.arrive.Float64())
	chance := s.prob / math.Expm1(s.prob) // of one packet
	u := x.arrive.Float64()
	for k := 2; u >= chance && k < math.MaxUint16; k++ {
		u -= chance
		chance *= s.prob / float64(k)
		x.more++
	}
}

// advanceOnOff runs the two-state process trial by trial.
func (p *process) advanceOnOff(x *source) {
	for range onOffHorizon {
		x.next++
		if x.on {
			x.on = x.arrive.Float64() >= p.Beta
		} else {
			x.on = x.arrive.Float64() < p.Alpha
		}
		if x.on && x.arrive.Float64() < p.Rate {
			return
		}
	}
	x.next = never
}

// onOffHorizon is the number of trials after which an on/off source without a packet is taken to
// be silent for good: longer than any run of interest.
const onOffHorizon = 1 << 24

// created is the cycle of the endpoint's next packet.
func (s *Sim) created(e int32, x *source) simcore.Cycle {
	at := s.createdOwn(x)
	if s.watched(e, at) {
		return s.watch.next
	}
	return at
}

// createdOwn is the same of packets that its own process makes.
func (s *Sim) createdOwn(x *source) simcore.Cycle {
	if n := s.trials; n > 1 && x.next < never {
		return simcore.Cycle(x.next / n)
	}
	return simcore.Cycle(x.next)
}

// file puts an idle endpoint into the calendar.
func (s *Sim) file(e int32, x *source) {
	at := s.created(e, x)
	if at >= never {
		return
	}
	at = min(max(at, s.now), s.now+calendarSize-1)
	k := at % calendarSize
	s.calNext[e], s.calendar[k] = s.calendar[k], e
}

// make makes a packet that could be sent from cycle at on; -1 if its destination cannot be reached.
func (s *Sim) make(e int32, x *source, dst topology.EndpointID, via int32, size int, at simcore.Cycle) int32 {
	i := s.newPacket()
	p := s.packet(i)
	*p = packet{Packet: simcore.Packet{Src: topology.EndpointID(e), Dst: dst, Mid: via, Rand: simcore.RandAt(x.packet.Uint64())},
		created: int32(at), next: -1, seq: x.seq, size: uint16(size)}
	x.seq++
	p.rec = s.stat.records(s.now, at)
	en := s.routing.InjectPort(&p.Packet, &s.view)
	if s.failing != nil {
		s.failing.phases.Generate(int64(at), en.Port != simcore.NoPort)
	}
	if en.Port == simcore.NoPort {
		s.stat.unreachable++
		s.discard(i)
		return -1
	}
	s.stat.made += int64(size)
	p.Port = uint8(en.Port)
	p.lo, p.hi = en.Lo, en.Hi
	if p.rec {
		s.stat.outstanding++
	}
	return i
}

func (s *Sim) drawSize(r *simcore.Rand) int {
	if len(s.cumWeight) == 0 {
		return s.cfg.PacketFlits
	}
	x := r.IntN(s.cumWeight[len(s.cumWeight)-1])
	for i, c := range s.cumWeight {
		if x < c {
			return s.cfg.Sizes[i]
		}
	}
	panic("simcore: packet sizes")
}

// enqueue puts a packet behind the port it chose; false: there is no room.
func (s *Sim) enqueue(e, i int32) bool {
	sp := &s.src[s.portOf(e, i)]
	if sp.queued >= s.srcDepth {
		return false
	}
	s.append(sp, i)
	return true
}

// portOf is the unit port by which a packet leaves: of several parallel ones, that with the shortest queue.
func (s *Sim) portOf(e, i int32) int32 {
	p := s.packet(i)
	best := int32(-1)
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		if s.src[k].port == p.Port && (best < 0 || s.waiting(k) < s.waiting(best)) {
			best = k
		}
	}
	if best < 0 {
		panic("simcore: routing " + s.routingName + " injects at a port that the endpoint has not got")
	}
	return best
}

func (s *Sim) append(sp *srcPort, i int32) {
	if sp.head < 0 {
		sp.head = i
	} else {
		s.packet(sp.tail).next = i
	}
	sp.tail = i
	sp.queued++
}

func (s *Sim) dequeue(sp *srcPort) {
	i := sp.head
	p := s.packet(i)
	sp.cur, sp.head = i, p.next
	sp.queued--
	sp.sent, sp.size, sp.vc = 0, p.size, -1
	sp.lo, sp.hi = p.lo, p.hi
}

// sends is the part of its draws in which an endpoint's traffic had a destination for it; ok: it has drawn.
func (x *source) sends() (part float64, ok bool) {
	if drawn := float64(x.seq) + float64(x.silent); drawn > 0 {
		return float64(x.seq) / drawn, true
	}
	return 1, false
}

// senders is the number of endpoints that send, estimated from what each of them has drawn, as one whose queue is full draws
// seldom. Those that have not drawn yet are taken to be like the others.
func (s *Sim) senders() float64 {
	if s.loop != nil { // there it is known
		n := 0
		for e := range s.srcOf {
			if s.srcOf[e].seq > 0 {
				n++
			}
		}
		return float64(max(n, 1))
	}
	sum, known := 0.0, 0
	for e := range s.srcOf {
		if part, ok := s.srcOf[e].sends(); ok {
			sum += part
			known++
		}
	}
	if known == 0 {
		return float64(s.able)
	}
	return float64(s.able) * (sum / float64(known))
}
