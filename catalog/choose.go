package catalog

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

// Priced tells whether every part of the link has a price.
func (c *Cabling) Priced() bool {
	return c.Items[0].Part.Priced && (c.Items[1].Part == nil || c.Items[1].Part.Priced)
}

// ChooseSwitch is Index.ChooseSwitch for a single question: it prepares an index each time, with
// prices in the currency of the first priced part. Prepare once where it is asked often.
func (c *Catalogue) ChooseSwitch(needs []PortNeed, lim SwitchLimits) (SwitchChoice, bool) {
	x, err := c.Prepare(lim, Reach{}, Currency{Code: c.mainCurrency(), Lenient: true})
	if err != nil {
		return SwitchChoice{}, false
	}
	return x.ChooseSwitch(needs)
}

// ChooseCable is Index.ChooseCable for a single question; see ChooseSwitch.
func (c *Catalogue) ChooseCable(gbps int, lengthM float64, r Reach) (Cabling, bool) {
	x, err := c.Prepare(SwitchLimits{}, r, Currency{Code: c.mainCurrency(), Lenient: true})
	if err != nil {
		return Cabling{}, false
	}
	return x.ChooseCable(gbps, lengthM)
}

// mainCurrency is that of the first priced part, USD if there is none.
func (c *Catalogue) mainCurrency() string {
	for i := range c.Parts {
		if c.Parts[i].Priced && c.Parts[i].Currency != "" {
			return c.Parts[i].Currency
		}
	}
	return "USD"
}
