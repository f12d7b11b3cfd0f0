// Package market knows what can be bought and what it costs: which rates are on sale, which switch,
// network card, cable, module, trace or circuit switch serves a need, at which price for the quantity
// ordered, at what draw and after how many weeks.
//
// A Market is made once from a catalogue and the limits of procurement (new.go, list.go, offer.go), and never
// changes. It is asked in three ways:
//
//   - of a counted design: its Rates (rates.go), the switches and network cards that it takes, a Purchase
//     (switches.go, nics.go), and the parts of links that are no cables (media.go);
//   - of a design whose cables are laid: which cablings are the cheapest together (cabling.go), and the
//     Bill, on which cost and draw are added up (bill.go);
//   - of many designs at once: what a link or a switch costs at least at a rate, or at any that is as
//     fast (Offer in speed.go, switchoffer.go).
//
// Prices are in minor units of one currency.
package market

import (
	"math"

	"toposearch/catalog"
	"toposearch/topology"
)

// DefaultEndpointGbps stands for the bandwidth of an endpoint where no study states it.
const DefaultEndpointGbps = 400

// Options is what a market is made from.
type Options struct {
	Catalog  *catalog.Catalogue
	Limits   Limits
	Currency string // in which costs are stated; Rates convert from others
	Rates    map[string]catalog.Rate

	BandwidthGbps    float64         // asked for an endpoint, all its network ports together; 0: not stated
	ScaleupGbps      float64         // of a scale-up link
	CountNICs        bool            // network cards are part of the cost
	CountScaleup     bool            // scale-up switches and cables are part of cost and power
	Domain           topology.Domain // of which they are; of fewer than two endpoints none but those of families
	SeveralBuildings bool            // links between buildings are single-mode
	ShortestM        float64         // no cable is laid shorter
	Spares           float64         // share of each part to keep beside those in use; 0: by failure rates; NoSpares
}

// Limits is what procurement allows.
type Limits struct {
	SwitchModels   []string // part numbers that may be used; nil: any
	MaxSwitchPorts int      // physical ports; 0: not limited
	SwitchPortGbps int      // rate of the physical ports that limit counts; 0: any
	NoBreakout     bool
	BufferBytes    int64              // largest packet buffer of a switch, 0 not limited
	ReachM         float64            // longest cable of any medium; 0: what the catalogue sells
	MediumReachM   map[string]float64 // per medium: "copper", "optical", or a catalogue medium
	// LeadWeeks is how long a part may take that is not in stock, weeks; 0: not limited. What takes longer is not bought, so that what comes in time
	// is, at its price.
	LeadWeeks float64
}

// OnSwitches are the limits on switches as the catalogue takes them.
func (l *Limits) OnSwitches() catalog.SwitchLimits {
	return catalog.SwitchLimits{Models: l.SwitchModels, MaxPorts: l.MaxSwitchPorts, PortGbps: l.SwitchPortGbps, NoBreakout: l.NoBreakout, MaxBuffer: l.BufferBytes}
}

// OnCables are those on cables.
func (l *Limits) OnCables() catalog.Reach {
	return catalog.Reach{MaxM: l.ReachM, MediumM: l.MediumReachM}
}

// Market is what can be bought. It is safe for concurrent use.
type Market struct {
	opt     Options
	whole   Options // with what comes too late
	index   *catalog.Index
	speeds  []Speed // rates on sale, ascending
	between []Speed // the same between buildings; none with one building
	scaleup scaleups
	trunk   []Speed // the same of links that are not of class nic, without splitters; none where the list has none
	circuit []Speed // the same from a box to an optical circuit switch
	fastest float64 // Gb/s
	// allPriced is set if the longest cables of all rates, and so all, have a price.
	allPriced bool
	minor     float64 // minor units of the currency in a major one

	models        []tariff // switches, network cards, traces and circuit switches
	switchBreaks  bool     // some switch costs less, or only more, by the dozen,
	nicBreaks     bool     // or some network card,
	circuitBreaks bool     // or some circuit switch
	noNICs        bool     // the list has no network cards: they come with the endpoints
	leastSwitchW  float64  // the least draw of any switch

	wires     []tariff // cables, transceivers and fibres
	wiresVary bool     // one of them costs less, or only more, by the dozen, or serves several links

	unhurried func() *Market // without the limit on lead times, made when it is first asked for
}

// Minor is how many minor units of the currency make a major one.
func (m *Market) Minor() float64 { return m.minor }

// NoNICs tells whether the list has no network cards: they come with the endpoints.
func (m *Market) NoNICs() bool { return m.noNICs }

// CountsNICs tells whether network cards are part of the cost.
func (m *Market) CountsNICs() bool { return m.opt.CountNICs }

// PricesVary tells whether prices of switches or of the parts of links depend on how many are bought.
func (m *Market) PricesVary() bool { return m.switchBreaks || m.wiresVary }

// CablesVary tells the same of the parts of links alone, parts for several links among them: which cable is bought for a length then depends
// on all others.
func (m *Market) CablesVary() bool { return m.wiresVary }

// CablesPriced tells whether all cables have a price.
func (m *Market) CablesPriced() bool { return m.allPriced }

// FastestGbps is the fastest rate on sale.
func (m *Market) FastestGbps() float64 { return m.fastest }

// SpeedOf gives the links of a rate; nil if no switch offers it.
func (m *Market) SpeedOf(gbps float64) *Speed { return speedIn(m.speeds, gbps) }

// BetweenBuildings gives the links of a rate between buildings; nil if no switch offers it.
func (m *Market) BetweenBuildings(gbps float64) *Speed { return speedIn(m.between, gbps) }

// Speeds is the number of rates on sale.
func (m *Market) Speeds() int { return len(m.speeds) }

// SpeedAt gives the links of a rate by its rank, the slowest first.
func (m *Market) SpeedAt(rank int) *Speed { return &m.speeds[rank] }

// AtLeast is the least length as bought, price and draw of a link of a rate by its rank that is laid so long or longer, of splitters and of what stands in for them between
// switches, where none may be: a splitter that costs less may be longer, and draw more. There must be a step.
func (m *Market) AtLeast(rank int, laid float64) (stockM, price, watts float64) {
	p := m.SpeedAt(rank)
	stockM = p.StockM(laid)
	price, watts = p.AtLeast(laid)
	if rank < len(m.trunk) && len(m.trunk[rank].Steps) > 0 {
		q := &m.trunk[rank]
		more, moreW := q.AtLeast(laid)
		stockM, price, watts = min(stockM, q.StockM(laid)), min(price, more), min(watts, moreW)
	}
	return stockM, price, watts
}

// EachCabling calls f for everything that may make a link of a rate by its rank: inside a building, between buildings,
// to a circuit switch.
func (m *Market) EachCabling(rank int, f func(*catalog.Cabling)) {
	for _, list := range [][]Speed{m.speeds, m.trunk, m.between, m.circuit} {
		if rank < len(list) {
			for i := range list[rank].Steps {
				f(&list[rank].Steps[i])
			}
		}
	}
}

// EachModel calls f for everything of a kind that is bought whole and may be: switches, network cards, traces, circuit
// switches.
func (m *Market) EachModel(kind string, f func(*catalog.Part)) {
	for i := range m.models {
		if p := m.models[i].part; p.Kind == kind && p.Approved {
			f(p)
		}
	}
}

// SpeedFrom gives the links of the slowest rate that is at least gbps; nil if none is as fast.
func (m *Market) SpeedFrom(gbps float64) *Speed {
	gbps *= 1 - 1e-9
	for i := range m.speeds {
		if p := &m.speeds[i]; p.rate >= gbps {
			return p
		}
	}
	return nil
}

func speedIn(list []Speed, gbps float64) *Speed {
	for i := range list {
		if list[i].rate == gbps {
			return &list[i]
		}
	}
	return nil
}

// modelAt is the index of a part among the models, -1 if it is none.
func (m *Market) modelAt(p *catalog.Part) int {
	for i := range m.models {
		if m.models[i].part == p {
			return i
		}
	}
	return -1
}

// modelOf finds the tariff of a switch, a network card, a trace or a circuit switch.
func (m *Market) modelOf(p *catalog.Part) *tariff {
	if i := m.modelAt(p); i >= 0 {
		return &m.models[i]
	}
	return &tariff{part: p, one: Unit{0, math.Inf(1), p.PowerW, p.PowerW, leastLead(p), !p.Priced}}
}

// UnitOf is what one of a switch, a network card, a trace or a circuit switch costs and draws.
func (m *Market) UnitOf(p *catalog.Part) *Unit { return &m.modelOf(p).one }
