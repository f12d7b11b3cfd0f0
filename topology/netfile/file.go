package netfile

import (
	"encoding/binary"
	"sync"

	"toposearch/diag"
	"toposearch/topology"
)

// File is a network read from a file, as a family without parameters and what the network model
// does not hold.
type File struct {
	// Family is named file:BASE@HASH, by the first 8 hex digits of the SHA-256 of the content.
	Family *topology.Family
	// LaneGbps is the rate of one lane in Gb/s; 0 if the file gives no rates.
	LaneGbps float64
	// SwitchNames and EndpointNames are by ID; nil where the format has no names.
	SwitchNames, EndpointNames []string
	// Links is by order of Wire, Nics by endpoint, port by port; nil if nothing is said of them.
	Links, Nics []LinkInfo
	// Warnings are findings that do not keep the network from being used.
	Warnings diag.List
}

// file makes the family that replays the graph.
func (g *graph) file(name, base string) *File {
	size := g.size()
	region := g.sharedSwitches()
	what := g.design
	if what == "" {
		what = "network"
	}
	f := &topology.Family{
		Name:           name,
		Title:          what + " read from " + base,
		Source:         topology.Source{Authors: "the file's author", Title: "network file " + base, Departures: "replayed as it stands; no symmetry is claimed"},
		LinkClasses:    g.linkClasses,
		SwitchClasses:  g.switchClasses,
		Unidirectional: g.unidirectional,
		Count: func(_ []int, s *topology.Size) {
			f := s.Family
			*s = size
			s.Family = f
		},
		Wire: func(_ []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
			for i := range g.a {
				emit(int(g.class[i]), g.a[i], g.b[i])
			}
		},
		Attach: func(_ []int, emit func(int, []topology.SwitchID)) {
			for i, n := range g.groupCount {
				emit(int(n), g.ports[g.portStart[i]:g.portStart[i+1]])
			}
		},
		Place: func([]int) topology.Placement {
			p := g.place
			p.Homes = append([]topology.Home(nil), p.Homes...)
			p.Boards = append([]int(nil), p.Boards...)
			return p
		},
		VCReason: "nothing is known of the construction: virtual channels count the hops so far, which rules out deadlock on any network, unless all shortest routes together have no cycle of dependencies",
		Figures: topology.Figures{
			NonBlocking: func([]int) int64 { return region },
		},
	}
	once := sync.OnceValue(func() topology.Rule {
		r := topology.Minimal()
		if n, err := (topology.Design{Family: f}).Build(); err == nil && oneVCMinimal(n) {
			r.HopVCs = false
		}
		return r
	})
	f.Natural = func([]int) topology.Rule { return once() }
	return &File{Family: f, LaneGbps: g.laneGbps, SwitchNames: g.switchNames, EndpointNames: g.endpointNames, Links: g.links, Nics: g.nics}
}

// size counts the graph once.
func (g *graph) size() (s topology.Size) {
	s.Reset(nil)
	s.Endpoints = g.endpoints()
	class := make([]uint8, 0, g.switches())
	for i, n := range g.switchCount {
		s.Switch[i].Count = n
		for range n {
			class = append(class, uint8(i))
		}
	}
	copy(s.Lanes[:], g.lanes)
	network := make([]int32, len(class)) // network ports of embedded switches
	lanes := make([]int32, len(class))
	deg := make([]int32, len(class))
	for c := range g.linkClasses {
		clear(deg)
		g.degrees(c, deg, &s)
		name := g.linkClasses[c].Name
		for x, d := range deg {
			p := &s.Switch[class[x]].Ports[c]
			*p = max(*p, d)
			if name != topology.ClassInternal && name != topology.ClassScaleup {
				network[x] += d
				lanes[x] += d * g.lanes[c]
			}
		}
	}
	for i := range g.groupCount {
		at := g.ports[g.portStart[i]:g.portStart[i+1]]
		ports, sum := int32(len(at)), int32(len(at))*g.lanes[0]
		if g.linkClasses[0].Name == topology.ClassInternal && len(at) > 0 {
			ports, sum = network[at[0]], lanes[at[0]]
		}
		s.EndpointPorts, s.EndpointLanes = max(s.EndpointPorts, ports), max(s.EndpointLanes, sum)
	}
	if g.endpointLanes > 0 {
		s.EndpointLanes = g.endpointLanes
	}
	s.EndpointLanes = max(s.EndpointLanes, 1)
	return s
}

// degrees adds the links of class c to the ports of their ends, and counts them.
func (g *graph) degrees(c int, deg []int32, s *topology.Size) {
	for i, k := range g.class {
		if int(k) == c {
			deg[g.a[i]]++
			deg[g.b[i]]++
			s.Link[c]++
		}
	}
	if c != 0 {
		return
	}
	for i, n := range g.groupCount {
		for _, x := range g.ports[g.portStart[i]:g.portStart[i+1]] {
			deg[x] += n
			s.Link[0] += int64(n)
		}
	}
}

// sharedSwitches is the largest number of endpoints that hang on the same switches: the largest
// block known to have full bisection inside.
func (g *graph) sharedSwitches() int64 {
	count := map[string]int64{}
	var most int64
	var key []byte
	for i, n := range g.groupCount {
		key = key[:0]
		for _, x := range g.ports[g.portStart[i]:g.portStart[i+1]] {
			key = binary.AppendVarint(key, int64(x))
		}
		count[string(key)] += int64(n)
		most = max(most, count[string(key)])
	}
	return most
}
