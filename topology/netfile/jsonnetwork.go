package netfile

import (
	"slices"
	"strconv"

	"toposearch/diag"
	"toposearch/topology"
)

// networkReader collects the network of a JSON text. Checks that need classes still to come wait in late.
type networkReader struct {
	tokens
	g      *graph
	gbps   []float64 // of each link class, 0 if given in lanes
	lanes  []bool    // whether a link class gives lanes
	names  map[string]int
	late   []func() // checks that need the classes
	length bool     // some link has a length
	total  int64    // endpoints so far
}

func (r *networkReader) schema() {
	if s, at := r.text("schema"); s != Schema && r.end == nil {
		r.src.at(at, "this program reads "+Schema, "schema %q is not known", s)
	}
}

func (r *networkReader) switchClass() {
	var c topology.SwitchClass
	count, together, home, at := int64(0), int64(0), -1, r.next()
	seen := r.object("a switch class", map[string]func(){
		"name":       func() { c.Name, at = r.text("name") },
		"doc":        func() { c.Doc, _ = r.text("doc") },
		"count":      func() { count = r.whole("count", 0, maxSwitches) },
		"embedded":   func() { c.Embedded = r.flag("embedded") },
		"relay":      func() { c.Relay = r.flag("relay") },
		"on_chip":    func() { c.OnChip = r.flag("on_chip") },
		"stands_in":  func() { c.StandsIn = r.flag("stands_in") },
		"shares_box": func() { together = r.whole("shares_box", 1, maxSwitches) },
		"home": func() {
			s, at := r.text("home")
			if home = slices.Index(homes, s); home < 0 && r.end == nil {
				r.src.at(at, "", "no home %q%s", s, diag.Hint(s, homes))
			}
		},
	})
	if r.end != nil {
		return
	}
	inside := topology.Home(home) == topology.Inside
	switch {
	case c.Name == "":
		r.src.at(at, "", "a switch class without a name")
	case slices.ContainsFunc(r.g.switchClasses, func(d topology.SwitchClass) bool { return d.Name == c.Name }):
		r.src.at(at, "", "switch class %q stands twice", c.Name)
	case !slices.Contains(seen, "count"):
		r.src.at(at, "", "switch class %q has no count", c.Name)
	case (c.Relay || c.OnChip || c.StandsIn) && !c.Embedded:
		r.src.at(at, "", "switch class %q relays, is on a chip or stands in, so it is embedded", c.Name)
	case together > 0 && count%together != 0:
		r.src.at(at, "", "groups of %d do not divide the %d switches of class %q", together, count, c.Name)
	case home >= 0 && inside != (c.Embedded && !c.StandsIn):
		r.src.at(at, "", "the home of switch class %q is %q, and embedded is %v", c.Name, homes[home], c.Embedded)
	case len(r.g.switchClasses) == topology.MaxClasses:
		r.src.at(at, "", "more than %d switch classes", topology.MaxClasses)
	case r.g.switches()+count > maxSwitches:
		r.src.at(at, "", "more than %d switches", maxSwitches)
	default:
		if home < 0 {
			home = int(topology.Central)
			if c.Embedded {
				home = int(topology.Inside)
			}
		}
		c.SharesBox = together > 0
		r.g.known.Together[len(r.g.switchClasses)] = together
		r.g.switchClasses = append(r.g.switchClasses, c)
		r.g.switchCount = append(r.g.switchCount, count)
		r.g.place.Homes = append(r.g.place.Homes, topology.Home(home))
	}
}

func (r *networkReader) linkClass() {
	var c topology.LinkClass
	lanes, gbps, board, at := int64(1), 0.0, false, r.next()
	seen := r.object("a link class", map[string]func(){
		"name":  func() { c.Name, at = r.text("name") },
		"doc":   func() { c.Doc, _ = r.text("doc") },
		"lanes": func() { lanes = r.whole("lanes", 1, 1<<20) },
		"gbps":  func() { gbps = r.positive("gbps") },
		"board": func() { board = r.flag("board") },
	})
	if r.end != nil {
		return
	}
	_, twice := r.names[c.Name]
	switch {
	case c.Name == "":
		r.src.at(at, "", "a link class without a name")
	case twice:
		r.src.at(at, "", "link class %q stands twice", c.Name)
	case len(r.g.linkClasses) == 0 && c.Name != topology.ClassNic && c.Name != topology.ClassInternal:
		r.src.at(at, "", "the first link class is the one by which endpoints hang, nic or internal, not %q", c.Name)
	case gbps > 0 && slices.Contains(seen, "lanes"):
		r.src.at(at, "", "link class %q has both lanes and gbps", c.Name)
	case len(r.g.linkClasses) == topology.MaxClasses:
		r.src.at(at, "", "more than %d link classes", topology.MaxClasses)
	default:
		if board {
			r.g.place.Boards = append(r.g.place.Boards, len(r.g.linkClasses))
		}
		r.names[c.Name] = len(r.g.linkClasses)
		r.g.linkClasses = append(r.g.linkClasses, c)
		r.g.lanes = append(r.g.lanes, int32(lanes))
		r.gbps = append(r.gbps, gbps)
		r.lanes = append(r.lanes, slices.Contains(seen, "lanes"))
	}
}

// endpoints reads [count, switch, switch, ...].
func (r *networkReader) endpoints() {
	at := r.next()
	count, first := int64(0), true
	r.array("an entry of endpoints", func() {
		if first {
			count, first = r.whole("the number of endpoints", 1, maxEndpoints), false
			return
		}
		s := r.whole("a switch", 0, maxSwitches-1)
		r.exists(s)
		r.g.ports = append(r.g.ports, topology.SwitchID(s))
	})
	ports := len(r.g.ports) - int(r.g.portStart[len(r.g.portStart)-1])
	switch {
	case r.end != nil:
		return
	case ports == 0:
		r.src.at(at, "write [count, switch, ...]", "endpoints without a port")
	case r.total+count > maxEndpoints:
		r.src.at(at, "", "more than %d endpoints", maxEndpoints)
		return
	}
	r.total += count
	r.g.groupCount = append(r.g.groupCount, int32(count))
	r.g.portStart = append(r.g.portStart, int32(len(r.g.ports)))
}

// exists checks a switch number, now or once the classes are known.
func (r *networkReader) exists(s int64) {
	at := int(r.dec.InputOffset()) - len(strconv.FormatInt(s, 10))
	if len(r.g.switchClasses) > 0 {
		if n := r.g.switches(); s >= n {
			r.src.at(at, "", "there is no switch %d; they are numbered 0 to %d", s, n-1)
		}
		return
	}
	if len(r.late) < maxFindings {
		r.late = append(r.late, func() { r.exists(s) })
	}
}

func (r *networkReader) linkGroup() {
	class, from := "", len(r.g.a)
	at := r.next()
	seen := r.object("an entry of links", map[string]func(){
		"class": func() { class, at = r.text("class") },
		"ends":  func() { r.array("ends", r.link) },
	})
	if r.end != nil {
		return
	}
	c, ok := r.names[class]
	switch {
	case !slices.Contains(seen, "class") || !slices.Contains(seen, "ends"):
		r.src.at(at, "", "an entry of links has a class and ends")
	case len(r.g.linkClasses) == 0:
		r.src.at(at, "put link_classes before links", "the link classes are not known yet")
	case !ok:
		names := make([]string, 0, len(r.g.linkClasses))
		for _, c := range r.g.linkClasses {
			names = append(names, c.Name)
		}
		r.src.at(at, "", "no link class %q%s", class, diag.Hint(class, names))
	}
	for range len(r.g.a) - from {
		r.g.class = append(r.g.class, uint8(c))
	}
}

// link reads [a, b] or [a, b, metres].
func (r *networkReader) link() {
	at := r.next()
	var ends [2]int64
	i, length := 0, 0.0
	r.array("a link", func() {
		switch i {
		case 0, 1:
			ends[i] = r.whole("a switch", 0, maxSwitches-1)
			r.exists(ends[i])
		case 2:
			length = r.positive("the length of a link")
		case 3:
			r.src.at(r.next(), "write [a, b] or [a, b, metres]", "too many values for a link")
			r.skip()
		default:
			r.skip()
		}
		i++
	})
	if r.end != nil {
		return
	}
	switch {
	case i < 2:
		r.src.at(at, "write [a, b] or [a, b, metres]", "a link has two ends")
	case ends[0] == ends[1]:
		r.src.at(at, "", "switch %d is linked to itself", ends[0])
	}
	r.g.a, r.g.b = append(r.g.a, topology.SwitchID(ends[0])), append(r.g.b, topology.SwitchID(ends[1]))
	if length > 0 && !r.length {
		r.length = true
		r.g.links = make([]LinkInfo, len(r.g.a)-1)
	}
	if r.length {
		r.g.links = append(r.g.links, LinkInfo{LengthM: length})
	}
}
