package evaluator

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// Plan is a network as it is bought and laid: the floor, the cables by class and length, and
// the bill of materials. Cables are streamed one by one by EachCable, never held.
type Plan struct {
	LaneGbps float64 // rate of a lane after rounding up to a rate on sale
	Surplus  float64 // bandwidth bought beyond what was asked, as a fraction of it
	// BandwidthGbps is what throughputs are fractions of: what was asked for an endpoint, or the
	// sum of its port rates where nothing was asked.
	BandwidthGbps float64
	LinkGbps      []float64 // rate of a link, by link class of the family
	MeanM         []float64 // mean laid length by link class, slack included; 0 where no cable is bought
	Floor         Floor
	Classes       []CableClass
	BOM           []BOMLine
	Switches      []SwitchBuy
}

// Floor is the rectangle of racks: rack r stands in row r/PerRow at place r%PerRow. Several
// buildings have a rectangle each, of PerBuilding places: rack r is number r%PerBuilding of
// building r/PerBuilding.
type Floor struct {
	Racks, Rows, PerRow    int
	Buildings, PerBuilding int
	WidthM, DepthM         float64 // of one building
	Kind                   []uint8 // per rack: RackEndpoints, RackNetwork, RackBoth or RackNone
	Note                   string  // what the plan departs from, "" if nothing
	Split                  string  // that servers are divided between racks, "" if they are not
}

// What stands in a rack.
const (
	RackEndpoints uint8 = iota // endpoints, and the switches that stand with them
	RackNetwork                // switches only
	RackBoth                   // endpoints and the network switches of their blocks
	RackNone                   // an empty place
)

// CableClass sums the cables of one link class, medium and stock length.
type CableClass struct {
	Link   string // link class
	Gbps   int
	Medium string
	Copper bool
	StockM float64
	Count  int64
	MaxM   float64 // longest laid length among them, slack included
	Parts  catalog.Cabling
}

// SwitchBuy is the model bought for a switch class.
type SwitchBuy struct {
	Class         string
	Part          *catalog.Part
	Count         int64
	PhysicalPorts int // in use on the fullest
}

// BOMLine is one part of the bill of materials.
type BOMLine struct {
	Part     *catalog.Part
	Quantity int64 // needed
	Order    int64 // rounded up to MOQ and pack
	Unit     catalog.Money
	Total    catalog.Money
	Currency string
	Priced   bool
	UsedIn   string // link or switch classes
}

// Cable is one cable of the schedule.
type Cable struct {
	ID             int // from 1, in order
	Link           string
	FromSwitch     topology.SwitchID   // -1 for an endpoint
	ToSwitch       topology.SwitchID   // -1 for an endpoint
	Endpoint       topology.EndpointID // when FromSwitch < 0
	ToEndpoint     topology.EndpointID // when ToSwitch < 0: a link between endpoints that relay
	FromPort       int
	ToPort         int
	FromRack       int
	ToRack         int
	LaidM, StockM  float64
	Part           *catalog.Part
	Modules        *catalog.Part // transceivers at its ends, nil for cables
	Medium         string
	FromPos, ToPos int // position of the box in its rack, counted from 1 at the bottom
	From, To       Socket
}
