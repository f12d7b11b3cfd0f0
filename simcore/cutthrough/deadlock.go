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
		fmt.Fprintf(&b, "\n  switch %d port %d VC %d (packet %d to %d) waits for port %d VC %d",
			w.Switch, w.InPort, w.VC, w.Source, w.Dest, w.OutPort, w.OutVC)
	}
	return b.String()
}

// findDeadlock searches a circle in the graph of lanes (output port and VC): a lane that is
// blocked waits for every packet in the far buffer, each of which waits in another lane.
func (s *Sim) findDeadlock() *Deadlock {
	n, moved := s.inNetwork()
	d := &Deadlock{SinceNs: float64(moved) / 1000, Packets: n}
	f := finder{s: s, state: make([]uint8, len(s.lanes)), from: make([]int32, len(s.lanes))}
	f.file()
	for l := range int32(len(s.lanes)) {
		if f.state[l] == 0 && f.blocked(l) {
			if loop := f.search(l); loop != nil {
				d.Cycle = loop
				return d
			}
		}
	}
	return d
}

// finder is a depth-first search without recursion.
type finder struct {
	s     *Sim
	state []uint8 // of a lane: 0 not seen, 1 on the path, 2 done
	from  []int32
	// held lists, by input port and VC, the packets there with the lanes in which they wait.
	held [][]waiting
}

type waiting struct{ packet, lane int32 }

// file finds the packets in every buffer.
func (f *finder) file() {
	s := f.s
	f.held = make([][]waiting, len(s.occ))
	for sw := range s.switches {
		for o := s.outStart[sw]; o < s.outStart[sw+1]; o++ {
			for vc := range int32(s.vcs) {
				l := o*int32(s.vcs) + vc
				for h := s.lanes[l].first; h >= 0; h = s.at(h).sibling {
					for i := h; i >= 0; i = s.at(i).next {
						p := s.at(i)
						k := (s.inStart[sw]+int32(p.in))*int32(s.vcs) + int32(p.vc&vcMask)
						f.held[k] = append(f.held[k], waiting{i, l})
					}
				}
			}
		}
	}
}

// blocked tells that the packet in turn in a lane may not go.
func (f *finder) blocked(l int32) bool {
	s := f.s
	q := &s.lanes[l]
	if q.first < 0 {
		return false
	}
	o, vc := l/int32(s.vcs), l%int32(s.vcs)
	return s.out[o].paused>>vc&1 != 0 || q.credit < s.bytes[s.at(q.first).size]
}

// far is the buffer that a lane leads to, -1 if it is an endpoint.
func (f *finder) far(l int32) int32 {
	s := f.s
	o := &s.out[l/int32(s.vcs)]
	if o.downSw < 0 {
		return -1
	}
	return o.down*int32(s.vcs) + l%int32(s.vcs)
}

func (f *finder) search(start int32) []simcore.Wait {
	type frame struct {
		lane int32
		next int
	}
	path := []frame{{start, 0}}
	f.state[start] = 1
	for len(path) > 0 {
		top := &path[len(path)-1]
		k := f.far(top.lane)
		if k < 0 || top.next == len(f.held[k]) {
			f.state[top.lane] = 2
			path = path[:len(path)-1]
			continue
		}
		l := f.held[k][top.next].lane
		top.next++
		if f.state[l] == 1 {
			var loop []simcore.Wait
			for i := len(path) - 1; i >= 0; i-- {
				loop = append([]simcore.Wait{f.wait(path[i].lane)}, loop...)
				if path[i].lane == l {
					return loop
				}
			}
		}
		if f.state[l] == 0 && f.blocked(l) {
			f.state[l] = 1
			path = append(path, frame{l, 0})
		}
	}
	return nil
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
