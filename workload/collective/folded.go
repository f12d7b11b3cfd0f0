package collective

import "math/bits"

// Folded is a permutation of HalvingDoubling among Ranks that are no power of two, in place of a Table: of the first ranks every second one hands over its vector to
// the next, and those that are left are places of a power of two.
type Folded struct {
	Ranks int // 0: there is none
	// Distance is between the places of partners, a power of two; handsOver or handsBack: between a rank that is left over and its neighbour.
	Distance int
}

const (
	handsOver = 0
	handsBack = -1
)

// places are those of a power of two, and rest how many ranks there are besides.
func (x Folded) places() (q, rest int) {
	q = 1 << (bits.Len(uint(x.Ranks)) - 1)
	return q, x.Ranks - q
}

// place is the number of a rank among those that remain, -1 if it handed over; rank is the reverse.
func (x Folded) place(r int) int {
	switch _, rest := x.places(); {
	case r >= 2*rest:
		return r - rest
	case r%2 == 1:
		return r / 2
	default:
		return -1
	}
}

func (x Folded) rank(place int) int {
	if _, rest := x.places(); place >= rest {
		return place + rest
	}
	return 2*place + 1
}

// to is where a rank sends, -1 for nowhere.
func (x Folded) to(r int) int {
	if x.Distance > 0 {
		if at := x.place(r); at >= 0 {
			return x.rank(at ^ x.Distance)
		}
		return -1
	}
	switch _, rest := x.places(); {
	case r >= 2*rest:
	case x.Distance == handsOver && r%2 == 0:
		return r + 1
	case x.Distance == handsBack && r%2 == 1:
		return r - 1
	}
	return -1
}

// back is the permutation that leads back.
func (x Folded) back() Folded {
	if x.Distance <= 0 {
		x.Distance = handsBack - x.Distance
	}
	return x
}

// Runs gives to f all messages, n at once of ranks that are as far apart as their receivers are (step and toStep), in the order of receivers.
func (x Folded) Runs(f func(from, step, to, toStep, n int)) {
	q, rest := x.places()
	switch d := x.Distance; d {
	case handsOver:
		f(0, 2, 1, 2, rest)
	case handsBack:
		f(1, 2, 0, 2, rest)
	default:
		for block := 0; block < q; block += 2 * d {
			for _, up := range [2]bool{false, true} { // to the lower half, and to the upper one
				// Places of the lower half, with their partners, below rest, on either side of it, and from it on.
				at := block
				for i, end := range [3]int{min(block+d, rest-d), min(block+d, rest), block + d} {
					if end <= at {
						continue
					}
					low, step, high, highStep := x.rank(at), 2, x.rank(at+d), 2
					if i > 0 {
						highStep = 1
					}
					if i > 1 {
						step = 1
					}
					if up {
						f(low, step, high, highStep, end-at)
					} else {
						f(high, highStep, low, step, end-at)
					}
					at = end
				}
			}
		}
	}
}
