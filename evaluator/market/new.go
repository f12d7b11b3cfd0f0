package market

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"toposearch/catalog"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// New prepares the catalogue. It fails if that has prices in a currency without a rate, or lacks a switch
// model that the limits name.
func New(opt Options) (*Market, error) {
	m := &Market{whole: opt, minor: 100}
	opt.Catalog = opt.Catalog.Within(opt.Limits.LeadWeeks)
	m.opt, m.unhurried = opt, sync.OnceValue(m.makeUnhurried)
	if digits, ok := unit.MinorDigits(opt.Currency); ok {
		m.minor = math.Pow10(digits)
	}
	cur := catalog.Currency{Code: opt.Currency, Rates: opt.Rates}
	reach := opt.Limits.OnCables()
	var err error
	if m.index, err = opt.Catalog.Prepare(opt.Limits.OnSwitches(), reach, cur); err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	m.listModels()
	m.listWires()
	m.listScaleup()
	m.listSpeeds()
	through := reach
	through.Circuit = true
	x, err := opt.Catalog.Prepare(opt.Limits.OnSwitches(), through, cur)
	if err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	m.listCircuits(x)
	if opt.SeveralBuildings {
		reach.SingleMode, reach.Straight = true, true
		x, err := opt.Catalog.Prepare(opt.Limits.OnSwitches(), reach, cur)
		if err != nil {
			return nil, fmt.Errorf("evaluator: %w", err)
		}
		m.listBetween(x)
	}
	if slices.ContainsFunc(opt.Catalog.Parts, func(p catalog.Part) bool { return p.Approved && p.Splitter() }) {
		reach.SingleMode, reach.Straight = false, true
		x, err := opt.Catalog.Prepare(opt.Limits.OnSwitches(), reach, cur)
		if err != nil {
			return nil, fmt.Errorf("evaluator: %w", err)
		}
		m.listTrunks(x)
	}
	m.boundFaster()
	m.listOptions()
	m.listNICs()
	return m, nil
}

// makeUnhurried prepares the market without the limit; nil if it cannot be made.
func (m *Market) makeUnhurried() *Market {
	opt := m.whole
	opt.Limits.LeadWeeks = 0
	all, err := New(opt)
	if err != nil {
		return nil
	}
	return all
}

// listNICs chooses cards for every rate and small number of ports.
func (m *Market) listNICs() {
	for i := range m.speeds {
		p := &m.speeds[i]
		p.nics = make([]cards, mostNICPorts+1)
		for n := 1; n <= mostNICPorts; n++ {
			p.nics[n] = m.cardsFor(p.Gbps, n)
		}
	}
}

// listOptions prepares the cablings of all rates, where prices vary.
func (m *Market) listOptions() {
	if !m.wiresVary {
		return
	}
	for i := range m.speeds {
		m.optionsOf(&m.speeds[i])
	}
	for i := range m.trunk {
		m.optionsOf(&m.trunk[i])
	}
	for i := range m.between {
		m.optionsOf(&m.between[i])
	}
	for i := range m.circuit {
		m.optionsOf(&m.circuit[i])
	}
}

// optionsOf prepares the cablings of a rate for links of class nic and of others, the cheapest at the best price
// breaks first; none without a price.
func (m *Market) optionsOf(p *Speed) {
	nic, other := topology.LinkClass{Name: topology.ClassNic}, topology.LinkClass{}
	for side, class := range [2]*topology.LinkClass{&other, &nic} {
		for step := range p.Steps {
			if o, ok := m.optionOf(&p.Steps[step], class); ok {
				o.step = step
				p.options[side] = append(p.options[side], o)
			}
		}
		slices.SortStableFunc(p.options[side], func(a, b wireOption) int {
			return cmp.Or(cmp.Compare(a.less, b.less), cmp.Compare(a.unit, b.unit))
		})
	}
}

func (m *Market) optionOf(c *catalog.Cabling, class *topology.LinkClass) (o wireOption, ok bool) {
	o.part, o.links = [2]int32{-1, -1}, MostLinks(c)
	for k := range c.Items {
		it := &c.Items[k]
		if it.Part == nil {
			continue
		}
		n := float64(it.Num) / float64(it.Den)
		one, nic := n, class.Name == topology.ClassNic
		switch {
		case shared(it, class):
			n += 1 - 1/float64(it.Den)
			one = n
		case it.Part.Kind != catalog.KindTransceiver && !it.Part.Splitter():
			if one = 1; nic { // a port of an adapter takes all of it
				n = 1
			}
		}
		at := slices.IndexFunc(m.wires, func(t tariff) bool { return t.part == it.Part })
		t := &m.wires[at]
		if len(t.steps) == 0 {
			return o, false
		}
		o.part[k], o.units[k] = int32(at), int64(it.Num)
		o.late = o.late || t.late
		o.unit += one * t.steps[0].unit
		o.less += n * t.one.Price
	}
	return o, true
}
