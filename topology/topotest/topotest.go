// Package topotest is the contract of a topology.Family as a test helper: every formula of the
// family is checked against its own wiring, over the grid of its small parameters and a seeded
// sample of larger ones, by slow and obvious code (plain breadth-first search, plain channel
// loads, plain colour refinement) that shares nothing with the program's fast paths.
package topotest

import (
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// Family runs the contract test: for small designs everything, for larger ones what is linear.
func Family(t testing.TB, f *topology.Family, opt Options) {
	t.Helper()
	if opt.Small == 0 {
		opt.Small = 100
	}
	if f == nil {
		t.Fatalf("no family")
	}
	checkDeclaration(t, f)
	small := valid(f, opt, smallSwitches, smallEndpoints)
	if len(small) == 0 {
		t.Fatalf("%s: no valid design up to %d switches in the grid of its parameters", f.Name, smallSwitches)
	}
	checkBounds(t, f, small, opt)
	checkDerived(t, f, subset(small, manyPoints, opt.Seed))
	points := subset(small, opt.Small, opt.Seed)
	counted := len(points)
	// The code is sequential: under the race detector a few designs are enough.
	brief := testing.Short() || racing.On
	if brief {
		points = subset(points, 12/min(racing.Factor, 3), opt.Seed)
	} else {
		checkMany(t, f, small, opt)
		counted = len(small)
	}
	t.Logf("%s: of %d designs up to %d switches %d counted, %d tested in full", f.Name, len(small), smallSwitches, counted, len(points))
	for i, v := range append(points, opt.Points...) {
		d := topology.Design{Family: f, V: v}
		checkSize(t, d, opt)
		n := build(t, d)
		if n == nil {
			continue
		}
		if brief || i >= len(points) { // not one of those that checkMany has seen
			checkName(t, d)
			checkCounts(t, d, n, opt)
			checkReach(t, d, n)
			checkPlacement(t, d, n)
		}
		checkRepeat(t, d, n)
		checkOrbits(t, d, n)
		checkRoutes(t, d, n, opt)
		if t.Failed() {
			t.Fatalf("%s: stopped at the first faulty design", d)
		}
	}
	if brief {
		return
	}
	for _, v := range subset(valid(f, opt, largeSwitches, largeEndpoints), largePoints, opt.Seed+1) {
		d := topology.Design{Family: f, V: v}
		if n := build(t, d); n != nil {
			checkCounts(t, d, n, opt)
			checkReach(t, d, n)
			checkPlacement(t, d, n)
		}
	}
}

// manyPoints is how many designs of the grid are asked for their derived parameter.
const manyPoints = 200

// checkMany checks names, counts and placement of every design of the grid, most of which are not
// tested in full.
func checkMany(t testing.TB, f *topology.Family, small [][]int, opt Options) {
	t.Helper()
	for _, v := range small {
		d := topology.Design{Family: f, V: v}
		checkName(t, d)
		if n := build(t, d); n != nil {
			checkCounts(t, d, n, opt)
			checkReach(t, d, n)
			checkPlacement(t, d, n)
		}
		if t.Failed() {
			t.Fatalf("%s: stopped at the first faulty design", d)
		}
	}
}

// missing names the fields that every family has and this one has not.
func missing(f *topology.Family) (names []string) {
	for _, x := range []struct {
		name  string
		there bool
	}{
		{"Name", f.Name != ""},
		{"Title", f.Title != ""},
		{"Source.Authors", f.Source.Authors != ""},
		{"Source.Title", f.Source.Title != ""},
		{"LinkClasses", len(f.LinkClasses) > 0},
		{"SwitchClasses", len(f.SwitchClasses) > 0},
		{"Count", f.Count != nil},
		{"Wire (it has several link classes)", f.Wire != nil || len(f.LinkClasses) < 2},
		{"Attach", f.Attach != nil},
		{"Place", f.Place != nil},
		{"VCReason", f.VCReason != ""},
	} {
		if !x.there {
			names = append(names, x.name)
		}
	}
	return names
}

// checkDeclaration looks at what needs no network: names, documentation, ranges.
func checkDeclaration(t testing.TB, f *topology.Family) {
	t.Helper()
	if m := missing(f); len(m) > 0 {
		t.Fatalf("family %q lacks %s", f.Name, strings.Join(m, ", "))
	}
	if len(f.LinkClasses) > topology.MaxClasses || len(f.SwitchClasses) > topology.MaxClasses {
		t.Fatalf("%s: %d link classes, %d switch classes", f.Name, len(f.LinkClasses), len(f.SwitchClasses))
	}
	if n := f.LinkClasses[0].Name; n != topology.ClassNic && n != topology.ClassInternal {
		t.Errorf("%s: link class 0 is %q, want nic or internal", f.Name, n)
	}
	if f.Derived < -1 || f.Derived >= max(1, len(f.Params)) {
		t.Errorf("%s: derived parameter %d of %d", f.Name, f.Derived, len(f.Params))
	}
	for _, p := range f.Params {
		if p.Name == "" || p.Doc == "" || p.Min > p.Max {
			t.Errorf("%s: parameter %+v lacks a name, words or a range", f.Name, p)
		}
		if p.Choices != nil && (p.Min != 0 || p.Max != len(p.Choices)-1) {
			t.Errorf("%s: parameter %s has %d choices but the range %d..%d", f.Name, p.Name, len(p.Choices), p.Min, p.Max)
		}
	}
	for _, c := range f.LinkClasses {
		if c.Name == "" || c.Doc == "" {
			t.Errorf("%s: link class %+v lacks a name or words", f.Name, c)
		}
	}
	for _, c := range f.SwitchClasses {
		if c.Name == "" || c.Doc == "" {
			t.Errorf("%s: switch class %+v lacks a name or words", f.Name, c)
		}
	}
}

// checkName asks that the canonical name gives the canonical values back.
func checkName(t testing.TB, d topology.Design) {
	t.Helper()
	want := append([]int(nil), d.V...)
	if d.Family.Canonical != nil {
		d.Family.Canonical(want)
	}
	got, err := topology.ParseDesign(d.String(), []*topology.Family{d.Family})
	if err != nil {
		t.Errorf("%s: its name does not parse: %v", d, err)
		return
	}
	for i := range want {
		if got.V[i] != want[i] {
			t.Errorf("%s: parsed back as %v, want %v", d, got.V, want)
			return
		}
	}
}

// checkPlacement asks that blocks are equal and that every switch class has a home.
func checkPlacement(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	f := d.Family
	p := f.Place(d.V)
	var s topology.Size
	if err := f.Size(d.V, &s); err != nil {
		t.Errorf("%s: %v", d, err)
		return
	}
	if p.Blocks < 1 || len(p.Homes) != len(f.SwitchClasses) {
		t.Errorf("%s: %d blocks, %d homes for %d switch classes", d, p.Blocks, len(p.Homes), len(f.SwitchClasses))
		return
	}
	if s.Endpoints%int64(p.Blocks) != 0 {
		t.Errorf("%s: %d endpoints in %d blocks", d, s.Endpoints, p.Blocks)
	}
	for i, h := range p.Homes {
		if h != topology.Central && s.Switch[i].Count%int64(p.Blocks) != 0 {
			t.Errorf("%s: %d switches of class %s in %d blocks", d, s.Switch[i].Count, f.SwitchClasses[i].Name, p.Blocks)
		}
		if c := &f.SwitchClasses[i]; (h == topology.Inside) != (c.Embedded && !c.StandsIn) {
			t.Errorf("%s: class %s has home %d, embedded %v", d, f.SwitchClasses[i].Name, h, f.SwitchClasses[i].Embedded)
		}
	}
	checkBlocks(t, d, n, &s, &p)
	for _, c := range p.Boards {
		if c < 0 || c >= len(f.LinkClasses) {
			t.Errorf("%s: board class %d of %d", d, c, len(f.LinkClasses))
		}
	}
}

// checkBlocks asks that switches that stand with endpoints serve endpoints of their own block, by
// the division of IDs into blocks.
func checkBlocks(t testing.TB, d topology.Design, n *topology.Network, s *topology.Size, p *topology.Placement) {
	t.Helper()
	if t.Failed() {
		return
	}
	first := make([]int64, len(p.Homes)+1) // of each class
	for i := range p.Homes {
		first[i+1] = first[i] + s.Switch[i].Count
	}
	for g := range n.Groups() {
		e, _, at := n.Group(g)
		block := int64(e) * int64(p.Blocks) / s.Endpoints
		for _, x := range at {
			c := n.Class(x)
			if p.Homes[c] != topology.WithEndpoints {
				continue
			}
			if b := (int64(x) - first[c]) * int64(p.Blocks) / s.Switch[c].Count; b != block {
				t.Errorf("%s: endpoint %d of block %d is on switch %d of block %d", d, e, block, x, b)
				return
			}
		}
	}
}
