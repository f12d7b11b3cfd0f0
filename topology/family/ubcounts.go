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

// emptyUB tells whether the box certainly holds no network: too many lanes of an NPU or of an HRS
// even at the lower ends.
func emptyUB(lo, hi []int) bool {
	low, high := ubmeshParams(lo), ubmeshParams(hi)
	meshes := 0
	if high.rack() < ubClos {
		meshes += (low.x() - 1) * low.lx()
	}
	if high.rack() == ub2D {
		meshes += (low.y() - 1) * low.ly()
		if low.x()*(npuLanes-(high.x()-1)*high.lx()-(high.y()-1)*high.ly()) > ubPlanes*32 {
			return true // too many lanes left for the LRS of a board
		}
	}
	return meshes > npuLanes-ubPlanes || low.pods() > 1 && low.z()*low.w()*low.pods() > hrsLanes
}

// boundUB: NPUs and racks are monotone; the rest is bounded by what NPUs, switches of a rack and
// HRSs have.
func boundUB(lo, hi []int, bl, bh *topology.Size) {
	low, high := ubmeshParams(lo), ubmeshParams(hi)
	if emptyUB(lo, hi) {
		return
	}
	first := true
	for kind := low.rack(); kind <= high.rack(); kind++ {
		var x, y topology.Size
		x.Reset(bl.Family)
		y.Reset(bh.Family)
		boundRackKind(kind, lo, hi, &x, &y)
		if first {
			*bl, *bh, first = x, y, false
		} else {
			joinSizes(bl, &x, bh, &y)
		}
	}
}

// boundRackKind encloses the designs of one kind of rack.
func boundRackKind(kind int, lo, hi []int, bl, bh *topology.Size) {
	from, upto := ubmeshParams(lo), ubmeshParams(hi)
	var a, b [11]int
	copy(a[:], lo)
	copy(b[:], hi)
	a[9], b[9] = kind, kind
	// The largest board of a box may be no rack; 32 lanes are the most of an LRS inwards.
	countUB(a[:], bl)
	countUB(b[:], bh)
	if a == b {
		return
	}
	r := ubRackOf(a[:])
	least := int32(r.planes * r.perPlane)
	bl.Lanes[ubNic], bh.Lanes[ubNic] = 1, npuLanes
	bl.EndpointLanes, bh.EndpointLanes = 1, npuLanes
	bl.Lanes[ubZ], bh.Lanes[ubZ] = 1, max(1, int32(upto.lz())/least)
	bl.Lanes[ubW], bh.Lanes[ubW] = 1, max(1, int32(upto.lw())/least)
	bl.Lanes[ubHRSLink], bh.Lanes[ubHRSLink] = 1, maxOut
	if upto.spare() > 0 { // for which hubs have fewer lanes
		bl.Lanes[ubHubLink], bh.Lanes[ubHubLink] = min(bl.Lanes[ubHubLink], bh.Lanes[ubHubLink]), max(bl.Lanes[ubHubLink], bh.Lanes[ubHubLink])
		bl.Lanes[ubSpareLink], bh.Lanes[ubSpareLink] = 1, npuLanes
	}
	low, high := &bl.Switch[ubHRS], &bh.Switch[ubHRS]
	low.Count, low.Ports[ubHRSLink] = 0, 0
	bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = 0, 0
	if from.pods() > 1 {
		low.Count, bl.Switch[ubLRS].Ports[ubHRSLink], bl.Link[ubHRSLink] = 1, 1, bl.Switch[ubLRS].Count
		low.Ports[ubHRSLink] = int32(from.z() * from.w() * from.pods()) // it reaches every rack
	}
	if upto.pods() > 1 {
		high.Count, high.Ports[ubHRSLink] = bh.Switch[ubLRS].Count*maxOut, hrsLanes
		bh.Switch[ubLRS].Ports[ubHRSLink], bh.Link[ubHRSLink] = maxOut, bh.Switch[ubLRS].Count*maxOut
	}
}
