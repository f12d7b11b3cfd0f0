package evolve

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"sort"

	"toposearch/search"
	"toposearch/topology"
)

// Rates of variation. The distribution indices are lower than those usual for real variables
// (15 and 20): on integers those mostly round back to the parent.
const (
	crossRate    = 0.9
	crossIndex   = 5
	mutateIndex  = 8
	switchFamily = 0.02 // of the children start anew in another family
)

// genome is a tuple by indices into the domains of a space: the family is the conditional root.
type genome struct {
	space int
	at    []int32
	own   [search.MaxParams]int32 // what at refers to, so that a genome is one allocation
	// sound tells that repair would leave it as it is.
	sound bool
}

func newGenome(space, n int) *genome {
	g := &genome{space: space}
	g.at = g.own[:n]
	return g
}

func (g *genome) clone() *genome {
	c := &genome{space: g.space, own: g.own, sound: g.sound}
	c.at = c.own[:len(g.at)]
	return c
}

// key appends bytes that no other genome has.
func (g *genome) key(b []byte) []byte {
	b = append(b, byte(g.space), byte(g.space>>8))
	for _, x := range g.at {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// breeder varies genomes of the spaces that it may use.
type breeder struct {
	p      *search.Problem
	spaces []int
	size   topology.Size
	v      [search.MaxParams]int
}

// values writes the parameter values of a genome.
func (b *breeder) values(g *genome) []int {
	v := b.v[:len(g.at)]
	for i, x := range g.at {
		v[i] = b.p.Spaces[g.space].Dims[i].At(int(x))
	}
	return v
}

func (b *breeder) candidate(g *genome) search.Candidate { return b.p.Canonical(g.space, b.values(g)) }

// genomeOf is the genome of a candidate of the space.
func genomeOf(p *search.Problem, c search.Candidate) (*genome, bool) {
	g := newGenome(c.Space, len(c.V))
	for i, x := range c.V {
		k, ok := p.Spaces[c.Space].Dims[i].Index(x)
		if !ok {
			return nil, false
		}
		g.at[i] = int32(k)
	}
	return g, true
}

// random draws each index log-uniformly, since most parameters multiply, and repairs.
func (b *breeder) random(space int, rng *rand.Rand) *genome {
	sp := b.p.Spaces[space]
	g := newGenome(space, len(sp.Dims))
	for i := range g.at {
		n := float64(sp.Dims[i].N)
		g.at[i] = min(int32(math.Exp(rng.Float64()*math.Log(n+1)))-1, int32(sp.Dims[i].N-1))
	}
	b.repair(g)
	return g
}

// vary makes two children and repairs them; the parents stay as they are.
func (b *breeder) vary(x, y *genome, rng *rand.Rand) (*genome, *genome) {
	c, d := x.clone(), y.clone()
	if x.space == y.space && rng.Float64() < crossRate {
		dims := b.p.Spaces[x.space].Dims
		coins := rng.Uint64() // one for each parameter, of which there are fewer than 64
		for i := range c.at {
			if coins>>i&1 == 1 && x.at[i] != y.at[i] {
				hi := float64(dims[i].N) - 0.5
				p, q := sbx(float64(x.at[i]), float64(y.at[i]), -0.5, hi, crossIndex, rng)
				c.at[i], d.at[i] = round(p, hi), round(q, hi)
			}
		}
	}
	return b.mutated(c, x, rng), b.mutated(d, y, rng)
}

// round gives the index nearest to x of those from 0 to hi-0.5.
func round(x, hi float64) int32 { return int32(min(max(x, 0), hi-0.5) + 0.5) }

// mutated changes g, a child of parent, in place, one parameter in the mean, and repairs it; or
// replaces it by a newcomer of another family.
func (b *breeder) mutated(g, parent *genome, rng *rand.Rand) *genome {
	if len(b.spaces) > 1 && rng.Float64() < switchFamily {
		return b.random(b.spaces[rng.IntN(len(b.spaces))], rng)
	}
	sp := b.p.Spaces[g.space]
	rate := 1 / float64(len(g.at))
	for i := range g.at {
		n := sp.Dims[i].N
		if n < 2 || rng.Float64() >= rate {
			continue
		}
		hi := float64(n) - 0.5
		x := round(polynomial(float64(g.at[i]), -0.5, hi, mutateIndex, rng), hi)
		if x == g.at[i] { // at least a step, where there is one
			x += 1 - 2*int32(rng.Uint64()&1)
			x = min(max(x, 0), int32(n-1))
		}
		g.at[i] = x
	}
	if parent.sound && alike(sp, g, parent) { // repair would end where it did for the parent
		copy(g.at, parent.at)
		return g
	}
	b.repair(g)
	return g
}

// alike tells whether two genomes differ in the derived parameter at most.
func alike(sp *search.Space, g, h *genome) bool {
	for i, x := range g.at {
		if x != h.at[i] && i != sp.Fam.Derived {
			return false
		}
	}
	return true
}

// repair sets the derived parameter to the smallest value that reaches the endpoints asked for,
// and moves a parameter that breaks a rule of the family to the nearest value that does not. What
// it makes of a genome does not depend on the derived parameter before.
func (b *breeder) repair(g *genome) {
	sp := b.p.Spaces[g.space]
	g.sound = false
	b.derive(sp, g)
	for range 3 {
		v := b.values(g)
		err := sp.Fam.Size(v, &b.size)
		if err == nil {
			g.sound = true
			return
		}
		bad, ok := errors.AsType[*topology.Infeasible](err)
		if !ok {
			return
		}
		i := sp.Fam.Param(bad.Param)
		if i < 0 {
			return
		}
		k, _ := sp.Dims[i].Index(bad.Bound)
		k = min(k, sp.Dims[i].N-1)
		if k > 0 && bad.Bound < v[i] && sp.Dims[i].At(k) > bad.Bound {
			k-- // the nearest value of the domain on the allowed side
		}
		if int32(k) == g.at[i] {
			return
		}
		g.at[i] = int32(k)
		if i != sp.Fam.Derived {
			b.derive(sp, g)
		}
	}
}

// derive chooses the derived parameter: endpoints do not decrease in it. What follows from small
// changes of the others is near, and found by doubling steps before halving.
func (b *breeder) derive(sp *search.Space, g *genome) {
	d := sp.Fam.Derived
	if d < 0 {
		return
	}
	v := b.values(g)
	n := sp.Dims[d].N
	enough := func(i int) bool {
		v[d] = sp.Dims[d].At(i)
		b.size.Reset(sp.Fam)
		sp.Fam.Count(v, &b.size)
		return b.size.Endpoints >= b.p.Min
	}
	lo, hi := 0, n // none below lo is enough, and all from hi on
	if at := int(g.at[d]); enough(at) {
		hi = at
		for step := 1; hi > 0; step *= 2 {
			if i := max(hi-step, 0); !enough(i) {
				lo = i + 1
				break
			} else {
				hi = i
			}
		}
	} else {
		lo = at + 1
		for step := 1; lo < n; step *= 2 {
			if i := min(lo+step, n) - 1; enough(i) {
				hi = i
				break
			} else {
				lo = i + 1
			}
		}
	}
	k := lo + sort.Search(hi-lo, func(i int) bool { return enough(lo + i) })
	g.at[d] = int32(min(k, n-1))
}
