package family

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/internal/diag"
	"toposearch/topology"
)

// csvColumns are the columns of an edge list; a and b are required. One row is one cable. What a
// name stands for is decided by its leading letters (endpointWords): gpu-0017 is an endpoint,
// leaf-r03-1 a switch. Separators are commas, semicolons or tabs, as the header has them.
var csvColumns = []string{"a", "a_port", "b", "b_port", "gbps", "length_m", "medium", "part_no", "cable_id"}

const (
	colA = iota
	colAPort
	colB
	colBPort
	colGbps
	colLength
	colMedium
	colPart
	colCable
)

// endpointWords are the leading letters, in any case, of the names of endpoints.
var endpointWords = []string{
	"acc", "accelerator", "compute", "cn", "e", "ep", "endpoint", "gpu", "h", "hca", "host", "n", "nic", "node", "npu",
	"server", "srv", "tpu", "worker", "xpu",
}

// isEndpoint tells an endpoint's name from a switch's.
func isEndpoint(name string) bool {
	i := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if i < 0 {
		i = len(name)
	}
	return slices.Contains(endpointWords, strings.ToLower(name[:i]))
}

type edgeList struct {
	src     *source
	reader  *csv.Reader
	column  [9]int // field of each column, -1 if absent
	fields  int
	ids     map[string]int32 // of names: switches and endpoints are numbered apart
	switchs []string
	hosts   []string
	edges   []edge
	used    map[string]bool // "name\x00port"
	cables  map[string]bool
}

type edge struct {
	a, b     int32
	endpoint bool  // a is an endpoint
	milli    int64 // rate in Mb/s, 0 if not given
	at       int   // offset
	info     LinkInfo
}

func parseCSV(src *source) *fileGraph {
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

// separator is the one that the header has most of.
func separator(line []byte) rune {
	best, n := ',', bytes.Count(line, []byte{','})
	for _, c := range ";\t" {
		if m := bytes.Count(line, []byte{byte(c)}); m > n {
			best, n = c, m
		}
	}
	return best
}

// offset of field i of the record read last.
func (p *edgeList) offset(i int) int {
	line, col := p.reader.FieldPos(i)
	return p.src.lines[line-1] + col - 1
}

func (p *edgeList) header() bool {
	rec, err := p.reader.Read()
	if err != nil {
		p.src.at(0, "the first line is "+strings.Join(csvColumns, ","), "no header: %v", err)
		return false
	}
	for i := range p.column {
		p.column[i] = -1
	}
	p.fields = len(rec)
	for i, name := range rec {
		name = strings.ToLower(strings.TrimSpace(name))
		c := slices.Index(csvColumns, name)
		switch {
		case c < 0:
			p.src.at(p.offset(i), "columns are "+strings.Join(csvColumns, ","), "unknown column %q%s", name, diag.Hint(name, csvColumns))
		case p.column[c] >= 0:
			p.src.at(p.offset(i), "", "column %s stands twice", name)
		default:
			p.column[c] = i
		}
	}
	for _, c := range []int{colA, colB} {
		if p.column[c] < 0 {
			p.src.at(0, "the first line is "+strings.Join(csvColumns, ","), "the header has no column %s", csvColumns[c])
		}
	}
	return !p.src.list.HasErrors()
}

func (p *edgeList) row(rec []string) {
	if len(rec) != p.fields {
		p.src.at(p.offset(0), "", "%d fields, the header has %d", len(rec), p.fields)
		return
	}
	get := func(c int) string {
		if p.column[c] < 0 {
			return ""
		}
		return strings.TrimSpace(rec[p.column[c]])
	}
	where := func(c int) int { return p.offset(p.column[c]) }
	a, b := get(colA), get(colB)
	switch {
	case a == "":
		p.src.at(where(colA), "", "an end without a name")
		return
	case b == "":
		p.src.at(where(colB), "", "an end without a name")
		return
	case a == b:
		p.src.at(where(colB), "", "%s is linked to itself", a)
		return
	}
	e := edge{at: where(colA), info: LinkInfo{
		Medium: get(colMedium), PartNo: get(colPart), ID: get(colCable), PortA: get(colAPort), PortB: get(colBPort),
	}}
	p.once(p.used, a+"\x00"+e.info.PortA, e.info.PortA, where, colAPort, "port "+e.info.PortA+" of "+a)
	p.once(p.used, b+"\x00"+e.info.PortB, e.info.PortB, where, colBPort, "port "+e.info.PortB+" of "+b)
	p.once(p.cables, e.info.ID, e.info.ID, where, colCable, "cable "+e.info.ID)
	if g := p.number(get(colGbps), where, colGbps, 1e6); g > 0 {
		if e.milli = int64(math.Round(g * 1000)); e.milli == 0 {
			p.src.at(where(colGbps), "", "rates below 1 Mb/s are not told apart from 0")
		}
	}
	e.info.LengthM = p.number(get(colLength), where, colLength, 1e6)
	p.ends(a, b, &e, where)
}

// once complains if a port or cable is used again.
func (p *edgeList) once(seen map[string]bool, key, value string, where func(int) int, c int, what string) {
	if value == "" {
		return
	}
	if seen[key] {
		p.src.at(where(c), "", "%s stands twice", what)
	}
	seen[key] = true
}

// number reads a rate or length: a positive decimal number, or nothing.
func (p *edgeList) number(s string, where func(int) int, c int, most float64) float64 {
	if s == "" {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x <= most) || x == 0 && c == colGbps {
		p.src.at(where(c), fmt.Sprintf("a plain decimal number up to %g, such as 400 or 2.5", most), "%s = %q is not one", csvColumns[c], s)
		return 0
	}
	return x
}

// ends numbers the two ends. An endpoint comes first.
func (p *edgeList) ends(a, b string, e *edge, where func(int) int) {
	if isEndpoint(b) {
		if isEndpoint(a) {
			p.src.at(where(colB), "an endpoint hangs on switches; a device that forwards needs the name of a switch",
				"%s and %s are both endpoints", a, b)
			return
		}
		a, b = b, a
		e.info.PortA, e.info.PortB = e.info.PortB, e.info.PortA
	}
	e.endpoint = isEndpoint(a)
	e.a, e.b = p.id(a), p.id(b)
	p.edges = append(p.edges, *e)
}

func (p *edgeList) id(name string) int32 {
	if id, ok := p.ids[name]; ok {
		return id
	}
	list := &p.switchs
	if isEndpoint(name) {
		list = &p.hosts
	}
	id := int32(len(*list))
	p.ids[name] = id
	*list = append(*list, name)
	return id
}

// finish makes the graph: one class of endpoint links, one class of links per rate.
func (p *edgeList) finish() *fileGraph {
	g := &fileGraph{linkClasses: []topology.LinkClass{nicOfFile}}
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
func (p *edgeList) rates(g *fileGraph) (classOf map[int64]uint8, ok bool) {
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
		c := linkOfFile
		if len(rates) > 1 {
			c.Name += strconv.FormatFloat(float64(r)/1000, 'f', -1, 64)
		}
		classOf[r] = uint8(i + 1)
		g.linkClasses = append(g.linkClasses, c)
		g.lanes = append(g.lanes, int32(max(r/lane, 1)))
	}
	return classOf, !p.src.list.HasErrors()
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
