package netfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"

	"toposearch/topology"
)

func parseCSV(src *source) *graph {
	if src.longLines() {
		return nil
	}
	p := &edgeList{src: src, ids: map[string]int32{}, used: map[string]bool{}, cables: map[string]bool{}}
	p.reader = csv.NewReader(bytes.NewReader(src.data))
	p.reader.Comma = separator(src.line(0))
	p.reader.FieldsPerRecord = -1
	p.reader.ReuseRecord = true
	if !p.header() {
		return nil
	}
	for !src.full {
		rec, err := p.reader.Read()
		if err == io.EOF {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			p.src.at(src.lines[min(bad.Line, len(src.lines))-1]+bad.Column-1, "", "%v", bad.Err)
			break
		}
		p.row(rec)
	}
	if src.list.HasErrors() {
		return nil
	}
	return p.finish()
}

// finish makes the graph: one class of endpoint links, one class of links per rate.
func (p *edgeList) finish() *graph {
	g := &graph{linkClasses: []topology.LinkClass{nicClass}}
	classOf, ok := p.rates(g)
	if !ok {
		return nil
	}
	edge := make([]bool, len(p.switchs))
	at := make([][]int, len(p.hosts)) // edges of an endpoint
	for i, e := range p.edges {
		if e.endpoint {
			edge[e.b] = true
			at[e.a] = append(at[e.a], i)
		}
	}
	g.twoClasses(edge, p.switchs)
	order := g.renumber(edge)
	for _, e := range p.edges {
		if !e.endpoint {
			g.a, g.b = append(g.a, order[e.a]), append(g.b, order[e.b])
			g.class = append(g.class, classOf[e.milli])
			g.links = append(g.links, e.info)
		}
	}
	g.portStart = []int32{0}
	g.endpointNames = p.hosts
	var ports []topology.SwitchID
	for _, edges := range at {
		ports = ports[:0]
		for _, i := range edges {
			ports = append(ports, order[p.edges[i].b])
			g.nics = append(g.nics, p.edges[i].info)
		}
		g.endpoint(ports)
	}
	return g
}

// rates chooses the lane: the largest rate that all rates are multiples of. Either every cable
// has a rate or none, and all endpoint ports have the same.
func (p *edgeList) rates(g *graph) (classOf map[int64]uint8, ok bool) {
	var lane, nic int64
	given := 0
	for i := range p.edges {
		e := &p.edges[i]
		if e.milli > 0 {
			given++
		}
		lane = gcd(lane, e.milli)
		if !e.endpoint {
			continue
		}
		if nic == 0 {
			nic = e.milli
		}
		if e.milli != nic {
			p.src.at(e.at, "give all ports of endpoints one rate", "this endpoint port has %g Gb/s, the first has %g",
				float64(e.milli)/1000, float64(nic)/1000)
		}
	}
	if given > 0 && given < len(p.edges) {
		i := slices.IndexFunc(p.edges, func(e edge) bool { return e.milli == 0 })
		p.src.at(p.edges[i].at, "give every cable a rate or none", "this cable has no rate, others have")
	}
	lane = max(lane, 1)
	g.laneGbps = 0
	if given > 0 {
		g.laneGbps = float64(lane) / 1000
	}
	g.lanes = []int32{int32(max(nic/lane, 1))}
	classOf = map[int64]uint8{}
	var rates []int64
	for _, e := range p.edges {
		if !e.endpoint && !slices.Contains(rates, e.milli) && len(rates) < topology.MaxClasses {
			rates = append(rates, e.milli)
		}
	}
	if len(rates) > topology.MaxClasses-1 {
		p.src.at(0, "round rates that are meant to be equal", "more than %d different rates between switches", topology.MaxClasses-1)
		return nil, false
	}
	slices.Sort(rates)
	slices.Reverse(rates)
	for i, r := range rates {
		c := linkClass
		if len(rates) > 1 {
			c.Name += strconv.FormatFloat(float64(r)/1000, 'f', -1, 64)
		}
		classOf[r] = uint8(i + 1)
		g.linkClasses = append(g.linkClasses, c)
		g.lanes = append(g.lanes, int32(max(r/lane, 1)))
	}
	return classOf, !p.src.list.HasErrors()
}
