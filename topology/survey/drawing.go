package survey

import (
	"bytes"
	"fmt"
	"html"
	"math"

	"toposearch/internal/unit"
	"toposearch/topology"
)

// palette are colours that stay apart for colour-blind readers (Okabe and Ito, 2008), and some more.
var palette = []string{"#999999", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#7f3fbf",
	"#17becf", "#bcbd22", "#444444", "#a00000"}

// Drawing is the SVG of a network: switches of one class on a ring, of several in layers, the
// endpoints below or outside; blocks stand apart, and each link class has its colour.
func Drawing(d topology.Design, n *topology.Network) []byte {
	p := place(d, n)
	var b bytes.Buffer
	legend := 26.0 * float64(len(n.LinkClasses)+len(n.SwitchClasses))
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="15">`+"\n",
		drawWidth, p.height+legend+30)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	fmt.Fprintf(&b, `<text x="24" y="34" font-size="20" font-weight="bold">%s</text>`+"\n", html.EscapeString(d.String()))
	for i, line := range []string{d.Family.Title, unit.Count(n.Endpoints(), "endpoint", "endpoints") + ", " + unit.Count(p.boxes(), "switch", "switches")} {
		fmt.Fprintf(&b, `<text x="24" y="%d" fill="#555555">%s</text>`+"\n", 56+20*i, html.EscapeString(line))
	}
	p.nics(&b)
	count := p.links(&b)
	p.nodes(&b)
	p.legend(&b, count)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// nics draws the links of endpoints that are not their switches.
func (p *picture) nics(b *bytes.Buffer) {
	if !p.endpoints {
		return
	}
	for g := range p.n.Groups() {
		first, end, ports := p.n.Group(g)
		for e := first; e < end; e++ {
			for _, s := range ports {
				fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="0.8"/>`+"\n",
					p.ends[e].x, p.ends[e].y, p.at[s].x, p.at[s].y, palette[0])
			}
		}
	}
	for _, e := range p.ends {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.2" fill="#777777"/>`+"\n", e.x, e.y)
	}
}

// links draws the links between switches and counts them by class.
func (p *picture) links(b *bytes.Buffer) []int {
	count := make([]int, len(p.n.LinkClasses))
	twice := map[[2]int]float64{} // parallel links bend apart
	for s := range p.at {
		for c, end := p.n.Out(topology.SwitchID(s)); c < end; c++ {
			t := int(p.n.To(c))
			if r := p.n.Rev(c); r >= 0 && (t < s) {
				continue
			}
			k := p.n.LinkClass(c)
			count[k]++
			pair := [2]int{s, t}
			bend := p.bend(s, t, twice[pair])
			twice[pair]++
			fmt.Fprintf(b, `<path d="M%.1f %.1fQ%.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="1.6" stroke-opacity="0.8"/>`+"\n",
				p.at[s].x, p.at[s].y, bend.x, bend.y, p.at[t].x, p.at[t].y, palette[k%len(palette)])
		}
	}
	return count
}

// bend is the control point of a link: towards the centre of a ring, above a layer, else straight.
func (p *picture) bend(s, t int, parallel float64) point {
	a, z := p.at[s], p.at[t]
	m := point{(a.x + z.x) / 2, (a.y + z.y) / 2}
	switch {
	case p.ring:
		f := 0.25 + 0.08*parallel
		return point{m.x + (p.centre.x-m.x)*f, m.y + (p.centre.y-m.y)*f}
	case a.y == z.y:
		return point{m.x, m.y - 30 - math.Abs(a.x-z.x)*0.22 - 14*parallel}
	}
	return point{m.x + 14*parallel, m.y}
}

// nodes draws the switches: squares, round where they are inside endpoints.
func (p *picture) nodes(b *bytes.Buffer) {
	for s, at := range p.at {
		round := 2.0
		if p.n.Embedded(topology.SwitchID(s)) {
			round = p.size
		}
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s" stroke="#222222"/>`+"\n",
			at.x-p.size, at.y-p.size, 2*p.size, 2*p.size, round, p.fill(s))
		if p.size >= 9 {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="%.1f">%d</text>`+"\n", at.x, at.y+p.size*0.33, p.size*0.85, s)
		}
	}
}

// fills are light colours of the switch classes.
var fills = []string{"#dbe9f6", "#fde6cf", "#d9f0e3", "#f3ddea", "#fff3c4", "#e3e3f5"}

func (p *picture) fill(s int) string {
	return fills[p.n.Class(topology.SwitchID(s))%len(fills)]
}

func (p *picture) legend(b *bytes.Buffer, count []int) {
	y := p.height + 10
	line := func(mark, text string) {
		fmt.Fprintf(b, `%s<text x="74" y="%.1f">%s</text>`+"\n", mark, y+5, html.EscapeString(text))
		y += 26
	}
	for c, k := range p.classes {
		if k > 0 {
			class := p.n.SwitchClasses[c]
			line(fmt.Sprintf(`<rect x="36" y="%.1f" width="18" height="18" rx="2" fill="%s" stroke="#222222"/>`, y-9, fills[c%len(fills)]),
				fmt.Sprintf("%d %s: %s", k, class.Name, class.Doc))
		}
	}
	for c, class := range p.n.LinkClasses {
		if k := count[c]; k > 0 {
			line(fmt.Sprintf(`<path d="M28 %.1fH62" stroke="%s" stroke-width="3"/>`, y, palette[c%len(palette)]),
				fmt.Sprintf("%d %s: %s", k, class.Name, class.Doc))
		}
	}
	if p.endpoints {
		line(fmt.Sprintf(`<path d="M28 %.1fH62" stroke="%s"/>`, y, palette[0]), fmt.Sprintf("%d endpoints", p.n.Endpoints()))
	}
}
