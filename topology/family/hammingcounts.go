package family

import "toposearch/topology"

// hammingmeshParams are the parameters of hammingmesh by name.
type hammingmeshParams []int

func (v hammingmeshParams) a() int { return v[0] }
func (v hammingmeshParams) b() int { return v[1] }
func (v hammingmeshParams) x() int { return v[2] }
func (v hammingmeshParams) y() int { return v[3] }
func (v hammingmeshParams) k() int { return v[4] }

// side is the accelerators of a board along dimension d, and boards the boards of a line along it.
func (v hammingmeshParams) side(d int) int   { return v[d] }
func (v hammingmeshParams) boards(d int) int { return v[2+d] }

// Link and switch classes of hammingmesh.
const (
	hammingNic = iota + 1
	hammingBoardX
	hammingBoardY
	hammingRowUp
	hammingColumnUp
)

const (
	hammingRow = iota
	hammingRowSpine
	hammingColumn
	hammingColumnSpine
	hammingNPU
)

// line is the network of a row or column: its leaves, spines, and links from a leaf to a spine.
// A single switch has no spines.
func line(boards, k int) (leaves, spines, e int) {
	if 2*boards <= k {
		return 1, 0, 0
	}
	leaves = (4*boards + k - 1) / k
	e = parallel(int64(k/2), leaves, k)
	return leaves, max(1, k/2) / e, e
}

func checkLine(name string, boards, k int, s *topology.Size) error {
	switch {
	case 2*boards <= k:
		return nil
	case k%4 != 0:
		return s.Fail("k", k, "4 divides k where 2x or 2y exceeds it", k+4-k%4)
	case 4*boards%k != 0:
		return s.Fail(name, boards, "k/4 divides x and y above k/2: leaves are full", boards-boards%(k/4))
	case 4*boards > k*k:
		return s.Fail(name, boards, "x and y <= k*k/4", k*k/4)
	}
	return nil
}

func countHamming(v []int, s *topology.Size) {
	d := hammingmeshParams(v)
	a, b, x, y, k := int64(d.a()), int64(d.b()), int64(d.x()), int64(d.y()), d.k()
	s.Endpoints = a * b * x * y
	s.EndpointPorts, s.EndpointLanes = 4, 4
	s.Link[0], s.Link[hammingNic] = s.Endpoints, 2*x*y*(a+b)
	s.Link[hammingBoardX], s.Link[hammingBoardY] = x*y*(a-1)*b, x*y*a*(b-1)
	npu := &s.Switch[hammingNPU]
	npu.Count = s.Endpoints
	npu.Ports[0] = 1
	npu.Ports[hammingBoardX], npu.Ports[hammingBoardY] = int32(min(a-1, 2)), int32(min(b-1, 2))
	npu.Ports[hammingNic] = edgePorts(d.a()) + edgePorts(d.b())
	countLine(d.x(), y*b, k, hammingRow, hammingRowUp, s)
	countLine(d.y(), x*a, k, hammingColumn, hammingColumnUp, s)
	// The lines of a board row share boxes, which stand beside it, and all columns those in the middle.
	for i := range 2 {
		s.Switch[hammingRow+i].Together = s.Switch[hammingRow+i].Count / y
		s.Switch[hammingColumn+i].Together = s.Switch[hammingColumn+i].Count
	}
}

// edgePorts is the most ports that an accelerator has on the networks of a dimension.
func edgePorts(side int) int32 {
	if side == 1 {
		return 2
	}
	return 1
}

// countLine counts n networks of a dimension.
func countLine(boards int, n int64, k, leaf, up int, s *topology.Size) {
	leaves, spines, e := line(boards, k)
	s.Switch[leaf].Count, s.Switch[leaf+1].Count = n*int64(leaves), n*int64(spines)
	s.Switch[leaf].Ports[hammingNic] = int32(min(2*boards, k))
	if spines > 0 {
		s.Switch[leaf].Ports[hammingNic], s.Switch[leaf].Ports[up] = int32(k/2), int32(k/2)
		s.Switch[leaf+1].Ports[up] = int32(leaves * e)
		s.Link[up] = n * int64(leaves) * int64(k/2)
	}
}

// boundHamming: what boards hold is monotone but for nic ports; networks are bounded by the ports
// that they serve and those of a switch.
func boundHamming(lo, hi []int, bl, bh *topology.Size) {
	from, upto := hammingmeshParams(lo), hammingmeshParams(hi)
	countHamming(lo, bl)
	countHamming(hi, bh)
	bl.Switch[hammingNPU].Ports[hammingNic] = edgePorts(upto.a()) + edgePorts(upto.b())
	bh.Switch[hammingNPU].Ports[hammingNic] = edgePorts(from.a()) + edgePorts(from.b())
	if from.k() == upto.k() && from.x() == upto.x() && from.y() == upto.y() {
		return
	}
	for d, leaf := range []int{hammingRow, hammingColumn} {
		up := hammingRowUp + d
		nets := span{int64(from.boards(1-d) * from.side(1-d)), int64(upto.boards(1-d) * upto.side(1-d))}
		boards, k := span{int64(from.boards(d)), int64(upto.boards(d))}, span{int64(from.k()), int64(upto.k())}
		single := 2*boards.hi <= k.lo // all networks are one switch
		tree := 2*boards.lo > k.hi    // all are trees
		leaves := span{max(1, 4*boards.lo/k.hi), (4*boards.hi + k.lo - 1) / k.lo}
		if !tree {
			leaves.lo = 1
		}
		if single {
			leaves.hi = 1
		}
		low, high := &bl.Switch[leaf], &bh.Switch[leaf]
		low.Count, high.Count = nets.lo*leaves.lo, nets.hi*leaves.hi
		low.Ports[hammingNic], high.Ports[hammingNic] = int32(min(2*boards.lo, max(1, k.lo/2))), int32(min(2*boards.hi, k.hi))
		low.Ports[up], high.Ports[up] = 0, int32(k.hi/2)
		bl.Switch[leaf+1].Ports[up], bh.Switch[leaf+1].Ports[up] = 0, int32(k.hi)
		bl.Switch[leaf+1].Count, bh.Switch[leaf+1].Count = 0, nets.hi*(k.hi/2)
		bl.Link[up], bh.Link[up] = 0, nets.hi*leaves.hi*(k.hi/2)
		if tree {
			bl.Link[up] = nets.lo * 2 * boards.lo
			bl.Switch[leaf+1].Count = nets.lo
		}
		if single {
			high.Ports[up], bh.Switch[leaf+1].Count, bh.Link[up] = 0, 0, 0
		}
	}
}
