package bound

import (
	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
)

// failing encloses how often one of something fails.
type failing struct{ least, most cluster.Fails }

func (f *failing) take(x *cluster.Fails, first bool) {
	if first {
		*f = failing{*x, *x}
	}
	f.least, f.most = f.least.Least(x), f.most.Most(x)
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
			u.faster[rank].take(&u.faster[rank+1].least, first)
			u.faster[rank].take(&u.faster[rank+1].most, false)
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
