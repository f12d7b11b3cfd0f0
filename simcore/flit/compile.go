package flit

import (
	"errors"
	"fmt"
	"sort"
)

// compile lays the ports out; s has its Config.
func (s *Sim) compile(p *Plant) error {
	s.switches, s.endpoints = p.Switches, p.Endpoints
	s.rateNum, s.rateDen = p.RateNum, p.RateDen
	if s.rateNum == 0 {
		s.rateNum, s.rateDen = 1, 1
	}
	if err := s.countPorts(p); err != nil {
		return err
	}
	st := int32(s.cfg.StPrepare + s.cfg.StFinal + s.cfg.SwAllocDelay - 1)
	cd := int32(s.cfg.SwAllocDelay - 1)
	if !s.cfg.plain() {
		st = 0 // crossbar and output queue are steps of their own (full_cycle.go, leansteps.go)
	}
	s.stay = s.cfg.pipeline() - int(st+cd) - 2 // as the lags below have it
	for i := range p.Lines {
		l := &p.Lines[i]
		op, ip := s.outStart[l.From]+l.FromPort, s.inStart[l.To]+l.ToPort
		s.join(op, ip, st+l.Latency+1, cd+orElse(l.CreditLatency, l.Latency)+1+int32(s.cfg.CreditDelay))
		s.setRate(op, l.Num, l.Den)
	}
	s.compileSources(p, cd)
	s.compileSinks(p, st)
	return s.checkJoined()
}

func orElse(x, y int32) int32 {
	if x == 0 {
		return y
	}
	return x
}

func (s *Sim) join(op, ip, delay, crDelay int32) {
	if s.out[op].down >= 0 || s.in[ip].up >= 0 {
		s.doubly++
	}
	s.out[op].down, s.in[ip].up = ip, op
	s.out[op].lag, s.in[ip].crLag = lag(delay<<8), lag(crDelay<<8)
	s.longest = max(s.longest, int(delay), int(crDelay))
}

func (s *Sim) setRate(op, num, den int32) {
	if num == den {
		return
	}
	if s.slow == nil {
		s.slow = make([]slowOut, len(s.out))
	}
	s.slow[op] = slowOut{num: int64(num), den: int64(den)}
}

// countPorts makes the port arrays: a switch has as many ports as the highest number in use.
func (s *Sim) countPorts(p *Plant) error {
	nIn, nOut := make([]int32, p.Switches+1), make([]int32, p.Switches+1)
	bad := 0
	use := func(n []int32, sw, port int32) {
		if sw < 0 || int(sw) >= p.Switches || port < 0 || port > 1<<14 {
			bad++
			return
		}
		n[sw+1] = max(n[sw+1], port+1)
	}
	for _, l := range p.Lines {
		use(nOut, l.From, l.FromPort)
		use(nIn, l.To, l.ToPort)
		if l.Latency < 1 || l.Num > l.Den {
			bad++
		}
	}
	for _, t := range p.Inject {
		use(nIn, t.Switch, t.SwitchPort)
	}
	for _, t := range p.Eject {
		use(nOut, t.Switch, t.SwitchPort)
	}
	if bad > 0 {
		return fmt.Errorf("simcore: plant: %d lines or ties have an end that does not exist or an impossible rate or latency", bad)
	}
	for i := range p.Switches {
		s.maxPorts = max(s.maxPorts, int(nIn[i+1]), int(nOut[i+1]))
		nIn[i+1] += nIn[i]
		nOut[i+1] += nOut[i]
	}
	s.inStart, s.outStart = nIn, nOut
	s.nIn, s.nOut = nIn[p.Switches], nOut[p.Switches]
	total := max(int64(s.nIn)+int64(len(p.Eject)), int64(s.nOut)+int64(len(p.Inject)))
	if total<<s.vs > 1<<31-1 {
		return errors.New("simcore: more than 2^31 virtual channels")
	}
	s.in = inHugePages(make([]inPort, int(s.nIn)+len(p.Eject)))
	s.out = inHugePages(make([]outPort, int(s.nOut)+len(p.Inject)))
	for i := range s.in {
		s.in[i].up = -1
	}
	for i := range s.out {
		s.out[i].down = -1
	}
	for sw := range p.Switches {
		for i := nIn[sw]; i < nIn[sw+1]; i++ {
			s.in[i].sw, s.in[i].out0 = int32(sw), nOut[sw]
		}
	}
	return nil
}

// sorted orders ties by endpoint, then port, and counts them per endpoint.
func sorted(t []Tie, endpoints int) (order []Tie, start []int32) {
	order = append(order, t...)
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return a.Endpoint < b.Endpoint || a.Endpoint == b.Endpoint && a.Port < b.Port
	})
	start = make([]int32, endpoints+1)
	for _, t := range order {
		start[t.Endpoint+1]++
	}
	for i := range endpoints {
		start[i+1] += start[i]
	}
	return order, start
}

func (s *Sim) compileSources(p *Plant, cd int32) {
	ties, start := sorted(p.Inject, p.Endpoints)
	s.srcStart = start
	s.src = inHugePages(make([]srcPort, len(ties)))
	for k, t := range ties {
		op, ip := s.nOut+int32(k), s.inStart[t.Switch]+t.SwitchPort
		// A source applies its credits at once: CreditDelay is not added.
		s.join(op, ip, t.Latency+1, cd+orElse(t.CreditLatency, t.Latency)+1)
		s.setRate(op, t.Num, t.Den)
		s.src[k].port = uint8(t.Port)
	}
}

func (s *Sim) compileSinks(p *Plant, st int32) {
	ties, start := sorted(p.Eject, p.Endpoints)
	s.sinkStart = start
	s.sinkOut = make([]int32, len(ties))
	s.sinkSwitch = make([]int32, len(ties))
	for k, t := range ties {
		ip, op := s.nIn+int32(k), s.outStart[t.Switch]+t.SwitchPort
		s.join(op, ip, st+t.Latency+1, orElse(t.CreditLatency, t.Latency)+1+int32(s.cfg.CreditDelay))
		s.setRate(op, t.Num, t.Den)
		s.in[ip].sw = t.Endpoint
		s.sinkOut[k], s.sinkSwitch[k] = op, t.Switch
	}
}

func (s *Sim) checkJoined() error {
	if s.doubly > 0 {
		return fmt.Errorf("simcore: plant: %d ports are joined twice", s.doubly)
	}
	return nil
}
