package search

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"

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
}

func (g *genome) key() string {
	b := make([]byte, 0, 2+4*len(g.at))
	b = append(b, byte(g.space), byte(g.space>>8))
	for _, x := range g.at {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return string(b)
}

// breeder varies genomes of the spaces that it may use.
type breeder struct {
	p      *Problem
	spaces []int
	size   topology.Size
	v      [maxParams]int
}

// values writes the parameter values of a genome.
func (b *breeder) values(g *genome) []int {
	v := b.v[:len(g.at)]
	for i, x := range g.at {
		v[i] = b.p.spaces[g.space].dims[i].at(int(x))
	}
	return v
}

func (b *breeder) candidate(g *genome) Candidate { return b.p.canonical(g.space, b.values(g)) }

// genomeOf is the genome of a candidate of the space.
func (p *Problem) genomeOf(c Candidate) (*genome, bool) {
	g := &genome{c.Space, make([]int32, len(c.V))}
	for i, x := range c.V {
		k, ok := p.spaces[c.Space].dims[i].index(x)
		if !ok {
			return nil, false
		}
		g.at[i] = int32(k)
	}
	return g, true
}

// random draws each index log-uniformly, since most parameters multiply, and repairs.
func (b *breeder) random(space int, rng *rand.Rand) *genome {
	sp := b.p.spaces[space]
	g := &genome{space, make([]int32, len(sp.dims))}
	for i := range g.at {
		n := float64(sp.dims[i].n)
		g.at[i] = min(int32(math.Exp(rng.Float64()*math.Log(n+1)))-1, int32(sp.dims[i].n-1))
	}
	b.repair(g)
	return g
}

// vary makes two children and repairs them; the parents stay as they are.
func (b *breeder) vary(x, y *genome, rng *rand.Rand) (*genome, *genome) {
	c := &genome{x.space, append([]int32(nil), x.at...)}
	d := &genome{y.space, append([]int32(nil), y.at...)}
	if x.space == y.space && rng.Float64() < crossRate {
		for i := range c.at {
			hi := float64(b.p.spaces[x.space].dims[i].n) - 0.5
			if hi > 0.5 && rng.Uint64()&1 == 0 {
				p, q := sbx(float64(x.at[i]), float64(y.at[i]), -0.5, hi, crossIndex, rng)
				c.at[i], d.at[i] = round(p, hi), round(q, hi)
			}
		}
	}
	return b.mutated(c, rng), b.mutated(d, rng)
}

func round(x, hi float64) int32 { return int32(math.Round(min(max(x, 0), hi-0.5))) }

// mutated changes g in place, one parameter in the mean, or replaces it by a newcomer of another
// family.
func (b *breeder) mutated(g *genome, rng *rand.Rand) *genome {
	if len(b.spaces) > 1 && rng.Float64() < switchFamily {
		return b.random(b.spaces[rng.IntN(len(b.spaces))], rng)
	}
	dims := b.p.spaces[g.space].dims
	rate := 1 / float64(len(g.at))
	for i := range g.at {
		n := dims[i].n
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
	b.repair(g)
	return g
}

// repair sets the derived parameter to the smallest value that reaches the endpoints asked for,
// and moves a parameter that breaks a rule of the family to the nearest value that does not.
func (b *breeder) repair(g *genome) {
	sp := b.p.spaces[g.space]
	b.derive(sp, g)
	for range 3 {
		v := b.values(g)
		err := sp.fam.Size(v, &b.size)
		var bad *topology.Infeasible
		if err == nil || !errors.As(err, &bad) {
			return
		}
		i := sp.fam.Param(bad.Param)
		if i < 0 {
			return
		}
		k, _ := sp.dims[i].index(bad.Bound)
		k = min(k, sp.dims[i].n-1)
		if k > 0 && bad.Bound < v[i] && sp.dims[i].at(k) > bad.Bound {
			k-- // the nearest value of the domain on the allowed side
		}
		if int32(k) == g.at[i] {
			return
		}
		g.at[i] = int32(k)
		if i != sp.fam.Derived {
			b.derive(sp, g)
		}
	}
}

// derive chooses the derived parameter: endpoints do not decrease in it. What follows from small
// changes of the others is near, and found by doubling steps before halving.
func (b *breeder) derive(sp *space, g *genome) {
	d := sp.fam.Derived
	if d < 0 {
		return
	}
	v := b.values(g)
	n := sp.dims[d].n
	enough := func(i int) bool {
		v[d] = sp.dims[d].at(i)
		b.size.Reset(sp.fam)
		sp.fam.Count(v, &b.size)
		return b.size.Endpoints >= b.p.min
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
