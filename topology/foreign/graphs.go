package foreign

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// edges are the cables as edges of a graph: with one-way links the links of endpoints are two, to and fro.
func (f *Fabric) edges(yield func(c cable) error) error {
	return f.cables(func(c cable) error {
		if err := yield(c); err != nil || !f.n.Unidirectional || !f.isEndpoint(c.a) {
			return err
		}
		return yield(cable{a: c.b, b: c.a, portA: c.portB, portB: c.portA, class: c.class})
	})
}

// attr is an attribute of a node or an edge.
type attr struct{ name, value string }

// nodeAttrs are what is said of a device, edgeAttrs of a cable, by the names that netfile reads in GraphML.
func (f *Fabric) nodeAttrs(d int) []attr {
	if f.isEndpoint(d) {
		return []attr{{"kind", "endpoint"}}
	}
	out := []attr{{"kind", "switch"}, {"class", f.class(d).Name}}
	for _, w := range strings.Fields(f.end(d).Kind) {
		if name, n, ok := strings.Cut(w, "="); ok {
			out = append(out, attr{name, n})
		} else if w != "switch" {
			out = append(out, attr{w, "true"})
		}
	}
	return out
}

func (f *Fabric) edgeAttrs(c cable) []attr {
	out := []attr{{"class", f.n.LinkClasses[c.class].Name}}
	for _, p := range []struct {
		name string
		port int
	}{{"a_port", c.portA}, {"b_port", c.portB}} {
		if p.port > 0 {
			out = append(out, attr{p.name, fmt.Sprint(p.port)})
		}
	}
	if r := f.gbps(c.class); r != "" {
		out = append(out, attr{"gbps", r})
	}
	if m := f.medium(c.class); m != "" {
		out = append(out, attr{"medium", m})
	}
	return out
}

// mlKeys are the data of GraphML, of nodes and of edges, with their types.
var mlKeys = []struct{ of, name, kind string }{
	{"node", "kind", "string"}, {"node", "class", "string"}, {"node", "embedded", "boolean"}, {"node", "relay", "boolean"},
	{"node", "on_chip", "boolean"}, {"node", "stands_in", "boolean"}, {"node", "shares_box", "int"},
	{"edge", "class", "string"}, {"edge", "a_port", "int"}, {"edge", "b_port", "int"}, {"edge", "gbps", "double"}, {"edge", "medium", "string"},
}

// GraphML writes devices as nodes and cables as edges, each with an id, so that parallel links stay apart.
func (f *Fabric) GraphML(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, `<?xml version="1.0" encoding="UTF-8"?>`)
	fmt.Fprintln(w, `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`)
	id := map[string]string{}
	for i, k := range mlKeys {
		id[k.of+k.name] = fmt.Sprintf("d%d", i)
		fmt.Fprintf(w, "  <key id=\"d%d\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", i, k.of, k.name, k.kind)
	}
	data := func(of string, attrs []attr) {
		for _, a := range attrs {
			fmt.Fprintf(w, `<data key="%s">`, id[of+a.name])
			_ = xml.EscapeText(w, []byte(a.value)) // the error is kept by w until Flush
			w.WriteString("</data>")
		}
	}
	direction := "undirected"
	if f.n.Unidirectional {
		direction = "directed"
	}
	fmt.Fprintf(w, "  <graph edgedefault=\"%s\">\n", direction)
	for d := range f.devices() {
		fmt.Fprintf(w, `    <node id="%s">`, f.name(d))
		data("node", f.nodeAttrs(d))
		w.WriteString("</node>\n")
	}
	count := 0
	err := f.edges(func(c cable) error {
		fmt.Fprintf(w, `    <edge id="e%d" source="%s" target="%s">`, count, f.name(c.a), f.name(c.b))
		count++
		data("edge", f.edgeAttrs(c))
		_, err := w.WriteString("</edge>\n")
		return err
	})
	fmt.Fprint(w, "  </graph>\n</graphml>\n")
	return first(err, w.Flush())
}

// numeric attributes stand without quotes in JSON.
var numeric = map[string]bool{"a_port": true, "b_port": true, "gbps": true, "embedded": true, "relay": true, "on_chip": true, "stands_in": true, "shares_box": true}

// NodeLink writes node-link JSON as networkx reads it: json_graph.node_link_graph(data, edges="links").
func (f *Fabric) NodeLink(out io.Writer) error {
	w := bufio.NewWriter(out)
	object := func(attrs []attr) {
		for _, a := range attrs {
			name, _ := json.Marshal(a.name) // of texts: cannot fail
			value, _ := json.Marshal(a.value)
			if numeric[a.name] {
				value = []byte(a.value)
			}
			fmt.Fprintf(w, ", %s: %s", name, value)
		}
		w.WriteString("}")
	}
	title, _ := json.Marshal(f.n.Design)
	fmt.Fprintf(w, "{\"directed\": %t, \"multigraph\": true, \"graph\": {\"name\": %s},\n\"nodes\": [", f.n.Unidirectional, title)
	for d := range f.devices() {
		fmt.Fprintf(w, "%s\n  {\"id\": %q", comma(d), f.name(d))
		object(f.nodeAttrs(d))
	}
	w.WriteString("\n],\n\"links\": [")
	count := 0
	err := f.edges(func(c cable) error {
		fmt.Fprintf(w, "%s\n  {\"source\": %q, \"target\": %q, \"key\": %d", comma(count), f.name(c.a), f.name(c.b), count)
		count++
		object(f.edgeAttrs(c))
		return nil
	})
	w.WriteString("\n]}\n")
	return first(err, w.Flush())
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// DOT writes graphviz's language; switches are boxes, forwarding parts of endpoints ellipses, endpoints points.
func (f *Fabric) DOT(out io.Writer) error {
	w := bufio.NewWriter(out)
	kind, arrow := "graph", "--"
	if f.n.Unidirectional {
		kind, arrow = "digraph", "->"
	}
	fmt.Fprintf(w, "%s \"%s\" {\n", kind, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(f.n.Design))
	for d := range f.devices() {
		shape := "box"
		switch {
		case f.isEndpoint(d):
			shape = "point"
		case f.class(d).Embedded:
			shape = "ellipse"
		}
		fmt.Fprintf(w, "  \"%s\" [shape=%s%s];\n", f.name(d), shape, dotAttrs(f.nodeAttrs(d)))
	}
	err := f.edges(func(c cable) error {
		_, err := fmt.Fprintf(w, "  \"%s\" %s \"%s\" [%s];\n", f.name(c.a), arrow, f.name(c.b), strings.TrimPrefix(dotAttrs(f.edgeAttrs(c)), " "))
		return err
	})
	fmt.Fprint(w, "}\n")
	return first(err, w.Flush())
}

func dotAttrs(attrs []attr) string {
	var b strings.Builder
	for _, a := range attrs {
		fmt.Fprintf(&b, " %s=\"%s\"", a.name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.value))
	}
	return b.String()
}
