package cutthrough

import (
	"fmt"
	"math"
	"testing"

	"toposearch/topology"
)

// twinPFC is the flow control by pauses of the twin (IEEE 802.1Qbb, with the dynamic thresholds of
// Choudhury and Hahne), as one would write it down.
type twinPFC struct {
	headroom  []int64            // by class: what may still come when a pause has been decided
	shared    []int64            // by switch: memory without headroom and what is being sent
	used      []int64            // of it, by switch
	held, top map[[2]int32]int64 // by input and VC: bytes; of these, above the threshold
	pausing   map[[2]int32]bool
	stopped   map[[2]int32]bool // by output and VC
	nicStop   map[[2]int32]bool // by tie and VC
	pauses    int64
}

func newTwinPFC(s *Sim) *twinPFC {
	p := &twinPFC{headroom: make([]int64, len(s.net.LinkClasses)), shared: make([]int64, s.switches), used: make([]int64, s.switches),
		held: map[[2]int32]int64{}, top: map[[2]int32]int64{}, pausing: map[[2]int32]bool{}, stopped: map[[2]int32]bool{}, nicStop: map[[2]int32]bool{}}
	c := &s.cfg
	packet := int64(0)
	for _, b := range s.bytes {
		packet = max(packet, int64(b))
	}
	for i := range p.headroom {
		gbps, cable := c.ClassGbps[i], c.ClassCableNs[i]
		if s.net.LinkClasses[i].Name == topology.ClassInternal {
			gbps, cable = c.BandwidthGbps, 0
		}
		pass := c.SwitchNs
		if s.internal {
			pass = max(c.SwitchNs, c.RelayNs)
		}
		// A round trip, the pipeline and the time to obey, at full rate; three packets for what has been begun.
		ns := (2*math.Round(cable*1000) + c.ControlNs*1000 + pass*1000) / 1000
		p.headroom[i] = int64(math.Ceil(ns*gbps/8)) + 3*packet
	}
	for sw := range s.switches {
		p.shared[sw] = c.BufferBytes
		for i := s.inStart[sw]; i < s.inStart[sw+1]; i++ {
			p.shared[sw] -= int64(c.VCs) * p.headroom[s.in[i].class]
		}
		p.shared[sw] -= packet * int64(s.outStart[sw+1]-s.outStart[sw])
	}
	return p
}

// store takes a packet into the memory of a switch, which pauses the link if its input has more
// than its share.
func (t *twin) store(sw int32, x *parcel) {
	p := t.pause
	if p == nil {
		return
	}
	k, b := [2]int32{x.in, x.vc}, int64(t.s.bytes[x.size])
	p.held[k] += b
	if !p.pausing[k] && float64(p.held[k]) <= t.s.cfg.PFCAlpha*float64(p.shared[sw]-p.used[sw]) {
		p.used[sw] += b
		return
	}
	if p.top[k] += b; !p.pausing[k] {
		p.pausing[k] = true
		p.pauses++
		t.signal(x.in, x.vc, true)
	}
}

// leave takes a packet out of the memory; the headroom empties first, and then the link goes on,
// when its input has two packets less than its share, or none.
func (t *twin) leave(x *parcel) {
	p, s := t.pause, t.s
	k, b := [2]int32{x.in, x.vc}, int64(s.bytes[x.size])
	sw := int32(0)
	for s.inStart[sw+1] <= x.in {
		sw++
	}
	p.held[k] -= b
	from := min(b, p.top[k])
	p.top[k] -= from
	p.used[sw] -= b - from
	if p.pausing[k] && p.top[k] == 0 && (p.held[k] == 0 || float64(p.held[k]) <= s.cfg.PFCAlpha*float64(p.shared[sw]-p.used[sw])-2*float64(s.cfg.MTUBytes)) {
		p.pausing[k] = false
		t.signal(x.in, x.vc, false)
	}
}

// signal sends a pause or its end to the sender of an input.
func (t *twin) signal(in, vc int32, stop bool) {
	s, p := t.s, t.pause
	i := &s.in[in]
	if i.upSw >= 0 {
		t.later(t.now+s.cable[i.class]+s.control, 2, i.up, func() {
			p.stopped[[2]int32{i.up, vc}] = stop
			t.serve(i.up)
		})
		return
	}
	at := t.now
	if !s.internal {
		at += s.cable[0] + s.control
	}
	t.later(at, 3, in, func() {
		if s.internal { // an endpoint sees its own memory
			stop = p.pausing[[2]int32{in, vc}]
		}
		p.nicStop[[2]int32{i.up, vc}] = stop
		t.inject(i.up)
	})
}

func (t *twin) mayNot(o, vc int32) bool { return t.pause != nil && t.pause.stopped[[2]int32{o, vc}] }

// The same with pauses, in memories hardly larger than the headroom, so that they come all the time,
// go through the network from a hot endpoint on, and hold up what goes elsewhere.
func TestTwinPauses(t *testing.T) {
	designs := []string{"dragonfly(p=2,a=4,h=2)", "bcube(n=3,l=2)", "fattree(k=4,l=3)", "zcube(n=3,k=2)", "hpn(k=16,g=4,segments=2)", "hammingmesh(a=2,b=2,x=2,y=2,k=8)", "torus(k1=4,k2=3,t=2)"}
	for i, design := range designs {
		if testing.Short() && i > 1 {
			break
		}
		for k, load := range []float64{0.3, 0.5} {
			c := DefaultConfig()
			c.Queueing, c.FlowControl, c.PFCAlpha = []string{VOQ, Output}[k], PFC, []float64{0.125, 0.5}[(i+k)%2]
			c.WarmupNs, c.MeasureNs, c.DrainNs, c.Seed = 2000, 5000, 20_000, uint64(i*10+k)
			if c.Speedup = 1.3; k > 0 {
				c.Sizes, c.Weights = []int{67, 1501, 4096}, []int{2, 1, 3}
			}
			pattern := []string{"hotspot(0.3,1)", "uniform"}[(i/2+k)%2]
			s := twinWith(t, design, pattern, c)
			least := int64(0)
			for _, left := range newTwinPFC(s).shared {
				least = max(least, c.BufferBytes-left+int64(4096/c.PFCAlpha))
			}
			c.BufferBytes = least + int64(i)*1000
			s = twinWith(t, design, pattern, c)
			name := fmt.Sprintf("%s %s at %g with pauses", design, c.Queueing, load)
			if w := agrees(t, s, load, name); w.pause.pauses < 20 {
				t.Errorf("%s: %d pauses", name, w.pause.pauses)
			}
		}
	}
}
