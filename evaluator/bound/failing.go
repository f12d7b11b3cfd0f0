package bound

import (
	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
)

// failing encloses how often one of something fails.
type failing struct{ Least, Most cluster.Fails }

func (f *failing) take(x *cluster.Fails, first bool) {
	if first {
		*f = failing{*x, *x}
	}
	f.Least, f.Most = f.Least.Least(x), f.Most.Most(x)
}

// uptime encloses how often parts fail before it is known which are bought.
type uptime struct {
	links, faster []failing // of a rate by its rank, and of it and all faster ones
	models, cards failing   // any switch, any network card
}

// uptimeOf asks a market. What serves several links may serve one.
func uptimeOf(m *market.Market, c *cluster.Model) (u uptime) {
	u.links, u.faster = make([]failing, m.Speeds()), make([]failing, m.Speeds())
	for rank := m.Speeds() - 1; rank >= 0; rank-- {
		first := true
		m.EachCabling(rank, func(cab *catalog.Cabling) {
			one, alone := c.Link(cab), *cab
			for i := range alone.Items {
				alone.Items[i].Den = 1
			}
			whole := c.Link(&alone)
			u.links[rank].take(&one, first)
			u.links[rank].take(&whole, false)
			first = false
		})
		u.faster[rank] = u.links[rank]
		if rank+1 < m.Speeds() {
			u.faster[rank].take(&u.faster[rank+1].Least, first)
			u.faster[rank].take(&u.faster[rank+1].Most, false)
		}
	}
	any := func(kind string) (f failing) {
		first := true
		m.EachModel(kind, func(p *catalog.Part) {
			one := c.Part(p)
			f.take(&one, first)
			first = false
		})
		return f
	}
	u.models, u.cards = any(catalog.KindSwitch), any(catalog.KindNIC)
	return u
}

// LinksFail is what fails of all links of a class, by the cables that are bought, divided by of, and what the cables of one of them do. Where all
// fail alike and of is their number the two are the same to the last bit: so are the availabilities of designs that differ in other parts.
func LinksFail(c *cluster.Model, m *market.Market, r *market.Rates, runs []market.Run, class int, of float64) (all cluster.Fails, each failing) {
	var one cluster.Fails
	alike, first := int64(0), true // so many cables, one after the other, fail as one does
	for i := range runs {
		run := &runs[i]
		if run.Class != class || run.Count == 0 {
			continue
		}
		x := c.Link(m.Cabling(r, run))
		if x != one {
			all.Plus(float64(alike)/of, &one)
			one, alike = x, 0
		}
		each.take(&x, first)
		alike, first = alike+run.Count, false
	}
	all.Plus(float64(alike)/of, &one)
	return all, each
}
