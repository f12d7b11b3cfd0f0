package cutthrough

import (
	"fmt"
	"math"
)

// buffers divides the memory of switches. With credits every input and VC has an equal share of
// its switch. With PFC each has the headroom that its link fills after a pause has been decided,
// and the rest is shared.
func (s *Sim) buffers() error {
	c := &s.cfg
	largest := int32(0)
	for _, b := range s.bytes {
		largest = max(largest, b)
	}
	for i := range s.net.LinkClasses {
		s.mark[i] = math.MaxInt32
		if s.ser[i] == nil {
			continue
		}
		gbps := s.sends
		if i > 0 || !s.internal {
			gbps = c.ClassGbps[i]
		}
		s.mark[i] = int32(min(float64(math.MaxInt32), ecnPerGbps*gbps))
		if c.ECNBytes > 0 {
			s.mark[i] = int32(min(c.ECNBytes, math.MaxInt32))
		}
		s.room[i] = s.headroom(i, gbps, int64(largest))
	}
	if s.pfc {
		return s.pools(int64(largest))
	}
	wide := s.widest()
	s.perVC = int32(c.BufferBytes / int64(wide) / int64(s.vcs))
	if s.perVC < largest {
		return fmt.Errorf("cutthrough: BufferBytes = %d gives each of %d inputs and %d VCs %d bytes, less than a packet of %d; at least %d are needed",
			c.BufferBytes, wide, s.vcs, s.perVC, largest, int64(largest)*int64(wide)*int64(s.vcs))
	}
	return nil
}

// headroom of an input and priority: what arrives from the first packet that is too many until
// the far side has stopped. That packet; what has been sent and is in the pipeline, where arrivals
// are not counted yet, or on the cable; what goes on while the pause travels; a packet that the far
// side has just begun; one more for the rounding of all this to whole packets.
func (s *Sim) headroom(class int, gbps float64, packet int64) int64 {
	flight := 2*s.cable[class] + s.control + max(s.pass[0], s.pass[1])
	return int64(math.Ceil(float64(flight)*gbps/8000)) + 3*packet
}

// pools computes the shared memory of each switch under PFC: without the headroom of every
// input and priority, and a packet per output that is being sent and no longer counted.
func (s *Sim) pools(packet int64) error {
	s.poolOf = make([]int64, s.switches)
	worst, need := int64(math.MaxInt64), int64(0)
	for sw := range s.switches {
		reserved := packet * int64(s.outStart[sw+1]-s.outStart[sw])
		for i := s.inStart[sw]; i < s.inStart[sw+1]; i++ {
			reserved += s.room[s.in[i].class] * int64(s.vcs)
		}
		s.poolOf[sw] = s.cfg.BufferBytes - reserved
		// Below this an input could not take a single packet without a pause.
		least := int64(float64(packet) / s.cfg.PFCAlpha)
		if s.poolOf[sw] < worst {
			worst = s.poolOf[sw]
		}
		need = max(need, reserved+least)
	}
	if need > s.cfg.BufferBytes {
		return fmt.Errorf("cutthrough: BufferBytes = %d is too small for lossless PFC: headroom for %d priorities and these cables takes at least %d; use fewer VCs, shorter cables, slower links or FlowControl = %s",
			s.cfg.BufferBytes, s.vcs, need, Credit)
	}
	s.shared = [2]int64{worst, worst}
	return nil
}

// fillCredits empties all queues and gives every sender the room of its far buffer.
func (s *Sim) fillCredits() {
	credit := s.perVC
	if s.refill = math.MinInt32; s.pfc {
		credit, s.refill = pfcCredit, pfcCredit/2 // pauses alone stop it
	}
	for i := range s.lanes {
		s.lanes[i] = lane{-1, -1, credit}
	}
	for i := range s.out {
		if s.out[i].downSw < 0 { // endpoints take all that comes
			for v := range s.vcs {
				s.lanes[i*s.vcs+v].credit = math.MaxInt32 / 2
			}
		}
	}
	for i := range s.nicCredit {
		s.nicCredit[i] = credit
	}
}

// pfcCredit are the credits with which a VC starts under PFC. They only tell which VC has sent least.
const pfcCredit = math.MaxInt32 / 2

// refillLanes gives all VCs of an output port new credits, and takes a packet's from one.
func (s *Sim) refillLanes(o, vc, bytes int32) {
	lanes := s.lanes[o*int32(s.vcs) : (o+1)*int32(s.vcs)]
	for v := range lanes {
		lanes[v].credit = min(lanes[v].credit+pfcCredit/2, pfcCredit)
	}
	lanes[vc].credit -= bytes
}

// store counts a packet into the buffer of its input, and pauses the input's link if that takes
// more than its share of what is free.
func (w *worker) store(sw, in int32, p *packet) {
	s := w.s
	vc := int32(p.vc & vcMask)
	k, b := in*int32(s.vcs)+vc, s.bytes[p.size]
	if s.observed != nil {
		w.watch(sw)
		if w.now >= s.recFrom && w.now < s.recTo {
			s.observed[sw].mostVC = max(s.observed[sw].mostVC, s.occ[k]+b)
		}
	}
	s.occ[k] += b
	s.stored[sw] += int64(b)
	w.stat.peak = max(w.stat.peak, s.stored[sw])
	w.stat.peakPort = max(w.stat.peakPort, s.occ[k])
	if !s.pfc {
		return
	}
	bit := uint32(1) << vc
	if s.pausing[in]&bit == 0 {
		if free := float64(s.poolOf[sw] - s.pool[sw]); float64(s.occ[k]) <= s.cfg.PFCAlpha*free {
			s.pool[sw] += int64(b)
			return
		}
		s.pausing[in] |= bit
		w.stat.pauses++
		w.control(in, vc, true)
	}
	if s.head[k] += b; int64(s.head[k]) > s.room[s.in[in].class] {
		w.stat.overflows++
	}
}

// release takes a packet that leaves out of the buffer of its input; its tail goes at tail.
func (w *worker) release(sw, in int32, p *packet, tail int64) {
	s := w.s
	vc := int32(p.vc & vcMask)
	k, b := in*int32(s.vcs)+vc, s.bytes[p.size]
	if s.observed != nil {
		w.watch(sw)
	}
	s.occ[k] -= b
	s.stored[sw] -= int64(b)
	if !s.pfc {
		w.giveCredit(in, vc, b, tail)
		return
	}
	from := min(s.head[k], b)
	s.head[k] -= from
	s.pool[sw] -= int64(b - from)
	bit := uint32(1) << vc
	if s.pausing[in]&bit != 0 && s.head[k] == 0 {
		// Resume two packets below the threshold, so that a pause does not follow at once.
		free := float64(s.poolOf[sw] - s.pool[sw])
		if s.occ[k] == 0 || float64(s.occ[k]) <= s.cfg.PFCAlpha*free-2*float64(s.cfg.MTUBytes) {
			s.pausing[in] &^= bit
			w.control(in, vc, false)
		}
	}
}

// giveCredit tells the sender of an input that a packet's room is free.
func (w *worker) giveCredit(in, vc, bytes int32, tail int64) {
	s := w.s
	x := &s.in[in]
	what := uint32(vc)<<16 | uint32(bytes)
	if x.upSw < 0 {
		at := tail
		if !s.internal {
			at += s.cable[0] + s.control
		}
		w.push(at, kindNICCredit, s.nic[x.up].in-s.inStart[w.sw], w.sw, what)
		return
	}
	w.push(tail+s.cable[x.class]+s.control, kindCredit, x.up-s.outStart[x.upSw], x.upSw, what)
}

// control sends a pause or a resume to the sender of an input.
func (w *worker) control(in, vc int32, pause bool) {
	s := w.s
	x := &s.in[in]
	what := uint32(vc) << 1
	if pause {
		what |= 1
	}
	if x.upSw < 0 {
		at := w.now
		if !s.internal {
			at += s.cable[0] + s.control
		}
		w.push(at, kindNICControl, s.nic[x.up].in-s.inStart[w.sw], w.sw, what)
		return
	}
	w.push(w.now+s.cable[x.class]+s.control, kindControl, x.up-s.outStart[x.upSw], x.upSw, what)
}
