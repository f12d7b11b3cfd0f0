package route

import "slices"

// Phases of a packet, in the order in which it passes through them. Each has VC classes of its
// own, above those of the phase before, so that no dependency leads back.
const (
	probing = iota // on the direct way, but not decided for good (par), or not yet decided
	outward        // to the intermediate
	homeward
	phases
)

// span is an inclusive range of VCs.
type span struct{ lo, hi uint8 }

// lanes are what the VCs of a channel are for.
type lanes struct {
	offset [phases]uint8  // the first VC class of a phase
	lo, hi []uint8        // VCs of each class
	taken  int            // so many VCs have a class
	at     []uint8        // by VC: the phase (hopVC: the class) that it belongs to
	ways   [][phases]span // by VC of the rule: the VCs for it of a phase and those above
}

// How a channel divides its VCs; bits.
const (
	ofOneVC  = 1 << iota // the rule knows a single VC there (oneVC): a phase has one class
	noFirsts             // packets that probe make no hop there
)

// lanesByHop are those where VCs follow hops: a class each.
func lanesByHop(hops, have int) lanes {
	l := newLanes(hops, have)
	for class := range hops {
		l.take(class, share(class, hops, have, false), uint8(class))
	}
	return l
}

// lanesByLayer are those of layers that have so many VCs each.
func lanesByLayer(vcs []int) lanes {
	have := 0
	for _, n := range vcs {
		have += n
	}
	l := newLanes(len(vcs), have)
	for layer, n := range vcs {
		l.take(layer, n, 0)
	}
	return l
}

func newLanes(classes, have int) lanes {
	return lanes{lo: make([]uint8, classes), hi: make([]uint8, classes), at: make([]uint8, have)}
}

// take gives a class the next VCs.
func (l *lanes) take(class, vcs int, mark uint8) {
	l.lo[class], l.hi[class] = uint8(l.taken), uint8(l.taken+vcs-1)
	for range vcs {
		l.at[l.taken] = mark
		l.taken++
	}
}

// share is the i-th of shares that are equal but for what is left over, which goes to the last ones, or the first.
func share(i, shares, have int, first bool) int {
	up := 0
	if first {
		up = shares - 1
	}
	return ((i+1)*have+up)/shares - (i*have+up)/shares
}

// dealt deals VCs out to phases with some classes each. Classes of the same VC of the rule stand side by side, phase by
// phase, so that what a packet on the direct way may take is one range; with legs those of a phase do, so that what one takes
// that may cross a channel on either of two VCs is. firsts: the VCs of first hops carry all that goes directly (divide) and have as many as others; else one a class,
// since what waits there for a channel that others avoid holds up the detours across it. (By par with 6 VCs hyperx(s1=4,s2=4,s3=4,t=4) accepted 0.315 of load 1, worst, with two of
// them, 0.393 with one; fullmesh(d1=4,d2=4,d3=4) 0.147 and 0.182. Of uniform traffic 0.898 and 0.899, 0.401 and 0.403.)
func dealt(levels [phases]uint8, have int, firsts, legs bool) lanes {
	classes, i := 0, 0
	for _, n := range levels {
		classes += int(n)
	}
	l := newLanes(classes, have)
	l.offset = offsetsOf(levels)
	ones := int(levels[probing])
	if firsts {
		ones = 0
	}
	give := func(phase int, class uint8) {
		n := 1
		if phase != probing || firsts {
			n = share(i, classes-ones, have-ones, firsts)
			i++
		}
		l.take(int(class), n, uint8(phase))
	}
	if legs {
		for phase, n := range levels {
			for k := range n {
				give(phase, l.offset[phase]+k)
			}
		}
		return l
	}
	for k := range slices.Max(levels[:]) {
		var w [phases]span
		for phase := range phases {
			if k < levels[phase] {
				give(phase, l.offset[phase]+k)
			}
		}
		var open span
		for phase := phases - 1; phase >= 0; phase-- {
			if k < levels[phase] {
				class := l.offset[phase] + k
				if open.lo = l.lo[class]; open.hi < l.hi[class] {
					open.hi = l.hi[class]
				}
			}
			w[phase] = open
		}
		l.ways = append(l.ways, w)
	}
	return l
}

// offsetsOf puts the classes of each phase above those of the phases before.
func offsetsOf(levels [phases]uint8) (offset [phases]uint8) {
	for phase := 1; phase < phases; phase++ {
		offset[phase] = offset[phase-1] + levels[phase-1]
	}
	return offset
}
