package collective

import (
	"fmt"
	"math/bits"
)

// HalvingDoubling is recursive halving and doubling among N ranks (Rabenseifner, ICCS 2004; Thakur,
// Rabenseifner, Gropp, IJHPCA 19(1), 2005): partners at distances of powers of two, first the farthest,
// with the largest messages. Of N that is no power of two only the all-reduce: before it the ranks beyond the
// power hand their vectors to a neighbour, and get the sum back after it.
type HalvingDoubling struct{ N int }

// Name of the algorithm.
func (HalvingDoubling) Name() string { return "halving-doubling" }

// Ports is one.
func (HalvingDoubling) Ports() int { return 1 }

// power is the largest power of two that is at most N, and its logarithm.
func (a HalvingDoubling) power() (q, log int) {
	log = bits.Len(uint(a.N)) - 1
	return 1 << log, log
}

func (a HalvingDoubling) valid(k Kind) error {
	if !halves(k) {
		return cannot(a, k)
	}
	if err := atLeast(a, "ranks", a.N, 2); err != nil {
		return err
	}
	if q, _ := a.power(); q != a.N && k != AllReduce {
		return fmt.Errorf("collective: %s by halving or doubling needs a power of two ranks, not %d; use ring or direct", k, a.N)
	}
	return nil
}

// Cost: log2 q steps and (q-1)/q for each half, q the power of two, and two steps with the whole vector if N is
// not q.
func (a HalvingDoubling) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	q, log := a.power()
	c.Steps[0], c.Share[0] = int(twice(k))*log, k.WireShare(q)
	if q != a.N {
		c.Steps[0] += 2
		c.Share[0] += 2
	}
	return c, nil
}

// Schedule has a step for each distance.
func (a HalvingDoubling) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	q, log := a.power()
	s := &Schedule{Kind: k, Ranks: a.N, unit: q}
	whole := func(_, _ int, to []int) []int { return span(to, 0, q) }
	if q != a.N {
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: []Lane{{Perm: Perm{Folded: Folded{a.N, handsOver}}, Share: 1, Reduce: true, pieces: whole}}})
	}
	if k != AllGather {
		for i := log - 1; i >= 0; i-- {
			s.Steps = append(s.Steps, a.exchange(1<<i, true))
		}
	}
	if k != ReduceScatter {
		for i := range log {
			s.Steps = append(s.Steps, a.exchange(1<<i, false))
		}
	}
	if q != a.N {
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: []Lane{{Perm: Perm{Folded: Folded{a.N, handsBack}}, Share: 1, pieces: whole}}})
	}
	return s, nil
}

// exchange is the step at a distance: halving sends the block that the partner is in, doubling one's own.
func (a HalvingDoubling) exchange(distance int, halve bool) Step {
	q, _ := a.power()
	perm := Perm{Stride: 1, Size: q, Xor: distance}
	if q != a.N {
		perm = Perm{Folded: Folded{a.N, distance}}
	}
	pieces := func(from, _ int, to []int) []int {
		at := Folded{Ranks: a.N}.place(from)
		if halve {
			at ^= distance
		}
		return span(to, at/distance*distance, distance)
	}
	return Step{Repeat: 1, Lanes: []Lane{{Perm: perm, Share: float64(distance) / float64(q), Reduce: halve, pieces: pieces}}}
}

// span appends n numbers from lo on.
func span(to []int, lo, n int) []int {
	for i := range n {
		to = append(to, lo+i)
	}
	return to
}
