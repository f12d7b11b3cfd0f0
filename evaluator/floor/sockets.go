package floor

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Socket is where a cable is plugged in, as it can be read from the front of a box.
type Socket struct {
	// Unit is the number of an endpoint within its server, from 1; 0 for a switch.
	Unit int
	// Port is the physical port of a switch, from 1; of an endpoint, its network port.
	Port int
	// Lane is the part of a split port, from 1; 0 where the port is not split.
	Lane int
}

// sockets deals the ports of a switch out to the cages on its front. Ports of one rate have
// consecutive cages, those towards switches first: rates in the order of the link classes. All
// switches of a class are numbered in the same way, as if each had the ports of the fullest: uplinks then
// begin at the same cage everywhere.
type sockets struct {
	group [topology.MaxClasses]int // rate of a link class, by number; -1: no ports
	rates int
	class []switchSockets
	of    []uint8 // class of a switch
	// next cage position towards switches and towards endpoints, by rate and switch
	next, ends [][]int32
}

// switchSockets are those of a class of switches, by rate.
type switchSockets struct {
	base, each [topology.MaxClasses]int32 // physical ports before, and ports that one becomes
	first      topology.SwitchID
	sharing    market.Sharing
	width      int64 // physical ports of one of the switches in a box
}

// learn numbers the rates and finds where those of every class begin.
func (k *sockets) learn(s *Schedule) {
	f := s.size.Family
	var gbps [topology.MaxClasses]int
	for c := range f.LinkClasses {
		k.group[c] = -1
		if s.rates.Kind[c] != market.Cable {
			continue
		}
		g, at := int(math.Ceil(s.rates.Link[c])), 0
		for at < k.rates && gbps[at] != g {
			at++
		}
		if at == k.rates {
			gbps[at] = g
			k.rates++
		}
		k.group[c] = at
	}
	k.class = make([]switchSockets, len(f.SwitchClasses))
	k.of = make([]uint8, 0, s.size.AllSwitches())
	for i := range f.SwitchClasses {
		var count [topology.MaxClasses]int32
		for c := range f.LinkClasses {
			if k.group[c] >= 0 {
				count[k.group[c]] += s.size.Switch[i].Ports[c]
			}
		}
		base := int32(0)
		for g := range k.rates {
			each := SplitOf(s.buys.Switches[i].Part, gbps[g])
			k.class[i].base[g], k.class[i].each[g] = base, each
			base += (count[g] + each - 1) / each
		}
		k.class[i].first, k.class[i].sharing, k.class[i].width = topology.SwitchID(len(k.of)), s.floor.sharing[i], int64(base)
		for range s.size.Switch[i].Count {
			k.of = append(k.of, uint8(i))
		}
	}
	k.next, k.ends = make([][]int32, k.rates), make([][]int32, k.rates)
	for g := range k.rates {
		k.next[g], k.ends[g] = make([]int32, len(k.of)), make([]int32, len(k.of))
	}
}

// SplitOf is how many ports of a rate one physical port of a switch becomes.
func SplitOf(p *catalog.Part, gbps int) int32 {
	each := 1
	if p == nil || p.Ports <= 0 {
		return 1
	}
	for _, b := range p.Breakouts {
		if b.Gbps == gbps {
			each = max(each, b.Count/p.Ports)
		}
	}
	return int32(each)
}

// count lets the sockets towards endpoints begin behind those of a link between switches a and b.
func (k *sockets) count(class int, a, b topology.SwitchID) {
	if k.rates > 0 {
		ends := k.ends[k.group[class]]
		ends[a]++
		ends[b]++
	}
}

// take gives a cable of a class the next socket of switch b; the zero value if nobody asked.
func (k *sockets) take(class int, b topology.SwitchID, ports [][]int32) Socket {
	if k.rates == 0 {
		return Socket{}
	}
	g := k.group[class]
	n := ports[g][b]
	ports[g][b]++
	c := &k.class[k.of[b]]
	each := c.each[g]
	_, before := c.sharing.Box(int64(b - c.first)) // switches in the same box
	s := Socket{Port: int(before*c.width) + int(c.base[g]+n/each+1)}
	if each > 1 {
		s.Lane = int(n%each + 1)
	}
	return s
}

// unitOf is the socket of port number port, from 0, of an endpoint.
func (s *Schedule) unitOf(e topology.EndpointID, port int) Socket {
	return Socket{Unit: int(int64(e)%s.floor.perServer) + 1, Port: port + 1}
}
