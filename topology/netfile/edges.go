package netfile

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"toposearch/diag"
)

// edges is a plain list of links, one a line, two names separated by blanks, as Graph Golf and networkx have them; a # begins a
// comment. Names such as host3 are endpoints (IsEndpoint). A list without endpoints, as Graph Golf's all are, gets as
// many on each vertex as a comment says (EndpointsEach), else one, with a warning. Vertices that are all numbers have
// to be 0 to n-1, without gaps: one that is missing would be a vertex without links.
const edgesForm = "lines look like: 0 17"

// EndpointsEach begins the comment of an edge list that says how many endpoints each vertex has, and EachKind, behind it, of what kind (Kind) the vertices are.
const (
	EndpointsEach = "# endpoints on each vertex:"
	EachKind      = ", vertices "
)

var endpointsEach = regexp.MustCompile(`^` + EndpointsEach + `\s*(\d+)(?:` + EachKind + `([a-z_ ]+))?\s*$`)

// isEdges tells an edge list by its first line: two words with numbers in them, so that text and heads of CSV are none.
func isEdges(line []byte) bool {
	if bytes.HasPrefix(line, []byte(EndpointsEach)) {
		return true
	}
	line, _, _ = bytes.Cut(line, []byte("#"))
	w := bytes.Fields(line)
	return len(w) == 2 && bytes.ContainsAny(w[0], "0123456789") && bytes.ContainsAny(w[1], "0123456789") && !bytes.ContainsAny(line, ",;")
}

func parseEdges(src *source) *graph {
	if src.longLines() {
		return nil
	}
	p := newCabling(src)
	each, kind := 0, device{key: "vertex"}
	for i := range src.lines {
		if src.full {
			break
		}
		at, text := src.lines[i], string(src.line(i))
		if m := endpointsEach.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			var err error
			if each, err = strconv.Atoi(m[1]); err != nil || each < 1 || each > maxEndpoints {
				src.at(at, "", "%s is no number of endpoints", m[1])
				each = 1
			}
			if err := kind.setKind(m[2]); err != nil || kind.endpoint || kind.flags.Embedded && each != 1 {
				src.at(at, "", "%s is no kind of vertices with %d endpoints each", strconv.Quote(m[2]), each)
			}
			continue
		}
		text, _, _ = strings.Cut(text, "#")
		w := words(at, []byte(text))
		if len(w) == 0 {
			continue
		}
		if len(w) != 2 || strings.Contains(w[0].text, ",") {
			src.at(at, edgesForm, "%d words, of a link two; vertices that are places on a grid, x,y, are not read", len(w))
			continue
		}
		src.seen(w[0].at, w[0].text)
		src.seen(w[1].at, w[1].text)
		a, b := device{key: w[0].text, endpoint: IsEndpoint(w[0].text)}, device{key: w[1].text, endpoint: IsEndpoint(w[1].text)}
		p.join(a, b, edge{at: at}, w[1].at)
	}
	if src.list.HasErrors() || !p.numbered() {
		return nil
	}
	if len(p.hosts) == 0 {
		if !p.attach(each) {
			return nil
		}
		for s := range p.switches {
			p.switches[s].flags = kind.flags
		}
	}
	return p.finish()
}

// numbered asks that vertices that are all numbers are 0 to n-1.
func (p *cabling) numbered() bool {
	last := -1
	for _, b := range p.switches {
		n, err := strconv.Atoi(b.name)
		if err != nil {
			return true
		}
		if n < 0 || n >= maxSwitches || b.name != strconv.Itoa(n) {
			p.src.at(0, "vertices are 0 to n-1", "%s is no number of a vertex", b.name)
			return false
		}
		last = max(last, n)
	}
	if last+1 != len(p.switches) {
		for n := range last {
			if _, ok := p.ids[strconv.Itoa(n)]; !ok {
				p.src.at(0, "number vertices from 0 without gaps", "there is a vertex %d but none %d", last, n)
				break
			}
		}
		return false
	}
	order := make([]int32, len(p.switches))
	for i, b := range p.switches {
		n, _ := strconv.Atoi(b.name)
		order[i] = int32(n)
	}
	for i := range p.edges { // vertices in the order of their numbers
		if e := &p.edges[i]; !e.endpoint {
			e.a = order[e.a]
			e.b = order[e.b]
		} else {
			e.b = order[e.b]
		}
	}
	for i := range p.switches {
		p.switches[i].name = strconv.Itoa(i)
	}
	return true
}

// attach hangs endpoints on every vertex of a list that names none.
func (p *cabling) attach(each int) bool {
	if each == 0 {
		p.src.list.Warnf(diag.Pos{File: p.src.path}, "the list names no endpoints: one is put on each vertex; a comment %q puts two", EndpointsEach+" 2")
		each = 1
	}
	if int64(each)*int64(len(p.switches)) > maxLines {
		p.src.at(0, "", "%d endpoints on each of %d vertices; at most %d are read", each, len(p.switches), maxLines)
		return false
	}
	for s := range p.switches {
		for range each {
			p.edges = append(p.edges, edge{a: int32(len(p.hosts)), b: int32(s), endpoint: true})
			p.hosts = append(p.hosts, fmt.Sprintf("endpoint-%d", len(p.hosts)))
		}
	}
	return true
}
