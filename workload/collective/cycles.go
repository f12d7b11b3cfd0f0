package collective

import "fmt"

// Cycles is a multi-ring over any rings: ring i passes the ranks in the order Rings[i], on a port of its own, and carries an equal part of
// the vector. They are meant to be rings that share no channel of a network.
type Cycles struct {
	N     int
	Rings [][]int32 // each has every rank once
}

// Name of the algorithm, with the number of rings.
func (a Cycles) Name() string { return fmt.Sprintf("multi-ring of %d disjoint rings", len(a.Rings)) }

// Ports is the number of rings.
func (a Cycles) Ports() int { return max(len(a.Rings), 1) }

func (a Cycles) valid(k Kind) error {
	if !halves(k) {
		return cannot(a, k)
	}
	if len(a.Rings) == 0 {
		return fmt.Errorf("collective: a multi-ring without rings")
	}
	for i, ring := range a.Rings {
		seen := make([]bool, a.N)
		for _, r := range ring {
			if r < 0 || int(r) >= a.N || seen[r] {
				return fmt.Errorf("collective: ring %d has rank %d twice, or one that is none of %d", i, r, a.N)
			}
			seen[r] = true
		}
		if len(ring) != a.N {
			return fmt.Errorf("collective: ring %d has %d of %d ranks", i, len(ring), a.N)
		}
	}
	return atLeast(a, "ranks", a.N, 2)
}

// Cost is that of Ring with as many shifts.
func (a Cycles) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	if c, err = (Ring{N: a.N}).Cost(k); err == nil {
		c.Share[0] /= float64(a.Ports())
	}
	return c, err
}

// Schedule has a lane for each ring.
func (a Cycles) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	s := &Schedule{Kind: k, Ranks: a.N, unit: len(a.Rings) * a.N}
	half := func(reduce bool) {
		st := Step{Repeat: a.N - 1}
		for i := range a.Rings {
			st.Lanes = append(st.Lanes, a.lane(i, reduce))
		}
		s.Steps = append(s.Steps, st)
	}
	if k != AllGather {
		half(true)
	}
	if k != ReduceScatter {
		half(false)
	}
	return s, nil
}

// lane is a half of the all-reduce on a ring: pieces that are reduced end at their owner, those that are gathered begin there.
func (a Cycles) lane(i int, reduce bool) Lane {
	ring := a.Rings[i]
	next, at := make([]int32, a.N), make([]int, a.N)
	for j, r := range ring {
		at[r], next[r] = j, ring[(j+1)%a.N]
	}
	back := 0
	if reduce {
		back = 1
	}
	return Lane{Perm: Perm{Table: next}, Share: 1 / float64(a.N*len(a.Rings)), Port: i, Chain: i, Reduce: reduce,
		pieces: func(from, k int, to []int) []int {
			owner := ring[((at[from]-k-back)%a.N+a.N)%a.N]
			return append(to, i*a.N+int(owner))
		}}
}
