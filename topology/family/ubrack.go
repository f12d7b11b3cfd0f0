package family

import "toposearch/topology"

// ubmeshParams are the parameters of ubmesh by name.
type ubmeshParams []int

func (v ubmeshParams) x() int     { return v[0] }
func (v ubmeshParams) y() int     { return v[1] }
func (v ubmeshParams) z() int     { return v[2] }
func (v ubmeshParams) w() int     { return v[3] }
func (v ubmeshParams) pods() int  { return v[4] }
func (v ubmeshParams) lx() int    { return v[5] }
func (v ubmeshParams) ly() int    { return v[6] }
func (v ubmeshParams) lz() int    { return v[7] }
func (v ubmeshParams) lw() int    { return v[8] }
func (v ubmeshParams) rack() int  { return v[9] }
func (v ubmeshParams) spare() int { return v[10] }

// Classes of ubmesh.
const (
	ubNic = iota + 1
	ubX
	ubY
	ubHubLink
	ubZ
	ubW
	ubHRSLink
	ubSpareLink
)

const (
	ubLRS = iota
	ubHub
	ubHRS
	ubNPU
	ubSpare
)

// Hardware of the paper.
const (
	rackLanes = 128 // between two racks
	npuLanes  = 72  // of an NPU, and of an LRS
	hrsLanes  = 512 // of an HRS
	ubPlanes  = 4   // a rack exports four times 256 lanes
	maxOut    = 256 // most lanes of a switch of a rack outwards
)

// Choices of ubmesh's parameter rack.
const (
	ub2D = iota
	ub1DA
	ub1DB
	ubClos
)

// ubRack is the inside of a rack.
//
// 2dfm: full meshes inside boards and across them (lx and ly lanes a pair); the lanes that are left
// of an NPU's 72 lead in equal parts to four planes, in each to the LRS of its board, which has as
// many lanes outwards. Four hubs a plane join its LRSs by two lanes each and serve CPUs and the spare
// NPU: 48 LRSs of 72 lanes in a rack of 8 boards.
//
// 1dfma: full meshes inside boards only; the LRSs, one per plane and column, join the NPUs of a
// column and lead outwards. One hub a plane, 8 lanes each: 36 LRSs in a rack of 8 columns.
//
// 1dfmb: full meshes inside boards only; each NPU has a link to each of 8 HRSs, half of whose 512
// lanes lead outwards: 32 lanes of an NPU for the 16 of the others.
//
// clos: each NPU has one lane to each of 72 LRSs, which have 8 lanes outwards.
//
// A spare NPU hangs on every switch that leads outwards, so that all NPUs reach it, and it all racks, over one of them, as the paper
// draws it: by as many lanes as divide its 72 evenly and as these switches have left once their links to hubs have half
// of their lanes.
type ubRack struct {
	planes, perPlane int // switches of the rack that lead outwards
	up               int // lanes from an NPU to a switch
	ports            int // switches that an NPU is linked to
	members          int // NPUs that a switch is linked to
	out              int // lanes of a switch outwards
	hubs, hubLanes   int // hubs of a plane, and lanes to each
	spare            int // lanes of a switch to the spare NPU; none or less: there is no room
	meshX, meshY     bool
}

func ubRackOf(v []int) ubRack {
	d := ubmeshParams(v)
	x, y := d.x(), d.y()
	r := ubRack{planes: ubPlanes, ports: ubPlanes, meshX: true}
	switch d.rack() {
	case ub2D:
		r.perPlane, r.members, r.meshY, r.hubs, r.hubLanes = y, x, true, 4, 2
		r.up = (npuLanes - (x-1)*d.lx() - (y-1)*d.ly()) / ubPlanes
	case ub1DA:
		r.perPlane, r.members, r.hubs, r.hubLanes = x, y, 1, 8
		r.up = min(32/y, (npuLanes-(x-1)*d.lx())/ubPlanes)
	case ub1DB:
		r.planes, r.perPlane, r.ports, r.members = 1, 8, 8, x*y
		r.up = min(hrsLanes/2/(x*y), (npuLanes-(x-1)*d.lx())/8)
	default:
		r.planes, r.perPlane, r.ports, r.members = 1, npuLanes, npuLanes, x*y
		r.meshX, r.up = false, 1
	}
	r.out = r.members * r.up
	lanes := npuLanes // of a switch
	switch d.rack() {
	case ub1DB:
		lanes = hrsLanes
	case ubClos:
		r.out = 8
	}
	if d.spare() > 0 {
		r.hubLanes /= 2
		r.spare = min(npuLanes/(r.planes*r.perPlane), lanes-r.members*r.up-r.out-r.hubs*r.hubLanes)
	}
	return r
}

// fits tells whether the lanes of an NPU and of the switches of its rack suffice.
func (r *ubRack) fits(v []int) bool {
	d := ubmeshParams(v)
	if d.spare() > 0 && r.spare < 1 {
		return false
	}
	switch d.rack() {
	case ub2D:
		rest := npuLanes - (d.x()-1)*d.lx() - (d.y()-1)*d.ly()
		return rest >= ubPlanes && rest%ubPlanes == 0 && 2*r.out+r.hubs*r.hubLanes <= npuLanes
	case ubClos:
		return r.members <= npuLanes-r.out
	}
	return r.up >= 1
}

// member tells whether switch s of a plane is linked to the NPU in place i of board j.
func (r *ubRack) member(kind, s, i, j int) bool {
	switch kind {
	case ub2D:
		return s == j
	case ub1DA:
		return s == i
	}
	return true
}

// checkRack names what is too much for the lanes of a rack.
func checkRack(v []int, s *topology.Size) error {
	d := ubmeshParams(v)
	x, y := d.x(), d.y()
	r := ubRackOf(v)
	if r.fits(v) {
		return nil
	}
	rest := npuLanes - (x-1)*d.lx()
	if d.rack() == ub2D {
		rest -= (y - 1) * d.ly()
	}
	without := append(make([]int, 0, 11), v...)
	without[10] = 0
	bare := ubRackOf(without)
	switch {
	case bare.fits(without):
		return s.Fail("spare", d.spare(), "every switch of a rack has a lane left for the spare NPU; with rack=1dfmb or clos x*y <= 63", 0)
	case d.rack() == ubClos:
		return s.Fail("x", x, "x*y <= 64, the lanes of an LRS inwards", max(1, 64/y))
	case d.rack() == ub2D && rest < ubPlanes && y > 1:
		return s.Fail("ly", d.ly(), "(x-1)*lx + (y-1)*ly <= 68 of 72 lanes", nearestLanes(v, 6))
	case rest < ubPlanes:
		return s.Fail("lx", d.lx(), "(x-1)*lx <= 68 of 72 lanes; 64 for 1dfmb", nearestLanes(v, 5))
	case d.rack() == ub2D && rest%ubPlanes != 0:
		return s.Fail("lx", d.lx(), "4 divides (x-1)*lx + (y-1)*ly", nearestLanes(v, 5))
	}
	return s.Fail("x", x, "the NPUs of a switch use at most half of its lanes", nearestLanes(v, 0))
}

// nearestLanes is the value of parameter i nearest to the given one for which the lanes fit; 1 if
// there is none.
func nearestLanes(v []int, i int) int {
	var try [11]int
	copy(try[:], v)
	for d := range npuLanes + 1 {
		for _, try[i] = range [2]int{v[i] - d, v[i] + d} {
			if try[i] < 1 {
				continue
			}
			if r := ubRackOf(try[:]); r.fits(try[:]) {
				return try[i]
			}
		}
	}
	return 1
}

// ubLeft is the number of lanes of a switch of a rack that lead to no other rack of the pod.
func ubLeft(v []int) int {
	d := ubmeshParams(v)
	r := ubRackOf(v)
	per := r.planes * r.perPlane
	return r.out - (d.z()-1)*d.lz()/per - (d.w()-1)*d.lw()/per
}

// ubUplinks: an HRS serves q switches of a plane of every rack, q the largest divisor of the plane
// that its lanes allow; if they do not even suffice for one, each switch of a rack spreads its
// lanes over c HRSs, c the smallest divisor that fits.
func ubUplinks(v []int) (q, c int) {
	d := ubmeshParams(v)
	r := ubRackOf(v)
	racks, left := d.z()*d.w()*d.pods(), ubLeft(v)
	for q = r.perPlane; q > 1; q-- {
		if r.perPlane%q == 0 && racks*left*q <= hrsLanes {
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
