package report

import (
	"fmt"
	"strings"

	"toposearch/report/number"
)

// head fills what stands above everything: the question, and how far the answer can be trusted.
func (p *page) head() {
	d := p.Data
	p.Question = number.Regroup(question(d))
	p.Badge, p.Verdict = verdict(d)
	for i := range d.Limits {
		if l := &d.Limits[i]; l.Require {
			p.Required = append(p.Required, required(d, l))
		}
	}
	if text := wayOut(d); text != "" {
		p.Required = append(p.Required, note{Badge: badge{"warn", "Way out"}, Text: text})
	}
	for i := range d.Incumbents {
		p.Required = append(p.Required, note{Badge: d.Incumbents[i].badge(), Text: d.Incumbents[i].text()})
	}
	if n, ok := contradictions(d); ok {
		p.Required = append(p.Required, n)
	}
	loads := "This page loads nothing and sends nothing."
	if p.Live != nil {
		loads = "This page loads what is new from toposearch serve, and nothing from elsewhere."
	}
	p.Footer = fmt.Sprintf("Written by toposearch %s, evaluator %s, seed %d. %s Charts by Apache ECharts 6.1.0 (Apache License 2.0).",
		d.Program, d.Evaluator, d.Seed, loads)
}

// cards merges picks that name the same design.
func (p *page) cards() {
	d := p.Data
	done := map[int]bool{}
	for _, pick := range p.picks {
		if done[pick.Point] {
			continue
		}
		done[pick.Point] = true
		var rules []string
		for _, q := range p.picks {
			if q.Point == pick.Point {
				rules = append(rules, strings.ToUpper(q.Rule[:1])+q.Rule[1:])
			}
		}
		names := listed(picksOf(p.picks, pick.Point))
		if !d.Complete {
			names += " so far"
		}
		c := p.card(pick.Point)
		c.Names, c.Rules = names, rules
		p.Cards = append(p.Cards, c)
	}
}

// card is that of a point, without the names of picks.
func (p *page) card(point int) card {
	d := p.Data
	pt := &d.Points[point]
	st := p.styles.of(pt.Family)
	c := card{Design: pt.Name, ID: p.detailOf[point], Style: st % colours, Marker: legendMarker(st)}
	for _, k := range d.mentioned() {
		text := "not stated"
		if pt.Have[k] {
			text = number.PageQuantity(pt.Value(k), d.unitOf(k))
		}
		c.Big = append(c.Big, Fact{Title(k), text})
	}
	c.Small = summary(d, pt)
	c.Check = check(pt)
	if c.Check.Text == "–" {
		c.Check.Text = "not simulated"
	} else if pt.Sim != nil {
		c.Check.Text = "simulation " + c.Check.Text
	}
	return c
}
