package main

import (
	"bytes"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/survey"
)

func familyOf(t *testing.T, name string) *topology.Family {
	t.Helper()
	f, ok := family.ByName(name)
	if !ok {
		t.Fatalf("there is no family %s", name)
	}
	return f
}

// TestPages prints the page of every sixth family.
func TestPages(t *testing.T) {
	racing.Figures(t)
	for i, f := range family.All() {
		d := topology.Design{Family: f, V: survey.SmallInstance(f)}
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
	racing.Figures(t)
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
