package picture

import (
	"fmt"
	"strings"

	"toposearch/report/draw"
	"toposearch/report/number"
	"toposearch/topology"
)

// A graph is drawn up to so many switches, vertices and joined pairs: more lines cover one another, and take more than 200 kB.
const mostSwitches, mostVertices, mostEdges = 200, 1200, 6000

// graph draws every switch and every link.
func (s *Source) graph() (string, error) {
	q, err := newQuotient(s.Design)
	if err != nil {
		return "", err
	}
	boxes, all := q.size.Switches(), q.size.AllSwitches()
	if boxes > mostSwitches || all > mostVertices {
		return "", fmt.Errorf("%w: a graph is drawn up to %d switches and %s vertices; %s has %s and %s", ErrNone, mostSwitches, number.Figure(mostVertices),
			s.Design, number.Figure(float64(boxes)), number.Figure(float64(all)))
	}
	links := int64(0)
	for c, n := range q.size.Link {
		if c > 0 {
			links += n
		}
	}
	const tooMany = 40 * mostEdges // parallel links and all: not worth building for a picture
	if links > tooMany {
		return "", fmt.Errorf("%w: %s has %s links: too many to be told apart", ErrNone, s.Design, number.Figure(float64(links)))
	}
	net, err := s.Design.Build()
	if err != nil {
		return "", err
	}
	g := newGraph(q, net)
	if g.n > mostVertices || len(g.order) > mostEdges {
		return "", fmt.Errorf("%w: %s has %s vertices and %s pairs of them are joined: a graph is drawn up to %s and %s", ErrNone, s.Design, number.Figure(float64(g.n)),
			number.Figure(float64(len(g.order))), number.Figure(mostVertices), number.Figure(mostEdges))
	}
	l := g.arrange(s.Design)
	return g.draw(l, s.Design), nil
}

// draw draws a layout: edges by class, vertices by class with their names, and what the colours mean.
func (g *graph) draw(l *layout, design topology.Design) string {
	about := g.q.words() + "; " + l.how
	legend := g.legend()
	w := l.w + 2*margin
	d := start(w, headPx+l.h+2*margin+18*float64(len(legend))+16, draw.Clip(design.String(), titleMost), about,
		"Graph of all switches and links: "+about+". "+strings.Join(legend, ". ")+".")
	d.Raw(`<g transform="translate(` + draw.Px(margin) + ` ` + draw.Px(headPx+margin) + `)">`)
	paths := make([]strings.Builder, len(g.q.size.Family.LinkClasses))
	for _, e := range g.order {
		paths[g.edges[e].class].WriteString(l.line(e[0], e[1]))
	}
	for c := range paths {
		if paths[c].Len() > 0 {
			d.Path(g.edgeClass(c), paths[c].String(), g.q.size.Family.LinkClasses[c].Name)
		}
	}
	for v := range g.n {
		x, y := l.x[v], l.y[v]
		if v >= g.net.Switches() {
			d.Path("gp", draw.Marker(1, x, y, max(1.4, l.r/3)), "")
			continue
		}
		k := g.node[v]
		d.Path(fmt.Sprintf("nd f%d", (k+3)%8), draw.Marker(k-1, x, y, l.r), g.net.SwitchName(topology.SwitchID(v)))
	}
	d.Raw(`</g>`)
	for i, s := range legend {
		y := headPx + l.h + 2*margin + 18*float64(i) + 8
		g.key(d, i, 12, y)
		d.Text("tk", 44, y+4, "start", s)
	}
	return d.String()
}

func (g *graph) edgeClass(c int) string { return fmt.Sprintf("ed f%d d%d", c%8, c/8) }

// shown are the nodes and the link classes that the legend explains, in its order.
func (g *graph) shown() (nodes, classes []int) {
	for k := range g.q.nodes {
		if k > 0 {
			nodes = append(nodes, k)
		}
	}
	seen := map[int]bool{}
	for _, e := range g.order {
		seen[g.edges[e].class] = true
	}
	for c := range g.q.size.Family.LinkClasses {
		if seen[c] {
			classes = append(classes, c)
		}
	}
	return nodes, classes
}

func (g *graph) legend() (out []string) {
	nodes, classes := g.shown()
	for _, k := range nodes {
		x := &g.q.nodes[k]
		out = append(out, fmt.Sprintf("%s: %s", draw.Clip(x.name, mostCell), number.Count(int(x.count), "switch", "switches")))
	}
	for _, c := range classes {
		pairs := 0
		for _, e := range g.order {
			if g.edges[e].class == c {
				pairs++
			}
		}
		out = append(out, fmt.Sprintf("%s: %s between %s", draw.Clip(g.q.size.Family.LinkClasses[c].Name, mostCell), number.Count(int(g.q.size.Link[c]), "link", "links"),
			number.Count(pairs, "pair", "pairs")))
	}
	if n := g.n - g.net.Switches(); n > 0 {
		out = append(out, "small squares: endpoints with ports on several switches, "+number.Count(n, "set", "sets")+" with the same ones")
	}
	return out
}

// key draws what line i of the legend explains.
func (g *graph) key(d *draw.Drawing, i int, x, y float64) {
	nodes, classes := g.shown()
	switch {
	case i < len(nodes):
		d.Path(fmt.Sprintf("nd f%d", (nodes[i]+3)%8), draw.Marker(nodes[i]-1, x+12, y, 5), "")
	case i < len(nodes)+len(classes):
		d.Path(g.edgeClass(classes[i-len(nodes)])+" w2", "M"+draw.Px(x)+" "+draw.Px(y)+"h24", "")
	default:
		d.Path("gp", draw.Marker(1, x+12, y, 3), "")
	}
}
