package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sort"

	"toposearch/internal/stream"
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

// derive chooses the derived parameter by binary search: endpoints do not decrease in it.
func (b *breeder) derive(sp *space, g *genome) {
	d := sp.fam.Derived
	if d < 0 {
		return
	}
	v := b.values(g)
	n := sp.dims[d].n
	k := sort.Search(n, func(i int) bool {
		v[d] = sp.dims[d].at(i)
		b.size.Reset(sp.fam)
		sp.fam.Count(v, &b.size)
		return b.size.Endpoints >= b.p.min
	})
	g.at[d] = int32(min(k, n-1))
}

// Sizes of the population by the number of families, and when to stop without a budget: the
// archive has not changed for so many generations.
const (
	perFamily      = 25
	smallestPop    = 100
	largestPop     = 300
	stallLimit     = 40
	maxGenerations = 100_000
)

// nsga2 evolves the marked spaces as a Strategy.
type nsga2 struct {
	talk    *talk
	p       *Problem
	archive front
	stalled int
	asked   []Candidate
}

func newNSGA2(p *Problem, which []bool, start []Candidate) *nsga2 {
	s := &nsga2{p: p, talk: newTalk()}
	b := &breeder{p: p}
	for i, w := range which {
		if w {
			b.spaces = append(b.spaces, i)
		}
	}
	e := &evolution[*genome]{
		size:        min(max(perFamily*len(b.spaces), smallestPop), largestPop),
		generations: maxGenerations,
		seed:        p.seed,
		vary:        b.vary,
		key:         (*genome).key,
		stop:        func() bool { return s.stalled >= stallLimit },
	}
	e.first = func(i int, rng *rand.Rand) *genome {
		if i < len(start) {
			if g, ok := p.genomeOf(start[i]); ok {
				return g
			}
		}
		sp := b.spaces[i%len(b.spaces)]
		if x, ok := p.sample(sp, uint64(i/len(b.spaces))); ok {
			if g, ok := p.genomeOf(x.Candidate); ok {
				return g
			}
		}
		return b.random(sp, rng)
	}
	e.score = func(gs []*genome) ([]Score, error) {
		cs := make([]Candidate, len(gs))
		for i := range gs {
			cs[i] = b.candidate(gs[i])
		}
		return s.talk.ask(cs)
	}
	s.talk.start(func() error { _, err := e.run(); return err })
	return s
}

// Ask gives the next generation.
func (s *nsga2) Ask(ctx context.Context) ([]Candidate, error) {
	var err error
	s.asked, err = s.talk.next(ctx)
	return s.asked, err
}

// Tell passes the scores on and watches whether the archive still moves.
func (s *nsga2) Tell(scores []Score) {
	moved := false
	for i := range scores {
		if scores[i].Feasible() && !s.archive.holds(s.asked[i]) {
			moved = s.archive.add(member{Candidate: s.asked[i], v: scores[i].V}) || moved
		}
	}
	s.stalled++
	if moved {
		s.stalled = 0
	}
	s.talk.tell(scores)
}

// Close ends the evolution if it has not ended by itself.
func (s *nsga2) Close() { s.talk.close() }

// holds tells whether the front has a candidate already.
func (f *front) holds(c Candidate) bool {
	for i := range f.at {
		if f.at[i].Space == c.Space && equal(f.at[i].V, c.V) {
			return true
		}
	}
	return false
}

// talk turns an algorithm that calls for scores into one that is asked: the algorithm runs on a
// goroutine of its own, and exactly one of the two sides runs at a time.
type talk struct {
	asks  chan []Candidate
	tells chan []Score
	quit  chan struct{}
	ended chan struct{}
	err   error
}

func newTalk() *talk {
	return &talk{asks: make(chan []Candidate), tells: make(chan []Score), quit: make(chan struct{}), ended: make(chan struct{})}
}

func (t *talk) start(run func() error) {
	go func() {
		defer close(t.ended)
		if err := run(); err != nil && !errors.Is(err, errQuit) {
			t.err = err
		}
	}()
}

var errQuit = errors.New("search: nobody asks any more")

// ask is called by the algorithm.
func (t *talk) ask(cs []Candidate) ([]Score, error) {
	if len(cs) == 0 {
		return nil, nil
	}
	select {
	case t.asks <- cs:
	case <-t.quit:
		return nil, errQuit
	}
	select {
	case s := <-t.tells:
		return s, nil
	case <-t.quit:
		return nil, errQuit
	}
}

// next waits for what the algorithm asks; nil when it has ended.
func (t *talk) next(ctx context.Context) ([]Candidate, error) {
	select {
	case cs := <-t.asks:
		return cs, nil
	case <-t.ended:
		return nil, t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *talk) tell(scores []Score) {
	select {
	case t.tells <- scores:
	case <-t.ended:
	}
}

func (t *talk) close() {
	select {
	case <-t.quit:
	default:
		close(t.quit)
	}
	<-t.ended
}

// sampling is the strategy "random": repaired random designs, family by family in turn.
type sampling struct {
	p     *Problem
	b     *breeder
	round uint64
}

// Without a budget, random sampling ends after so many batches of so many designs.
const (
	randomBatch  = 100
	randomRounds = 1000
)

func newSampling(p *Problem, which []bool) *sampling {
	s := &sampling{p: p, b: &breeder{p: p}}
	for i, w := range which {
		if w {
			s.b.spaces = append(s.b.spaces, i)
		}
	}
	return s
}

// Ask draws a batch from a stream of its own.
func (s *sampling) Ask(ctx context.Context) ([]Candidate, error) {
	if s.round >= randomRounds {
		return nil, nil
	}
	rng := stream.New(s.p.seed, "search.random", s.round)
	s.round++
	cs := make([]Candidate, randomBatch)
	for i := range cs {
		cs[i] = s.b.candidate(s.b.random(s.b.spaces[i%len(s.b.spaces)], rng))
	}
	return cs, ctx.Err()
}

// Tell learns nothing.
func (s *sampling) Tell([]Score) {}
