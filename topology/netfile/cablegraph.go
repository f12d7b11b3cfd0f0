package netfile

import (
	"slices"
	"strconv"
	"strings"

	"toposearch/topology"
)

// finish makes the graph: the first class is of links to endpoints, then one class for each that the cables name, or for each rate.
func (p *cabling) finish() *graph {
	g := &graph{linkClasses: []topology.LinkClass{nicClass}, unidirectional: p.oneWay}
	lane, ok := p.lane(g)
	if !ok {
		return nil
	}
	edge := make([]bool, len(p.switches))
	at := make([][]int, len(p.hosts)) // edges of an endpoint
	for i, e := range p.edges {
		if e.endpoint {
			edge[e.b] = true
			at[e.a] = append(at[e.a], i)
			if p.switches[e.b].flags.Embedded {
				g.linkClasses[0] = topology.LinkClass{Name: topology.ClassInternal, Doc: "endpoint to its forwarding part"}
			}
		}
	}
	classOf, ok := p.linkClasses(g, lane)
	if !ok {
		return nil
	}
	order, ok := p.order(g, edge)
	if !ok {
		return nil
	}
	if p.setMedia(g, classOf); p.src.list.HasErrors() {
		return nil
	}
	for _, e := range p.edges {
		if !e.endpoint {
			g.a, g.b = append(g.a, order[e.a]), append(g.b, order[e.b])
			g.class = append(g.class, classOf[kindOf(&e)])
			g.links = append(g.links, e.info)
		}
	}
	if g.linkClasses[0].Name == topology.ClassInternal && g.laneGbps > 0 {
		g.endpointLanes = g.lanes[0] // an internal link carries all that its endpoint can send
	}
	g.portStart = []int32{0}
	g.endpointNames = p.hosts
	var ports []topology.SwitchID
	for _, edges := range at {
		ports = ports[:0]
		for _, i := range edges {
			ports = append(ports, order[p.edges[i].b])
			g.nics = append(g.nics, p.edges[i].info)
		}
		g.endpoint(ports)
	}
	return g
}

// lane chooses the lane: the largest rate that all rates are multiples of. Either every cable has a rate or none, and all
// endpoint ports have the same.
func (p *cabling) lane(g *graph) (lane int64, ok bool) {
	var nic int64
	given := 0
	for i := range p.edges {
		e := &p.edges[i]
		if e.milli > 0 {
			given++
		}
		lane = gcd(lane, e.milli)
		if !e.endpoint {
			continue
		}
		if nic == 0 {
			nic = e.milli
		}
		if e.milli != nic {
			p.src.at(e.at, "give all ports of endpoints one rate", "this endpoint port has %g Gb/s, the first has %g",
				float64(e.milli)/1000, float64(nic)/1000)
		}
	}
	if given > 0 && given < len(p.edges) {
		i := slices.IndexFunc(p.edges, func(e edge) bool { return e.milli == 0 })
		p.src.at(p.edges[i].at, "give every cable a rate or none", "this cable has no rate, others have")
	}
	lane = max(lane, 1)
	if given > 0 {
		g.laneGbps = float64(lane) / 1000
	}
	g.lanes = []int32{int32(max(nic/lane, 1))}
	return lane, !p.src.list.HasErrors()
}

// linkKind tells classes of links between switches apart: by the name that the file gives, else by their rate.
type linkKind struct {
	class string
	milli int64
}

func kindOf(e *edge) linkKind { return linkKind{e.class, e.milli} }

func (p *cabling) linkClasses(g *graph, lane int64) (classOf map[linkKind]uint8, ok bool) {
	classOf = map[linkKind]uint8{}
	var kinds []linkKind
	for i := range p.edges {
		e := &p.edges[i]
		k := kindOf(e)
		if e.endpoint || slices.Contains(kinds, k) {
			continue
		}
		if k.class == g.linkClasses[0].Name || slices.ContainsFunc(kinds, func(o linkKind) bool { return o.class == k.class && k.class != "" }) {
			p.src.at(e.at, "links of a class have one rate, and none the class of those to endpoints; give it a name of its own",
				"a link of class %s between switches with %g Gb/s", k.class, float64(k.milli)/1000)
			return nil, false
		}
		if kinds = append(kinds, k); len(kinds) > topology.MaxClasses-1 {
			p.src.at(e.at, "round rates that are meant to be equal", "more than %d different rates or classes between switches", topology.MaxClasses-1)
			return nil, false
		}
	}
	slices.SortStableFunc(kinds, func(a, b linkKind) int { // of names in the order of the file
		if a.class != "" || b.class != "" {
			return 0
		}
		return int(b.milli - a.milli)
	})
	for i, k := range kinds {
		c := linkClass
		switch {
		case k.class != "":
			c.Name = k.class
		case len(kinds) > 1:
			c.Name += strconv.FormatFloat(float64(k.milli)/1000, 'f', -1, 64)
		}
		classOf[k] = uint8(i + 1)
		g.linkClasses = append(g.linkClasses, c)
		g.lanes = append(g.lanes, int32(max(k.milli/lane, 1)))
	}
	return classOf, !p.src.list.HasErrors()
}

// setMedia reads the media of classes of links. Only cables that have a class tell it; words such as copper, or the type of a cable, are their own affair.
func (p *cabling) setMedia(g *graph, classOf map[linkKind]uint8) {
	said := map[int]string{}  // words of classes
	entry := map[string]int{} // in known.Media, by its word
	for i := range p.edges {
		e := &p.edges[i]
		if e.class == "" {
			continue
		}
		c, words := 0, slices.DeleteFunc(strings.Fields(e.info.Medium), func(w string) bool { return w != mediumBoard && !mediumWord.MatchString(w) })
		if !e.endpoint {
			c = int(classOf[kindOf(e)])
		}
		all := strings.Join(words, " ")
		old, again := said[c]
		if said[c] = all; again && old != all {
			p.src.at(e.at, "links of a class are made of the same; give these a class of their own", "a link of class %s has the medium %s, another %s",
				e.class, strconv.Quote(all), strconv.Quote(old))
			return
		}
		if again {
			continue
		}
		for _, w := range words {
			if w == mediumBoard {
				g.place.Boards = append(g.place.Boards, c)
				continue
			}
			m := mediumWord.FindStringSubmatch(w)
			k, ok := entry[w]
			switch {
			case m[2] != "" && c == 0:
				p.src.at(e.at, "", "endpoints do not hang over circuit switches")
				return
			case !ok && len(g.known.Media) == mostMedia:
				p.src.at(e.at, "", "more than %d media", mostMedia)
				return
			case !ok:
				k = len(g.known.Media)
				entry[w] = k
				groups, _ := strconv.Atoi(m[3]) // digits, or none
				g.known.Media = append(g.known.Media, topology.LinkMedium{Medium: m[1] + m[2], Groups: groups})
			}
			g.known.Media[k].Classes = append(g.known.Media[k].Classes, c)
		}
	}
	slices.Sort(g.place.Boards)
}

// nameKinds gives switches without a class one by their kind, where some are of another than switch.
func (p *cabling) nameKinds(edge []bool) {
	if !slices.ContainsFunc(p.switches, func(b box) bool { return b.class == "" && b.flags != topology.SwitchClass{} }) {
		return
	}
	for i := range p.switches {
		switch b := &p.switches[i]; {
		case b.class != "":
		case b.flags != topology.SwitchClass{}:
			b.class = strings.ReplaceAll(Kind(&b.flags, b.together), " ", "-")
		case edge[i]:
			b.class = "edge"
		default:
			b.class = "core"
		}
	}
}

// order numbers the switches class by class: the classes that the file gives to all, or edge and core.
func (p *cabling) order(g *graph, edge []bool) (order []topology.SwitchID, ok bool) {
	p.nameKinds(edge)
	if slices.ContainsFunc(p.switches, func(b box) bool { return b.class == "" }) || len(p.switches) == 0 {
		names := make([]string, len(p.switches))
		for i, b := range p.switches {
			names[i] = b.name
		}
		g.twoClasses(edge, names)
		return g.renumber(edge), true
	}
	g.place = topology.Placement{Blocks: 1}
	class := make([]int, len(p.switches))
	for i, b := range p.switches {
		c := slices.IndexFunc(g.switchClasses, func(c topology.SwitchClass) bool { return c.Name == b.class })
		if c < 0 {
			if c = len(g.switchClasses); c == topology.MaxClasses {
				p.src.at(0, "", "more than %d classes of switches", topology.MaxClasses)
				return nil, false
			}
			k := b.flags
			k.Name = b.class
			g.switchClasses = append(g.switchClasses, k)
			g.known.Together[c] = b.together
			g.switchCount = append(g.switchCount, 0)
			g.place.Homes = append(g.place.Homes, topology.Central)
		}
		k := b.flags
		if k.Name = b.class; g.switchClasses[c] != k || g.known.Together[c] != b.together {
			p.src.at(0, "", "switch %s of class %s is of the kind %s, and others of the class are not", b.name, b.class, Kind(&k, b.together))
			return nil, false
		}
		switch {
		case k.StandsIn:
			g.place.Homes[c] = topology.WithEndpoints
		case k.Embedded:
			g.place.Homes[c] = topology.Inside
		case edge[i]:
			g.place.Homes[c] = topology.WithEndpoints
		}
		class[i] = c
		g.switchCount[c]++
	}
	next := make([]topology.SwitchID, len(g.switchCount))
	for c := 1; c < len(next); c++ {
		next[c] = next[c-1] + topology.SwitchID(g.switchCount[c-1])
	}
	order = make([]topology.SwitchID, len(p.switches))
	g.switchNames = make([]string, len(p.switches))
	for i, b := range p.switches {
		order[i] = next[class[i]]
		next[class[i]]++
		g.switchNames[order[i]] = b.name
	}
	return order, true
}
