package cutthrough

import (
	"fmt"
	"strings"

	"toposearch/simcore"
	"toposearch/topology"
)

// Deadlock is a circle of packets of which each waits for room that the next one holds.
type Deadlock struct {
	SinceNs float64        `json:"since_ns"` // when a packet last moved
	Packets int64          `json:"packets"`  // in the network
	Cycle   []simcore.Wait `json:"cycle"`
}

func (d *Deadlock) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock: no packet has moved since %.0f ns, %d packets are in the network", d.SinceNs, d.Packets)
	for _, w := range d.Cycle {
		b.WriteString("\n  " + w.String())
	}
	return b.String()
}

// findDeadlock finds lanes (output port and VC) that can never move again: those that are blocked,
// with nothing on its way to or from the far buffer, whose packets all wait in such lanes
// themselves. Other packets may still move. Nil if there are none.
func (s *Sim) findDeadlock() *Deadlock {
	f := finder{s: s, dead: make([]bool, len(s.lanes)), held: make([][]int32, len(s.occ)), bytes: make([]int32, len(s.occ))}
	f.file()
	for l := range f.dead {
		f.dead[l] = f.blocked(int32(l))
	}
	for again := true; again; {
		again = false
		for l, dead := range f.dead {
			if dead && f.escapes(int32(l)) {
				f.dead[l], again = false, true
			}
		}
	}
	for l, dead := range f.dead {
		if dead {
			n, moved := s.inNetwork()
			return &Deadlock{SinceNs: float64(moved) / 1000, Packets: n, Cycle: f.circle(int32(l))}
		}
	}
	return nil
}

// finder holds what is needed to look for lanes that cannot move.
type finder struct {
	s    *Sim
	dead []bool
	// held lists the lanes in which the packets of an input port and VC wait, bytes their sum.
	held  [][]int32
	bytes []int32
}

// file finds the packets in every buffer.
func (f *finder) file() {
	s := f.s
	for sw := range s.switches {
		for l := s.outStart[sw] * int32(s.vcs); l < s.outStart[sw+1]*int32(s.vcs); l++ {
			for h := s.lanes[l].first; h >= 0; h = s.at(h).sibling {
				for i := h; i >= 0; i = s.at(i).next {
					p := s.at(i)
					k := (s.inStart[sw]+int32(p.in))*int32(s.vcs) + int32(p.vc&vcMask)
					f.bytes[k] += s.bytes[p.size]
					if n := len(f.held[k]); n == 0 || f.held[k][n-1] != l {
						f.held[k] = append(f.held[k], l)
					}
				}
			}
		}
	}
}

// blocked reports whether the packet in turn in a lane may not go, and that nothing is under way that
// could change that by itself.
func (f *finder) blocked(l int32) bool {
	s := f.s
	q, o, vc := &s.lanes[l], &s.out[l/int32(s.vcs)], l%int32(s.vcs)
	if q.first < 0 || o.downSw < 0 {
		return false
	}
	if s.pfc {
		return o.paused>>vc&1 != 0
	}
	return q.credit < s.bytes[s.at(q.first).size] && s.perVC-q.credit == f.bytes[f.far(l)]
}

// far is the buffer that a lane leads to.
func (f *finder) far(l int32) int32 {
	return f.s.out[l/int32(f.s.vcs)].down*int32(f.s.vcs) + l%int32(f.s.vcs)
}

// escapes reports whether a packet of the far buffer may move, or that none is there to block it.
func (f *finder) escapes(l int32) bool {
	held := f.held[f.far(l)]
	for _, x := range held {
		if !f.dead[x] {
			return true
		}
	}
	return len(held) == 0
}

// circle follows dead lanes from one until it meets itself.
func (f *finder) circle(l int32) []simcore.Wait {
	at := make(map[int32]int)
	var path []int32
	for {
		if i, ok := at[l]; ok {
			var loop []simcore.Wait
			for _, x := range path[i:] {
				loop = append(loop, f.wait(x))
			}
			return loop
		}
		at[l] = len(path)
		path = append(path, l)
		l = f.held[f.far(l)][0]
	}
}

// wait describes the packet in turn in a lane.
func (f *finder) wait(l int32) simcore.Wait {
	s := f.s
	o := l / int32(s.vcs)
	p := s.at(s.lanes[l].first)
	up := s.in[s.out[o].down].upSw
	return simcore.Wait{Switch: up, InPort: int32(p.in), VC: int32(p.vc & vcMask), OutPort: o - s.outStart[up],
		OutVC: l % int32(s.vcs), Source: topology.EndpointID(p.src), Dest: topology.EndpointID(p.dst)}
}
