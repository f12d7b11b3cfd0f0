package netfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// graphML reads a network as GraphML, http://graphml.graphdrawing.org: nodes and edges, whose data have names by the keys of
// the head. Of nodes: kind ("switch" or "endpoint"; without it the name decides, IsEndpoint), name or label, class, the words of a kind
// ("true"; Kind) and shares_box (a number). Of edges: gbps, length_m, class, medium, part_no, cable_id, a_port and b_port. Other data are passed over.
// In a directed graph edges between switches are channels; an endpoint has an edge to each of its switches
// and one back. Hyperedges and graphs within nodes are refused.
type graphML struct {
	cabling
	dec   *xml.Decoder
	keys  map[string]string // data by id, "node/kind"
	nodes map[string]device
	lines []mlEdge
	back  map[[2]string]int // edges of a directed graph from a switch to an endpoint, less those to it
	graph int               // graphs seen
}

type mlEdge struct {
	a, b string
	edge
}

func parseGraphML(src *source) *graph {
	p := &graphML{cabling: newCabling(src), keys: map[string]string{}, nodes: map[string]device{}, back: map[[2]string]int{}}
	p.dec = xml.NewDecoder(bytes.NewReader(src.data))
	p.dec.Strict = true
	p.dec.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, errors.New("the file is in " + strconv.Quote(charset) + "; save it as UTF-8")
	}
	depth := 0
	for !src.full {
		at := int(p.dec.InputOffset())
		t, err := p.dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			src.at(at, "", "no XML: %v", err)
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth == 1 && t.Name.Local != "graphml" {
				src.at(at, "a network as XML is GraphML", "the document is a %s", strconv.Quote(t.Name.Local))
				return nil
			}
			depth += p.element(at, t)
		case xml.EndElement:
			depth--
		}
	}
	if p.graph == 0 && !src.list.HasErrors() {
		src.at(0, "", "the document has no graph")
	}
	p.wire()
	if src.list.HasErrors() {
		return nil
	}
	return p.finish()
}

// element reads what begins; -1 if it has read its end, too.
func (p *graphML) element(at int, t xml.StartElement) int {
	attr := map[string]string{}
	for _, a := range t.Attr {
		attr[a.Name.Local] = a.Value
	}
	switch t.Name.Local {
	case "key":
		p.keys[attr["id"]] = attr["for"] + "/" + attr["attr.name"]
	case "graph":
		if p.graph++; p.graph > 1 {
			p.src.at(at, "one graph is read", "a second graph, or one within a node")
		}
		p.oneWay = attr["edgedefault"] == "directed"
	case "hyperedge", "port":
		p.src.at(at, "a cable has two ends, edge source=... target=...", "%s is not read", t.Name.Local)
	case "node":
		p.node(at, attr["id"], p.data("node"))
		return -1
	case "edge":
		data := p.data("edge")
		if d := attr["directed"]; d != "" && (d == "true") != p.oneWay {
			p.src.at(at, "all edges are directed, or none", "an edge with directed=%s", strconv.Quote(d))
		}
		if len(p.lines) >= maxLines {
			p.src.at(at, "", "the file has more than %d edges", maxLines)
			p.src.full = true
			return -1
		}
		e := edge{at: at, class: data["class"], info: LinkInfo{Medium: data["medium"], PartNo: data["part_no"], ID: data["cable_id"],
			PortA: data["a_port"], PortB: data["b_port"]}}
		e.milli = p.rate(data["gbps"], at, "gbps")
		e.info.LengthM = p.positive(data["length_m"], at, "length_m", true, mostLength)
		p.lines = append(p.lines, mlEdge{attr["source"], attr["target"], e})
		return -1
	}
	return 0
}

// data reads the data of a node or edge up to its end.
func (p *graphML) data(of string) map[string]string {
	data := map[string]string{}
	key, depth := "", 1
	for depth > 0 && !p.src.full {
		at := int(p.dec.InputOffset())
		t, err := p.dec.Token()
		if err != nil {
			p.src.at(at, "", "no XML: %v", err)
			p.src.full = true
			return data
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			if t.Name.Local == "graph" {
				p.src.at(at, "one graph is read", "a graph within a %s", of)
			}
			key = ""
			if t.Name.Local == "data" && depth == 2 {
				i := slices.IndexFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Local == "key" })
				if i >= 0 {
					whose, name, _ := strings.Cut(p.keys[t.Attr[i].Value], "/")
					if whose == of || whose == "all" {
						key = name
					}
				}
			}
		case xml.EndElement:
			depth--
			key = ""
		case xml.CharData:
			if key != "" {
				data[key] += strings.TrimSpace(string(t))
			}
		}
	}
	return data
}

func (p *graphML) node(at int, id string, data map[string]string) {
	d := device{key: id, name: data["name"], box: box{class: data["class"]}}
	if d.name == "" {
		d.name = data["label"]
	}
	words := data["kind"]
	switch words {
	case "", kindSwitch, kindEndpoint:
	default:
		p.src.at(at, "the kind of a node is switch or endpoint", "node %s is a %s", id, strconv.Quote(words))
		words = ""
	}
	for _, k := range kindWords {
		if data[k.word] == "true" && words != kindEndpoint {
			words += " " + k.word
		}
	}
	if n := data["shares_box"]; n != "" && words != kindEndpoint {
		words += " " + sharesBox + n
	}
	if err := d.setKind(strings.TrimSpace(words)); err != nil {
		p.src.at(at, "", "node %s: %v", id, err)
	}
	if _, twice := p.nodes[id]; twice || id == "" {
		p.src.at(at, "every node has an id of its own", "node %s stands twice, or has no id", strconv.Quote(id))
	}
	if len(p.nodes) >= maxLines {
		p.src.at(at, "", "the file has more than %d nodes", maxLines)
		p.src.full = true
	}
	p.src.seen(at, d.shown())
	p.src.seen(at, d.class)
	p.nodes[id] = d
}

// wire joins the nodes once all are known.
func (p *graphML) wire() {
	for _, x := range p.lines {
		if p.src.full {
			return
		}
		a, okA := p.nodes[x.a]
		b, okB := p.nodes[x.b]
		if !okA || !okB {
			p.src.at(x.at, "", "an edge from %s to %s: there is no such node", strconv.Quote(x.a), strconv.Quote(x.b))
			continue
		}
		if p.oneWay && a.endpoint != b.endpoint {
			if b.endpoint {
				p.back[[2]string{x.b, x.a}]++
				continue
			}
			p.back[[2]string{x.a, x.b}]--
		}
		p.join(a, b, x.edge, x.at)
	}
	for _, x := range p.lines {
		a, b := x.a, x.b
		if p.nodes[b].endpoint {
			a, b = b, a
		}
		if p.back[[2]string{a, b}] != 0 {
			p.src.at(x.at, "the links of endpoints go both ways: an edge each", "%s and %s have other numbers of edges to and fro", a, b)
			return
		}
	}
}
