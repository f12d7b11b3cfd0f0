package picture

import (
	"fmt"
	"strings"

	"toposearch/report/draw"
	"toposearch/report/number"
)

// badgeR is the radius of the badge that numbers a bundle.
const badgeR = 9.5

// badge draws the number of bundle i.
func badge(d *draw.Drawing, x, y float64, i int) {
	d.Path("bd", draw.Marker(0, x, y, badgeR), "")
	d.Text("pn", x, y+3.2, "middle", fmt.Sprint(i+1))
}

// mostCell is the width from which a cell of a table is cut.
const mostCell = 230.0

// ends says in words what a bundle joins.
func (q *quotient) ends(b *bundle) string {
	x, y := q.nodes[b.a].name, q.nodes[b.b].name
	return draw.Clip(x, mostCell/2-15) + " – " + draw.Clip(y, mostCell/2-15)
}

// where says how far the links of a bundle lead.
func (q *quotient) where(b *bundle) string {
	switch {
	case b.scope == inside:
		return "within blocks"
	case b.scope == between:
		return "between blocks"
	case q.blocks > 1:
		return "out of blocks"
	}
	return ""
}

// bundleTitle says of a bundle what the table does, for pointers and for who cannot see it.
func (q *quotient) bundleTitle(i int) string {
	b := &q.bundles[i]
	s := fmt.Sprintf("%d: %s, %s, %s", i+1, q.size.Family.LinkClasses[b.class].Name, q.ends(b), number.Count(int(b.links), "link", "links"))
	if w := q.where(b); w != "" {
		s += " " + w
	}
	return s
}

// words are the counts of a network.
func (q *quotient) words() string {
	s := number.Count(int(q.size.Endpoints), "endpoint", "endpoints") + ", " + number.Count(int(q.size.Switches()), "switch", "switches")
	if q.blocks > 1 {
		s += " in " + number.Count(q.blocks, "block", "blocks")
		for i := range q.nodes {
			if q.nodes[i].central {
				return s + " and outside them"
			}
		}
	}
	return s
}

// sentence describes the picture to who cannot see it.
func (q *quotient) sentence() string {
	parts := []string{"Network by classes and blocks: " + q.words()}
	for i := range q.bundles {
		parts = append(parts, q.bundleTitle(i))
	}
	return strings.Join(parts, ". ") + "."
}
