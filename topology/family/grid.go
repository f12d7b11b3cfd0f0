package family

import (
	"fmt"
	"slices"

	"toposearch/topology"
)

// grid is what the families share whose switches have one coordinate per dimension: a switch is
// numbered with the first dimension fastest.
type grid struct {
	dims int
	size [6]int
}

// gridOf reads dims sizes from the values.
func gridOf(v []int, dims int) (x grid) {
	x.dims = dims
	copy(x.size[:], v[:dims])
	return x
}

// mostSwitches is where products of sizes end: beyond every network, and safe to multiply. The largest
// values of all parameters together would pass what an integer holds, and turn around.
const mostSwitches = 1 << 40

// switches is the product of the sizes, or mostSwitches if it is larger.
func (x *grid) switches() int64 {
	n := int64(1)
	for _, s := range x.size[:x.dims] {
		if n *= int64(s); n > mostSwitches {
			return mostSwitches
		}
	}
	return n
}

// dor is dimension order: dimension by dimension, the first first, one hop in each. Link class
// i+1 belongs to dimension i. State i: dimensions below i are done.
func dor(dims int) topology.Rule {
	r := topology.Rule{Name: "dor", States: dims + 1}
	for i := range dims {
		for s := range i + 1 {
			r.Steps = append(r.Steps, topology.Step{From: uint8(s),
				Kind: topology.Kind{Link: uint8(i + 1), From: topology.Any, To: topology.Any}, To: uint8(i + 1)})
		}
	}
	return r
}

// fullMesh joins all switches that differ in one coordinate, links[i] times in dimension i.
func (x *grid) fullMesh(links []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	n, step := int(x.switches()), 1
	for i := range x.dims {
		for s := range n {
			for y := s/step%x.size[i] + 1; y < x.size[i]; y++ {
				to := s + (y-s/step%x.size[i])*step
				for range links[i] {
					emit(i+1, topology.SwitchID(s), topology.SwitchID(to))
				}
			}
		}
		step *= x.size[i]
	}
}

// meshBundles is fullMesh in bulk: per line of switches along a dimension that are neighbours in
// all lower ones, and per distance along it.
func (x *grid) meshBundles(links []int, emit func(topology.Bundle)) {
	n, step := int(x.switches()), 1
	for i, d := range x.size[:x.dims] {
		for first := 0; first < n; first += step * d {
			if step == 1 {
				emit(topology.Bundle{Class: i + 1, A: topology.SwitchID(first), Count: d, Times: links[i], Mesh: true})
				continue
			}
			for k := 1; k < d; k++ {
				emit(topology.Bundle{Class: i + 1, A: topology.SwitchID(first), B: topology.SwitchID(first + k*step),
					Count: (d - k) * step, Cycle: (d - k) * step, Each: 1, Times: links[i]})
			}
		}
		step *= d
	}
}

// meshPaths adds the routes between switches of a full mesh: one link in each dimension in which
// they differ. t endpoints hang on each switch.
func (x *grid) meshPaths(t int, p *topology.Paths) {
	for set := range 1 << x.dims {
		w := int64(t)
		c := crossing(2)
		for i := range x.dims {
			if set>>i&1 == 1 {
				w *= int64(x.size[i] - 1)
				c[i+1] = 1
			}
		}
		if set == 0 {
			w--
		}
		p.Add(w, c)
	}
}

// meshMiddle is the smallest cut through the middle of a dimension, in links.
func (x *grid) meshMiddle(links []int) float64 {
	n, cut := x.switches(), int64(-1)
	for i, s := range x.size[:x.dims] {
		if s > 1 {
			c := n / int64(s) * int64(s/2) * int64((s+1)/2) * int64(links[i])
			if cut < 0 || c < cut {
				cut = c
			}
		}
	}
	return float64(cut)
}

// oneOrbit claims that all switches are equivalent, and all endpoints.
func oneOrbit(switches, endpoints int64) topology.Symmetry {
	return topology.Symmetry{
		Switches:  []topology.Orbit{{Rep: 0, Count: switches}},
		Endpoints: []topology.Orbit{{Rep: 0, Count: endpoints}},
		EvenLinks: true,
	}
}

// alike claims what exchanges of dimensions of one size do whose links are as many: the links of one are as those of the other.
func (x *grid) alike(links []int) []int {
	alike := make([]int, 1, 1+x.dims)
	for i := range x.dims {
		first := 0
		for x.size[first] != x.size[i] || links[first] != links[i] {
			first++
		}
		alike = append(alike, 1+first)
	}
	return alike
}

// allAlike is alike where all dimensions are of one size.
func allAlike(dims int) []int {
	alike := slices.Repeat([]int{1}, 1+dims)
	alike[0] = 0
	return alike
}

// sortDims orders dimensions by size, largest first, then by links, with their links; the links of
// a dimension of size 1 are set to 1, for there are none.
func sortDims(size, links []int) {
	for i := range size {
		if size[i] == 1 {
			links[i] = 1
		}
		for j := i; j > 0 && (size[j] > size[j-1] || size[j] == size[j-1] && links[j] > links[j-1]); j-- {
			size[j], size[j-1] = size[j-1], size[j]
			links[j], links[j-1] = links[j-1], links[j]
		}
	}
}

// idleLinks reports that parameter i is the number of links per pair in a dimension of size 1, see sortDims. The sizes come first,
// then the links.
func idleLinks(v []int, i, dims int) (x int, idle bool) {
	return 1, i >= dims && i < 2*dims && v[i-dims] == 1
}

// hullDims widens a box of dimensions and their links to what its designs are in canonical order: the
// i-th largest dimension lies between the i-th largest of the lower corner and of the upper one, and
// where dimensions are fixed so do the links.
func hullDims(lo, hi []int, dims int) {
	if slices.Equal(lo[:dims], hi[:dims]) {
		sortDims(lo[:dims], lo[dims:2*dims])
		sortDims(hi[:dims], hi[dims:2*dims])
		return
	}
	sortDown(lo[:dims])
	sortDown(hi[:dims])
	most := slices.Max(hi[dims : 2*dims])
	for i := dims; i < 2*dims; i++ {
		lo[i], hi[i] = 1, most // of a dimension of one there is one
	}
}

// briefMesh is what meshPaths lists: a link in every dimension in which two switches differ. t
// endpoints hang on each, by nic links or not.
func (x *grid) briefMesh(t int, nic bool, p *topology.Paths) {
	s := &p.Sums
	*s = topology.Sums{}
	all := int64(t) * x.switches()
	s.Pairs = all - 1
	for i, k := range x.size[:x.dims] {
		if k > 1 {
			w := all / int64(k) * int64(k-1)
			s.Cross[i+1] = w
			s.Hops += w
			s.MaxHops++
		}
	}
	s.Links, s.MaxLinks = s.Hops, s.MaxHops
	if nic {
		s.Cross[0] = 2 * s.Pairs
		s.Links += 2 * s.Pairs
		s.MaxLinks += 2
	}
}

// sortDown orders values, largest first.
func sortDown(v []int) {
	for i := range v {
		for j := i; j > 0 && v[j] > v[j-1]; j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
}

// dimClasses names the link classes of dims dimensions.
func dimClasses(dims int) []topology.LinkClass {
	var out []topology.LinkClass
	for i := 1; i <= dims; i++ {
		out = append(out, topology.LinkClass{Name: fmt.Sprintf("dim%d", i), Doc: fmt.Sprintf("along dimension %d", i)})
	}
	return out
}
