package family

import "toposearch/topology"

// ubRule: 0 at the source, 1 after X, 2 after Y, 3 at an LRS of the source's rack, 4 after z, 5
// after w, 6 at an HRS, 7 at an LRS after it, 8 down at an NPU.
var ubRule = topology.Rule{Name: "dor", States: 9, Steps: []topology.Step{
	{From: 0, Kind: topology.Kind{Link: ubX, From: ubNPU, To: ubNPU}, To: 1},
	{From: 0, Kind: topology.Kind{Link: ubY, From: ubNPU, To: ubNPU}, To: 2},
	{From: 1, Kind: topology.Kind{Link: ubY, From: ubNPU, To: ubNPU}, To: 2},
	{From: 0, Kind: topology.Kind{Link: ubNic, From: ubNPU, To: ubLRS}, To: 3},
	{From: 1, Kind: topology.Kind{Link: ubNic, From: ubNPU, To: ubLRS}, To: 3},
	{From: 2, Kind: topology.Kind{Link: ubNic, From: ubNPU, To: ubLRS}, To: 3},
	{From: 3, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
	{From: 3, Kind: topology.Kind{Link: ubZ, From: ubLRS, To: ubLRS}, To: 4},
	{From: 3, Kind: topology.Kind{Link: ubW, From: ubLRS, To: ubLRS}, To: 5},
	{From: 4, Kind: topology.Kind{Link: ubW, From: ubLRS, To: ubLRS}, To: 5},
	{From: 3, Kind: topology.Kind{Link: ubHRSLink, From: ubLRS, To: ubHRS}, To: 6},
	{From: 6, Kind: topology.Kind{Link: ubHRSLink, From: ubHRS, To: ubLRS}, To: 7},
	{From: 4, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
	{From: 5, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
	{From: 7, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
}}

// ubSpareRule is ubRule where racks have spares: from a spare up to an LRS, and down to one.
var ubSpareRule = func() topology.Rule {
	r := ubRule
	r.Steps = append(make([]topology.Step, 0, len(r.Steps)+5), r.Steps...)
	r.Steps = append(r.Steps, topology.Step{From: 0, Kind: topology.Kind{Link: ubSpareLink, From: ubSpare, To: ubLRS}, To: 3})
	for _, from := range []uint8{3, 4, 5, 7} {
		r.Steps = append(r.Steps, topology.Step{From: from, Kind: topology.Kind{Link: ubSpareLink, From: ubLRS, To: ubSpare}, To: 8})
	}
	return r
}()

// ubRoutes collects the types of ubPaths: crossings by class, and weights per source in units of which all
// shares of a pair are whole numbers. A change is the
// hop inside a rack to the board (2dfm) or column (1dfma) of the destination.
type ubRoutes struct {
	p      *topology.Paths
	unit   int64
	change int // class of that hop
}

// list adds a type of routes, if any pair has it.
func (r ubRoutes) list(weight int64, change, nic, z, w, hrs int16) {
	if weight == 0 {
		return
	}
	var c [topology.MaxClasses]int16
	c[0], c[r.change], c[ubNic], c[ubZ], c[ubW], c[ubHRSLink] = 2, change, nic, z, w, hrs
	r.p.Add(r.unit*weight, c)
}

// ubPaths: an NPU of another rack is reached from the switches of its own board (2dfm) or column
// (1dfma), or from any, so a packet changes boards or columns first if it must. Racks that differ
// along both z and w are as near over an HRS as directly; the c links to HRSs and the one along z
// share equally. An HRS also leads to the other q-1 boards or columns that it serves, which saves
// the change: to a rack next along z or w that is as near as changing, and the four links up
// and the one across share equally. So the links across are unevenly loaded.
func ubPaths(v []int, p *topology.Paths) bool {
	d := ubmeshParams(v)
	p.Reset()
	x, y, z, w, pods := int64(d.x()), int64(d.y()), int64(d.z()), int64(d.w()), int64(d.pods())
	q, c := int64(1), int64(0)
	if pods > 1 {
		a, b := ubUplinks(v)
		q, c = int64(a), int64(b)
	}
	// sides boards or columns of `size` NPUs each; a single one where every switch reaches all.
	size, sides, change := x, y, ubY
	switch d.rack() {
	case ub1DA:
		size, sides, change = y, x, ubX
	case ub1DB, ubClos:
		size, sides, q = x*y, 1, 1
	}
	r := ubRoutes{p, (1 + c) * (1 + ubPlanes) * q, change}
	r.inRack(v)
	for _, way := range []struct {
		racks int64
		z, w  int16
	}{{z - 1, 1, 0}, {w - 1, 0, 1}} {
		r.list(way.racks*size, 0, 2, way.z, way.w, 0)
		r.list(way.racks*size*(sides-q), 1, 2, way.z, way.w, 0)
		tie := r
		tie.unit /= 1 + ubPlanes
		tie.list(way.racks*size*(q-1), 1, 2, way.z, way.w, 0)
		tie.list(way.racks*size*(q-1)*ubPlanes, 0, 2, 0, 0, 2)
	}
	both, far := (z-1)*(w-1), (pods-1)*z*w
	// In units of a share: one of 1+c goes directly.
	share := r
	share.unit /= 1 + c
	share.list(both*size, 0, 2, 1, 1, 0)
	share.list(both*size*c, 0, 2, 0, 0, 2)
	// A side that shares the destination's HRSs will do as well as its own, for the way over an HRS.
	part := share
	part.unit /= q
	part.list(both*size*(sides-q), 1, 2, 1, 1, 0)
	part.list(both*size*(sides-q)*(q*(1+c)-1), 1, 2, 0, 0, 2)
	r.list(both*size*(q-1), 0, 2, 0, 0, 2)
	r.list(far*size*q, 0, 2, 0, 0, 2)
	r.list(far*size*(sides-q), 1, 2, 0, 0, 2)
	if sides > 1 && q > 1 && q < sides {
		// Pairs on a link across over size, times five: to a side of the same HRSs, and to another.
		near, other := 1+ubPlanes+z-1+w-1, (1+ubPlanes)*z*w*pods
		p.Peak[change] = float64(other*(sides-1)) / float64((q-1)*near+(sides-q)*other)
	}
	return true
}

// ubWorst is for one pod. A link along z is crossed from all NPUs of a rack to those of a board or column (all, where switches reach all) of racks
// that differ along z and, as w is next, at will along w; one along w from any rack that differs along z to those of one rack. Planes and,
// where every switch reaches all, all switches share equally. An NPU sends up what its column sends to its board (2dfm), or its board to its
// column (1dfma). A link of a board is a first hop, from the one NPU before it; one between boards is crossed to the NPU behind it by way of
// the board, too.
func ubWorst(v []int, w *topology.WorstLoads) bool {
	d := ubmeshParams(v)
	if d.pods() > 1 || d.spare() > 0 {
		return false
	}
	x, y, racks, r := float64(d.x()), float64(d.y()), float64(d.z()*d.w()), ubRackOf(v)
	side, sides, up, switches := x*y, 1.0, 1.0, float64(r.planes*r.perPlane)
	switch d.rack() {
	case ub2D: // of a rack nothing goes up
		side, sides, up, switches = x, y, min(y, x*(racks-1)), float64(r.planes)
		if y > 1 {
			w.Exact(ubY, 1+min(1, (x-1)*(racks-1)))
		}
	case ub1DA:
		side, sides, up, switches = y, x, min(x, y*racks-1), float64(r.planes)
	case ub1DB:
		up = min(1, x*y*racks-x)
	default:
		up = min(1, x*y*racks-1)
	}
	if r.meshX && x > 1 {
		w.Exact(ubX, 1)
	}
	w.Exact(ubNic, up/switches)
	if d.z() > 1 {
		w.Exact(ubZ, side*min(sides, float64(d.w()))/switches)
	}
	if d.w() > 1 {
		w.Exact(ubW, side/switches)
	}
	return true
}

// ubRacks: what boards share in full meshes, columns do where they have the switches. Of switches that all of a rack are linked to, those that share HRSs are no nearer.
func ubRacks(v []int) topology.Racks {
	d, r := ubmeshParams(v), ubRackOf(v)
	q, c := ubUplinks(v)
	k := topology.Racks{Pods: d.pods(), Above: c, AboveLink: ubHRSLink, Shared: q,
		Board: d.x(), Boards: d.y(), First: d.z(), Second: d.w(), Switches: r.ports,
		Along: ubX, Up: ubNic, FirstLink: ubZ, SecondLink: ubW, Beside: [2]int{ubHubLink, ubSpareLink}, Each: [2]int{r.hubs, d.spare()}}
	switch d.rack() {
	case ub2D:
		k.Across = ubY
	case ub1DA:
		k.Sides = topology.ColumnSides
	default:
		k.Sides, k.Shared = topology.RackSides, 1
	}
	if !r.meshX {
		k.Along = 0
	}
	return k
}

// inRack adds the routes inside a rack.
func (r ubRoutes) inRack(v []int) {
	d := ubmeshParams(v)
	x, y := int64(d.x()), int64(d.y())
	var board, nics, both [topology.MaxClasses]int16
	board[0], nics[0], both[0] = 2, 2, 2
	board[ubX], nics[ubNic] = 1, 2
	switch d.rack() {
	case ub2D:
		nics[ubNic], nics[ubY] = 0, 1
		both[ubX], both[ubY] = 1, 1
	case ub1DA:
		both[ubX], both[ubNic] = 1, 2
	case ub1DB:
		both[ubNic] = 2
	default:
		board[ubX], board[ubNic] = 0, 2
		both[ubNic] = 2
	}
	r.p.Add(r.unit*(x-1), board)
	r.p.Add(r.unit*(y-1), nics)
	r.p.Add(r.unit*(x-1)*(y-1), both)
}

// Racks stand pod by pod, along z, then w; switches and hubs of racks rack by rack, plane by plane;
// HRSs plane by plane, by switches served; NPUs rack by rack, board by board.
func wireUB(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	d := ubmeshParams(v)
	x, y, z, w, pods := d.x(), d.y(), d.z(), d.w(), d.pods()
	var s topology.Size
	countUB(v, &s)
	hub := int(s.Switch[ubLRS].Count)
	hrs := hub + int(s.Switch[ubHub].Count)
	npu := hrs + int(s.Switch[ubHRS].Count)
	spare := npu + int(s.Switch[ubNPU].Count)
	r := ubRackOf(v)
	q, c := ubUplinks(v)
	for rack := range z * w * pods {
		wireRack(v, npu+rack*x*y, emit)
		for place := range r.planes * r.perPlane {
			plane, j := place/r.perPlane, place%r.perPlane
			lrs := func(rack int) topology.SwitchID { return topology.SwitchID(rack*r.planes*r.perPlane + place) }
			for n := range x * y {
				if r.member(d.rack(), j, n%x, n/x) {
					emit(ubNic, topology.SwitchID(npu+rack*x*y+n), lrs(rack))
				}
			}
			if d.spare() > 0 {
				emit(ubSpareLink, lrs(rack), topology.SwitchID(spare+rack))
			}
			for t := range r.hubs {
				emit(ubHubLink, lrs(rack), topology.SwitchID(hub+(rack*r.planes+plane)*r.hubs+t))
			}
			for other := rack + w; other < z*w*pods && other/w%z > rack/w%z; other += w {
				emit(ubZ, lrs(rack), lrs(other))
			}
			for other := rack + 1; other%w > rack%w; other++ {
				emit(ubW, lrs(rack), lrs(other))
			}
			for t := range c {
				if pods > 1 {
					emit(ubHRSLink, lrs(rack), topology.SwitchID(hrs+(plane*(r.perPlane/q)+j/q)*c+t))
				}
			}
		}
	}
}

// wireRack joins the NPUs of a rack, the first of which is switch `first`.
func wireRack(v []int, first int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	x, y, r := v[0], v[1], ubRackOf(v)
	for n := range x * y {
		i, j := n%x, n/x
		for k := i + 1; k < x && r.meshX; k++ {
			emit(ubX, topology.SwitchID(first+n), topology.SwitchID(first+j*x+k))
		}
		for k := j + 1; k < y && r.meshY; k++ {
			emit(ubY, topology.SwitchID(first+n), topology.SwitchID(first+k*x+i))
		}
	}
}
