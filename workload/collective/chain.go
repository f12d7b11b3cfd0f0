package collective

import (
	"math"
	"math/bits"
)

// Chain passes Segments pieces on from rank to rank: a broadcast as a pipeline (NCCL's ring broadcast), or the messages of
// a parallel pipeline, of which there are Segments.
type Chain struct{ N, Segments int }

// BestSegments is the number that takes least time for a broadcast of s bytes.
func (a Chain) BestSegments(link Link, s float64) int {
	if link.Alpha <= 0 {
		return mostSegments
	}
	// m + N - 2 steps of alpha + s/(m B) are least at m^2 = (N-2) s / (B alpha).
	m := math.Sqrt(float64(a.N-2) * s / (link.BytesPerS * link.Alpha))
	return int(min(max(math.Round(m), 1), mostSegments))
}

// Name of the algorithm.
func (Chain) Name() string { return "chain" }

// Ports is one.
func (Chain) Ports() int { return 1 }

func (a Chain) valid(k Kind) error {
	if k != Broadcast && k != Pipeline {
		return cannot(a, k)
	}
	if err := atLeast(a, "ranks", a.N, 2); err != nil {
		return err
	}
	return atLeast(a, "segments", a.Segments, 1)
}

// share is that of a segment, of S.
func (a Chain) share(k Kind) float64 {
	if k == Pipeline {
		return 1
	}
	return 1 / float64(a.Segments)
}

// Cost: the last segment leaves after Segments-1 others and passes N-1 links.
func (a Chain) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps[0] = a.Segments + a.N - 2
	c.Share[0] = float64(c.Steps[0]) * a.share(k)
	return c, nil
}

// Schedule has in step t segment t - r on the link from rank r.
func (a Chain) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	s := &Schedule{Kind: k, Ranks: a.N, unit: a.Segments}
	for t := range a.Segments + a.N - 2 {
		table := make([]int32, a.N)
		for r := range table {
			table[r] = -1
			if seg := t - r; seg >= 0 && seg < a.Segments && r < a.N-1 {
				table[r] = int32(r) + 1
			}
		}
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: []Lane{{Perm: Perm{Table: table}, Share: a.share(k),
			pieces: func(from, _ int, to []int) []int { return append(to, t-from) }}}})
	}
	return s, nil
}

// Flows are those from rank to rank.
func (a Chain) Flows(k Kind) ([]Flow, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	flows := make([]Flow, a.N-1)
	for r := range flows {
		flows[r] = Flow{From: r, To: r + 1, Count: a.Segments, Share: a.share(k)}
		if r > 0 {
			flows[r].After = []Need{{r - 1, 1}}
		}
	}
	return flows, nil
}

// Binomial is the broadcast in which every rank that has the vector sends it on in each step, so that twice as many have it
// after it (MPICH's for short vectors: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005).
type Binomial struct{ N int }

// Name of the algorithm.
func (Binomial) Name() string { return "binomial tree" }

// Ports is one.
func (Binomial) Ports() int { return 1 }

func (a Binomial) valid(k Kind) error {
	if k != Broadcast {
		return cannot(a, k)
	}
	return atLeast(a, "ranks", a.N, 2)
}

// doublings is the cost of log2 n steps, rounded up, after each of which twice as many ranks know, and in each of which all that there is passes a port.
func doublings(n int) (c Cost) {
	c.Steps[0] = bits.Len(uint(max(n-1, 0)))
	c.Share[0] = float64(c.Steps[0])
	return c
}

// Cost is log2 N steps, rounded up, with the whole vector.
func (a Binomial) Cost(k Kind) (c Cost, err error) {
	return doublings(a.N), a.valid(k)
}

// Schedule has a step for each power of two, the largest first, so that neighbours are served last, at the same time.
func (a Binomial) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	s := &Schedule{Kind: k, Ranks: a.N, unit: 1}
	for d := 1 << (bits.Len(uint(a.N-1)) - 1); d > 0; d >>= 1 {
		table := make([]int32, a.N)
		for r := range table {
			table[r] = -1
			if r%(2*d) == 0 && r+d < a.N {
				table[r] = int32(r + d)
			}
		}
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: []Lane{{Perm: Perm{Table: table}, Share: 1,
			pieces: func(_, _ int, to []int) []int { return append(to, 0) }}}})
	}
	return s, nil
}

// Dissemination is the barrier in which rank r tells r + 2^k in step k what it has heard (Hensgen, Finkel, Manber,
// Int. J. Parallel Programming 17(1), 1988).
type Dissemination struct{ N int }

// Name of the algorithm.
func (Dissemination) Name() string { return "dissemination" }

// Ports is one.
func (Dissemination) Ports() int { return 1 }

func (a Dissemination) valid(k Kind) error {
	if k != Barrier {
		return cannot(a, k)
	}
	return atLeast(a, "ranks", a.N, 2)
}

// Cost is log2 N steps, rounded up, of a note.
func (a Dissemination) Cost(k Kind) (c Cost, err error) {
	return doublings(a.N), a.valid(k)
}

// Schedule has a step for each power of two below N.
func (a Dissemination) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	s := &Schedule{Kind: k, Ranks: a.N, unit: 1}
	for d := 1; d < a.N; d *= 2 {
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: []Lane{{Perm: Perm{Stride: 1, Size: a.N, Shift: d}, Share: 1, Reduce: true,
			pieces: func(_, _ int, to []int) []int { return append(to, 0) }}}})
	}
	return s, nil
}
