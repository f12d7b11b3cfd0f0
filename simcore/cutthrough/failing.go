package cutthrough

import "toposearch/simcore"

func newFailing(s *Sim, plan simcore.FailurePlan) *failing {
	f := &failing{plan: plan}
	for k := range plan {
		outs, nics := s.parts(&plan[k])
		f.outs, f.nics = append(f.outs, outs), append(f.nics, nics)
	}
	return f
}

// parts lists the outputs and the ties that do not work in a stage.
func (s *Sim) parts(stage *simcore.Stage) (outs, nics map[int32]bool) {
	outs, nics = map[int32]bool{}, map[int32]bool{}
	for _, c := range stage.DownChannels(s.net) {
		sw := s.net.From(c)
		first, _ := s.net.Out(sw)
		outs[s.outStart[sw]+int32(c-first)] = true
	}
	tie := func(k int32) { nics[k], outs[s.eject(k)] = true, true }
	for _, sw := range stage.Down.Switches {
		for k := s.tieStart[sw]; k < s.tieStart[sw+1]; k++ {
			tie(k)
		}
	}
	for _, p := range stage.DownPorts() { // of several on one switch as many as are named
		for i := s.epStart[p.Endpoint]; i < s.epStart[p.Endpoint+1]; i++ {
			if k := s.epTie[i]; s.nic[k].sw == int32(p.Switch) && !nics[k] {
				tie(k)
				break
			}
		}
	}
	return outs, nics
}

// reset makes the network whole.
func (s *Sim) resetFailures() {
	f := s.failing
	if f == nil {
		return
	}
	f.from, f.stage, f.next = f.from[:0], 0, never
	s.routing = f.plan[0].Routing
}

// schedule says when stages begin, now that the window is known.
func (s *Sim) schedule() {
	f := s.failing
	if f == nil {
		return
	}
	f.from, f.stage, f.next = f.from[:0], 0, never
	for k := range f.plan {
		f.from = append(f.from, s.border(s.recFrom+f.plan[k].At*1000))
	}
	if len(f.plan) > 1 {
		f.next = f.from[1]
	}
	s.foreseeFaults()
	for i := range s.workers {
		s.workers[i].stat.phases.Begin(f.from, s.recTo)
	}
}

// foreseeFaults marks the ports that are down, and those that will be.
func (s *Sim) foreseeFaults() {
	f := s.failing
	mark := func(parts []map[int32]bool, to func(i int32) *uint8) map[int32]int64 {
		cut := map[int32]int64{}
		for _, stage := range parts {
			for i := range stage {
				fault := to(i)
				if *fault = 0; parts[f.stage][i] {
					*fault = faultDown
				} else if at := f.plan.Next(f.stage, f.from, func(k int) bool { return parts[k][i] }); at > 0 {
					*fault, cut[i] = faultSoon, at
				}
			}
		}
		return cut
	}
	f.outCut = mark(f.outs, func(i int32) *uint8 { return &s.out[i].fault })
	f.nicCut = mark(f.nics, func(i int32) *uint8 { return &s.nic[i].fault })
}

// failures sums up what failures cost; nil if nothing fails.
func (s *Sim) failures(t *tally) *simcore.FailureReport {
	if s.failing == nil {
		return nil
	}
	all := make(simcore.Phases, len(s.failing.plan)+1)
	all.Begin(s.failing.from, s.recTo)
	for i := range s.workers {
		all.Add(s.workers[i].stat.phases)
	}
	one := s.cfg.BandwidthGbps / 8000 * s.senders()
	return all.Report(s.now, one, 1000, false, func(h *simcore.Histogram) simcore.Latency {
		_, l := summarize(h)
		return l
	})
}
