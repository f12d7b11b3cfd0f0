package family

import "toposearch/topology"

// ubmesh: racks of y boards of x NPUs that forward, full meshes inside a board and across the
// boards of a rack; z by w racks a pod, full meshes along both; pods joined by one level of
// high-radix switches (HRS).
//
// A lane is a UB lane. An NPU has 72: lx to each NPU of its board, ly to each of its column, the
// rest in equal parts to the four planes of its rack. Each plane has one low-radix switch (LRS) a
// board, with as many lanes outwards as to its NPUs, and four hubs that join the LRSs by two lanes
// each and serve CPUs and the spare NPU: 48 of 72 lanes in a rack of 8 boards. LRS (plane, board) of
// a rack is linked to LRS (plane, board) of other racks: lz/(4y) lanes along z, lw/(4y) along w, and
// what is left to HRSs of 512 lanes if there are several pods.
var ubmesh = &topology.Family{
	Name:  "ubmesh",
	Title: "UB-Mesh: 2-D full mesh of NPUs in a rack, 2-D full mesh of racks in a pod, pods over high-radix switches",
	Source: topology.Source{
		Authors: "H. Liao, B. Liu, X. Chen, Z. Guo, C. Cheng, et al.",
		Title:   "UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network Architecture",
		Venue:   "arXiv:2503.20377", Year: 2025,
		Departures: "lane budget derived from the published totals (16 lanes of an NPU leave the rack, 768 of 1024 lanes of a rack lead to " +
			"other racks, 256 to HRSs, 48 LRS a rack); how LRSs are wired inside a rack is ours; CPUs and the 65th, spare NPU are " +
			"bought but carry nothing and are left out; racks with 1D full mesh or Clos inside are not offered, their wiring is not published; " +
			"routes go X, Y, up, z, w or HRS, down",
	},
	Params: []topology.Param{
		{Name: "x", Doc: "NPUs of a board", Min: 1, Max: 32, Default: topology.Const(8)},
		{Name: "y", Doc: "boards of a rack", Min: 1, Max: 32, Default: topology.Const(8)},
		{Name: "z", Doc: "racks of a pod in the first dimension", Min: 1, Max: 32},
		{Name: "w", Doc: "racks of a pod in the second dimension", Min: 1, Max: 32},
		{Name: "pods", Doc: "pods joined by high-radix switches", Min: 1, Max: 512, Default: topology.Const(1)},
		{Name: "lx", Doc: "lanes between two NPUs of a board", Min: 1, Max: 72, Default: topology.Const(4)},
		{Name: "ly", Doc: "lanes between two NPUs of a column", Min: 1, Max: 72, Default: topology.Const(4)},
		{Name: "lz", Doc: "lanes between two racks in the first dimension", Min: 1, Max: 1024, Default: topology.Const(rackLanes)},
		{Name: "lw", Doc: "lanes between two racks in the second dimension", Min: 1, Max: 1024, Default: topology.Const(rackLanes)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "NPU to its forwarding part"},
		{Name: topology.ClassNic, Doc: "NPU to the LRS of its board, one per plane"},
		{Name: "x", Doc: "between NPUs of a board"},
		{Name: "y", Doc: "between NPUs of a column of a rack"},
		{Name: "hub", Doc: "LRS to hub inside a rack"},
		{Name: "z", Doc: "between racks, first dimension"},
		{Name: "w", Doc: "between racks, second dimension"},
		{Name: "hrs", Doc: "LRS to high-radix switch"},
	},
	SwitchClasses: ubClasses,
	Check:         checkUB,
	Count:         countUB,
	Bounds:        boundUB,
	Derived:       4,
	Canonical: func(v []int) {
		// Lanes to racks that are not there do not matter.
		for d := range 2 {
			if v[2+d] == 1 {
				v[7+d] = rackLanes
			}
		}
	},
	Wire: wireUB,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		var s topology.Size
		countUB(v, &s)
		attachTerminals(s.Switch[ubLRS].Count+s.Switch[ubHub].Count+s.Switch[ubHRS].Count, s.Endpoints, emit)
	},
	Paths:   ubPaths,
	Natural: func([]int) topology.Rule { return ubRule },
	Place: func(v []int) topology.Placement {
		return topology.Placement{
			Blocks: v[2] * v[3] * v[4],
			Homes:  []topology.Home{topology.WithEndpoints, topology.WithEndpoints, topology.Central, topology.Inside},
			Boards: []int{ubX},
		}
	},
	Orbits: func(v []int) topology.Symmetry {
		var s topology.Size
		countUB(v, &s)
		y := classOrbits(ubClasses, &s)
		q, _ := ubUplinks(v)
		// Boards that share their HRSs are nearer to one another than to the others.
		y.EvenLinks = v[4] == 1 || q == 1 || q == v[1]
		return y
	},
	NonBlocking: func([]int) int64 { return 1 },
	VCReason:    "X, Y, up, along z, along w or over an HRS, down: no class ever follows a later one, so one VC is acyclic",
}

var ubClasses = []topology.SwitchClass{
	{Name: "lrs", Doc: "low-radix switch of a board, one per plane"},
	{Name: "hub", Doc: "low-radix switch that joins those of a plane and serves CPUs and the spare"},
	{Name: "hrs", Doc: "high-radix switch between pods"},
	{Name: "npu", Doc: "forwarding part of an NPU", Embedded: true},
}

// Classes of ubmesh.
const (
	ubNic = iota + 1
	ubX
	ubY
	ubHubLink
	ubZ
	ubW
	ubHRSLink
)

const (
	ubLRS = iota
	ubHub
	ubHRS
	ubNPU
)

// Hardware of the paper.
const (
	rackLanes = 128                              // between two racks
	npuLanes  = 72                               // of an NPU, and of an LRS
	hrsLanes  = 512                              // of an HRS
	ubPlanes  = 4                                // a rack exports four times 256 lanes
	ubHubs    = 4                                // of a plane
	hubLanes  = 2                                // from an LRS to a hub
	maxOut    = (npuLanes - ubHubs*hubLanes) / 2 // most lanes of an LRS outwards, and down
)

// ubUp is the number of lanes of an NPU in each plane.
func ubUp(v []int) int { return (npuLanes - (v[0]-1)*v[5] - (v[1]-1)*v[6]) / ubPlanes }

// ubLeft is the number of lanes of an LRS that lead to no other rack of the pod.
func ubLeft(v []int) int {
	per := ubPlanes * v[1]
	return v[0]*ubUp(v) - (v[2]-1)*v[7]/per - (v[3]-1)*v[8]/per
}

// ubUplinks: an HRS serves all racks and q boards of a plane, q the largest divisor of y that its
// lanes allow; if they do not even suffice for one, an LRS spreads its lanes over c HRSs, c the
// smallest divisor that fits.
func ubUplinks(v []int) (q, c int) {
	racks, left := v[2]*v[3]*v[4], ubLeft(v)
	for q = v[1]; q > 1; q-- {
		if v[1]%q == 0 && racks*left*q <= hrsLanes {
			return q, 1
		}
	}
	for c = 1; c < left; c++ {
		if left%c == 0 && racks*(left/c) <= hrsLanes {
			return 1, c
		}
	}
	return 1, max(left, 1)
}

func checkUB(v []int, s *topology.Size) error {
	x, y, z, w, pods := v[0], v[1], v[2], v[3], v[4]
	rest := npuLanes - (x-1)*v[5] - (y-1)*v[6]
	per := ubPlanes * y
	switch {
	case rest < ubPlanes && y > 1:
		return s.Fail("ly", v[6], "(x-1)*lx + (y-1)*ly <= 68 of 72 lanes", nearestLanes(v, 6))
	case rest < ubPlanes:
		return s.Fail("lx", v[5], "(x-1)*lx <= 68 of 72 lanes", nearestLanes(v, 5))
	case rest%ubPlanes != 0:
		return s.Fail("lx", v[5], "4 divides (x-1)*lx + (y-1)*ly", nearestLanes(v, 5))
	case !lanesFit(v):
		return s.Fail("x", x, "x*(lanes up of an NPU)/4 <= 32, the lanes of an LRS down, and up", nearestLanes(v, 0))
	case z > 1 && v[7]%per != 0:
		return s.Fail("lz", v[7], "4*y divides lz", max(per, v[7]/per*per))
	case w > 1 && v[8]%per != 0:
		return s.Fail("lw", v[8], "4*y divides lw", max(per, v[8]/per*per))
	}
	left := ubLeft(v)
	switch {
	case left < 0 && w > 1:
		return s.Fail("w", w, "(z-1)*lz + (w-1)*lw <= the lanes that leave a rack", max(1, w-(v[8]/per-1-left)/(v[8]/per)))
	case left < 0:
		return s.Fail("z", z, "(z-1)*lz <= the lanes that leave a rack", max(1, z-(v[7]/per-1-left)/(v[7]/per)))
	case pods > 1 && left == 0:
		return s.Fail("pods", pods, "several pods need lanes beyond those to other racks", 1)
	case pods > 1 && z*w*pods > hrsLanes:
		return s.Fail("pods", pods, "z*w*pods <= 512, the lanes of an HRS", max(1, hrsLanes/(z*w)))
	}
	return nil
}

// lanesFit tells whether the lanes of an NPU and of an LRS suffice for a rack.
func lanesFit(v []int) bool {
	rest := npuLanes - (v[0]-1)*v[5] - (v[1]-1)*v[6]
	return rest >= ubPlanes && rest%ubPlanes == 0 && 2*v[0]*(rest/ubPlanes)+ubHubs*hubLanes <= npuLanes
}

// nearestLanes is the value of parameter i nearest to the given one for which the lanes fit; 1 if
// there is none.
func nearestLanes(v []int, i int) int {
	var try [9]int
	copy(try[:], v)
	for d := range npuLanes + 1 {
		for _, try[i] = range [2]int{v[i] - d, v[i] + d} {
			if try[i] >= 1 && lanesFit(try[:]) {
				return try[i]
			}
		}
	}
	return 1
}

func countUB(v []int, s *topology.Size) {
	x, y, racks := int64(v[0]), int64(v[1]), int64(v[2]*v[3]*v[4])
	n := racks * x * y
	lrs := racks * ubPlanes * y
	s.Endpoints = n
	s.EndpointPorts, s.EndpointLanes = int32(x-1+y-1+ubPlanes), npuLanes
	s.Link[0], s.Link[ubNic], s.Link[ubX], s.Link[ubY] = n, n*ubPlanes, n*(x-1)/2, n*(y-1)/2
	s.Link[ubHubLink] = lrs * ubHubs
	s.Link[ubZ], s.Link[ubW] = lrs*int64(v[2]-1)/2, lrs*int64(v[3]-1)/2
	per := int32(ubPlanes * v[1])
	s.Lanes[ubNic], s.Lanes[ubX], s.Lanes[ubY], s.Lanes[ubHubLink] = int32(ubUp(v)), int32(v[5]), int32(v[6]), hubLanes
	s.Lanes[ubZ], s.Lanes[ubW] = max(1, int32(v[7])/per), max(1, int32(v[8])/per)
	npu, low, hub := &s.Switch[ubNPU], &s.Switch[ubLRS], &s.Switch[ubHub]
	npu.Count, low.Count, hub.Count = n, lrs, racks*ubPlanes*ubHubs
	npu.Ports[0], npu.Ports[ubNic], npu.Ports[ubX], npu.Ports[ubY] = 1, ubPlanes, int32(x-1), int32(y-1)
	low.Ports[ubNic], low.Ports[ubHubLink], low.Ports[ubZ], low.Ports[ubW] = int32(x), ubHubs, int32(v[2]-1), int32(v[3]-1)
	hub.Ports[ubHubLink] = int32(y)
	if v[4] == 1 {
		return
	}
	q, c := ubUplinks(v)
	s.Link[ubHRSLink] = lrs * int64(c)
	s.Lanes[ubHRSLink] = int32(max(1, ubLeft(v)/c))
	low.Ports[ubHRSLink] = int32(c)
	s.Switch[ubHRS].Count = ubPlanes * y / int64(q) * int64(c)
	s.Switch[ubHRS].Ports[ubHRSLink] = int32(racks) * int32(q)
}

// emptyUB tells whether the box certainly holds no network: too many lanes of an NPU, of an LRS or
// of an HRS even at the lower ends, too few of an NPU even at the upper ones, or a fixed number of
// lanes between racks that LRSs cannot share.
func emptyUB(lo, hi []int) bool {
	per := ubPlanes * lo[1]
	boards := lo[1] == hi[1]
	switch {
	case (lo[0]-1)*lo[5]+(lo[1]-1)*lo[6] > npuLanes-ubPlanes:
		return true
	case lo[0]*(npuLanes-(hi[0]-1)*hi[5]-(hi[1]-1)*hi[6]) > ubPlanes*maxOut:
		return true
	case lo[4] > 1 && lo[2]*lo[3]*lo[4] > hrsLanes:
		return true
	case boards && lo[2] > 1 && lo[7] == hi[7] && lo[7]%per != 0, boards && lo[3] > 1 && lo[8] == hi[8] && lo[8]%per != 0:
		return true
	}
	return (lo[2]-1)*max(1, lo[7]/(ubPlanes*hi[1]))+(lo[3]-1)*max(1, lo[8]/(ubPlanes*hi[1])) > maxOut
}

// boundUB: racks, boards and NPUs are monotone; lanes and high-radix switches are bounded by what
// an LRS and an HRS have.
func boundUB(lo, hi []int, bl, bh *topology.Size) {
	if emptyUB(lo, hi) {
		return
	}
	countUB(lo, bl)
	countUB(hi, bh)
	same := true
	for i := range lo {
		same = same && lo[i] == hi[i]
	}
	if same {
		return
	}
	const most = maxOut
	bl.Lanes[ubNic], bh.Lanes[ubNic] = 1, npuLanes/ubPlanes
	bl.Lanes[ubZ], bh.Lanes[ubZ] = 1, max(1, int32(hi[7]/(ubPlanes*lo[1])))
	bl.Lanes[ubW], bh.Lanes[ubW] = 1, max(1, int32(hi[8]/(ubPlanes*lo[1])))
	bl.Lanes[ubHRSLink], bh.Lanes[ubHRSLink] = 1, most
	bl.Switch[ubHRS].Count, bl.Switch[ubHRS].Ports[ubHRSLink] = 0, 0
	bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = 0, 0
	if lo[4] > 1 {
		bl.Switch[ubHRS].Count, bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = ubPlanes, 1, bl.Switch[ubLRS].Count
		bl.Switch[ubHRS].Ports[ubHRSLink] = int32(lo[2] * lo[3] * lo[4]) // it reaches every rack
	}
	if hi[4] > 1 {
		bh.Switch[ubHRS].Count, bh.Switch[ubHRS].Ports[ubHRSLink] = ubPlanes*int64(hi[1])*most, hrsLanes
		bh.Switch[ubLRS].Ports[ubHRSLink], bh.Link[ubHRSLink] = most, bh.Switch[ubLRS].Count*most
	}
}
