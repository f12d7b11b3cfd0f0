package family

import "toposearch/topology"

var ubClasses = []topology.SwitchClass{
	{Name: "lrs", Doc: "switch of a rack that leads to others: low-radix, in a 1dfmb rack high-radix"},
	{Name: "hub", Doc: "low-radix switch that joins those of a plane and serves CPUs and the spare"},
	{Name: "hrs", Doc: "high-radix switch between pods"},
	{Name: "npu", Doc: "forwarding part of an NPU", Embedded: true, OnChip: true},
	{Name: "spare", Doc: "spare NPU of a rack, idle until another fails", Embedded: true, OnChip: true, StandsIn: true},
}

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
	if d.spare() > 0 {
		spare := &s.Switch[ubSpare]
		spare.Count, spare.Ports[ubSpareLink] = racks, per
		s.Link[ubSpareLink], s.Lanes[ubSpareLink], low.Ports[ubSpareLink] = lrs, max(1, int32(r.spare)), 1
	}
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

// boundUB: NPUs and racks are monotone; lanes follow from the corners of each kind of rack, those of HRSs from what they have.
func boundUB(lo, hi []int, bl, bh *topology.Size) {
	low, high := ubmeshParams(lo), ubmeshParams(hi)
	first := true
	for kind := low.rack(); kind <= high.rack(); kind++ {
		b := ubBoxOf(kind, lo, hi)
		if b.empty() {
			continue
		}
		if first {
			b.bound(bl, bh)
			first = false
			continue
		}
		var x, y topology.Size
		x.Reset(bl.Family)
		y.Reset(bh.Family)
		b.bound(&x, &y)
		joinSizes(bl, &x, bh, &y)
	}
}

// ubBox is the designs of one kind of rack between two corners.
type ubBox struct {
	a, b       [11]int
	from, upto ubRack // at these
	up, left   ubSpan // lanes from an NPU to a switch, and of a switch beyond those to other racks of the pod; negative where there are too few
	meshes     ubSpan // lanes of an NPU to others
}

// ubSpan is the least and the most of a number.
type ubSpan struct{ lo, hi int }

func ubBoxOf(kind int, lo, hi []int) (x ubBox) {
	copy(x.a[:], lo)
	copy(x.b[:], hi)
	x.a[9], x.b[9] = kind, kind
	x.from, x.upto = ubRackOf(x.a[:]), ubRackOf(x.b[:])
	low, high := ubmeshParams(x.a[:]), ubmeshParams(x.b[:])
	if x.from.meshX {
		x.meshes = ubSpan{(low.x() - 1) * low.lx(), (high.x() - 1) * high.lx()}
	}
	if x.from.meshY {
		x.meshes.lo, x.meshes.hi = x.meshes.lo+(low.y()-1)*low.ly(), x.meshes.hi+(high.y()-1)*high.ly()
	}
	x.up = ubSpan{max(1, x.upto.up), x.from.up} // the more NPUs and lanes between them, the fewer are left
	out := ubSpan{x.from.members * x.up.lo, x.upto.members * x.up.hi}
	switch kind {
	case ub2D:
		out.hi = min(out.hi, (npuLanes-x.upto.hubs*x.upto.hubLanes)/2) // as fits asks
	case ub1DA:
		out.hi = min(out.hi, 32)
	case ub1DB:
		out.hi = min(out.hi, hrsLanes/2)
	default:
		out = ubSpan{8, 8}
	}
	least, most := x.from.planes*x.from.perPlane, x.upto.planes*x.upto.perPlane
	x.left = ubSpan{out.lo - (high.z()-1)*high.lz()/least - (high.w()-1)*high.lw()/least, out.hi - (low.z()-1)*low.lz()/most - (low.w()-1)*low.lw()/most}
	return x
}

// empty tells whether the box certainly holds no network: too many lanes of an NPU, of a switch or of an HRS even at the corner where they are fewest,
// or numbers of lanes that do not divide.
func (x *ubBox) empty() bool {
	low, high := ubmeshParams(x.a[:]), ubmeshParams(x.b[:])
	switch kind := low.rack(); {
	case kind == ubClos && x.from.members > npuLanes-8:
		return true
	case kind != ubClos && (x.from.up < 1 || x.meshes.lo > npuLanes-ubPlanes):
		return true
	case kind == ub2D && 2*x.from.members*x.up.lo > npuLanes-x.upto.hubs*x.upto.hubLanes:
		return true // too many lanes left for the LRS of a board
	case kind == ub2D && x.meshes.lo == x.meshes.hi && (npuLanes-x.meshes.lo)%ubPlanes != 0:
		return true
	case x.left.hi < 0 || low.pods() > 1 && (x.left.hi < 1 || low.z()*low.w()*low.pods() > hrsLanes):
		return true
	}
	per := ubSpan{x.from.planes * x.from.perPlane, x.upto.planes * x.upto.perPlane}
	undivided := func(racks, lo, hi int) bool {
		return racks > 1 && (hi < per.lo || per.lo == per.hi && hi/per.hi*per.hi < lo)
	}
	return undivided(low.z(), low.lz(), high.lz()) || undivided(low.w(), low.lw(), high.lw())
}

// bound encloses its counts.
func (x *ubBox) bound(bl, bh *topology.Size) {
	countUB(x.a[:], bl)
	countUB(x.b[:], bh)
	if x.a == x.b {
		return
	}
	low, high := ubmeshParams(x.a[:]), ubmeshParams(x.b[:])
	least, most := x.from.planes*x.from.perPlane, x.upto.planes*x.upto.perPlane
	bl.Lanes[ubNic], bh.Lanes[ubNic] = int32(x.up.lo), int32(x.up.hi)
	bl.EndpointLanes, bh.EndpointLanes = int32(x.from.ports*x.up.lo+x.meshes.lo), int32(min(npuLanes, x.from.ports*x.up.hi+x.meshes.hi))
	if low.rack() == ub2D { // none of its lanes is idle
		bl.EndpointLanes, bh.EndpointLanes = npuLanes, npuLanes
	}
	bl.Lanes[ubZ], bh.Lanes[ubZ] = int32(max(1, low.lz()/most)), int32(max(1, high.lz()/least))
	bl.Lanes[ubW], bh.Lanes[ubW] = int32(max(1, low.lw()/most)), int32(max(1, high.lw()/least))
	if high.spare() > 0 { // for which hubs have fewer lanes
		bl.Lanes[ubHubLink], bh.Lanes[ubHubLink] = min(bl.Lanes[ubHubLink], bh.Lanes[ubHubLink]), max(bl.Lanes[ubHubLink], bh.Lanes[ubHubLink])
		bl.Lanes[ubSpareLink], bh.Lanes[ubSpareLink] = 1, npuLanes
	}
	x.boundHRS(bl, bh)
}

// boundHRS encloses what joins pods. As racks*left*q/c is at most the lanes of an HRS, in a plane there are at least as many HRSs as that takes.
func (x *ubBox) boundHRS(bl, bh *topology.Size) {
	low, high := ubmeshParams(x.a[:]), ubmeshParams(x.b[:])
	least, most := &bl.Switch[ubHRS], &bh.Switch[ubHRS]
	least.Count, least.Ports[ubHRSLink] = 0, 0
	bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = 0, 0
	bl.Lanes[ubHRSLink], bh.Lanes[ubHRSLink] = 1, maxOut
	if high.pods() == 1 {
		return
	}
	left := ubSpan{max(1, x.left.lo), max(1, x.left.hi)}
	racks := ubSpan{low.z() * low.w() * max(2, low.pods()), high.z() * high.w() * high.pods()}
	c := ubSpan{(racks.lo*left.lo + hrsLanes - 1) / hrsLanes, left.hi}
	if racks.hi*left.hi <= hrsLanes {
		c.hi = 1
	}
	most.Count = int64(x.upto.planes * x.upto.perPlane * c.hi)
	most.Ports[ubHRSLink] = int32(max(min(racks.hi*x.upto.perPlane, hrsLanes/left.lo), min(racks.hi, hrsLanes)))
	bh.Switch[ubLRS].Ports[ubHRSLink], bh.Link[ubHRSLink] = int32(c.hi), bh.Switch[ubLRS].Count*int64(c.hi)
	bh.Lanes[ubHRSLink] = int32(max(1, min(left.hi/c.lo, hrsLanes/racks.lo)))
	if low.pods() == 1 {
		return
	}
	least.Count = int64(x.from.planes * max(c.lo, (x.from.perPlane*racks.lo*left.lo+hrsLanes-1)/hrsLanes))
	least.Ports[ubHRSLink] = int32(racks.lo) // it reaches every rack
	bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = int32(c.lo), bl.Switch[ubLRS].Count*int64(c.lo)
	if c.hi == 1 {
		bl.Lanes[ubHRSLink] = int32(left.lo)
	}
}
