package collective

import "fmt"

// Ring is the ring algorithm among N ranks (Patarasu, Yuan, J. Parallel Distrib. Comput. 69(2), 2009):
// bandwidth-optimal, with N-1 steps for each half of an all-reduce. With several Shifts it is a
// multi-ring: ring i leads from rank r to r + Shifts[i], on a port of its own, and carries an equal
// part of the vector. No Shifts means the one ring of 1.
type Ring struct {
	N      int
	Shifts []int // different and coprime to N, so that each is one ring and no two share a channel
}

// Name of the algorithm.
func (a Ring) Name() string {
	if a.Ports() > 1 {
		return "multi-ring"
	}
	return "ring"
}

// Ports is the number of rings.
func (a Ring) Ports() int { return max(len(a.Shifts), 1) }

// DisjointShifts are the shifts of the first j edge-disjoint directed rings of n ranks, all coprime
// to n; fewer if there are no more. They alternate in direction: 1, -1, 2, -2 where those are coprime.
func DisjointShifts(n, j int) []int {
	var out []int
	for s := 1; 2*s <= n && len(out) < j; s++ {
		if gcd(s, n) != 1 {
			continue
		}
		out = append(out, s)
		if 2*s != n && len(out) < j {
			out = append(out, -s)
		}
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func (a Ring) valid(k Kind) error {
	if !halves(k) {
		return cannot(a, k)
	}
	seen := make(map[int]bool)
	for _, s := range a.Shifts {
		at := ((s % max(a.N, 1)) + a.N) % max(a.N, 1)
		if gcd(s, a.N) != 1 || seen[at] {
			return fmt.Errorf("collective: shift %d of a multi-ring of %d ranks is not coprime to them, or doubled", s, a.N)
		}
		seen[at] = true
	}
	return atLeast(a, "ranks", a.N, 2)
}

// Cost is 2(N-1) steps and 2(N-1)/N of the vector over each of the rings, half of it for a half.
func (a Ring) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps[0] = int(twice(k)) * (a.N - 1)
	c.Share[0] = k.WireShare(a.N) / float64(a.Ports())
	return c, nil
}

// Schedule has a lane for each ring.
func (a Ring) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	shifts := a.Shifts
	if len(shifts) == 0 {
		shifts = []int{1}
	}
	var seqs [][]Step
	for i, s := range shifts {
		seqs = append(seqs, rings(k, a.N, []dim{{stride: 1, size: a.N, shift: s, port: i}}, i, len(shifts)))
	}
	return &Schedule{Kind: k, Ranks: a.N, Steps: merge(seqs...), unit: len(shifts) * a.N}, nil
}
