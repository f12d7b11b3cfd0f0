package topotest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// recorder takes the complaints of a contract test instead of failing.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Failed() bool        { return len(r.said) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// complaints runs the contract on a family.
func complaints(t *testing.T, f topology.Family, opt topotest.Options) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		opt.Small = 12
		// Few grid points are looked at under -short and the race detector; this one has pairs
		// whose shortest path crosses two global links, which the natural routes never do.
		opt.Points = [][]int{{1, 4, 2, 9, 0}}
		topotest.Family(r, &f, opt)
	}()
	<-done
	return strings.Join(r.said, "\n")
}

// anything encloses all counts.
func anything(_, _ []int, bl, bh *topology.Size) {
	const most = 1 << 30
	bh.Endpoints, bh.EndpointPorts, bh.EndpointLanes = most, most, most
	for c := range bh.Link {
		bh.Link[c] = most
	}
	for i := range bh.Family.SwitchClasses {
		bh.Switch[i].Count = most
		for c := range bh.Link {
			bh.Switch[i].Ports[c] = most
		}
	}
}

// TestContractSeesFaults breaks a good family in one way at a time: the contract must complain, of
// the right thing.
func TestContractSeesFaults(t *testing.T) {
	racing.Figures(t)
	good, ok := family.ByName("dragonfly")
	if !ok {
		t.Fatal("no dragonfly")
	}
	builds := 0
	for _, c := range []struct {
		fault string
		spoil func(f *topology.Family)
		says  string
	}{
		{"none", func(*topology.Family) {}, ""},
		{"no VC reason", func(f *topology.Family) { f.VCReason = "" }, `"dragonfly" lacks VCReason`},
		{"nothing said", func(f *topology.Family) { *f = topology.Family{} },
			`lacks Name, Title, Source.Authors, Source.Title, LinkClasses, SwitchClasses, Count, Attach, Place, VCReason`},
		{"no links", func(f *topology.Family) { f.Wire = nil }, "lacks Wire"},
		{"a link too many in the formula", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(v, s); s.Link[1]++ }
		}, "links of class local"},
		{"a switch too few in the formula", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(v, s); s.Switch[0].Count-- }
		}, "switches of class switch"},
		{"a port too many on the fullest switch", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(v, s); s.Switch[0].Ports[2]++ }
			f.Bounds = anything
		}, "fullest switch"},
		{"a count of switches of no class of the family", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(v, s); s.Switch[len(good.SwitchClasses)].Count++ }
			f.Bounds = anything
		}, "beyond"},
		{"bounds of switches of no class of the family", func(f *topology.Family) {
			f.Bounds = func(lo, hi []int, bl, bh *topology.Size) {
				anything(lo, hi, bl, bh)
				bh.Switch[len(good.SwitchClasses)].Ports[0]++
			}
		}, "beyond"},
		{"a formula that allocates", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(append(make([]int, 0, v[0]+5), v...), s) }
		}, "allocates"},
		{"corner counts where bounds are needed", func(f *topology.Family) {
			f.Bounds = func(lo, hi []int, bl, bh *topology.Size) { good.Count(hi, bl); good.Count(lo, bh) }
		}, "bounds"},
		{"links that change from build to build", func(f *topology.Family) {
			f.Wire = func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
				builds++
				turn := topology.SwitchID(builds % (v[1] * v[3]))
				n := topology.SwitchID(v[1] * v[3])
				good.Wire(v, func(c int, a, b topology.SwitchID) { emit(c, (a+turn)%n, (b+turn)%n) })
			}
		}, "differs"},
		{"a group cut off", func(f *topology.Family) {
			f.Wire = func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
				good.Wire(v, func(c int, a, b topology.SwitchID) {
					if c == 1 || int(b)/v[1] != v[3]-1 {
						emit(c, a, b)
					}
				})
			}
		}, "connected components"},
		{"blocks that do not divide", func(f *topology.Family) {
			f.Place = func(v []int) topology.Placement {
				return topology.Placement{Blocks: v[3]*v[1]*v[0] + 1, Homes: []topology.Home{topology.WithEndpoints}}
			}
		}, "blocks"},
		{"endpoints on switches of another block", func(f *topology.Family) {
			f.Orbits = nil
			f.Attach = func(v []int, emit func(int, []topology.SwitchID)) {
				n := topology.SwitchID(v[1] * v[3])
				good.Attach(v, func(k int, at []topology.SwitchID) {
					emit(k, []topology.SwitchID{(at[0] + topology.SwitchID(v[1])) % n})
				})
			}
		}, "is on switch"},
		{"a class without a home", func(f *topology.Family) {
			f.Place = func(v []int) topology.Placement { return topology.Placement{Blocks: 1} }
		}, "homes"},
		{"one orbit claimed for all switches", func(f *topology.Family) {
			f.Orbits = func(v []int) topology.Symmetry {
				n := int64(v[1] * v[3])
				return topology.Symmetry{Switches: []topology.Orbit{{Rep: 0, Count: n}}}
			}
		}, "orbits"},
		{"orbits that leave something out", func(f *topology.Family) {
			f.Orbits = func(v []int) topology.Symmetry {
				return topology.Symmetry{Switches: []topology.Orbit{{Rep: 0, Count: 1}}}
			}
		}, "add up"},
		{"a VC too few", func(f *topology.Family) {
			f.Natural = func(v []int) topology.Rule {
				r := good.Natural(v)
				r.Steps = append([]topology.Step(nil), r.Steps...)
				for i := range r.Steps {
					r.Steps[i].VC = 0
				}
				return r
			}
		}, "cyclic"},
		{"a rule that does not reach", func(f *topology.Family) {
			f.Natural = func(v []int) topology.Rule { r := good.Natural(v); r.Steps = r.Steps[:1]; return r }
		}, "no lgl route"},
		{"a wrong peak", func(f *topology.Family) {
			f.Paths = func(v []int, p *topology.Paths) bool { ok := good.Paths(v, p); p.Peak[2] *= 1.001; return ok }
		}, "peak of class global"},
		{"wrong weights", func(f *topology.Family) {
			f.Paths = func(v []int, p *topology.Paths) bool {
				ok := good.Paths(v, p)
				p.Types[len(p.Types)-1].Weight++
				return ok
			}
		}, "crossings"},
		{"natural routes called shortest", func(f *topology.Family) {
			f.Distances = nil
			f.Paths = func(v []int, p *topology.Paths) bool { ok := good.Paths(v, p); p.Shortest = true; return ok }
		}, "shortest paths"},
		{"a name that loses a value", func(f *topology.Family) {
			f.Params = append([]topology.Param(nil), f.Params...)
			f.Params[2].Default = func(v []int) int { return v[1] }
			f.Canonical = func(v []int) { v[2] = max(v[2], 2) }
		}, ""}, // harmless: values and names stay in step
		{"a region larger than the network", func(f *topology.Family) {
			f.NonBlocking = func(v []int) int64 { return 1 << 40 }
		}, "non-blocking"},
		{"endpoints that decrease in the derived parameter", func(f *topology.Family) {
			f.Count = func(v []int, s *topology.Size) { good.Count(v, s); s.Endpoints = max(1, 1200-s.Endpoints) }
			f.Bounds = anything
		}, "fewer"},
	} {
		f := *good
		c.spoil(&f)
		got := complaints(t, f, topotest.Options{Seed: 1})
		if c.says == "" && got != "" {
			t.Errorf("%s: the contract complains: %s", c.fault, got)
		}
		if !strings.Contains(got, c.says) {
			t.Errorf("%s: the contract says %q, want something about %q", c.fault, got, c.says)
		}
	}
}

// TestIsomorphic: renumbered networks are the same, rewired ones of equal degrees are not.
func TestIsomorphic(t *testing.T) {
	build := func(links ...[2]int) *topology.Network {
		b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: "nic"}, {Name: "link"}})
		b.Switch(0, 6)
		for _, l := range links {
			b.Link(1, topology.SwitchID(l[0]), topology.SwitchID(l[1]))
		}
		for s := range 6 {
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(s)})
		}
		n, err := b.Build("test")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	hexagon := build([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 0})
	turned := build([2]int{0, 3}, [2]int{3, 1}, [2]int{1, 4}, [2]int{4, 2}, [2]int{2, 5}, [2]int{5, 0})
	triangles := build([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 3})
	doubled := build([2]int{0, 1}, [2]int{0, 1}, [2]int{2, 3}, [2]int{2, 3}, [2]int{4, 5}, [2]int{4, 5})
	if !topotest.Isomorphic(hexagon, turned) {
		t.Error("a hexagon is not isomorphic to itself renumbered")
	}
	// All of degree 2, which colours alone do not tell apart.
	if topotest.Isomorphic(hexagon, triangles) {
		t.Error("a hexagon is isomorphic to two triangles")
	}
	if topotest.Isomorphic(hexagon, doubled) {
		t.Error("a hexagon is isomorphic to three double links")
	}
}
