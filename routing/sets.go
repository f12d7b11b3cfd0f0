package routing

import (
	"encoding/binary"
	"slices"

	"toposearch/topology"
)

// Port is a switch that endpoints of a set hang on, and by how many ports each.
type Port struct {
	Switch topology.SwitchID
	Count  int32
}

// Set is all endpoints that hang on the same switches. Routes differ between sets only.
type Set struct {
	Ports     []Port // by switch, ascending
	Endpoints int64
	First     topology.EndpointID // the lowest of them
}

// Attachments gathers the endpoint groups of a network into sets, in order of first endpoint,
// and says to which set each group belongs.
func Attachments(n *topology.Network) (sets []Set, of []int32) {
	of = make([]int32, n.Groups())
	seen := make(map[string]int32)
	var sorted []topology.SwitchID
	var key []byte
	alone := make([]int32, n.Switches()) // by switch: 1 + the set of endpoints that have one port there, and no other
	room := make([]Port, n.Switches())
	for g := range of {
		first, end, ports := n.Group(g)
		if len(ports) == 1 {
			if s := ports[0]; alone[s] == 0 {
				room[0] = Port{s, 1}
				sets = append(sets, Set{Ports: room[:1:1], First: first})
				alone[s], room = int32(len(sets)), room[1:]
			}
			of[g] = alone[ports[0]] - 1
			sets[of[g]].Endpoints += int64(end - first)
			continue
		}
		sorted = append(sorted[:0], ports...)
		slices.Sort(sorted)
		key = key[:0]
		for _, p := range sorted {
			key = binary.LittleEndian.AppendUint32(key, uint32(p))
		}
		i, ok := seen[string(key)]
		if !ok {
			i = int32(len(sets))
			seen[string(key)] = i
			sets = append(sets, Set{Ports: countPorts(sorted), First: first})
		}
		sets[i].Endpoints += int64(end - first)
		of[g] = i
	}
	return sets, of
}

func countPorts(sorted []topology.SwitchID) []Port {
	var p []Port
	for i, s := range sorted {
		if i > 0 && sorted[i-1] == s {
			p[len(p)-1].Count++
		} else {
			p = append(p, Port{s, 1})
		}
	}
	return p
}

// ports is the number of ports of an endpoint of the set.
func (s *Set) ports() int32 {
	var n int32
	for _, p := range s.Ports {
		n += p.Count
	}
	return n
}

// Shares tells whether several endpoints have several switches in common.
func (s *Set) Shares() bool { return s.Endpoints > 1 && len(s.Ports) > 1 }
