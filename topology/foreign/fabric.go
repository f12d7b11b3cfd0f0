package foreign

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// Fabric is a network as devices and cables. Devices are numbered: switches by SwitchID, behind them endpoints. Ports of a switch
// count from 1: its channels in their order, then its endpoints; those of an endpoint in the order of its switches.
type Fabric struct {
	n     *topology.Network
	milli []int64  // rate of a link of each class, Mb/s; nil: not said
	names []string // of switches
	ports []int    // of switches: used by channels and endpoints
	built netfile.Options
}

// Built says what is known of the construction of the network and not of its graph: what its links are made of, and how many switches share boxes.
func (f *Fabric) Built(opt netfile.Options) *Fabric {
	f.built = opt
	return f
}

// end is a device as the end of a cable.
func (f *Fabric) end(d int) netfile.End {
	if f.isEndpoint(d) {
		return netfile.EndpointEnd
	}
	c := f.n.Class(topology.SwitchID(d))
	return netfile.End{Class: word(f.class(d).Name), Kind: netfile.Kind(f.class(d), f.built.Known.Together[c])}
}

// linkClass is the name of a class of links.
func (f *Fabric) linkClass(class int) string { return word(f.n.LinkClasses[class].Name) }

// medium is what links of a class are made of, "" if nothing is known.
func (f *Fabric) medium(class int) string {
	return netfile.Medium(class, f.built.Place, f.built.Known.Media)
}

// word makes one word of a name, which formats can hold among others.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(`:"#(),;`, r) {
			return '-'
		}
		return r
	}, name)
}

// New gives a network as devices and cables. gbps are the rates of a link of each class in Gb/s, rounded to Mb/s; nil if rates are not to be written.
func New(n *topology.Network, gbps []float64) *Fabric {
	f := &Fabric{n: n, names: n.SwitchNames(), ports: make([]int, n.Switches())}
	for _, x := range gbps {
		f.milli = append(f.milli, int64(math.Round(x*1000)))
	}
	for s, name := range f.names {
		f.names[s] = plain(name)
	}
	for g := range n.Groups() {
		first, end, at := n.Group(g)
		for _, s := range at {
			f.ports[s] += int(end - first)
		}
	}
	for s := range f.ports {
		f.ports[s] += len(n.Neighbors(topology.SwitchID(s)))
	}
	return f
}

// plain turns leaf[3] into leaf-3: letters, digits, - and _, which every tool takes for a name. A switch that would be taken for an
// endpoint by it, as a forwarding part named npu, gets a word before it.
func plain(name string) string {
	s := strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_':
			return r
		case r == ']':
			return -1
		}
		return '-'
	}, name), "-")
	if netfile.IsEndpoint(s) {
		s = "switch-" + s
	}
	return s
}

func (f *Fabric) switches() int { return f.n.Switches() }
func (f *Fabric) devices() int  { return f.n.Switches() + f.n.Endpoints() }

// isEndpoint tells endpoints from switches among devices.
func (f *Fabric) isEndpoint(d int) bool { return d >= f.n.Switches() }

// name of a device: class and number of a switch, endpoint-7.
func (f *Fabric) name(d int) string {
	if f.isEndpoint(d) {
		return "endpoint-" + strconv.Itoa(d-f.n.Switches())
	}
	return f.names[d]
}

// class of a switch.
func (f *Fabric) class(s int) *topology.SwitchClass {
	return &f.n.SwitchClasses[f.n.Class(topology.SwitchID(s))]
}

// cable joins two devices; that of an endpoint begins at it. With one-way links a cable between switches is a channel.
type cable struct {
	a, b         int
	portA, portB int // 0 at the end of a channel that goes one way
	class        int
}

// cables calls yield with those of endpoints, by endpoint, then with links between switches, in the order of their channels.
// An error ends it.
func (f *Fabric) cables(yield func(c cable) error) error {
	n := f.n
	host := make([]int, n.Switches()) // endpoints' ports given so far
	for g := range n.Groups() {
		first, end, at := n.Group(g)
		for e := first; e < end; e++ {
			for i, s := range at {
				host[s]++
				if err := yield(cable{a: n.Switches() + int(e), b: int(s), portA: 1 + i, portB: len(n.Neighbors(s)) + host[s]}); err != nil {
					return err
				}
			}
		}
	}
	for c := range topology.ChannelID(n.Channels()) {
		r := n.Rev(c)
		if r >= 0 && r < c {
			continue
		}
		x := cable{a: int(n.From(c)), b: int(n.To(c)), portA: f.port(c), class: n.LinkClass(c)}
		if r >= 0 {
			x.portB = f.port(r)
		}
		if err := yield(x); err != nil {
			return err
		}
	}
	return nil
}

// port is the number of the port from which a channel leaves.
func (f *Fabric) port(c topology.ChannelID) int {
	first, _ := f.n.Out(f.n.From(c))
	return 1 + int(c-first)
}

// mbps is the rate of a class of links; 0 if rates are not written.
func (f *Fabric) mbps(class int) int64 {
	if f.milli == nil {
		return 0
	}
	return f.milli[class]
}

// Lanes are the rates of classes of links by their lanes, of which each has the same rate in Gb/s; nil if that is 0.
func Lanes(n *topology.Network, laneGbps float64) (gbps []float64) {
	if laneGbps == 0 {
		return nil
	}
	for _, lanes := range n.Lanes[:len(n.LinkClasses)] {
		gbps = append(gbps, laneGbps*float64(lanes))
	}
	return gbps
}

// gbps is the rate of a class as text, "" if rates are not written.
func (f *Fabric) gbps(class int) string {
	if f.milli == nil {
		return ""
	}
	return strconv.FormatFloat(float64(f.mbps(class))/1000, 'f', -1, 64)
}

// refusal says what a format cannot express, and what to do.
func (f *Fabric) refusal(format, args string, x ...any) error {
	return &Refused{Format: format, Why: fmt.Sprintf("%s: %s", f.n.Design, fmt.Sprintf(args, x...))}
}

// Refused is the error of a format that cannot express a network.
type Refused struct{ Format, Why string }

func (r *Refused) Error() string { return "the format " + r.Format + " cannot express " + r.Why }

// bothWays refuses links that go one way.
func (f *Fabric) bothWays(format string) error {
	if f.n.Unidirectional {
		return f.refusal(format, "its links go one way, and those of the format both; graphml, node-link and dot have directed edges")
	}
	return nil
}

// onePort refuses endpoints with several ports.
func (f *Fabric) onePort(format string) error {
	for g := range f.n.Groups() {
		if first, _, ports := f.n.Group(g); len(ports) > 1 {
			return f.refusal(format, "endpoint %d has %d ports, and an endpoint of the format one; graphml, csv and ibnetdiscover have any number", first, len(ports))
		}
	}
	return nil
}

// single refuses parallel links between switches.
func (f *Fabric) single(format, what string) error {
	seen := make([]int, f.n.Switches())
	for s := range f.n.Switches() {
		for _, t := range f.n.Neighbors(topology.SwitchID(s)) {
			if seen[t] == s+1 {
				return f.refusal(format, "%s and %s have several links, %s; graphml, csv and ibnetdiscover have parallel links", f.names[s], f.names[t], what)
			}
			seen[t] = s + 1
		}
	}
	return nil
}

// oneRate refuses links of different rates.
func (f *Fabric) oneRate(format string) error {
	of := -1
	for c := range f.n.LinkClasses {
		switch {
		case f.n.LinkClasses[c].Name == topology.ClassInternal: // which limits nothing
		case of < 0:
			of = c
		case f.share(c) != f.share(of):
			return f.refusal(format, "links of class %s and of class %s have rates of %d to %d, and links of the format one rate; graphml, csv and dot have rates",
				f.n.LinkClasses[c].Name, f.n.LinkClasses[of].Name, f.share(c), f.share(of))
		}
	}
	return nil
}

// share is the rate of a class as a multiple of a measure that all classes have in common; of their lanes where rates are not said.
func (f *Fabric) share(class int) int64 {
	of := func(c int) int64 {
		if f.milli != nil {
			return f.milli[c]
		}
		return int64(f.n.Lanes[c])
	}
	common := int64(0)
	for c := range f.n.LinkClasses {
		for a, b := common, of(c); ; a, b = b, a%b {
			if b == 0 {
				common = a
				break
			}
		}
	}
	return of(class) / max(common, 1)
}

// first is the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
