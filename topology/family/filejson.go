package family

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/internal/diag"
)

// NetworkSchema names the format of network.json:
//
//	{
//	  "schema": "toposearch.network/1",
//	  "design": "fattree(k=4,l=2)",
//	  "unidirectional": false,
//	  "lane_gbps": 200,
//	  "endpoint_lanes": 1,
//	  "blocks": 4,
//	  "switch_classes": [
//	    {"name": "leaf", "count": 4, "home": "with_endpoints"},
//	    {"name": "spine", "count": 2, "home": "central"}
//	  ],
//	  "link_classes": [
//	    {"name": "nic", "lanes": 1},
//	    {"name": "spine", "lanes": 1}
//	  ],
//	  "endpoints": [[2, 0], [2, 1], [2, 2], [2, 3]],
//	  "links": [
//	    {"class": "spine", "ends": [[0, 4], [0, 5], [1, 4, 12.5], [1, 5], [2, 4], [2, 5], [3, 4], [3, 5]]}
//	  ]
//	}
//
// Switches are numbered from 0, class by class in the order of switch_classes. A switch class may
// be "embedded" (inside an endpoint) and also "relay", and has a home: inside, with_endpoints,
// in_block or central. The first link class is the one by which endpoints hang, nic or internal;
// "board": true marks traces that need no cable. The rate of a class is either "lanes" or "gbps",
// a multiple of lane_gbps. An entry of endpoints is a number of endpoints that share the switches
// named after it, one per port; an entry of ends is a link (a channel from the first to the second
// switch if unidirectional) and its length in metres, if known. Only schema, switch_classes,
// link_classes and endpoints are required.
const NetworkSchema = "toposearch.network/1"

// homes are the words for topology.Home, by value.
var homes = []string{"inside", "with_endpoints", "in_block", "central"}

// jsonReader walks tokens, so that every finding has its place and one fault does not hide others.
type jsonReader struct {
	src    *source
	dec    *json.Decoder
	end    error // a syntax error; nothing more can be read
	g      *fileGraph
	gbps   []float64 // of each link class, 0 if given in lanes
	lanes  []bool    // whether a link class gives lanes
	names  map[string]int
	late   []func() // checks that need the classes
	length bool     // some link has a length
	total  int64    // endpoints so far
}

func parseJSON(src *source) *fileGraph {
	r := &jsonReader{src: src, g: &fileGraph{portStart: []int32{0}}, names: map[string]int{}}
	r.g.place.Blocks = 1
	r.dec = json.NewDecoder(bytes.NewReader(src.data))
	r.dec.UseNumber()
	seen := r.object("the network", map[string]func(){
		"schema":         func() { r.schema() },
		"design":         func() { r.g.design, _ = r.text("design") },
		"unidirectional": func() { r.g.unidirectional = r.flag("unidirectional") },
		"lane_gbps":      func() { r.g.laneGbps = r.positive("lane_gbps") },
		"endpoint_lanes": func() { r.g.endpointLanes = int32(r.whole("endpoint_lanes", 1, math.MaxInt32)) },
		"blocks":         func() { r.g.place.Blocks = int(r.whole("blocks", 1, maxFileEndpoints)) },
		"switch_classes": func() { r.array("switch_classes", r.switchClass) },
		"link_classes":   func() { r.array("link_classes", r.linkClass) },
		"endpoints":      func() { r.array("endpoints", r.endpoints) },
		"links":          func() { r.array("links", r.linkGroup) },
	})
	if r.end == nil {
		if _, err := r.dec.Token(); err != io.EOF {
			src.at(r.next(), "", "text after the end of the network")
		}
		for _, k := range []string{"schema", "switch_classes", "link_classes", "endpoints"} {
			if !slices.Contains(seen, k) {
				src.at(0, "", "the network has no %q", k)
			}
		}
	}
	if src.list.HasErrors() {
		return nil
	}
	return r.finish()
}

// next is the offset of the token that comes next.
func (r *jsonReader) next() int {
	at := int(r.dec.InputOffset())
	for at < len(r.src.data) && strings.IndexByte(" \t\r\n,:", r.src.data[at]) >= 0 {
		at++
	}
	return at
}

// token reads the next token; at is its offset. nil after a syntax error.
func (r *jsonReader) token() (t json.Token, at int) {
	if r.end != nil {
		return nil, 0
	}
	at = r.next()
	t, err := r.dec.Token()
	if err != nil {
		r.end = err
		var bad *json.SyntaxError
		switch {
		case errors.As(err, &bad):
			r.src.at(int(bad.Offset)-1, "", "not JSON: %v", err)
		default:
			r.src.at(len(r.src.data), "", "the file ends early")
		}
		return nil, at
	}
	return t, at
}

// object reads an object by a function for each key, and gives the keys that it has.
func (r *jsonReader) object(what string, keys map[string]func()) (seen []string) {
	t, at := r.token()
	if t != json.Delim('{') {
		r.wrong(t, at, what+" is an object")
		return nil
	}
	for r.end == nil && r.dec.More() {
		t, at := r.token()
		key, ok := t.(string)
		if !ok {
			return seen
		}
		read, known := keys[key]
		switch {
		case !known:
			names := make([]string, 0, len(keys))
			for k := range keys {
				names = append(names, k)
			}
			slices.Sort(names)
			r.src.at(at, "", "unknown key %q in %s%s", key, what, diag.Hint(key, names))
			r.skip()
		case slices.Contains(seen, key):
			r.src.at(at, "", "key %q stands twice in %s", key, what)
			r.skip()
		default:
			seen = append(seen, key)
			read()
		}
	}
	r.token()
	return seen
}

// array reads an array by a function for each element, which must read exactly one value.
func (r *jsonReader) array(what string, element func()) {
	t, at := r.token()
	if t != json.Delim('[') {
		r.wrong(t, at, what+" is an array")
		return
	}
	for r.end == nil && r.dec.More() && !r.src.full {
		element()
	}
	if r.src.full {
		r.end = errors.New("too many findings")
		return
	}
	r.token()
}

// wrong complains about a value that is not what it should be, and skips it.
func (r *jsonReader) wrong(t json.Token, at int, want string) {
	if r.end != nil {
		return
	}
	r.src.at(at, "", "%s", want)
	if d, ok := t.(json.Delim); ok && (d == '{' || d == '[') {
		r.close()
	}
}

// skip reads one value of any kind.
func (r *jsonReader) skip() {
	if t, _ := r.token(); t == json.Delim('{') || t == json.Delim('[') {
		r.close()
	}
}

// close reads to the end of the object or array that has begun.
func (r *jsonReader) close() {
	for depth := 1; depth > 0 && r.end == nil; {
		switch t, _ := r.token(); t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

func (r *jsonReader) text(what string) (s string, at int) {
	t, at := r.token()
	s, ok := t.(string)
	if !ok {
		r.wrong(t, at, what+" is a text")
	}
	return s, at
}

func (r *jsonReader) flag(what string) bool {
	t, at := r.token()
	b, ok := t.(bool)
	if !ok {
		r.wrong(t, at, what+" is true or false")
	}
	return b
}

// whole reads a whole number in lo..hi; lo if it is not one.
func (r *jsonReader) whole(what string, lo, hi int64) int64 {
	t, at := r.token()
	n, ok := t.(json.Number)
	x, err := strconv.ParseInt(string(n), 10, 64)
	if !ok || err != nil || x < lo || x > hi {
		r.wrong(t, at, what+" is a whole number from "+strconv.FormatInt(lo, 10)+" to "+strconv.FormatInt(hi, 10))
		return lo
	}
	return x
}

// positive reads a rate in Gb/s or a length in metres.
func (r *jsonReader) positive(what string) float64 {
	t, at := r.token()
	n, ok := t.(json.Number)
	x, err := strconv.ParseFloat(string(n), 64)
	if !ok || err != nil || !(x > 0 && x <= 1e6) {
		r.wrong(t, at, what+" is a number above 0, up to 1000000")
		return 1
	}
	return x
}

func (r *jsonReader) schema() {
	if s, at := r.text("schema"); s != NetworkSchema && r.end == nil {
		r.src.at(at, "this program reads "+NetworkSchema, "schema %q is not known", s)
	}
}
