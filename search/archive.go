package search

import (
	"slices"

	"toposearch/objectives"
)

// Member is a design on a front.
type Member struct {
	Candidate
	Vector objectives.Vector
	Name   string
	// Held is where it stands on a front that is to exclude more or less than Vector dominates (Problem.Held); nil: at Vector.
	Held objectives.Vector
}

// At is where it stands on a front.
func (m *Member) At() objectives.Vector {
	if m.Held != nil {
		return m.Held
	}
	return m.Vector
}

// Archive is a set of designs of which none dominates another; equal vectors are all kept, so that
// the set does not depend on the order of arrival. The zero value is empty.
type Archive struct {
	Tree objectives.Front // of where they are held
	of   map[string]Member
}

// Add takes a design in unless it is dominated or there already, and drops what it dominates. It
// reports whether the front has changed. Without a name the values serve as one.
func (f *Archive) Add(m Member) bool {
	if m.Name == "" {
		m.Name = Key(m.Space, m.V)
	}
	if !f.Tree.Add(&objectives.Point{Name: m.Name, V: m.At()}) {
		return false
	}
	if f.of == nil {
		f.of = map[string]Member{}
	}
	f.of[m.Name] = m
	return true
}

// Len is the number of designs.
func (f *Archive) Len() int { return f.Tree.Len() }

// Clone gives a front of its own with the same designs.
func (f *Archive) Clone() *Archive {
	c := &Archive{}
	for _, m := range f.Ordered() {
		c.Add(m)
	}
	return c
}

// Covers reports whether a design of the front dominates v. Any number of goroutines may ask while
// nobody adds.
func (f *Archive) Covers(v objectives.Vector) bool { return f.Tree.Covered(v) }

// Ordered gives the front by objectives, then by name.
func (f *Archive) Ordered() []Member {
	ps := f.Tree.Points()
	ms := make([]Member, len(ps))
	for i, p := range ps {
		ms[i] = f.of[p.Name]
	}
	return ms
}

// Held are where the members stand, in the order of Ordered.
func (f *Archive) Held() []objectives.Vector {
	var out []objectives.Vector
	for _, p := range f.Tree.Points() {
		out = append(out, p.V)
	}
	return out
}

// Proved is objectives.Proved of the members: what they exclude besides what they dominate, by a tolerance, is not known better than a corner.
func (f *Archive) Proved(corners []objectives.Vector) (part float64, ref objectives.Vector) {
	return objectives.Proved(f.Vectors(), f.Unknown(corners))
}

// Unknown are corners, and where members stand that exclude more than they dominate.
func (f *Archive) Unknown(corners []objectives.Vector) []objectives.Vector {
	corners = slices.Clone(corners)
	for _, m := range f.Ordered() {
		if m.Held != nil {
			corners = append(corners, m.Held)
		}
	}
	return corners
}

// Vectors are those of the members, in the order of Ordered.
func (f *Archive) Vectors() []objectives.Vector {
	var out []objectives.Vector
	for _, m := range f.Ordered() {
		out = append(out, m.Vector)
	}
	return out
}
