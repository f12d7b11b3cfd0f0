package cluster

import (
	"fmt"
	"math"
	"strings"

	"toposearch/catalog"
)

// Span encloses an amount, in major units of the currency, or watts.
type Span struct{ Lo, Hi float64 }

// Bought is what a cluster holds beside its network.
type Bought struct {
	Accelerators, CPUs, Racks int64 // spare accelerators included
}

// Around counts what n endpoints in racks racks take.
func (m *Model) Around(n, racks int64) (b Bought) {
	b.Accelerators, b.Racks = n+m.SparesOf(n), racks
	b.CPUs = m.Servers(b.Accelerators) * int64(m.opt.CPUsPerServer)
	if m.cpu == nil {
		b.CPUs = 0
	}
	return b
}

// NoCapex is why the cost of a cluster is not known, "" if it is: without a price of the accelerator there is none. CPUs
// and racks that are not on the list are those of the accelerators, or of the building.
func (m *Model) NoCapex() string {
	for _, x := range []struct {
		several   []string
		kind, key string
	}{
		{m.accelerators, catalog.KindAccelerator, "[endpoints] accelerator"}, {m.cpus, catalog.KindCPU, "[endpoints] cpu"},
		{m.racks, catalog.KindRack, "[tco] rack"},
	} {
		if len(x.several) > 0 {
			return fmt.Sprintf("the price list has several parts of kind %s (%s), and the study names none of them: name it as %s",
				x.kind, strings.Join(x.several, ", "), x.key)
		}
	}
	if m.accelerator == nil {
		return "the price list has no part of kind " + catalog.KindAccelerator + ": add one with its price"
	}
	for _, p := range []*catalog.Part{m.accelerator, m.cpu, m.rack} {
		if p != nil && !p.Priced {
			return "unpriced: " + p.PartNo
		}
	}
	return ""
}

// Price is what the parts around a network cost, at the prices of their quantities.
func (m *Model) Price(b *Bought) (major float64) {
	for _, x := range []struct {
		part *catalog.Part
		n    int64
	}{{m.accelerator, b.Accelerators}, {m.cpu, b.CPUs}, {m.rack, b.Racks}} {
		if x.part == nil || x.n == 0 {
			continue
		}
		each, order, _ := x.part.Price(int(min(x.n, math.MaxInt32)))
		unit, _ := m.currency.Convert(each, x.part.Currency)
		major += float64(unit) * float64(order) / m.minor
	}
	return major
}

// PriceSpan encloses what the parts around the network of any design cost that has as many as lie between two numbers of each, and of
// racks.
func (m *Model) PriceSpan(least, most Bought, racks Span) (out Span) {
	for _, x := range []struct {
		part *catalog.Part
		n    Span
	}{{m.accelerator, Span{float64(least.Accelerators), float64(most.Accelerators)}}, {m.cpu, Span{float64(least.CPUs), float64(most.CPUs)}}, {m.rack, racks}} {
		if x.part == nil {
			continue
		}
		low, _ := x.part.MinUnit()
		each, _ := m.currency.Convert(low, x.part.Currency)
		out.Lo += float64(each) * x.n.Lo / m.minor
		if x.part.MOQ > 1 || x.part.Pack > 1 {
			out.Hi = math.Inf(1)
			continue
		}
		if each, _ = m.currency.Convert(x.part.MaxUnit(), x.part.Currency); each > 0 {
			out.Hi += float64(each) * x.n.Hi / m.minor
		}
	}
	return out
}

// AroundW is the draw at full load of what stands around a network, where a site does not say what an endpoint draws:
// endpointW is that, 0 if it does not. Spare endpoints draw as much as others.
func (m *Model) AroundW(n int64, endpointW float64) float64 {
	b := m.Around(n, 0)
	if endpointW > 0 {
		return float64(b.Accelerators) * endpointW
	}
	watts := 0.0
	if m.accelerator != nil {
		watts += float64(b.Accelerators) * m.accelerator.PowerW
	}
	if m.cpu != nil {
		watts += float64(b.CPUs) * m.cpu.PowerW
	}
	return watts
}

// NoPower is why the draw of the endpoints is not known, "" if it is.
func (m *Model) NoPower(endpointW float64) string {
	if endpointW > 0 || m.accelerator != nil && m.accelerator.PowerW > 0 {
		return ""
	}
	return "what an endpoint draws is not known: give its power_w in the price list, or [building] endpoint_power"
}

// TCO tells whether a study says what running costs, and over how many years.
func (m *Model) TCO() (years float64, ok bool) {
	if m.opt.TCO == nil {
		return 0, false
	}
	return m.opt.TCO.Years, true
}

// Yearly is what a year costs: energy at a draw of watts at full load, cooling included, and maintenance.
func (m *Model) Yearly(capex, watts float64) (energy, maintenance float64) {
	t := m.opt.TCO
	return watts / 1000 * HoursOfYear * t.Load * t.PerKWh, capex * t.Maintenance
}

// Total is what a cluster costs over the years.
func (m *Model) Total(capex, watts float64) float64 {
	energy, maintenance := m.Yearly(capex, watts)
	return capex + m.opt.TCO.Years*(energy+maintenance)
}

// Words says what is bought around a network.
func (m *Model) Words(b *Bought) string {
	var out []string
	add := func(n int64, p *catalog.Part) {
		if p != nil && n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, p.PartNo))
		}
	}
	add(b.Accelerators, m.accelerator)
	add(b.CPUs, m.cpu)
	add(b.Racks, m.rack)
	return strings.Join(out, ", ")
}
