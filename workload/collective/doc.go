// Package collective has the algorithms of collective communication: what each costs in closed form,
// and the schedule that it is, who sends how much to whom in which step.
//
// An algorithm is a value (Ring, Cycles, HalvingDoubling, DoubleTree, Hierarchical, Torus, Direct, InNetwork).
// Its Cost counts steps and bytes, from which a Link gives a time in the alpha-beta model; its
// Schedule is the same as steps of permutations, for simulators and for loads of links. Cost is
// written from the literature's formulas and Schedule from the algorithm; Schedule.Cost counts the
// latter again, and Schedule.Check carries every piece of data through it.
//
// Nothing here knows a network: ranks are numbers 0 to n-1, and every rank has ports of equal rate.
package collective

// Kind is what a collective does.
type Kind uint8

// The kinds. The size of a collective, S, counts the same in cost, schedule and traffic:
const (
	// AllReduce leaves the sum of all ranks' vectors at every rank. S: bytes of the vector.
	AllReduce Kind = iota
	// ReduceScatter leaves a different n-th of the sum at every rank. S: bytes of the whole vector.
	ReduceScatter
	// AllGather leaves all n parts at every rank. S: bytes of all parts together.
	AllGather
	// AllToAll gives every rank a part of its own from every rank. S: bytes that a rank has for all
	// ranks, itself included.
	AllToAll
	// Exchange is a message from each rank to one other. S: its bytes.
	Exchange
	// Broadcast leaves what rank 0 has at every rank. S: bytes of it.
	Broadcast
	// Barrier lets every rank know that all have come. S: bytes of a note.
	Barrier
	// Pipeline passes messages from rank 0 through all ranks to the last, as the stages of a parallel pipeline do. S: bytes of
	// one message.
	Pipeline
)

var kinds = [...]string{"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "exchange", "broadcast", "barrier", "pipeline"}

// Kinds are all of them.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i := range out {
		out[i] = Kind(i)
	}
	return out
}

func (k Kind) String() string { return kinds[k] }

// WireShare is what a rank must send or receive of S whatever the algorithm, if no switch adds: nothing in a barrier, all of
// it in a broadcast, of each message of a pipeline, 2(n-1)/n in an all-reduce, (n-1)/n in its halves and in an all-to-all (Thakur, Rabenseifner, Gropp, IJHPCA 19(1),
// 2005; NCCL's "bus bandwidth" divides by the same). n >= 1.
func (k Kind) WireShare(n int) float64 {
	switch k {
	case AllReduce:
		return 2 * float64(n-1) / float64(n)
	case Exchange, Broadcast, Pipeline:
		return 1
	case Barrier:
		return 0
	default:
		return float64(n-1) / float64(n)
	}
}

// Link is a level of a network as a rank sees it: Alpha is what a step takes before the first byte, in
// seconds; BytesPerS is the rate of a port each way.
type Link struct{ Alpha, BytesPerS float64 }

// Levels is how many levels of network the costs tell apart: 0, inside a group of near ranks (a
// scale-up domain), and 1, between such groups. Algorithms that know no groups use level 0 alone.
const Levels = 2

// Cost is what an algorithm takes on each level: steps that wait for each other, and bytes through the
// busiest port, as a share of S.
type Cost struct {
	Steps [Levels]int
	Share [Levels]float64
}

// Time is that of a collective of s bytes in seconds: alpha for each step, the bytes at the rate of a
// port. An algorithm that sends on several ports at once (see Algorithm.Ports) has the rate of each.
func (c Cost) Time(link [Levels]Link, s float64) float64 {
	t := 0.0
	for l := range Levels {
		if c.Steps[l] > 0 {
			t += float64(c.Steps[l])*link[l].Alpha + c.Share[l]*s/link[l].BytesPerS
		}
	}
	return t
}
