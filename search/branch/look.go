package branch

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"toposearch/search"
)

// look is what one look into a space has told.
type look struct {
	ahead  float64 // boxes and tuples that are left, closer judgements in units of them
	looked float64 // and those judged for it
	pass   float64 // tuples that their bounds let pass
	found  []met   // those of them that were met
	width  float64 // boxes of a stratum that it went into at most
	whole  bool    // it went into all
}

// met is a tuple that a look has met, and how many it stands for.
type met struct {
	Survivor
	of float64
}

// sampled is a box, and how many it stands for.
type sampled struct {
	node
	of float64
}

// strata are boxes of a space by what is alike: in the same parameter, with as many values within a factor of two. What a box is divided into lies in later strata
// than itself: in narrower ranges, and then in the next parameter. Tuples that were put aside come last, by how closely they were judged.
type strata[T any] [][]T

// widths are how many classes of widths there are: ranges have 2^31 values at most.
const widths = 32

// stratum is the place of a box among strata of a space of so many parameters.
func (n *node) stratum(params int) int {
	if n.stage != asBox {
		return params*widths + int(n.stage)
	}
	return int(n.depth)*widths + widths - 1 - bits.Len32(uint32(n.hi-n.lo))
}

func (s *strata[T]) add(at int, x T) {
	for len(*s) <= at {
		*s = append(*s, nil)
	}
	(*s)[at] = append((*s)[at], x)
}

// waitings are the places of the boxes that wait, in the queue and, counted on behind it, in later, by space.
func (e *Enumeration) waitings() []strata[int32] {
	out := make([]strata[int32], len(e.p.Spaces))
	for i := range e.open.len() + len(e.later) {
		n := e.waits(int32(i))
		out[n.space].add(n.stratum(len(e.p.Spaces[n.space].Dims)), int32(i))
	}
	return out
}

// waits is the box at such a place.
func (e *Enumeration) waits(at int32) *node {
	if n := e.open.len(); int(at) >= n {
		return &e.later[int(at)-n]
	}
	return e.open.look(int(at))
}

// look estimates what is left of a space against a front, whose tree is prepared: of each stratum as many boxes are looked into as it is wide, each of which stands for
// as many as there are for it, those that stand for more the more often (D. E. Knuth, Estimating the efficiency of backtrack programs, Math. Comp. 29, 1975; P. C. Chen, Heuristic sampling, SIAM J.
// Comput. 21, 1992). Boxes of a stratum are drawn in the order of their bounds, at equal distances (systematic sampling).
func (e *Enumeration) look(front *search.Archive, from strata[int32], width int, rng *rand.Rand) look {
	front.Tree.Prepare(max(e.p.ThroughputAt, 0))
	l := look{width: float64(width), whole: true}
	t := newTask(e.p)
	t.first = e.first
	var boxes strata[sampled]
	for at, places := range from {
		n := min(len(places), width)
		l.whole = l.whole && n == len(places)
		begin := rng.Float64()
		for k := range n {
			i := int((float64(k) + begin) * float64(len(places)) / float64(n))
			boxes.add(at, sampled{*e.waits(places[i]), float64(len(places)) / float64(n)})
		}
	}
	var next []node
	for at := 0; at < len(boxes); at++ {
		if len(boxes[at]) > width {
			l.whole = false
			boxes[at] = thin(boxes[at], width, rng)
		}
		for i := range boxes[at] {
			b := boxes[at][i]
			t.begin(front, t.limit)
			next = t.visit(&b.node, next[:0])
			l.ahead += b.of * float64(t.effort)
			l.looked += float64(t.effort)
			l.pass += b.of * float64(len(t.out))
			for _, s := range t.out {
				l.found = append(l.found, met{s, b.of})
			}
			for k := range next {
				boxes.add(next[k].stratum(len(e.p.Spaces[b.space].Dims)), sampled{next[k], b.of})
			}
		}
		boxes[at] = nil
	}
	return l
}

// thin draws so many of some boxes, as often as they stand for many, in the order of their bounds; what is drawn stands for as many together as all did.
func thin(boxes []sampled, width int, rng *rand.Rand) []sampled {
	slices.SortStableFunc(boxes, func(a, b sampled) int { return cmp.Compare(a.key, b.key) })
	all := 0.0
	for i := range boxes {
		all += boxes[i].of
	}
	step := all / float64(width)
	mark, sum, kept := rng.Float64()*step, 0.0, boxes[:0]
	for _, b := range boxes {
		sum += b.of
		times := 0.0
		for ; mark < sum; mark += step {
			times++
		}
		if times > 0 {
			b.of = times * step
			kept = append(kept, b)
		}
	}
	return kept
}
