package catalog

// PortNeed is a number of ports at one rate that a switch must offer.
type PortNeed struct {
	Gbps  int
	Count int
}

// SwitchLimits narrow the choice of a switch.
type SwitchLimits struct {
	Models     []string // part numbers; nil: any
	MaxPorts   int      // physical ports; 0: any
	PortGbps   int      // rate of the physical ports; 0: any
	NoBreakout bool
	MaxBuffer  int64 // bytes; 0: any
}

// SwitchChoice is the model for a class of switches.
type SwitchChoice struct {
	Part          *Part
	PhysicalPorts int // physical ports of it that the needs occupy
}

// Reach narrows the choice of a cable.
type Reach struct {
	MaxM    float64            // any medium; 0: what the part reaches
	MediumM map[string]float64 // "copper", "optical" or a medium of the catalogue
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
