package netfile

import "toposearch/topology"

// size counts the graph once.
func (g *graph) size() (s topology.Size) {
	s.Reset(nil)
	s.Endpoints = g.endpoints()
	copy(s.Lanes[:], g.lanes)
	t := g.countPorts(&s)
	first := 0
	for i, n := range g.switchCount {
		s.Switch[i].Count, s.Switch[i].Together = n, g.known.Together[i]
		if g.switchClasses[i].Embedded {
			t.mostOfEach(first, first+int(n), &s.Switch[i])
		} else {
			t.fullest(first, first+int(n), &s.Switch[i])
		}
		first += int(n)
	}
	for i := range g.groupCount {
		at := g.ports[g.portStart[i]:g.portStart[i+1]]
		ports, lanes := int32(len(at)), int32(len(at))*g.lanes[0]
		if g.linkClasses[0].Name == topology.ClassInternal && len(at) > 0 {
			ports, lanes = 0, 0
			for c, k := range t.of(int(at[0])) {
				if name := g.linkClasses[c].Name; name != topology.ClassInternal && !topology.IsScaleup(name) {
					ports, lanes = ports+k, lanes+k*g.lanes[c]
				}
			}
			if g.unidirectional { // a port out and a port in for each of other networks
				lanes /= 2
			}
		}
		s.EndpointPorts, s.EndpointLanes = max(s.EndpointPorts, ports), max(s.EndpointLanes, lanes)
	}
	if g.endpointLanes > 0 {
		s.EndpointLanes = g.endpointLanes
	}
	s.EndpointLanes = max(s.EndpointLanes, 1)
	return s
}

// portTable is the ports of every switch by link class, row by row.
type portTable struct {
	classes int
	rate    []int // of each class, by number: classes of equal lanes have the same
	lanes   []int32
	ports   []int32
}

// of is the row of a switch.
func (t *portTable) of(x int) []int32 { return t.ports[x*t.classes : (x+1)*t.classes] }

// countPorts fills the table, and counts the links in s.
func (g *graph) countPorts(s *topology.Size) *portTable {
	t := &portTable{classes: len(g.linkClasses), lanes: g.lanes}
	t.ports = make([]int32, int(g.switches())*t.classes)
	for c, lanes := range g.lanes[:t.classes] {
		r := 0
		for r < c && g.lanes[r] != lanes {
			r++
		}
		t.rate = append(t.rate, r)
	}
	for i, c := range g.class {
		t.of(int(g.a[i]))[c]++
		t.of(int(g.b[i]))[c]++
		s.Link[c]++
	}
	for i, n := range g.groupCount {
		for _, x := range g.ports[g.portStart[i]:g.portStart[i+1]] {
			t.of(int(x))[0] += n
			s.Link[0] += int64(n)
		}
	}
	return t
}

// mostOfEach takes the most ports of the switches first to end class by class.
func (t *portTable) mostOfEach(first, end int, k *topology.SwitchCount) {
	for x := first; x < end; x++ {
		for c, n := range t.of(x) {
			k.Ports[c] = max(k.Ports[c], n)
		}
	}
}

// fullest finds the ports that one model of switch needs for all of the switches first to end: those of the
// one with the most bandwidth in use, the first of several, if it has the most at every rate; else
// rate by rate those of the switch with the most at it.
func (t *portTable) fullest(first, end int, k *topology.SwitchCount) {
	var most, sums [topology.MaxClasses]int32 // by rate: of any switch, of one
	var at [topology.MaxClasses]int           // the switch that has most
	best, bandwidth, inUse := first, int64(-1), int32(0)
	var used uint32
	for x := first; x < end; x++ {
		clear(sums[:])
		total, all := int64(0), int32(0)
		for c, n := range t.of(x) {
			sums[t.rate[c]] += n
			total += int64(n) * int64(t.lanes[c])
			all += n
			if n > 0 {
				used |= 1 << c
			}
		}
		for r, n := range sums {
			if n > most[r] {
				most[r], at[r] = n, x
			}
		}
		if total > bandwidth {
			best, bandwidth = x, total
		}
		inUse = max(inUse, all)
	}
	if first == end {
		return
	}
	clear(sums[:])
	for c, n := range t.of(best) {
		sums[t.rate[c]] += n
	}
	sum := int32(0)
	for c := range t.classes {
		from := best
		if sums != most {
			from = at[t.rate[c]]
		}
		k.Ports[c] = t.of(from)[c]
		sum += k.Ports[c]
		if k.Ports[c] > 0 {
			used &^= 1 << c
		}
	}
	k.Also = used
	if inUse < sum {
		k.Most = inUse
	}
}
