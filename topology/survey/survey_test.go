package survey

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
)

func familyOf(t *testing.T, name string) *topology.Family {
	t.Helper()
	f, ok := family.ByName(name)
	if !ok {
		t.Fatalf("there is no family %s", name)
	}
	return f
}

// TestUniformBound: eight switches in full, two endpoints each: 56 channels, all pairs but those of a
// switch one apart: mean 7/8, so 56 / (16 * 7/8) = 4.
func TestUniformBound(t *testing.T) {
	var s topology.Size
	if err := familyOf(t, "complete").Size([]int{8, 2}, &s); err != nil {
		t.Fatal(err)
	}
	if got := UniformBound(&s); got != 4 {
		t.Errorf("complete(n=8,t=2): bound %v, want 4", got)
	}
}

// TestDrawing draws the small instance of every family: the picture is XML with a box for every switch
// and a curve for every link.
func TestDrawing(t *testing.T) {
	for _, f := range family.All() {
		d := topology.Design{Family: f, V: SmallInstance(f)}
		n, err := d.Build()
		if err != nil {
			t.Errorf("%s: small instance %v: %v", f.Name, d.V, err)
			continue
		}
		if n.Switches() > 120 || n.Endpoints() > 150 {
			t.Errorf("%s has %d switches and %d endpoints, too many to draw", d, n.Switches(), n.Endpoints())
		}
		rects, curves := 0, 0
		dec := xml.NewDecoder(bytes.NewReader(Drawing(d, n)))
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: drawing: %v", d, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			for _, a := range e.Attr {
				switch {
				case e.Name.Local == "rect" && a.Name.Local == "rx":
					rects++
				case e.Name.Local == "path" && a.Name.Local == "stroke-opacity":
					curves++
				}
			}
		}
		classes := map[int]bool{}
		links := n.Channels()
		if !n.Unidirectional {
			links /= 2
		}
		for s := range n.Switches() {
			classes[n.Class(topology.SwitchID(s))] = true
		}
		if rects != n.Switches()+len(classes) || curves != links {
			t.Errorf("%s: %d boxes and %d curves, want %d and the legend's %d, and %d", d, rects, curves, n.Switches(), len(classes), links)
		}
	}
}
