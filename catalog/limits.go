package catalog

import (
	"slices"
	"strings"
)

// PortNeed is a number of ports at one rate that a switch must offer.
type PortNeed struct {
	Gbps  int
	Count int
}

// SwitchLimits narrow the choice of a switch. A limit on ports counts the physical ports of a
// model, each of which may be split unless NoBreakout.
type SwitchLimits struct {
	Models     []string // part numbers; nil: any
	MaxPorts   int      // physical ports of a model; 0: any
	PortGbps   int      // rate of the physical ports; 0: any
	NoBreakout bool
	MaxBuffer  int64 // bytes; 0: any
}

// SwitchChoice is the model for a class of switches.
type SwitchChoice struct {
	Part          *Part
	PhysicalPorts int // physical ports of it that the needs occupy
}

// Reach narrows the choice of a cable. Limits are on the length bought.
type Reach struct {
	MaxM    float64            // any medium; 0: what the part reaches
	MediumM map[string]float64 // "copper", "optical" or a medium of the catalogue; 0 forbids it
	// SingleMode asks for single-mode fibre, as between buildings.
	SingleMode bool
	// Straight leaves out splitters: their single ends would each take a whole cage of a switch.
	Straight bool
	// Circuit asks for what leads from a box to an optical circuit switch, which passes light: a single-mode
	// fibre and the one module at its other end. Two of them make a link, so that each reaches half as far.
	Circuit bool
}

// Item is a part of a link with the fraction of a unit that one link uses: a twin-port
// transceiver serves two links at each end, so a link uses 2 x 1/2 of it.
type Item struct {
	Part *Part
	Num  int // Num/Den units per link
	Den  int
}

// Cabling is what makes one link: a cable, or two transceivers and a fibre.
type Cabling struct {
	Medium string // of the cable or fibre
	Copper bool
	StockM float64 // length bought
	PowerW float64 // both ends together, per link
	Items  [2]Item // [0] cable or fibre, [1] transceivers (Part nil for cables)
}

// Priced reports whether every part of the link has a price.
func (c *Cabling) Priced() bool {
	return c.Items[0].Part.Priced && (c.Items[1].Part == nil || c.Items[1].Part.Priced)
}

// allows reports whether a part is a switch that may be bought.
func (l SwitchLimits) allows(p *Part) bool {
	switch {
	case p.Kind != KindSwitch, !p.Approved, p.Ports <= 0:
		return false
	case l.Models != nil && !slices.Contains(l.Models, p.PartNo):
		return false
	case l.MaxPorts > 0 && p.Ports > l.MaxPorts:
		return false
	case l.PortGbps > 0 && p.RateGbps != l.PortGbps:
		return false
	case l.MaxBuffer > 0 && p.BufferBytes > l.MaxBuffer:
		return false
	}
	return true
}

// splits calls f for every rate that a physical port of p offers, with the number of such ports.
func (l SwitchLimits) splits(p *Part, f func(gbps, each int)) {
	unsplit := false
	for _, b := range p.Breakouts {
		each := b.Count / p.Ports
		if each < 1 || b.Gbps <= 0 || each > 1 && l.NoBreakout {
			continue
		}
		unsplit = unsplit || b.Gbps == p.RateGbps
		f(b.Gbps, each)
	}
	if !unsplit && p.RateGbps > 0 {
		f(p.RateGbps, 1)
	}
}

// IsCopper reports whether a medium is copper: NetBox's slugs dac-passive, dac-active, cat6a, ...
func IsCopper(medium string) bool {
	for _, p := range []string{"dac", "acc", "aec", "cat", "coaxial", "copper", "mrj21", "power"} {
		if strings.HasPrefix(medium, p) {
			return true
		}
	}
	return false
}

// IsSingleMode reports whether a medium is single-mode fibre: NetBox's slugs smf, smf-os1, smf-os2.
func IsSingleMode(medium string) bool { return strings.HasPrefix(medium, "smf") }

// allows reports whether a length of a medium may be laid.
func (r Reach) allows(medium string, stockM float64) bool {
	if (r.SingleMode || r.Circuit) && !IsSingleMode(medium) {
		return false
	}
	if r.MaxM > 0 && stockM > r.MaxM {
		return false
	}
	kind := "optical"
	if IsCopper(medium) {
		kind = "copper"
	}
	for _, name := range [2]string{kind, medium} {
		if most, ok := r.MediumM[name]; ok && stockM > most {
			return false
		}
	}
	return true
}
