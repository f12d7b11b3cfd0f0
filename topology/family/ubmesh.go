package family

import "toposearch/topology"

// ubmeshParams are the parameters of ubmesh by name.
type ubmeshParams []int

func (v ubmeshParams) x() int    { return v[0] }
func (v ubmeshParams) y() int    { return v[1] }
func (v ubmeshParams) z() int    { return v[2] }
func (v ubmeshParams) w() int    { return v[3] }
func (v ubmeshParams) pods() int { return v[4] }
func (v ubmeshParams) lx() int   { return v[5] }
func (v ubmeshParams) ly() int   { return v[6] }
func (v ubmeshParams) lz() int   { return v[7] }
func (v ubmeshParams) lw() int   { return v[8] }
func (v ubmeshParams) rack() int { return v[9] }

// ubmesh: racks of y boards of x NPUs that forward; z by w racks a pod, full meshes along both;
// pods joined by one level of high-radix switches (HRS). What a rack is inside is told by ubRack.
// The switches of a rack that stand at the same place in it are linked across racks, in equal parts
// of lz and lw lanes; what is left of their lanes leads to HRSs of 512 lanes if there are several
// pods. A lane is a UB lane.
var ubmesh = &topology.Family{
	Name:  "ubmesh",
	Title: "UB-Mesh: 2-D full mesh of NPUs in a rack, 2-D full mesh of racks in a pod, pods over high-radix switches",
	Source: topology.Source{
		Authors: "H. Liao, B. Liu, X. Chen, Z. Guo, C. Cheng, et al.",
		Title:   "UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network Architecture",
		Venue:   "arXiv:2503.20377", Year: 2025,
		Departures: "lane budget derived from the published totals (16 lanes of an NPU leave the rack, 768 of 1024 lanes of a rack lead to " +
			"other racks, 256 to HRSs; 48, 36 or 72 LRS, or 8 HRS, a rack); how the switches of a rack are wired is ours, chosen so that " +
			"lanes and counts come out; CPUs with the 16 LRSs of a 1dfmb rack that serve them, and the 65th, spare NPU carry nothing and are left out; " +
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
		{Name: "rack", Doc: "what joins the NPUs of a rack: full mesh in both dimensions, in one with columns over LRSs or all over HRSs, or LRSs alone",
			Min: 0, Max: 3, Choices: []string{"2dfm", "1dfma", "1dfmb", "clos"}, Default: topology.Const(0)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "NPU to its forwarding part"},
		{Name: topology.ClassNic, Doc: "NPU to a switch of its rack"},
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
	Wire:          wireUB,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		var s topology.Size
		countUB(v, &s)
		attachTerminals(s.Switch[ubLRS].Count+s.Switch[ubHub].Count+s.Switch[ubHRS].Count, s.Endpoints, emit)
	},
	Natural: func([]int) topology.Rule { return ubRule },
	Place: func(v []int) topology.Placement {
		d := ubmeshParams(v)
		return topology.Placement{
			Blocks: d.z() * d.w() * d.pods(),
			Homes:  []topology.Home{topology.WithEndpoints, topology.WithEndpoints, topology.Central, topology.Inside},
			Boards: []int{ubX},
		}
	},
	VCReason: "X, Y, up, along z, along w or over an HRS, down: no class ever follows a later one, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"racks = z*w*pods",
			"endpoints = racks*x*y",
			"lrs = if(rack=2dfm, 4*y, if(rack=1dfma, 4*x, if(rack=1dfmb, 8, 72))); of a rack, leading outwards",
			"hubs = if(rack=2dfm, 16, if(rack=1dfma, 4, 0)); of a rack",
			"switches = racks*(lrs+hubs) where pods=1; several pods add high-radix switches by the lanes that are left",
			"mesh = if(rack=clos, 0, (x-1)/2) + if(rack=2dfm, (y-1)/2, 0); links of an NPU to others, by half",
			"endpoint_ports = 2*mesh + if(rack=clos, 72, if(rack=1dfmb, 8, 4))",
			"inner = lrs*if(rack=2dfm, 4, if(rack=1dfma, 1, 0)); LRS to hub, of a rack",
			"links = endpoints*mesh + racks*(inner + lrs*(z-1)/2 + lrs*(w-1)/2) where pods=1",
			"radix = max(if(rack=2dfm, x, if(rack=1dfma, y, x*y)) + inner/lrs + z-1 + w-1, hubs/4*if(hubs=0, 0, if(rack=2dfm, y/4, x))) where pods=1",
		},
		Deployments: "Huawei's UB-Mesh SuperPod design (8,192 NPUs).",
		Traps: "Links have different numbers of lanes: a radix in links says little, see physical_ports. The paper's " +
			"two VCs for all paths are not described in it.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundUB,
		Derived: 4,
		Canonical: func(v []int) {
			z, w, lx, ly, lz, lw, rack := v[2], v[3], &v[5], &v[6], &v[7], &v[8], v[9]
			// Lanes to racks that are not there do not matter.
			if z == 1 {
				*lz = rackLanes
			}
			if w == 1 {
				*lw = rackLanes
			}
			// Nor those of a mesh that a rack does not have.
			if rack == ubClos {
				*lx = 4
			}
			if rack != ub2D {
				*ly = 4
			}
		},
	},
	Routes: topology.Routes{
		Paths: ubPaths,
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countUB(v, &s)
			y := classOrbits(ubClasses, &s)
			q, _ := ubUplinks(v)
			// Boards or columns that share their HRSs are nearer to one another than to the others.
			r := ubRackOf(v)
			y.EvenLinks = ubmeshParams(v).pods() == 1 || q == 1 || q == r.perPlane
			return y
		},
	},
	Layout: topology.Layout{
		Media: []topology.LinkMedium{{Classes: []int{ubX}, Medium: "pcb"}},
	},
	Figures: topology.Figures{
		NonBlocking: func([]int) int64 { return 1 },
	},
}

var ubClasses = []topology.SwitchClass{
	{Name: "lrs", Doc: "switch of a rack that leads to others: low-radix, in a 1dfmb rack high-radix"},
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
	rackLanes = 128 // between two racks
	npuLanes  = 72  // of an NPU, and of an LRS
	hrsLanes  = 512 // of an HRS
	ubPlanes  = 4   // a rack exports four times 256 lanes
	maxOut    = 256 // most lanes of a switch of a rack outwards
)

func checkUB(v []int, s *topology.Size) error {
	d := ubmeshParams(v)
	z, w, pods := d.z(), d.w(), d.pods()
	if err := checkRack(v, s); err != nil {
		return err
	}
	r := ubRackOf(v)
	per := r.planes * r.perPlane
	switch {
	case z > 1 && d.lz()%per != 0:
		return s.Fail("lz", d.lz(), "the switches of a rack divide lz (4*y; 4*x, 8 and 72 for 1dfma, 1dfmb and clos)", max(per, d.lz()/per*per))
	case w > 1 && d.lw()%per != 0:
		return s.Fail("lw", d.lw(), "the switches of a rack divide lw (4*y; 4*x, 8 and 72 for 1dfma, 1dfmb and clos)", max(per, d.lw()/per*per))
	}
	left := ubLeft(v)
	switch {
	case left < 0 && w > 1:
		return s.Fail("w", w, "(z-1)*lz + (w-1)*lw <= the lanes that leave a rack", max(1, w-(d.lw()/per-1-left)/(d.lw()/per)))
	case left < 0:
		return s.Fail("z", z, "(z-1)*lz <= the lanes that leave a rack", max(1, z-(d.lz()/per-1-left)/(d.lz()/per)))
	case pods > 1 && left == 0:
		return s.Fail("pods", pods, "several pods need lanes beyond those to other racks", 1)
	case pods > 1 && z*w*pods > hrsLanes:
		return s.Fail("pods", pods, "z*w*pods <= 512, the lanes of an HRS", max(1, hrsLanes/(z*w)))
	}
	return nil
}

func countUB(v []int, s *topology.Size) {
	d := ubmeshParams(v)
	x, y, racks := int64(d.x()), int64(d.y()), int64(d.z()*d.w()*d.pods())
	r := ubRackOf(v)
	n := racks * x * y
	lrs := racks * int64(r.planes*r.perPlane)
	s.Endpoints = n
	s.Link[0], s.Link[ubNic], s.Link[ubHubLink] = n, n*int64(r.ports), lrs*int64(r.hubs)
	npu, low, hub := &s.Switch[ubNPU], &s.Switch[ubLRS], &s.Switch[ubHub]
	npu.Ports[0], npu.Ports[ubNic] = 1, int32(r.ports)
	if r.meshX {
		s.Link[ubX], npu.Ports[ubX] = n*(x-1)/2, int32(x-1)
	}
	if r.meshY {
		s.Link[ubY], npu.Ports[ubY] = n*(y-1)/2, int32(y-1)
	}
	s.EndpointPorts = npu.Ports[ubNic] + npu.Ports[ubX] + npu.Ports[ubY]
	s.EndpointLanes = npu.Ports[ubNic]*int32(r.up) + npu.Ports[ubX]*int32(d.lx()) + npu.Ports[ubY]*int32(d.ly())
	s.Link[ubZ], s.Link[ubW] = lrs*int64(d.z()-1)/2, lrs*int64(d.w()-1)/2
	per := int32(r.planes * r.perPlane)
	s.Lanes[ubNic], s.Lanes[ubX], s.Lanes[ubY], s.Lanes[ubHubLink] = int32(max(1, r.up)), int32(d.lx()), int32(d.ly()), int32(max(1, r.hubLanes))
	s.Lanes[ubZ], s.Lanes[ubW] = max(1, int32(d.lz())/per), max(1, int32(d.lw())/per)
	npu.Count, low.Count, hub.Count = n, lrs, racks*int64(r.planes*r.hubs)
	low.Ports[ubNic], low.Ports[ubHubLink], low.Ports[ubZ], low.Ports[ubW] = int32(r.members), int32(r.hubs), int32(d.z()-1), int32(d.w()-1)
	hub.Ports[ubHubLink] = int32(r.perPlane)
	if d.pods() == 1 {
		return
	}
	q, c := ubUplinks(v)
	s.Link[ubHRSLink] = lrs * int64(c)
	s.Lanes[ubHRSLink] = int32(max(1, ubLeft(v)/c))
	low.Ports[ubHRSLink] = int32(c)
	s.Switch[ubHRS].Count = int64(r.planes * (r.perPlane / q) * c)
	s.Switch[ubHRS].Ports[ubHRSLink] = int32(racks) * int32(q)
}
