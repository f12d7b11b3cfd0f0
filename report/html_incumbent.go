package report

import "fmt"

// incumbents fills their part of the page: a card as picks have, why it wins or loses, and the design in full.
func (p *page) incumbents() {
	for i := range p.Data.Incumbents {
		x := &p.Data.Incumbents[i]
		v := incumbentView{Title: x.title(), Verdict: x.Verdict, Chosen: x.Chosen, Why: x.Why, Badge: badge{x.badge().Class, x.Verdict}, Admit: x.Admit}
		if !x.None {
			q := p.beside(i)
			c := q.card(0)
			v.Card, v.Detail = &c, q.detail(&x.Detail)
		}
		p.Incumbents = append(p.Incumbents, v)
	}
}

// beside is a page whose only design is an incumbent.
func (p *page) beside(i int) *page {
	alone, q := *p.Data, *p
	alone.Points = []Point{p.Data.Incumbents[i].Point}
	q.Data, q.picks, q.detailOf = &alone, nil, map[int]string{0: fmt.Sprintf("i-%d", i+1)}
	return &q
}
