package netfile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/topology"
)

// endpointWords are the leading letters, in any case, of the names of endpoints.
var endpointWords = []string{
	"acc", "accelerator", "compute", "cn", "e", "ep", "endpoint", "gpu", "h", "hca", "host", "n", "nic", "node", "npu",
	"server", "srv", "tpu", "worker", "xpu",
}

// IsEndpoint tells an endpoint's name from a switch's, by its leading letters, where a format says it by nothing else.
func IsEndpoint(name string) bool {
	i := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if i < 0 {
		i = len(name)
	}
	return slices.Contains(endpointWords, strings.ToLower(name[:i]))
}

// cabling collects the cables of formats that join named devices, one by one.
type cabling struct {
	src      *source
	ids      map[string]place // of names: switches and endpoints are numbered apart
	switches []box
	hosts    []string
	edges    []edge
	used     map[string]bool // "name\x00port"
	cables   map[string]bool
	oneWay   bool // links between switches are channels from a to b
}

// device is an end of a cable, as a format tells of it.
type device struct {
	key      string // unique
	name     string // as shown; "": the key
	endpoint bool
	box
}

// box is what is known of a switch.
type box struct {
	name     string
	class    string               // "" if the format has none
	flags    topology.SwitchClass // without name and doc
	together int64                // so many, in order, may share boxes; 0: each is one of its own
}

// place is where a device is listed, and as what.
type place struct {
	id       int32
	endpoint bool
}

// edge is a cable: of an endpoint a to a switch b, or between two switches.
type edge struct {
	a, b     int32
	endpoint bool   // a is an endpoint
	milli    int64  // rate in Mb/s, 0 if not given
	class    string // of a link between switches; "" if the format has none
	at       int    // offset
	info     LinkInfo
}

func newCabling(src *source) cabling {
	return cabling{src: src, ids: map[string]place{}, used: map[string]bool{}, cables: map[string]bool{}}
}

// join adds a cable; e says what is known of it, ports in the order of a and b. atB is the offset of b.
func (p *cabling) join(a, b device, e edge, atB int) {
	switch {
	case a.key == b.key:
		p.src.at(atB, "", "%s is linked to itself", a.shown())
		return
	case a.endpoint && b.endpoint:
		p.src.at(atB, "an endpoint hangs on switches; a device that forwards needs the name of a switch",
			"%s and %s are both endpoints", a.shown(), b.shown())
		return
	case !p.same(a, e.at) || !p.same(b, atB):
		return
	case len(p.edges) >= maxLines:
		p.src.at(e.at, "", "the file has more than %d cables", maxLines)
		p.src.full = true
		return
	case b.endpoint:
		a, b = b, a
		e.info.PortA, e.info.PortB = e.info.PortB, e.info.PortA
	}
	e.endpoint = a.endpoint
	e.a, e.b = p.id(a), p.id(b)
	p.edges = append(p.edges, e)
}

func (d *device) shown() string {
	if d.name != "" {
		return d.name
	}
	return d.key
}

// same refuses a device of which another cable has told something else.
func (p *cabling) same(d device, at int) bool {
	old, ok := p.ids[d.key]
	if !ok {
		return true
	}
	d.box.name = d.shown()
	if old.endpoint == d.endpoint && (d.endpoint || p.switches[old.id] == d.box) {
		return true
	}
	p.src.at(at, "a device has one kind and one class; write them beside each of its cables", "%s is something else here than at another cable", d.shown())
	return false
}

func (p *cabling) id(d device) int32 {
	if old, ok := p.ids[d.key]; ok {
		return old.id
	}
	id := int32(len(p.hosts))
	if d.endpoint {
		p.hosts = append(p.hosts, d.shown())
	} else {
		id = int32(len(p.switches))
		d.box.name = d.shown()
		p.switches = append(p.switches, d.box)
	}
	p.ids[d.key] = place{id, d.endpoint}
	return id
}

// once complains if a port or cable is used again.
func (p *cabling) once(seen map[string]bool, key, value string, at int, what string) {
	if value == "" {
		return
	}
	if seen[key] {
		p.src.at(at, "", "%s stands twice", what)
	}
	seen[key] = true
}

// positive reads what a format calls a rate or a length: a positive decimal number up to most, or nothing. A length may be 0.
func (p *cabling) positive(s string, at int, what string, zero bool, most float64) float64 {
	if s == "" {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x <= most) || x == 0 && !zero {
		p.src.at(at, fmt.Sprintf("a plain decimal number up to %g, such as 400 or 2.5", most), "%s = %q is not one", what, s)
		return 0
	}
	return x
}

// Most that a file may say of a cable: a petabit per second, a thousand kilometres.
const (
	mostGbps   = 1e6
	mostLength = 1e6
)

// rate reads Gb/s.
func (p *cabling) rate(s string, at int, what string) int64 {
	g := p.positive(s, at, what, false, mostGbps)
	milli := int64(math.Round(g * 1000))
	if g > 0 && milli == 0 {
		p.src.at(at, "", "rates below 1 Mb/s are not told apart from 0")
	}
	return milli
}
