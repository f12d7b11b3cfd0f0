package netfile

import "strings"

// csvColumns are the columns of an edge list; a and b are required. One row is one cable. What a
// name stands for is decided by its leading letters (IsEndpoint), unless a kind says it (Kind): gpu-0017 is an endpoint,
// leaf-r03-1 a switch. Separators are commas, semicolons or tabs, as the header has them.
var csvColumns = []string{"a", "a_port", "b", "b_port", "gbps", "length_m", "medium", "part_no", "cable_id",
	"class", "a_class", "a_kind", "b_class", "b_kind"}

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
	colClass
	colAClass
	colAKind
	colBClass
	colBKind
)

// edgeList reads rows of csvColumns.
type edgeList struct {
	cabling
	records
	column []int // field of each column, -1 if absent
}

func (p *edgeList) header(head []string) bool {
	p.column = p.columns(head, csvColumns, nil, true)
	for _, c := range []int{colA, colB} {
		if p.column[c] < 0 {
			p.src.at(0, "the first line is "+strings.Join(csvColumns, ","), "the header has no column %s", csvColumns[c])
		}
	}
	return !p.src.list.HasErrors()
}

func (p *edgeList) row(rec []string) {
	get := func(c int) string {
		if p.column[c] < 0 {
			return ""
		}
		return rec[p.column[c]]
	}
	at := func(c int) int { return p.offset(max(p.column[c], 0)) }
	a, b := get(colA), get(colB)
	switch {
	case a == "":
		p.src.at(at(colA), "", "an end without a name")
		return
	case b == "":
		p.src.at(at(colB), "", "an end without a name")
		return
	}
	e := edge{at: at(colA), class: get(colClass), info: LinkInfo{
		Medium: get(colMedium), PartNo: get(colPart), ID: get(colCable), PortA: get(colAPort), PortB: get(colBPort),
	}}
	p.once(p.used, a+"\x00"+e.info.PortA, e.info.PortA, at(colAPort), "port "+e.info.PortA+" of "+a)
	p.once(p.used, b+"\x00"+e.info.PortB, e.info.PortB, at(colBPort), "port "+e.info.PortB+" of "+b)
	p.once(p.cables, e.info.ID, e.info.ID, at(colCable), "cable "+e.info.ID)
	e.milli = p.rate(get(colGbps), at(colGbps), csvColumns[colGbps])
	e.info.LengthM = p.positive(get(colLength), at(colLength), csvColumns[colLength], true, mostLength)
	from, to := device{key: a, box: box{class: get(colAClass)}}, device{key: b, box: box{class: get(colBClass)}}
	for _, x := range []struct {
		d    *device
		kind int
	}{{&from, colAKind}, {&to, colBKind}} {
		if err := x.d.setKind(get(x.kind)); err != nil {
			p.src.at(at(x.kind), "", "%s: %v", x.d.key, err)
			return
		}
	}
	p.join(from, to, e, at(colB))
}
