// Package catalog holds the parts that can be bought: switches, cables, transceivers, fibres and
// NICs with price, watts, reach and dates, read from CSV and XLSX price lists or built in.
package catalog

import (
	"slices"

	"toposearch/diag"
)

// Money is an amount in minor units of a currency (cents).
type Money int64

// Kinds of parts.
const (
	KindSwitch      = "switch"
	KindNIC         = "nic"
	KindCable       = "cable" // both ends attached: DAC, ACC, AOC
	KindTransceiver = "transceiver"
	KindFibre       = "fibre"
	KindRack        = "rack"
	KindAccelerator = "accelerator"
	KindCPU         = "cpu"
	KindTrace       = "trace" // one link of a board or backplane, each way
	KindOCS         = "ocs"   // optical circuit switch: ports of any rate
	// A switch of a scale-up domain (NVSwitch), and what joins one of its ports to an endpoint or another such switch.
	KindScaleupSwitch = "scaleup_switch"
	KindScaleupCable  = "scaleup_cable"
)

// Kinds lists the kinds of parts.
func Kinds() []string {
	return []string{KindSwitch, KindNIC, KindCable, KindTransceiver, KindFibre, KindAccelerator, KindCPU, KindRack, KindTrace, KindOCS, KindScaleupSwitch, KindScaleupCable}
}

// Around tells whether a part is no part of a network: what it serves, and where it stands.
func (p *Part) Around() bool {
	return p.Kind == KindAccelerator || p.Kind == KindCPU || p.Kind == KindRack
}

// Media of links that are not cables alone.
const (
	MediumPCB       = "pcb"
	MediumBackplane = "backplane"
	MediumOCS       = "ocs"
)

// Breakout is one way to use every physical port of a switch: Count ports of Gbps each.
type Breakout struct {
	Count int
	Gbps  int
}

// PriceBreak is the unit price from a total quantity on.
type PriceBreak struct {
	From  int
	Price Money
}

// Part is one row of a price list.
type Part struct {
	PartNo, Kind, Vendor, Description, FormFactor string

	RateGbps  int        // of a physical port (switch, NIC), of the whole cable or module otherwise
	Lanes     int        // electrical lanes of the port
	Ports     int        // physical ports of a switch or NIC; ports that one cage or cable serves
	Breakouts []Breakout // of a switch, the unsplit mode included; of a NIC, what its ports may be split into; of a cable or fibre, the links of a splitter

	LengthM float64 // stock length of a cable or fibre
	ReachM  float64 // of a transceiver; of a cable 0 means its length
	Medium  string  // NetBox slug: dac-passive, dac-active, aoc, mmf-om4, smf-os2, ...

	PowerW, PowerTypW float64 // of a switch all ports at work; of one cage or module otherwise
	// PowerSplitW is the draw of each split end of a splitter cable, whose PowerW is that of the end in the one cage; 0: not said, farW
	PowerSplitW float64 `json:",omitempty"`
	LatencyNs   float64
	BufferBytes int64
	// ReductionGbps is the rate at which a switch adds what arrives at each of its ports, for all-reduces in the network (SHARP); 0: it does not.
	ReductionGbps float64 `json:",omitempty"`

	UnitPrice   Money
	Priced      bool // false: the price cell was empty; the cost is then "unpriced", never 0
	Currency    string
	PriceBreaks []PriceBreak // ascending in From
	MOQ, Pack   int
	LeadWeeks   float64
	// Ready: the list says that it takes no time; without it 0 weeks say nothing.
	Ready bool `json:",omitempty"`

	ValidFrom, ValidUntil, EndOfLife string // ISO dates, "" unknown
	Stock                            int
	Approved                         bool
	// AFR is the failures of one a year, of any cause that takes it out of service; 0 where HasAFR is not set, and
	// then FailuresPerYear assumes what is usual for the kind.
	AFR          float64
	HasAFR       bool `json:",omitempty"`
	WeightKg     float64
	Source, Note string
	Derived      bool     // continued along a law, not quoted
	Pos          diag.Pos // the row it stands in
}

// Catalogue is one coherent set of parts.
type Catalogue struct {
	Name  string // "builtin 2026-01" or the files
	Date  string // ISO date of the prices
	Parts []Part
}

// Has reports whether there is a part of a kind.
func (c *Catalogue) Has(kind string) bool {
	return slices.ContainsFunc(c.Parts, func(p Part) bool { return p.Kind == kind })
}

// OnlyCurrency is the currency of all prices, "" if there are several or none.
func (c *Catalogue) OnlyCurrency() string {
	code := ""
	for i := range c.Parts {
		p := &c.Parts[i]
		switch {
		case !p.Priced:
		case code == "":
			code = p.Currency
		case p.Currency != code:
			return ""
		}
	}
	return code
}

// Part finds a part by its number; nil if there is none.
func (c *Catalogue) Part(partNo string) *Part {
	for i := range c.Parts {
		if c.Parts[i].PartNo == partNo {
			return &c.Parts[i]
		}
	}
	return nil
}
