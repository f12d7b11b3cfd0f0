package evaluator

import (
	"sync"

	"toposearch/catalog"
	"toposearch/evaluator/growth"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Growth is the network that runs today, of which a new one may use what it can.
type Growth struct {
	From   topology.Design `json:"-"`
	Name   string          // of From, as it was asked for
	SHA256 string          `json:",omitempty"` // of the file that it is from
	// LabourCable is the price of plugging an old cable anew, at one end or both, LabourEndpoint that of an old endpoint of which a cable
	// does not stay, beside the cables; both in minor units of the currency.
	LabourCable, LabourEndpoint catalog.Money
	Rules                       growth.Rules
}

// running is the network of Growth, surveyed when it is first needed.
type running struct {
	once  sync.Once
	net   *growth.Network
	bill  []market.Line
	fault string
}
