package evolve

import (
	"encoding/binary"
	"math"
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/topology"
)

// Rates of variation. The distribution indices are lower than those usual for real variables
// (15 and 20): on integers those mostly round back to the parent.
const (
	crossRate    = 0.9
	crossIndex   = 5
	mutateIndex  = 7
	switchFamily = 0.02 // of the children start anew in another family
	beyondLeast  = 0.15 // of the children have more endpoints than they need,
	enlargeMean  = 3    // by that many steps of the derived parameter in the mean
	exchangeRate = 0.15 // of the mutations divide the size otherwise,
	exchangeMean = 1    // by so many steps of the derived parameter more than one in the mean
	scaledShare  = 0.2  // of the moves of a number with more than scaledFrom values multiply it
	scaledFrom   = 16
)

// genome is a tuple by indices into the domains of a space: the family is the conditional root. Its
// operators, Crossover and Mutate, change it in place, as eaopt wants them to.
type genome struct {
	placed
	b     *breeder
	space int32
	sound bool // repair would leave it as it is
	v     []int32
	own   [topology.FewParams]int32 // what v refers to if it has room, so that a genome is one allocation
}

// breeder makes genomes of the spaces that it may use. It is for one goroutine.
type breeder struct {
	repairer
	spaces  []int
	credits []float64 // by space: designs that came to the front of late
}

// newBreeder uses the marked spaces.
func newBreeder(p *search.Problem, which []bool) *breeder {
	b := &breeder{repairer: repairer{p: p}, credits: make([]float64, len(p.Spaces))}
	for i, w := range which {
		if w {
			b.spaces = append(b.spaces, i)
		}
	}
	return b
}

// blank is the genome of all first values.
func (b *breeder) blank(space int) *genome {
	g := &genome{b: b, space: int32(space)}
	g.resize(len(b.p.Spaces[space].Dims))
	return g
}

// resize makes room for n values, which are zero.
func (g *genome) resize(n int) {
	g.own, g.v = [topology.FewParams]int32{}, nil
	if n > len(g.own) {
		g.v = make([]int32, n)
		return
	}
	g.v = g.own[:n]
}

// genomeOf is the genome of a candidate, if its values are in the space.
func (b *breeder) genomeOf(c search.Candidate) (*genome, bool) {
	g := b.blank(c.Space)
	for i, x := range c.V {
		k, ok := b.p.Spaces[c.Space].Dims[i].Index(x)
		if !ok {
			return nil, false
		}
		g.v[i] = int32(k)
	}
	return g, true
}

// anchors are designs that bounds make the best in an objective, of each space in turn, at most so many: the ends of a front, which
// shapes drawn at random hardly ever are.
func (b *breeder) anchors(most int) (out []*genome) {
	bySpace := make([][]*genome, len(b.spaces))
	for k, sp := range b.spaces {
		seen := map[string]bool{}
		branch.Dives(b.p, sp, func(s branch.Survivor) {
			if key := search.Key(sp, s.V); !seen[key] {
				seen[key] = true
				if g, ok := b.genomeOf(s.Candidate); ok {
					bySpace[k] = append(bySpace[k], g)
				}
			}
		})
	}
	for i := 0; ; i++ {
		any := false
		for _, gs := range bySpace {
			if i < len(gs) && len(out) < most {
				out, any = append(out, gs[i]), true
			}
		}
		if !any {
			return out
		}
	}
}

// random makes each index log-uniform, since most parameters multiply, from uniform numbers of
// [0, 1), and repairs.
func (b *breeder) random(space int, uniform func() float64) *genome {
	g := b.blank(space)
	if b.p.Spaces[space].Fam.Draws != nil {
		v := b.own[:len(g.v)]
		b.p.Draw(space, func(n int) int { return int(uniform() * float64(n)) }, v)
		b.take(space, g.v, v)
		g.repaired()
		return g
	}
	for i, d := range b.p.Spaces[space].Dims {
		g.v[i] = min(int32(math.Exp(uniform()*math.Log(float64(d.N)+1)))-1, int32(d.N-1))
	}
	g.repaired()
	return g
}

// Newcomers are dealt out to spaces by what these have contributed to the front: floorShare to all alike, so that none is
// given up, the rest by credits, of which a generation forgets a tenth.
const (
	floorShare = 0.3
	keptCredit = 0.9
)

// credit notes a contribution of a space.
func (b *breeder) credit(space int) { b.credits[space]++ }

// forget is between two generations.
func (b *breeder) forget() {
	for i := range b.credits {
		b.credits[i] *= keptCredit
	}
}

// drawn is the space of a newcomer.
func (b *breeder) drawn(rng *rand.Rand) int {
	sum := 0.0
	for _, sp := range b.spaces {
		sum += b.credits[sp]
	}
	at := b.spaces[rng.Intn(len(b.spaces))]
	if x := rng.Float64(); x >= floorShare && sum > 0 {
		x = (x - floorShare) / (1 - floorShare) * sum
		for _, sp := range b.spaces {
			if x -= b.credits[sp]; x < 0 {
				at = sp
				break
			}
		}
	}
	return at
}

func (g *genome) candidate() search.Candidate {
	return g.b.p.Canonical(int(g.space), g.b.values(int(g.space), g.v))
}

func (g *genome) repaired() { g.sound = g.b.repair(int(g.space), g.v) }

func (g *genome) key(b []byte) []byte {
	b = append(b, byte(g.space), byte(g.space>>8))
	for _, x := range g.v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func (g *genome) clone() *genome {
	c := &genome{b: g.b, space: g.space, sound: g.sound}
	c.resize(len(g.v))
	copy(c.v, g.v)
	return c
}

// Clone is part of eaopt.Genome.
func (g *genome) Clone() eaopt.Genome { return g.clone() }

// Crossover makes two children of one family of their parents, by SBX of every other parameter; of
// different families it leaves both as they are.
func (g *genome) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	h := mate.(*genome)
	if g.space != h.space {
		return
	}
	sp := g.b.p.Spaces[g.space]
	if sp.Fam.Draws != nil { // what belongs together stands together: a stretch of the tuple is exchanged
		a, b := rng.Intn(len(g.v)), rng.Intn(len(g.v)+1)
		for i := min(a, b); i < max(a, b); i++ {
			g.v[i], h.v[i] = h.v[i], g.v[i]
		}
		g.sound, h.sound = false, false
		return
	}
	coins := rng.Uint64() // one for each parameter, of which there are fewer than 64
	for i := range g.v {
		if coins>>i&1 == 0 || g.v[i] == h.v[i] || i == sp.Fam.Derived {
			continue
		}
		if sp.Fam.Params[i].Choices != nil { // between two names there is nothing
			x, y := g.v[i], h.v[i]
			g.set(i, y)
			h.set(i, x)
			continue
		}
		hi := float64(sp.Dims[i].N) - 0.5
		x, y := sbx(float64(g.v[i]), float64(h.v[i]), -0.5, hi, crossIndex, rng)
		g.set(i, round(x, hi))
		h.set(i, round(y, hi))
	}
}

// Mutate changes one parameter in the mean, and repairs; or puts a newcomer in its place. The
// derived parameter is repair's.
func (g *genome) Mutate(rng *rand.Rand) {
	if len(g.b.spaces) > 1 && rng.Float64() < switchFamily {
		n := g.b.random(g.b.drawn(rng), rng.Float64)
		g.space, g.sound = n.space, n.sound
		g.resize(len(n.v))
		copy(g.v, n.v)
		return
	}
	sp := g.b.p.Spaces[g.space]
	if sp.Fam.Draws != nil {
		v := g.b.values(int(g.space), g.v)
		g.b.p.Vary(int(g.space), rng.Intn, v)
		g.b.take(int(g.space), g.v, v)
		g.repaired()
		return
	}
	if d := sp.Fam.Derived; d >= 0 && len(g.v) > 1 && rng.Float64() < exchangeRate && g.exchanged(sp, rng) {
		return
	}
	rate := uint16(math.MaxUint16 / len(g.v))
	var coins uint64 // 16 bits of it for each parameter
	for i := range g.v {
		coins >>= 16
		if i%4 == 0 {
			coins = rng.Uint64()
		}
		n := sp.Dims[i].N
		if uint16(coins) > rate || n < 2 || i == sp.Fam.Derived {
			continue
		}
		g.set(i, g.moved(i, rng))
	}
	g.mend()
	if sp.Fam.Derived >= 0 && rng.Float64() < beyondLeast {
		g.enlarge(sp, rng)
	}
}

// exchanged divides the size otherwise between the derived parameter and another number; false if it changed nothing.
func (g *genome) exchanged(sp *search.Space, rng *rand.Rand) bool {
	other := rng.Intn(len(g.v))
	if !adjustable(sp, other) {
		return false
	}
	steps := 1 + int32(rng.ExpFloat64()*exchangeMean)
	if rng.Uint64()&1 == 0 {
		steps = -steps
	}
	was, sound := [topology.MaxParams]int32{}, g.sound
	copy(was[:], g.v)
	if g.b.exchange(int(g.space), g.v, other, steps) {
		if g.repaired(); g.sound && g.b.inside(int(g.space), g.v) {
			return true
		}
	}
	copy(g.v, was[:])
	g.sound = sound
	return false
}

// mend repairs what crossover has made.
func (g *genome) mend() {
	if !g.sound {
		g.repaired()
	}
}

// moved is another value of a parameter with two or more: of named choices any, of numbers one near it, or now and then one that
// is a simple multiple, since what makes a network of a size is that products stay.
func (g *genome) moved(i int, rng *rand.Rand) int32 {
	sp := g.b.p.Spaces[g.space]
	d, at := &sp.Dims[i], g.v[i]
	n := int32(d.N)
	if sp.Fam.Params[i].Choices != nil {
		return (at + 1 + int32(rng.Intn(int(n)-1))) % n
	}
	if of := sp.Fam.Params[i].Divides; of != "" {
		if x, ok := g.shifted(i, sp.Fam.Param(of), rng); ok {
			return x
		}
	}
	if n > scaledFrom && sp.Fam.Params[i].Divides == "" && rng.Float64() < scaledShare {
		f := factors[rng.Intn(len(factors))]
		k, _ := d.Index(d.At(int(at)) * f[0] / f[1])
		if x := min(int32(k), n-1); x != at {
			return x
		}
	}
	hi := float64(n) - 0.5
	x := round(polynomial(float64(at), -0.5, hi, mutateIndex, rng), hi)
	if x == at { // at least a step, where there is one
		x = min(max(x+1-2*int32(rng.Uint64()&1), 0), n-1)
	}
	return x
}

// shifted moves parts of what a ratio divides from one side to the other: of the ratios that lie near most do not divide it, and repair
// would often lead back to where it was. The number of parts is geometric, one of them most often; false if the space has no such ratio.
func (g *genome) shifted(i, of int, rng *rand.Rand) (int32, bool) {
	d := &g.b.p.Spaces[g.space].Dims
	whole, ratio := (*d)[of].At(int(g.v[of])), (*d)[i].At(int(g.v[i]))
	if whole < 2 {
		return 0, false
	}
	const most = 8 // draws, until a ratio of the space is found
	step := 1 - 2*int(rng.Uint64()&1)
	part := min(topology.RatioPart(ratio, whole), whole-1)
	for range most {
		part += step
		if part < 1 || part >= whole {
			return 0, false
		}
		if k, ok := (*d)[i].Index(topology.RatioOf(part, whole-part)); ok && int32(k) != g.v[i] && rng.Uint64()&1 == 0 {
			return int32(k), true
		}
	}
	return 0, false
}

// factors are the ratios of moved.
var factors = [...][2]int{{2, 1}, {1, 2}, {3, 2}, {2, 3}, {3, 1}, {1, 3}}

// enlarge gives a design more endpoints than repair does, if the window holds as many: the least that is asked for is not
// always the best.
func (g *genome) enlarge(sp *search.Space, rng *rand.Rand) {
	d := sp.Fam.Derived
	at := g.v[d]
	g.v[d] = min(at+1+int32(rng.ExpFloat64()*enlargeMean), int32(sp.Dims[d].N-1))
	g.b.size.Reset(sp.Fam)
	if sp.Fam.Count(g.b.values(int(g.space), g.v), &g.b.size); g.b.size.Endpoints > g.b.p.Max {
		g.v[d] = at
	}
	g.sound = g.sound && g.v[d] == at
}

func (g *genome) set(i int, x int32) {
	g.sound = g.sound && g.v[i] == x
	g.v[i] = x
}

// round gives the index nearest to x of those from 0 to hi-0.5.
func round(x, hi float64) int32 { return int32(min(max(x, 0), hi-0.5) + 0.5) }
