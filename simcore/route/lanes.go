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
	firsts bool           // see take
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
		l.take(class, class, uint8(class))
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
	first := 0
	for layer, n := range vcs {
		l.lo[layer], l.hi[layer] = uint8(first), uint8(first+n-1)
		first += n
	}
	return l
}

func newLanes(classes, have int) lanes {
	return lanes{lo: make([]uint8, classes), hi: make([]uint8, classes), at: make([]uint8, have)}
}

// take gives a class the i-th of shares that are equal but for what is left over, which goes to the last ones, or the first.
func (l *lanes) take(i, class int, mark uint8) {
	have, classes := len(l.at), len(l.lo)
	up := 0
	if l.firsts {
		up = classes - 1
	}
	l.lo[class], l.hi[class] = uint8((i*have+up)/classes), uint8(((i+1)*have+up)/classes-1)
	for vc := l.lo[class]; vc <= l.hi[class]; vc++ {
		l.at[vc] = mark
	}
}

// dealt deals VCs out to phases with some classes each. Classes of the same VC of the rule stand side by side, phase by
// phase, so that what a packet on the direct way may take is one range; with legs those of a phase do, so that what one takes
// that may cross a channel on either of two VCs is.
func dealt(levels [phases]uint8, have int, firsts, legs bool) lanes {
	classes := 0
	for _, n := range levels {
		classes += int(n)
	}
	l := newLanes(classes, have)
	l.offset, l.firsts = offsetsOf(levels), firsts
	if legs {
		for phase, n := range levels {
			for k := range n {
				class := l.offset[phase] + k
				l.take(int(class), int(class), uint8(phase))
			}
		}
		return l
	}
	i := 0
	for k := range slices.Max(levels[:]) {
		var w [phases]span
		for phase := range phases {
			if k < levels[phase] {
				l.take(i, int(l.offset[phase]+k), uint8(phase))
				i++
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
