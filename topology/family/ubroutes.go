package family

import "toposearch/topology"

// ubRule: 0 at the source, 1 after X, 2 after Y, 3 at an LRS of the source's rack, 4 after z, 5
// after w, 6 at an HRS, 7 at an LRS after it, 8 down at an NPU.
var ubRule = topology.Rule{Name: "dor", States: 9, Steps: []topology.Step{
	{From: 0, Kind: topology.Kind{Link: ubX, From: ubNPU, To: ubNPU}, To: 1},
	{From: 0, Kind: topology.Kind{Link: ubY, From: ubNPU, To: ubNPU}, To: 2},
	{From: 1, Kind: topology.Kind{Link: ubY, From: ubNPU, To: ubNPU}, To: 2},
	{From: 0, Kind: topology.Kind{Link: ubNic, From: ubNPU, To: ubLRS}, To: 3},
	{From: 2, Kind: topology.Kind{Link: ubNic, From: ubNPU, To: ubLRS}, To: 3},
	{From: 3, Kind: topology.Kind{Link: ubZ, From: ubLRS, To: ubLRS}, To: 4},
	{From: 3, Kind: topology.Kind{Link: ubW, From: ubLRS, To: ubLRS}, To: 5},
	{From: 4, Kind: topology.Kind{Link: ubW, From: ubLRS, To: ubLRS}, To: 5},
	{From: 3, Kind: topology.Kind{Link: ubHRSLink, From: ubLRS, To: ubHRS}, To: 6},
	{From: 6, Kind: topology.Kind{Link: ubHRSLink, From: ubHRS, To: ubLRS}, To: 7},
	{From: 4, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
	{From: 5, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
	{From: 7, Kind: topology.Kind{Link: ubNic, From: ubLRS, To: ubNPU}, To: 8},
}}

// ubRoutes collects the types of ubPaths: crossings by class, weights per source.
type ubRoutes struct {
	p *topology.Paths
	n int64
}

func (r ubRoutes) add(weight int64, nic, x, y, z, w, hrs int16) {
	var c [topology.MaxClasses]int16
	c[0], c[ubNic], c[ubX], c[ubY], c[ubZ], c[ubW], c[ubHRSLink] = 2, nic, x, y, z, w, hrs
	r.p.Add(r.n*weight, c)
}

// ubPaths: an NPU of another rack is reached from its own board's LRSs, so a packet changes boards
// first (Y) if it must. Racks that differ along both z and w are as near over an HRS as directly;
// the c links to HRSs and the one along z share equally. An HRS also leads to the other q-1
// boards that it serves, which saves the Y hop: to a rack next along z or w that is as near as
// changing boards, and the four links up and the one along Y share equally. So the Y links are
// unevenly loaded.
func ubPaths(v []int, p *topology.Paths) bool {
	p.Reset()
	x, y, z, w, pods := int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3]), int64(v[4])
	q, c := int64(1), int64(0)
	if pods > 1 {
		a, b := ubUplinks(v)
		q, c = int64(a), int64(b)
	}
	r := ubRoutes{p: p, n: x * y * z * w * pods * (1 + c) * (1 + ubPlanes) * q}
	r.add(x-1, 0, 1, 0, 0, 0, 0)
	r.add(y-1, 0, 0, 1, 0, 0, 0)
	r.add((x-1)*(y-1), 0, 1, 1, 0, 0, 0)
	for _, way := range []struct {
		racks int64
		z, w  int16
	}{{z - 1, 1, 0}, {w - 1, 0, 1}} {
		r.add(way.racks*x, 2, 0, 0, way.z, way.w, 0)
		r.add(way.racks*x*(y-q), 2, 0, 1, way.z, way.w, 0)
		tie := ubRoutes{p: p, n: r.n / (1 + ubPlanes)}
		tie.add(way.racks*x*(q-1), 2, 0, 1, way.z, way.w, 0)
		tie.add(way.racks*x*(q-1)*ubPlanes, 2, 0, 0, 0, 0, 2)
	}
	both, far := (z-1)*(w-1), (pods-1)*z*w
	// In units of a share: one of 1+c goes directly.
	share := r
	share.n /= 1 + c
	share.add(both*x, 2, 0, 0, 1, 1, 0)
	share.add(both*x*c, 2, 0, 0, 0, 0, 2)
	// A board that shares the destination's HRSs will do as well as its own, for the way over an HRS.
	part := share
	part.n /= q
	part.add(both*x*(y-q), 2, 0, 1, 1, 1, 0)
	part.add(both*x*(y-q)*(q*(1+c)-1), 2, 0, 1, 0, 0, 2)
	r.add(both*x*(q-1), 2, 0, 0, 0, 0, 2)
	r.add(far*x*q, 2, 0, 0, 0, 0, 2)
	r.add(far*x*(y-q), 2, 0, 1, 0, 0, 2)
	if y > 1 && q > 1 && q < y {
		// Pairs on a Y link over x, times five: to a board of the same HRSs, and to another.
		near, other := 1+ubPlanes+z-1+w-1, (1+ubPlanes)*z*w*pods
		p.Peak[ubY] = float64(other*(y-1)) / float64((q-1)*near+(y-q)*other)
	}
	return true
}

// Racks stand pod by pod, along z, then w; LRSs and hubs rack by rack, plane by plane; HRSs plane
// by plane, by boards served; NPUs rack by rack, board by board.
func wireUB(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	x, y, z, w, pods := v[0], v[1], v[2], v[3], v[4]
	var s topology.Size
	countUB(v, &s)
	hub := int(s.Switch[ubLRS].Count)
	hrs := hub + int(s.Switch[ubHub].Count)
	npu := hrs + int(s.Switch[ubHRS].Count)
	lrs := func(rack, plane, j int) topology.SwitchID { return topology.SwitchID((rack*ubPlanes+plane)*y + j) }
	q, c := ubUplinks(v)
	for rack := range z * w * pods {
		wireRack(x, y, npu+rack*x*y, emit)
		for plane := range ubPlanes {
			for j := range y {
				at := lrs(rack, plane, j)
				for i := range x {
					emit(ubNic, topology.SwitchID(npu+(rack*y+j)*x+i), at)
				}
				for t := range ubHubs {
					emit(ubHubLink, at, topology.SwitchID(hub+(rack*ubPlanes+plane)*ubHubs+t))
				}
				for other := rack + w; other/w%z > rack/w%z && other < z*w*pods; other += w {
					emit(ubZ, at, lrs(other, plane, j))
				}
				for other := rack + 1; other%w > rack%w; other++ {
					emit(ubW, at, lrs(other, plane, j))
				}
				for t := range c {
					if pods > 1 {
						emit(ubHRSLink, at, topology.SwitchID(hrs+(plane*(y/q)+j/q)*c+t))
					}
				}
			}
		}
	}
}

// wireRack joins the NPUs of a rack, the first of which is switch `first`.
func wireRack(x, y, first int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	for j := range y {
		for i := range x {
			at := topology.SwitchID(first + j*x + i)
			for k := i + 1; k < x; k++ {
				emit(ubX, at, topology.SwitchID(first+j*x+k))
			}
			for k := j + 1; k < y; k++ {
				emit(ubY, at, topology.SwitchID(first+k*x+i))
			}
		}
	}
}
