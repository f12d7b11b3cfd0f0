package evaluator

import (
	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
)

// Plan is a network as it is bought and laid: the floor, the cables by class and length, and
// the bill of materials. Cables are streamed one by one by EachCable, never held.
type Plan struct {
	LaneGbps float64 // rate of a lane by which a network file has these links (Evaluator.LaneGbps)
	Unstated bool    // what that file says of its bandwidth (Evaluator.LaneGbps)
	Surplus  float64 // bandwidth bought beyond what was asked, as a fraction of it
	// BandwidthGbps is what throughputs are fractions of: what was asked for an endpoint, or the
	// sum of its port rates where nothing was asked.
	BandwidthGbps float64
	LinkGbps      []float64 // rate of a link, by link class of the family
	MeanM         []float64 // mean length of a link by its class, cables as bought; 0 where no cable is
	Floor         floor.Summary
	Classes       []CableClass
	BOM           []market.Line
	Switches      []SwitchBuy
}

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
	Count         int64 // boxes
	PhysicalPorts int   // in use on the fullest
}
