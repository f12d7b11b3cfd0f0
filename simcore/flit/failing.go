package flit

import (
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
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
	for _, p := range stage.DownPorts() { // of several on one switch as many as are named
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

// failures sums up what failures cost; nil if nothing fails.
func (s *Sim) failures() *simcore.FailureReport {
	if s.failing == nil {
		return nil
	}
	one := float64(s.rateNum) / float64(s.rateDen) * s.senders()
	return s.failing.phases.Report(int64(s.now), one, 1, true, simcore.Summarize)
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
