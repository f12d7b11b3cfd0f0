package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
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

// exhaust is the plain twin of findFit: it looks at every tuple of values up to most.
func exhaust(f *topology.Family, q ask, most int) (best topology.Size, found bool) {
	x := &finder{ask: q, f: f}
	var s topology.Size
	v := make([]int, len(f.Params))
	var walk func(i int)
	walk = func(i int) {
		if i < len(v) {
			p := f.Params[i]
			if p.Default != nil && (p.Name == "arrangement" || p.Name == "seed" || p.Name == "d") {
				v[i] = p.Default(v)
				walk(i + 1)
				return
			}
			for v[i] = p.Min; v[i] <= min(p.Max, most); v[i]++ {
				walk(i + 1)
			}
			return
		}
		if f.Size(v, &s) == nil && ports(&s) <= q.radix && s.Endpoints >= max(2, q.endpoints) && uniformBound(&s) >= q.uniform &&
			(!found || x.better(&s, &best)) {
			best, found = s, true
		}
	}
	walk(0)
	return best, found
}

// TestFitTwin compares the search with looking at everything up to a value that no parameter of
// a design of that radix and size exceeds.
func TestFitTwin(t *testing.T) {
	for _, c := range []struct {
		family    string
		radix     int
		endpoints int64
		uniform   float64
		most      int
	}{
		{"dragonfly", 9, 0, 0.9, 20}, {"dragonfly", 10, 100, 0.9, 26}, {"dragonfly", 8, 77, 0, 17},
		{"fattree", 12, 0, 0.9, 12}, {"fattree", 16, 300, 0.9, 16}, {"slimfly", 24, 0, 0.9, 24}, {"slimfly", 40, 900, 0, 40},
		{"zettafly3", 7, 60, 0.5, 7}, {"mlfm", 40, 500, 0.9, 40}, {"hypercube", 9, 50, 0.9, 9}, {"complete", 20, 90, 0.9, 20},
		{"polarfly", 20, 200, 0.9, 20},
	} {
		f := familyOf(t, c.family)
		q := ask{c.radix, c.endpoints, c.uniform}
		got := findFit(f, q)
		want, found := exhaust(f, q, c.most)
		if found != (got.v != nil) || !got.complete {
			t.Errorf("%s %+v: found %v, want %v; complete %v", c.family, q, got.v, found, got.complete)
			continue
		}
		if found && (got.size.Endpoints != want.Endpoints || got.size.Switches() != want.Switches() || got.size.SwitchLinks() != want.SwitchLinks()) {
			t.Errorf("%s %+v: %v has %d endpoints, %d switches, %d links; want %d, %d, %d", c.family, q, got.v, got.size.Endpoints,
				got.size.Switches(), got.size.SwitchLinks(), want.Endpoints, want.Switches(), want.SwitchLinks())
		}
	}
}

// TestLargestKnown: published sizes for switches of 64 ports.
func TestLargestKnown(t *testing.T) {
	for _, c := range []struct {
		family    string
		endpoints int64
	}{
		{"mlfm", 32*32*32 + 32*32}, {"oft", 2 * 32 * (1 + 32*31)}, {"meshtree", 64 * 64 * 64 * 64 / 4}, {"crossbar", 64},
		{"roft", 64 * 64 * 64 / 4}, {"dragonflyplus", 1_049_600},
	} {
		if got := findFit(familyOf(t, c.family), ask{radix: 64, uniform: 0.9}); got.size.Endpoints != c.endpoints {
			t.Errorf("%s: %v has %d endpoints, want %d", c.family, got.v, got.size.Endpoints, c.endpoints)
		}
	}
}

// TestUniformBound: eight switches in full, two endpoints each: 56 channels, all pairs but those of a
// switch one apart: mean 7/8, so 56 / (16 * 7/8) = 4.
func TestUniformBound(t *testing.T) {
	var s topology.Size
	if err := familyOf(t, "complete").Size([]int{8, 2}, &s); err != nil {
		t.Fatal(err)
	}
	if got := uniformBound(&s); got != 4 {
		t.Errorf("complete(n=8,t=2): bound %v, want 4", got)
	}
}

// TestPages draws the small instance of every family: the picture is XML with a box for every switch
// and a curve for every link. It prints the page of every sixth family.
func TestPages(t *testing.T) {
	for i, f := range family.All() {
		d := topology.Design{Family: f, V: smallInstance(f)}
		n, err := d.Build()
		if err != nil {
			t.Errorf("%s: small instance %v: %v", f.Name, d.V, err)
			continue
		}
		if n.Switches() > 120 || n.Endpoints() > 150 {
			t.Errorf("%s has %d switches and %d endpoints, too many to draw", d, n.Switches(), n.Endpoints())
		}
		rects, curves := 0, 0
		dec := xml.NewDecoder(bytes.NewReader(drawing(d, n)))
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
		if i%6 != 0 {
			continue
		}
		var b bytes.Buffer
		if err := familyPage(&b, f, 6, 0.9); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		for _, want := range []string{"Source\n", "\nSizes\n", "\nLargest size", "\nRouting and VCs\n", "\nDrawing of " + d.String()} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: its page lacks %q", f.Name, want)
			}
		}
	}
}

// TestPagesAreComplete: every family says where it is from, what is not as published, where it runs, what
// readers get wrong, its VCs, and is drawn.
func TestPagesAreComplete(t *testing.T) {
	for i, f := range family.All() {
		if s := f.Source; s.Authors == "" || s.Title == "" || s.Venue == "" || s.Year < 1950 {
			t.Errorf("%s: source %+v lacks something", f.Name, s)
		}
		if f.Traps == "" {
			t.Errorf("%s: no traps", f.Name)
		}
		if v := vcText(f); !strings.Contains(v, f.VCReason[:len(f.VCReason)-1]) || !strings.Contains(v, "Detours") {
			t.Errorf("%s: VCs: %s", f.Name, v)
		}
		if i%9 != 0 { // the largest size of a page takes its search
			continue
		}
		var b bytes.Buffer
		if err := familyPage(&b, f, 64, 0); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		page := b.String()
		for _, part := range []string{"Departures: ", "\nParameters\n", "\nSizes\n", "\nLargest size", "\nLinks\n", "\nRouting and VCs\n",
			"Detours", "\nDeployments\n", "\nTraps\n", "\nDrawing of "} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the page has no %q", f.Name, strings.TrimSpace(part))
			}
		}
	}
	var b bytes.Buffer
	if err := familyPage(&b, familyOf(t, "tpuocs"), 64, 0); err != nil || !strings.Contains(b.String(), "kind ocs of the") {
		t.Errorf("tpuocs does not say that its links take ports of circuit switches: %v", err)
	}
}
