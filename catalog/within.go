package catalog

import "slices"

// Within is the catalogue without the switches, cables, transceivers and fibres that come after more than so many weeks and of which no order is within the stock: they
// are not approved in it. Where no switch would be left, or nothing that links, all of them stay, so that designs are judged by when they
// come. weeks = 0 is no limit.
func (c *Catalogue) Within(weeks float64) *Catalogue {
	if weeks == 0 {
		return c
	}
	kinds := func(p *Part) int {
		switch p.Kind {
		case KindSwitch:
			return 1
		case KindCable, KindTransceiver, KindFibre:
			return 2
		}
		return 0
	}
	late := func(p *Part) bool {
		_, least, _ := p.Price(1)
		return p.Approved && p.LeadWeeks > weeks && p.Stock < least
	}
	var inTime [3]bool
	for i := range c.Parts {
		if p := &c.Parts[i]; p.Approved && !late(p) {
			inTime[kinds(p)] = true
		}
	}
	inTime[0] = false // what else there is stays
	out := c
	for i := range c.Parts {
		if p := &c.Parts[i]; !inTime[kinds(p)] || !late(p) {
			continue
		}
		if out == c {
			out = &Catalogue{c.Name, c.Date, slices.Clone(c.Parts)}
		}
		out.Parts[i].Approved = false
	}
	return out
}
