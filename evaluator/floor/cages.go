package floor

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// plugs is how many links of each switch lead through plugs of a kind.
type plugs struct {
	links map[plugAt]int64
	whole map[topology.SwitchID]int64 // physical ports filled by plugs of which each serves one link
}

// plugAt is a kind of plug at a switch.
type plugAt struct {
	at   topology.SwitchID
	part *catalog.Part // nil: plugs for single links, as many of which as fit are taken to share a physical port
	gbps int
	far  int64 // the box at the other end, of cables that join two boxes by several links
}

// add counts a cable at the switches that it leads to.
func (k *plugs) add(s *Schedule, c *Cable) {
	plug := c.Modules
	if plug == nil {
		plug = c.Part
	}
	a, b := box(c.FromSwitch, c.Endpoint), box(c.ToSwitch, c.ToEndpoint)
	if c.FromSwitch >= 0 {
		k.end(s, plug, c.FromSwitch, b, c.ToSwitch < 0)
	}
	if c.ToSwitch >= 0 && !c.Circuit {
		k.end(s, plug, c.ToSwitch, a, c.FromSwitch < 0)
	}
}

func (k *plugs) end(s *Schedule, plug *catalog.Part, at topology.SwitchID, far int64, toEndpoint bool) {
	x := plugAt{at, plug, plug.RateGbps / max(plug.Ports, 1), 0}
	switch {
	case plug.Ports <= 1:
		x.part = nil
	case plug.Kind == catalog.KindTransceiver || plug.Splitter():
	case toEndpoint: // a port of an adapter is a cage
		k.whole[at] += s.fills(plug, x.gbps, at)
		return
	default:
		x.far = far + 1<<62 // never 0
	}
	k.links[x]++
}

// fills is how many physical ports of a switch a plug takes.
func (s *Schedule) fills(plug *catalog.Part, gbps int, at topology.SwitchID) int64 {
	each := int64(SplitOf(s.buys.Switches[s.classOf(at)].Part, gbps))
	return (int64(max(plug.Ports, 1)) + each - 1) / each
}

// classOf is the class of a switch.
func (s *Schedule) classOf(at topology.SwitchID) int {
	n := int64(at)
	for i := range s.size.Family.SwitchClasses {
		if n -= s.size.Switch[i].Count; n < 0 {
			return i
		}
	}
	panic("floor: a switch of no class")
}

// over are the classes of which a switch has too few physical ports; not those whose switches share boxes.
func (k *plugs) over(s *Schedule) (out []Cages) {
	for x, links := range k.links {
		switch {
		case x.part == nil:
			each := int64(SplitOf(s.buys.Switches[s.classOf(x.at)].Part, x.gbps))
			k.whole[x.at] += (links + each - 1) / each
		default:
			each := int64(x.part.Ports)
			k.whole[x.at] += (links + each - 1) / each * s.fills(x.part, x.gbps, x.at)
		}
	}
	var most [topology.MaxClasses]int64
	for at, filled := range k.whole {
		i := s.classOf(at)
		most[i] = max(most[i], filled)
	}
	for i := range s.size.Family.SwitchClasses {
		part := s.buys.Switches[i].Part
		if part != nil && s.floor.sharing[i].Per <= 1 && most[i] > int64(part.Ports) {
			out = append(out, Cages{s.size.Family.SwitchClasses[i].Name, most[i], int64(part.Ports)})
		}
	}
	return out
}

// box numbers switches from 0 up and endpoints from -1 down.
func box(s topology.SwitchID, e topology.EndpointID) int64 {
	if s >= 0 {
		return int64(s)
	}
	return -1 - int64(e)
}
