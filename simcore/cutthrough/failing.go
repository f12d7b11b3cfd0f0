package cutthrough

import (
	"slices"

	"toposearch/simcore"
)

// failing is what a simulation whose network fails knows beside. Stages begin between two windows of events, when all
// switches stand still: what Config.Failures asks for is put off to the next border.
//
// That a port goes down is known before it does. So a packet whose last byte would be on the cable then is lost as it
// is sent, and nothing under way has to be looked for. A switch that has received half of it would in truth send that on,
// for its receiver to discard; here it ends at the cable: a packet's time of load at most is missing behind each
// channel that fails.
type failing struct {
	plan  simcore.FailurePlan
	from  []int64 // ps at which each stage begins; empty before the window is set
	stage int
	next  int64 // ps of the next stage
	down  []bool
	// When a port that is to go down does, by output and by tie; 0: not again.
	outCut, nicCut map[int32]int64
	// Outputs and ties that do not work, by stage.
	outs, nics []map[int32]bool
}

// Faults of an outPort or nicPort.
const (
	faultSoon = 1 << iota // it works, and is to go down
	faultDown
)

func newFailing(s *Sim, plan simcore.FailurePlan) *failing {
	f := &failing{plan: plan, down: make([]bool, s.switches)}
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
	for _, p := range stage.Down.Ports { // of several on one switch as many as are named
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
	clear(f.down)
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

// changeStage begins the stage that is due, at the border of a window.
func (s *Sim) changeStage() {
	f := s.failing
	before := f.stage
	f.stage++
	if f.next = never; f.stage+1 < len(f.plan) {
		f.next = f.from[f.stage+1]
	}
	stage := &f.plan[f.stage]
	clear(f.down)
	for _, sw := range stage.Down.Switches {
		f.down[sw] = true
	}
	s.foreseeFaults()
	if !slices.Equal(f.plan[before].Down.Switches, stage.Down.Switches) {
		for sw, down := range f.down {
			if down {
				s.loseQueues(int32(sw), s.outStart[sw], s.outStart[sw+1], simcore.LostInSwitch)
			}
		}
	}
	for sw := range s.switches {
		for o := s.outStart[sw]; o < s.outStart[sw+1]; o++ {
			if s.out[o].fault&faultDown != 0 {
				s.loseQueues(int32(sw), o, o+1, simcore.LostAtPort)
			}
		}
	}
	for k := range s.nic {
		if s.nic[k].fault&faultDown != 0 {
			s.standAt(s.nic[k].sw).loseAtSource(&s.nic[k])
		}
	}
	if stage.New {
		s.changeTables(stage)
	}
}

// standAt has the owner of a switch work on it, between two windows.
func (s *Sim) standAt(sw int32) *worker {
	w := &s.workers[s.owner[sw]]
	w.now, w.until, w.sw = s.now, s.now, sw
	return w
}

// loseQueues loses what waits at some outputs of a switch.
func (s *Sim) loseQueues(sw, from, end int32, cause int) {
	w := s.standAt(sw)
	for o := from; o < end; o++ {
		out := &s.out[o]
		w.account(out)
		for vc := int32(0); out.waiting != 0 && vc < int32(s.vcs); vc++ {
			q := &s.lanes[o*int32(s.vcs)+vc]
			for h := q.first; h >= 0; {
				across := s.at(h).sibling
				for i := h; i >= 0; {
					p := s.at(i)
					next := p.next
					out.queued -= s.bytes[p.size]
					out.packets--
					w.release(sw, s.inStart[sw]+int32(p.in), p, max(w.now, p.tail))
					w.lose(i, p, cause, w.now)
					i = next
				}
				h = across
			}
			q.first, q.last = -1, -1
			out.waiting &^= 1 << vc
		}
	}
}

// loseAtSource loses what waits at an endpoint's port.
func (w *worker) loseAtSource(x *nicPort) {
	s := w.s
	for i := x.head; i >= 0; {
		p := s.at(i)
		next := p.next
		x.n--
		x.bytes -= s.bytes[p.size]
		w.inNet++ // it never was
		w.lose(i, p, simcore.LostAtPort, w.now)
		i = next
	}
	x.head, x.tail = -1, -1
}

// lose takes a packet in the network out at a time.
func (w *worker) lose(i int32, p *packet, cause int, at int64) {
	s := w.s
	b := int64(s.bytes[p.size])
	if p.vc&flagRec != 0 {
		w.stat.outstanding--
	}
	w.stat.gone += b
	w.stat.phases.Lose(at, cause, b)
	w.stat.moved = w.now
	w.inNet--
	w.drop(i)
}

// cutOnWay loses a packet that leaves now if its output goes down before the last byte has arrived, at a time.
func (w *worker) cutOnWay(o, i int32, p *packet, arrives int64) bool {
	out := &w.s.out[o]
	if out.fault&faultSoon == 0 || arrives <= w.s.failing.outCut[o] {
		return false
	}
	w.lose(i, p, simcore.LostOnLink, w.s.failing.outCut[o])
	return true
}

// refuse loses a packet that arrives at a switch that is down: it was in its pipeline.
func (w *worker) refuse(sw, in, i int32) bool {
	s := w.s
	if !s.failing.down[sw] {
		return false
	}
	w.loseArrival(in, i, simcore.LostInSwitch)
	return true
}

// loseArrival loses a packet that was to be stored at an input.
func (w *worker) loseArrival(in, i int32, cause int) {
	p := w.s.at(i)
	if !w.s.pfc {
		w.giveCredit(in, int32(p.vc&vcMask), w.s.bytes[p.size], max(w.now, p.tail))
	}
	w.lose(i, p, cause, w.now)
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
	one := s.cfg.BandwidthGbps / 8000 * s.senders(t)
	return all.Report(s.now, one, 1000, false, func(h *simcore.Histogram) simcore.Latency {
		_, l := summarize(h)
		return l
	})
}
