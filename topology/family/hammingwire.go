package family

import "toposearch/topology"

// hammingFirst gives the first switch of each class.
func hammingFirst(v []int) [hammingNPU + 1]int64 {
	var s topology.Size
	countHamming(v, &s)
	var first [hammingNPU + 1]int64
	for i := 1; i <= hammingNPU; i++ {
		first[i] = first[i-1] + s.Switch[i-1].Count
	}
	return first
}

// Accelerators stand board by board, boards by board row; a board's accelerators by rows. Row
// networks stand by board row, then by row of the board; column networks by board column, then
// by column of the board.
func wireHamming(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	a, b, x, y := v[0], v[1], v[2], v[3]
	first := hammingFirst(v)
	npu := func(bx, by, i, j int) topology.SwitchID {
		return topology.SwitchID(int(first[hammingNPU]) + ((by*x+bx)*b+j)*a + i)
	}
	for by := range y {
		for bx := range x {
			for j := range b {
				for i := range a {
					if i+1 < a {
						emit(hammingBoardX, npu(bx, by, i, j), npu(bx, by, i+1, j))
					}
					if j+1 < b {
						emit(hammingBoardY, npu(bx, by, i, j), npu(bx, by, i, j+1))
					}
				}
			}
		}
	}
	for by := range y {
		for j := range b {
			wireLine(v, first, 0, by*b+j, emit, func(board int) (lo, hi topology.SwitchID) { return npu(board, by, 0, j), npu(board, by, a-1, j) })
		}
	}
	for bx := range x {
		for i := range a {
			wireLine(v, first, 1, bx*a+i, emit, func(board int) (lo, hi topology.SwitchID) { return npu(bx, board, i, 0), npu(bx, board, i, b-1) })
		}
	}
}

// wireLine wires network n of dimension d (0: x, 1: y); ends gives the accelerators at both edges of a board.
func wireLine(v []int, first [hammingNPU + 1]int64, d, n int, emit func(int, topology.SwitchID, topology.SwitchID),
	ends func(board int) (lo, hi topology.SwitchID)) {
	x := hammingmeshParams(v)
	boards, k := x.boards(d), x.k()
	leaves, spines, e := line(boards, k)
	leaf := topology.SwitchID(int(first[hammingRow+2*d]) + n*leaves)
	spine := topology.SwitchID(int(first[hammingRowSpine+2*d]) + n*spines)
	per := 2 * boards / leaves // ports of a leaf towards boards
	for board := range boards {
		lo, hi := ends(board)
		at := leaf + topology.SwitchID(2*board/per)
		emit(hammingNic, lo, at)
		emit(hammingNic, hi, at)
	}
	for i := range leaves {
		for j := range spines * e {
			emit(hammingRowUp+d, leaf+topology.SwitchID(i), spine+topology.SwitchID(j/e))
		}
	}
}

// orbitsHamming: boards are equivalent, and a board may be mirrored in x and in y.
func orbitsHamming(v []int) topology.Symmetry {
	x := hammingmeshParams(v)
	var s topology.Size
	countHamming(v, &s)
	first := hammingFirst(v)
	var o topology.Symmetry
	// Networks of the same dimension are alike up to the mirror image of their row of the board.
	for d, side := range []int{x.b(), x.a()} {
		leaves, spines, _ := line(x.boards(d), x.k())
		for c, per := range []int{leaves, spines} {
			class := hammingRow + 2*d + c
			for j := 0; 2*j < side && per > 0; j++ {
				o.Switches = append(o.Switches, topology.Orbit{
					Rep: int32(first[class]) + int32(j*per), Count: s.Switch[class].Count / int64(side) * mirrors(j, side),
				})
			}
		}
	}
	for j := 0; 2*j < x.b(); j++ {
		for i := 0; 2*i < x.a(); i++ {
			count := s.Endpoints / int64(x.a()*x.b()) * mirrors(i, x.a()) * mirrors(j, x.b())
			o.Switches = append(o.Switches, topology.Orbit{Rep: int32(first[hammingNPU]) + int32(j*x.a()+i), Count: count})
			o.Endpoints = append(o.Endpoints, topology.Orbit{Rep: int32(j*x.a() + i), Count: count})
		}
	}
	return o
}

// mirrors is how many of positions i and its mirror image differ.
func mirrors(i, side int) int64 {
	if 2*i == side-1 {
		return 1
	}
	return 2
}
