package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// WithScaleup is f with one more parameter, the last: which of several scale-up domains joins the endpoints of a
// design, so that a search weighs them as it weighs every other parameter. A domain of one endpoint is none. Counts,
// wiring and routes are those of f: scale-up domains are added to a built network (WithDomain), and designs whose
// endpoints do not divide into domains do not exist. Meshes are left out where f has meshes of its own; f itself is
// returned if no domain is left.
func WithScaleup(f *Family, domains []Domain) *Family {
	if f.HasScaleup() {
		domains = slices.DeleteFunc(slices.Clone(domains), func(d Domain) bool { return d.Levels == 0 && d.Endpoints > 1 })
	}
	if len(domains) == 0 || len(domains) == 1 && domains[0].Endpoints <= 1 && f.HasScaleup() {
		return f
	}
	n := len(f.Params)
	g := *f
	g.base, g.Scaleups = f, slices.Clone(domains)
	p := Param{Name: ParamScaleup, Max: len(domains) - 1,
		Doc: "scale-up domain: none, 8mesh (8 endpoints, each linked to each), 72x18 (72, each linked to 18 switches), 576x18x72x144 (leaves for every 72 and 144 spines)"}
	for i := range domains {
		p.Choices = append(p.Choices, domains[i].Name())
	}
	g.Params = append(slices.Clone(f.Params), p)
	g.drop(f, n)
	g.Count = func(v []int, s *Size) { f.Count(v[:n], s); s.Scaleup = v[n] }
	if f.Bounds != nil {
		g.Bounds = func(lo, hi []int, bl, bh *Size) {
			f.Bounds(lo[:n], hi[:n], bl, bh)
			bl.Scaleup, bh.Scaleup = lo[n], hi[n]
		}
	}
	return &g
}

// drop gives g, which has a parameter behind the n of f, the functions of f.
func (g *Family) drop(f *Family, n int) {
	if f.Check != nil {
		g.Check = func(v []int, s *Size) error { return f.Check(v[:n], s) }
	}
	g.Wire, g.Attach, g.Bundles = without2(f.Wire, n), without2(f.Attach, n), without2(f.Bundles, n)
	g.Place, g.Natural, g.Orbits, g.Automorphisms, g.Diameter = without(f.Place, n), without(f.Natural, n), without(f.Orbits, n), without(f.Automorphisms, n), without(f.Diameter, n)
	g.Walks, g.Dims, g.Lines, g.NonBlocking, g.Middle = without(f.Walks, n), without(f.Dims, n), without(f.Lines, n), without(f.NonBlocking, n), without(f.Middle, n)
	g.Paths, g.Brief, g.Distances = withoutIn(f.Paths, n), withoutIn(f.Brief, n), withoutIn(f.Distances, n)
	g.Cables = withoutIn(f.Cables, n)
	if f.GroupLinks != nil {
		g.GroupLinks = func(v []int, group int, emit func(from, to int)) bool { return f.GroupLinks(v[:n], group, emit) }
	}
	if f.Cube != nil {
		g.Cube = func(v []int) (row, side, levels int) { return f.Cube(v[:n]) }
	}
	if f.WireCost != nil {
		g.WireCost = func(v []int) (ns, bytes float64) { return f.WireCost(v[:n]) }
	}
	if f.PerEndpoint != nil {
		g.PerEndpoint = func(lo, hi []int, least, most int64, out *PerEndpoint) {
			f.PerEndpoint(lo[:n], hi[:n], least, most, out)
		}
	}
	if f.Next != nil {
		g.Next = func(v []int, i, x int) int {
			if i == n {
				return x
			}
			return f.Next(v[:min(n, len(v))], i, x)
		}
	}
	if f.Within != nil {
		g.Within = func(v []int, i int, least, most int64) (lo, hi int64) {
			if i == n {
				return 0, int64(len(g.Scaleups) - 1)
			}
			return f.Within(v[:min(n, len(v))], i, least, most)
		}
	}
	if d := f.Draws; d != nil {
		g.Draws = &Draws{
			Endpoints: d.Endpoints,
			Sample: func(intn func(int) int, lo, hi, v []int) {
				d.Sample(intn, lo[:n], hi[:n], v[:n])
				v[n] = lo[n] + intn(hi[n]-lo[n]+1)
			},
			Vary: func(intn func(int) int, lo, hi, v []int) {
				if lo[n] < hi[n] && intn(n+1) == 0 {
					v[n] = lo[n] + intn(hi[n]-lo[n]+1)
					return
				}
				d.Vary(intn, lo[:n], hi[:n], v[:n])
			},
			Repair: func(lo, hi, v []int) {
				d.Repair(lo[:n], hi[:n], v[:n])
				v[n] = min(max(v[n], lo[n]), hi[n])
			},
		}
	}
	if f.Idle != nil {
		g.Idle = func(v []int, i int) (x int, idle bool) {
			if i == n {
				return 0, false
			}
			return f.Idle(v[:min(n, len(v))], i)
		}
	}
	if f.Canonical != nil {
		g.Canonical = func(v []int) { f.Canonical(v[:n]) }
	}
	if f.Hull != nil {
		g.Hull = func(lo, hi []int) { f.Hull(lo[:n], hi[:n]) }
	}
}

// without, without2 and withoutIn are functions of values of which the last are left out.
func without[R any](f func([]int) R, n int) func([]int) R {
	if f == nil {
		return nil
	}
	return func(v []int) R { return f(v[:n]) }
}

func without2[A any](f func([]int, A), n int) func([]int, A) {
	if f == nil {
		return nil
	}
	return func(v []int, a A) { f(v[:n], a) }
}

func withoutIn[A, R any](f func([]int, A) R, n int) func([]int, A) R {
	if f == nil {
		return nil
	}
	return func(v []int, a A) R { return f(v[:n], a) }
}

// HasScaleup tells whether the construction itself has scale-up links, as meshes inside servers.
func (f *Family) HasScaleup() bool {
	return slices.ContainsFunc(f.LinkClasses, func(c LinkClass) bool { return IsScaleup(c.Name) })
}

// Name is the domain as a design names it: none, 8mesh, 72x18 (endpoints x switches of each), 576x18x72x144 (the same,
// x endpoints with the same leaves x spines).
func (d Domain) Name() string {
	switch {
	case d.Endpoints <= 1:
		return "none"
	case d.Levels == 0:
		return fmt.Sprintf("%dmesh", d.Endpoints)
	case d.Levels == 1:
		return fmt.Sprintf("%dx%d", d.Endpoints, d.Switches)
	}
	return fmt.Sprintf("%dx%dx%dx%d", d.Endpoints, d.Switches, d.Box, d.Spines)
}

// domainNamed reads what Name writes.
func domainNamed(s string) (Domain, error) {
	if s == "none" {
		return Domain{Endpoints: 1}, nil
	}
	var d Domain
	to := []*int{&d.Endpoints, &d.Switches, &d.Box, &d.Spines}
	head, mesh := strings.CutSuffix(s, "mesh")
	fields := strings.Split(head, "x")
	d.Levels = len(fields) / 2 // 1: none; 2: one; 4: two
	good := mesh && len(fields) == 1 || !mesh && (len(fields) == 2 || len(fields) == 4)
	for i, text := range fields {
		if !good {
			break
		}
		x, err := strconv.Atoi(text)
		*to[i], good = x, err == nil && x > 0
	}
	if !good {
		return d, fmt.Errorf("%s = %q: write none, 8mesh, 72x18 (72 endpoints, each linked to 18 switches) or 576x18x72x144 (leaves for every 72, 144 spines)", ParamScaleup, s)
	}
	return d, d.Check()
}

// named takes a scale-up domain out of the arguments of a design whose family has no such parameter: the family of that
// domain alone, nil if there is none among them.
func (f *Family) named(args string) (*Family, error) {
	if f.Param(ParamScaleup) >= 0 {
		return nil, nil
	}
	for _, a := range strings.Split(args, ",") {
		key, val, ok := strings.Cut(a, "=")
		if !ok || strings.TrimSpace(key) != ParamScaleup {
			continue
		}
		dom, err := domainNamed(strings.TrimSpace(val))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		g := WithScaleup(f, []Domain{dom})
		if g == f {
			return nil, fmt.Errorf("%s has scale-up meshes of its own: name scale-up switches in their place, such as %s=72x18, or leave it out", f.Name, ParamScaleup)
		}
		return g, nil
	}
	return nil, nil
}
