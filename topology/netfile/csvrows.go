package netfile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
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
	for i, text := range rec {
		p.src.seen(p.offset(i), strings.TrimSpace(text))
	}
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
