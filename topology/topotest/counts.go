package topotest

import (
	"testing"
	"time"

	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// checkSize asks that Size costs under a microsecond and no allocation.
func checkSize(t testing.TB, d topology.Design, opt Options) {
	t.Helper()
	if opt.SlowSize {
		return
	}
	var s topology.Size
	if a := testing.AllocsPerRun(20, func() { _ = d.Family.Size(d.V, &s) }); a != 0 {
		t.Errorf("%s: Size allocates %v times", d, a)
	}
	// The best of many short batches: other work on the machine must not fail the test.
	best := time.Hour
	for range 30 {
		start := time.Now()
		for range 20 {
			_ = d.Family.Size(d.V, &s)
		}
		best = min(best, time.Since(start)/20)
	}
	if limit := time.Microsecond * racing.Factor; best > limit {
		t.Errorf("%s: Size takes %v, want under %v", d, best, limit)
	}
}

// built counts on the network what Size counts by formula.
func built(f *topology.Family, n *topology.Network) (s topology.Size) {
	s.Reset(f)
	s.Lanes, s.EndpointLanes = n.Lanes, n.EndpointLanes
	s.Endpoints = int64(n.Endpoints())
	ports := portsOf(n)
	for x := range n.Switches() {
		s.Switch[n.Class(topology.SwitchID(x))].Count++
		for c, end := n.Out(topology.SwitchID(x)); c < end; c++ {
			s.Link[n.LinkClass(c)]++
		}
	}
	if !n.Unidirectional {
		for c := range s.Link {
			s.Link[c] /= 2
		}
	}
	for g := range n.Groups() {
		first, end, at := n.Group(g)
		s.Link[0] += int64(end-first) * int64(len(at))
	}
	for x := range ports {
		m := &s.Switch[n.Class(topology.SwitchID(x))].Ports
		for c := range m {
			m[c] = max(m[c], ports[x][c])
		}
	}
	for g := range n.Groups() {
		_, _, at := n.Group(g)
		if f.LinkClasses[0].Name == topology.ClassNic {
			s.EndpointPorts = max(s.EndpointPorts, int32(len(at)))
			continue
		}
		var p int32
		for c := range f.LinkClasses {
			if k := f.LinkClasses[c].Name; k != topology.ClassInternal && k != topology.ClassScaleup {
				p += ports[at[0]][c]
			}
		}
		s.EndpointPorts = max(s.EndpointPorts, p)
	}
	return s
}

// portsOf counts the ports in use of every switch by link class.
func portsOf(n *topology.Network) [][topology.MaxClasses]int32 {
	ports := make([][topology.MaxClasses]int32, n.Switches())
	for x := range n.Switches() {
		for c, end := n.Out(topology.SwitchID(x)); c < end; c++ {
			ports[x][n.LinkClass(c)]++
			if n.Unidirectional {
				ports[n.To(c)][n.LinkClass(c)]++
			}
		}
	}
	for g := range n.Groups() {
		first, end, at := n.Group(g)
		for _, x := range at {
			ports[x][0] += int32(end - first)
		}
	}
	return ports
}

// fullest tells whether a switch of the class has exactly these ports and no other has more ports
// of any one rate.
func fullest(n *topology.Network, class int, want [topology.MaxClasses]int32) bool {
	byRate := func(p [topology.MaxClasses]int32) map[int32]int32 {
		m := map[int32]int32{}
		for c, k := range p {
			m[n.Lanes[c]] += k
		}
		return m
	}
	limit, found := byRate(want), false
	for x, p := range portsOf(n) {
		if n.Class(topology.SwitchID(x)) != class {
			continue
		}
		found = found || p == want
		for rate, k := range byRate(p) {
			if k > limit[rate] {
				return false
			}
		}
	}
	return found
}

// checkCounts compares the closed form with the construction, class by class, and looks at
// links, lanes and connectedness.
func checkCounts(t testing.TB, d topology.Design, n *topology.Network, opt Options) {
	t.Helper()
	f := d.Family
	var want topology.Size
	if err := f.Size(d.V, &want); err != nil {
		t.Errorf("%s: Size: %v", d, err)
		return
	}
	if used := crowded(); f.Size(d.V, &used) != nil || used != want || beyond(&want) {
		t.Errorf("%s: Size counts switches beyond the family's classes, or depends on what it is written over", d)
	}
	got := built(f, n)
	if got.Endpoints != want.Endpoints || got.EndpointPorts != want.EndpointPorts {
		t.Errorf("%s: built %d endpoints of %d ports, its formula says %d of %d", d,
			got.Endpoints, got.EndpointPorts, want.Endpoints, want.EndpointPorts)
	}
	for i, c := range f.SwitchClasses {
		if got.Switch[i].Count != want.Switch[i].Count {
			t.Errorf("%s: built %d switches of class %s, its formula says %d", d, got.Switch[i].Count, c.Name, want.Switch[i].Count)
		}
		if want.Switch[i].Count > 0 && got.Switch[i].Ports != want.Switch[i].Ports && !fullest(n, i, want.Switch[i].Ports) {
			t.Errorf("%s: the fullest switch of class %s has ports %v, its formula says %v", d, c.Name, got.Switch[i].Ports, want.Switch[i].Ports)
		}
	}
	for i, c := range f.LinkClasses {
		if got.Link[i] != want.Link[i] {
			t.Errorf("%s: built %d links of class %s, its formula says %d", d, got.Link[i], c.Name, want.Link[i])
		}
		if want.Lanes[i] < 1 {
			t.Errorf("%s: class %s has %d lanes", d, c.Name, want.Lanes[i])
		}
	}
	if want.EndpointLanes < 1 {
		t.Errorf("%s: an endpoint has %d lanes", d, want.EndpointLanes)
	}
	if f.NonBlocking != nil {
		if n := f.NonBlocking(d.V); n < 1 || n > want.Endpoints {
			t.Errorf("%s: non-blocking region of %d endpoints of %d", d, n, want.Endpoints)
		}
	}
	if f.Middle != nil {
		if m := f.Middle(d.V); m <= 0 || m > 1 {
			t.Errorf("%s: middle cut %v, want in (0, 1]", d, m)
		}
	}
	checkLinks(t, d, n)
	planes := 1
	if opt.Planes != nil {
		planes = opt.Planes(d.V)
	}
	if c := components(n); c != planes {
		t.Errorf("%s: %d connected components, want %d", d, c, planes)
	}
}

// crowded is a size of which every field is in use, as of a family with as many classes as can be.
func crowded() (s topology.Size) {
	s.Reset(&topology.Family{Name: "crowded", SwitchClasses: make([]topology.SwitchClass, topology.MaxClasses),
		LinkClasses: make([]topology.LinkClass, topology.MaxClasses)})
	s.Endpoints, s.EndpointPorts, s.EndpointLanes = 7, 7, 7
	for i := range s.Switch {
		s.Switch[i].Count, s.Link[i], s.Lanes[i] = 7, 7, 7
		for c := range s.Link {
			s.Switch[i].Ports[c] = 7
		}
	}
	_ = s.Fail("none", 7, "none", 7)
	return s
}

// beyond tells whether a size counts switches of classes that its family does not have: Size.Reset
// would leave them for the next family.
func beyond(s *topology.Size) bool {
	for i := len(s.Family.SwitchClasses); i < topology.MaxClasses; i++ {
		if s.Switch[i] != (topology.SwitchCount{}) {
			return true
		}
	}
	return false
}

// checkLinks asks that every channel has its partner, of the same class, in a bidirectional
// network, and none in the others.
func checkLinks(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	for x := range n.Switches() {
		x := topology.SwitchID(x)
		for c, end := n.Out(x); c < end; c++ {
			r := n.Rev(c)
			if n.To(c) == x {
				t.Errorf("%s: switch %d is linked to itself", d, x)
			}
			if n.Unidirectional {
				if r != -1 {
					t.Errorf("%s: channel %d of a unidirectional network has a partner", d, c)
				}
				continue
			}
			if r < 0 || n.To(r) != x || n.Rev(r) != c || n.LinkClass(r) != n.LinkClass(c) {
				t.Errorf("%s: channel %d from switch %d has no proper partner", d, c, x)
			}
		}
	}
}

// components counts the connected parts among switches; endpoints do not forward.
func components(n *topology.Network) int {
	parent := make([]int, n.Switches())
	for i := range parent {
		parent[i] = i
	}
	find := func(x int) int {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	count := n.Switches()
	for x := range n.Switches() {
		for _, y := range n.Neighbors(topology.SwitchID(x)) {
			if a, b := find(x), find(int(y)); a != b {
				parent[a] = b
				count--
			}
		}
	}
	return count
}

// checkRepeat builds again and compares every array.
func checkRepeat(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	m := build(t, d)
	same := m != nil && m.Design == n.Design && m.Switches() == n.Switches() && m.Channels() == n.Channels() &&
		m.Groups() == n.Groups() && m.Endpoints() == n.Endpoints()
	for x := 0; same && x < n.Switches(); x++ {
		a, b := n.Out(topology.SwitchID(x))
		c, e := m.Out(topology.SwitchID(x))
		same = a == c && b == e && n.Class(topology.SwitchID(x)) == m.Class(topology.SwitchID(x))
	}
	for c := topology.ChannelID(0); same && int(c) < n.Channels(); c++ {
		same = n.To(c) == m.To(c) && n.LinkClass(c) == m.LinkClass(c) && n.Rev(c) == m.Rev(c)
	}
	for g := 0; same && g < n.Groups(); g++ {
		a, b, p := n.Group(g)
		c, e, q := m.Group(g)
		same = a == c && b == e && len(p) == len(q)
		for i := 0; same && i < len(p); i++ {
			same = p[i] == q[i]
		}
	}
	if !same {
		t.Errorf("%s: a second build differs from the first", d)
	}
}

// checkBounds draws boxes spanned by two valid designs and asks that SizeBounds encloses the
// count of every valid design of the grid inside.
func checkBounds(t testing.TB, f *topology.Family, points [][]int, opt Options) {
	t.Helper()
	rng := stream.New(opt.Seed, "topotest bounds")
	var s, bl, bh topology.Size
	lo, hi := make([]int, len(f.Params)), make([]int, len(f.Params))
	for range 60 {
		a, b := points[rng.IntN(len(points))], points[rng.IntN(len(points))]
		for i := range lo {
			lo[i], hi[i] = min(a[i], b[i]), max(a[i], b[i])
		}
		f.SizeBounds(lo, hi, &bl, &bh)
		if beyond(&bl) || beyond(&bh) {
			t.Fatalf("%s: bounds over %v..%v count switches beyond the family's classes", f.Name, lo, hi)
		}
		for range 200 {
			v := points[rng.IntN(len(points))]
			if !inside(v, lo, hi) {
				continue
			}
			if err := f.Size(v, &s); err != nil {
				t.Fatalf("%s%v: %v", f.Name, v, err)
			}
			if what := outside(f, &s, &bl, &bh); what != "" {
				t.Fatalf("%s: %s of %v is not within its bounds over %v..%v", f.Name, what, v, lo, hi)
			}
		}
		for _, v := range [][]int{a, b} {
			if _ = f.Size(v, &s); outside(f, &s, &bl, &bh) != "" {
				t.Fatalf("%s: %s of %v is not within its bounds over %v..%v", f.Name, outside(f, &s, &bl, &bh), v, lo, hi)
			}
		}
	}
}

// checkDerived asks that endpoints do not decrease in the parameter that a search derives from
// their number, the others being fixed.
func checkDerived(t testing.TB, f *topology.Family, points [][]int) {
	t.Helper()
	if f.Derived < 0 || len(f.Params) == 0 {
		return
	}
	var s topology.Size
	v := make([]int, len(f.Params))
	for _, p := range points {
		copy(v, p)
		last := int64(-1)
		for _, x := range grid(f.Params[f.Derived]) {
			v[f.Derived] = x
			if f.Size(v, &s) != nil {
				continue
			}
			if s.Endpoints < last {
				t.Errorf("%s%v: %d endpoints, fewer than with a smaller %s", f.Name, v, s.Endpoints, f.Params[f.Derived].Name)
				return
			}
			last = s.Endpoints
		}
	}
}

func inside(v, lo, hi []int) bool {
	for i := range v {
		if v[i] < lo[i] || v[i] > hi[i] {
			return false
		}
	}
	return true
}

// outside names the first count of s that is not between those of lo and hi.
func outside(f *topology.Family, s, lo, hi *topology.Size) string {
	out := func(l, x, h int64) bool { return x < l || x > h }
	if out(lo.Endpoints, s.Endpoints, hi.Endpoints) {
		return "endpoints"
	}
	if out(int64(lo.EndpointPorts), int64(s.EndpointPorts), int64(hi.EndpointPorts)) {
		return "endpoint ports"
	}
	if out(int64(lo.EndpointLanes), int64(s.EndpointLanes), int64(hi.EndpointLanes)) {
		return "endpoint lanes"
	}
	for i := range f.SwitchClasses {
		if out(lo.Switch[i].Count, s.Switch[i].Count, hi.Switch[i].Count) {
			return "switches of class " + f.SwitchClasses[i].Name
		}
		for c := range f.LinkClasses {
			// A class of no switches has no ports, whatever its formula gives.
			if s.Switch[i].Count > 0 && out(int64(lo.Switch[i].Ports[c]), int64(s.Switch[i].Ports[c]), int64(hi.Switch[i].Ports[c])) {
				return "ports of class " + f.SwitchClasses[i].Name
			}
		}
	}
	for c := range f.LinkClasses {
		if out(lo.Link[c], s.Link[c], hi.Link[c]) {
			return "links of class " + f.LinkClasses[c].Name
		}
		if out(int64(lo.Lanes[c]), int64(s.Lanes[c]), int64(hi.Lanes[c])) {
			return "lanes of class " + f.LinkClasses[c].Name
		}
	}
	return ""
}
