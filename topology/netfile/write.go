package netfile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"toposearch/topology"
)

// Options are what a network file holds besides the network. The zero value says nothing of them.
type Options struct {
	// LaneGbps is the rate of one lane in Gb/s; 0: not said.
	LaneGbps float64
	// Unstated says that nobody asked for the bandwidth that the lanes of an endpoint have.
	Unstated bool
	// Place is the canonical placement; nil: not said.
	Place *topology.Placement
	// LengthM gives the length of the cable of a channel (of either direction of a link), 0 if it
	// is not known. nil: none is.
	LengthM func(c topology.ChannelID) float64
	// Known is what the construction tells and the graph does not.
	Known Known
}

// OptionsOf are those that write down all that the family of a design knows.
func OptionsOf(d topology.Design) Options {
	f, rule := d.Family, topology.Minimal()
	if f.Natural != nil {
		rule = f.Natural(d.V)
	}
	opt := Options{Known: Known{Rule: &rule, VCReason: f.VCReason, Media: f.Media, OwnRacks: f.OwnRacks}}
	if f.NonBlocking != nil {
		opt.Known.NonBlocking = f.NonBlocking(d.V)
	}
	if f.Place != nil {
		p := f.Place(d.V)
		opt.Place = &p
	}
	var s topology.Size
	if f.Size(d.V, &s) == nil {
		for i := range f.SwitchClasses {
			opt.Known.Together[i] = s.Switch[i].Together
		}
	}
	return opt
}

// Write writes a network in the format of Schema, the same bytes for the same
// network and options. Switches are renumbered class by class if they are not already.
func Write(w io.Writer, n *topology.Network, opt Options) error {
	b := bufio.NewWriter(w)
	id, count := classOrder(n)
	fmt.Fprintf(b, "{\n  \"schema\": %q,\n  \"design\": %s,\n", Schema, quoted(n.Design))
	if n.Unidirectional {
		fmt.Fprintf(b, "  \"unidirectional\": true,\n")
	}
	if opt.LaneGbps > 0 {
		fmt.Fprintf(b, "  \"lane_gbps\": %s,\n", decimal(opt.LaneGbps))
	}
	if opt.Unstated {
		fmt.Fprintf(b, "  \"unstated\": true,\n")
	}
	fmt.Fprintf(b, "  \"endpoint_lanes\": %d,\n", n.EndpointLanes)
	if opt.Place != nil {
		fmt.Fprintf(b, "  \"blocks\": %d,\n", opt.Place.Blocks)
	}
	writeClasses(b, n, count, opt.Place, &opt.Known)
	writeEndpoints(b, n, id)
	writeLinks(b, n, id, opt.LengthM)
	b.WriteString("  ]" + opt.Known.members(n) + "\n}\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing network: %w", err)
	}
	return nil
}

// classOrder numbers the switches class by class and counts them.
func classOrder(n *topology.Network) (id []topology.SwitchID, count []int) {
	count = make([]int, len(n.SwitchClasses))
	for s := range n.Switches() {
		count[n.Class(topology.SwitchID(s))]++
	}
	next := make([]topology.SwitchID, len(count))
	for c := 1; c < len(count); c++ {
		next[c] = next[c-1] + topology.SwitchID(count[c-1])
	}
	id = make([]topology.SwitchID, n.Switches())
	for s := range id {
		c := n.Class(topology.SwitchID(s))
		id[s] = next[c]
		next[c]++
	}
	return id, count
}

func writeClasses(b *bufio.Writer, n *topology.Network, count []int, place *topology.Placement, known *Known) {
	b.WriteString("  \"switch_classes\": [")
	for i, c := range n.SwitchClasses {
		fmt.Fprintf(b, "%s\n    {\"name\": %s, \"doc\": %s, \"count\": %d", comma(i), quoted(c.Name), quoted(c.Doc), count[i])
		if c.Embedded {
			b.WriteString(", \"embedded\": true")
		}
		if c.Relay {
			b.WriteString(", \"relay\": true")
		}
		if c.SharesBox {
			fmt.Fprintf(b, ", \"shares_box\": %d", max(known.Together[i], 1))
		}
		if c.OnChip {
			b.WriteString(", \"on_chip\": true")
		}
		if c.StandsIn {
			b.WriteString(", \"stands_in\": true")
		}
		if place != nil {
			fmt.Fprintf(b, ", \"home\": %q", homes[place.Homes[i]])
		}
		b.WriteString("}")
	}
	b.WriteString("\n  ],\n  \"link_classes\": [")
	for i, c := range n.LinkClasses {
		fmt.Fprintf(b, "%s\n    {\"name\": %s, \"doc\": %s, \"lanes\": %d", comma(i), quoted(c.Name), quoted(c.Doc), n.Lanes[i])
		if place != nil && slices.Contains(place.Boards, i) {
			b.WriteString(", \"board\": true")
		}
		b.WriteString("}")
	}
	b.WriteString("\n  ],\n")
}

func writeEndpoints(b *bufio.Writer, n *topology.Network, id []topology.SwitchID) {
	b.WriteString("  \"endpoints\": [")
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		b.WriteString(comma(g) + wrap(g))
		b.WriteString("[" + strconv.Itoa(int(end-first)))
		for _, p := range ports {
			b.WriteString(", " + strconv.Itoa(int(id[p])))
		}
		b.WriteString("]")
	}
	b.WriteString("\n  ],\n")
}

// writeLinks writes class after class, in the order of the switches.
func writeLinks(b *bufio.Writer, n *topology.Network, id []topology.SwitchID, length func(topology.ChannelID) float64) {
	order := make([]topology.SwitchID, len(id))
	for s, i := range id {
		order[i] = topology.SwitchID(s)
	}
	b.WriteString("  \"links\": [")
	groups := 0
	for k := range n.LinkClasses {
		links := 0
		for _, s := range order {
			for c, end := n.Out(s); c < end; c++ {
				to := n.To(c)
				if n.LinkClass(c) != k || !n.Unidirectional && (id[to] < id[s]) {
					continue
				}
				if links == 0 {
					fmt.Fprintf(b, "%s\n    {\"class\": %s, \"ends\": [", comma(groups), quoted(n.LinkClasses[k].Name))
					groups++
				}
				b.WriteString(comma(links) + wrap(links))
				b.WriteString("[" + strconv.Itoa(int(id[s])) + ", " + strconv.Itoa(int(id[to])))
				if length != nil {
					if m := length(c); m > 0 {
						b.WriteString(", " + decimal(m))
					}
				}
				b.WriteString("]")
				links++
			}
		}
		if links > 0 {
			b.WriteString("\n    ]}")
		}
	}
	b.WriteString("\n")
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// wrap starts a new line before every eighth entry.
func wrap(i int) string {
	if i%8 == 0 {
		return "\n      "
	}
	return " "
}

func quoted(s string) string {
	q, _ := json.Marshal(s) // a string cannot fail
	return string(q)
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
