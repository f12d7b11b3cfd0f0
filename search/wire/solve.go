package wire

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"toposearch/evaluator/floor"
	"toposearch/internal/crew"
	"toposearch/internal/stream"
)

// Problem is what is to be wired: Switches of a Degree, or Hosts on switches of a Radix.
type Problem struct {
	Switches int // with Hosts 0: the number with the least bound on the mean distance
	Degree   int // links of a switch; not with Radix
	Hosts    int // evenly on the switches; without Radix as many for each switch
	Radix    int // ports of a switch, for hosts and links

	Turns  int           // of the rotational symmetry, which divides the switches; 0: what comes out best
	Effort time.Duration // of one core, counted in words combined and not by the clock, so that results repeat
	Seed   uint64
	// Metre is by how many links mean distance may grow for a metre that the mean cable is shorter.
	Metre float64
	Site  floor.Site
}

// Limits of a Problem: the words of a measurement fit into memory, and the square of switches into an int64 many times.
const (
	MostSwitches = 1 << 17
	MostRadix    = 1 << 10
)

// opsPerSecond is how many words one core combines in a second: measured on (256,8) to (1024,32) at 1 to 64 turns, 0.6 to
// 1.6e9 on a server core of 2023.
const opsPerSecond = 1e9

// Result is the best graph found.
type Result struct {
	Graph     *Graph
	Diameter  int     // links between switches; of Hosts with Radix, between hosts, their own links included
	Mean      float64 // the same on average
	AtLeast   float64 // no graph has less
	AtLeastD  int
	Start     string // what annealing began with: random, or a family
	Judged    int64  // graphs
	CableM    float64
	UnplacedM float64 // before switches were placed
	Connected bool
	at        []int32 // position of each switch
}

// Check says what is wrong with a problem, each fault with its remedy.
func (p *Problem) Check() (faults []error) {
	bad := func(format string, a ...any) { faults = append(faults, fmt.Errorf(format, a...)) }
	switch {
	case p.Radix > 0 && p.Degree > 0:
		bad("a degree and a radix: give the links of a switch, or its ports for hosts and links")
	case p.Radix == 0 && p.Degree == 0:
		bad("neither a degree nor a radix: how many links, or how many ports has a switch?")
	case p.Radix > 0 && (p.Radix < 3 || p.Radix > MostRadix):
		bad("a radix of %d; give 3 to %d", p.Radix, MostRadix)
	case p.Radix > 0 && (p.Hosts < 2 || p.Hosts > MostSwitches):
		bad("%d hosts; give 2 to %d", p.Hosts, MostSwitches)
	case p.Degree > 0 && (p.Switches < 2 || p.Switches > MostSwitches):
		bad("%d switches; give 2 to %d", p.Switches, MostSwitches)
	case p.Degree > 0 && (p.Degree < 2 || p.Degree > min(MostRadix, p.Switches-1)):
		bad("a degree of %d; give 2 to %d", p.Degree, min(MostRadix, p.Switches-1))
	case p.Degree > 0 && p.Hosts > 0 && p.Hosts%p.Switches != 0:
		bad("%d hosts on %d switches of a degree: give each as many, a multiple of %d", p.Hosts, p.Switches, p.Switches)
	}
	if p.Effort < 0 || p.Effort > 30*24*time.Hour {
		bad("an effort of %s; give up to 720h", p.Effort)
	}
	if !(p.Metre >= 0 && p.Metre <= 1000) {
		bad("%g links for a metre; give 0 to 1000", p.Metre)
	}
	if len(faults) > 0 {
		return faults
	}
	if n := p.Switches; p.Radix > 0 && n > 0 && (n > p.Hosts || n*(p.Radix-2) < p.Hosts-2) {
		bad("%d hosts on %d switches of %d ports cannot be one network; take %d to %d switches", p.Hosts, n, p.Radix, (p.Hosts-2+p.Radix-3)/(p.Radix-2), p.Hosts)
	}
	if p.Turns < 0 || p.Turns > 1 && p.Switches > 0 && p.Switches%p.Turns != 0 {
		bad("%d turns do not divide the %d switches", p.Turns, p.Switches)
	} else if p.Turns > 1 && p.Radix > 0 && p.Hosts%p.Turns != 0 {
		bad("%d turns do not divide the %d hosts", p.Turns, p.Hosts)
	}
	return faults
}

// try is a start with a symmetry, and the best that came of it.
type try struct {
	switches, turns int
	start           string
	from            *Graph // nil: a random one
	best            *Graph
	score           Score
	judged          int64
	err             error
}

// Solve searches: all symmetries that fit and all starts with a part of the effort each, the better half with twice as
// much each, and so on. The result is the same on any number of workers.
func (p *Problem) Solve(ctx context.Context, workers int) (*Result, error) {
	if faults := p.Check(); len(faults) > 0 {
		return nil, faults[0]
	}
	p.Site.FillDefaults()
	tries := p.tries()
	for _, t := range tries {
		t.score.Diameter = math.MaxInt // of no graph
	}
	rounds, judged := 1, int64(0)
	for 1<<(rounds-1) < len(tries) {
		rounds++
	}
	each := p.Effort.Seconds() * opsPerSecond / float64(rounds)
	for round := range rounds {
		ops := int64(each / float64(len(tries)))
		crew.Each(ctx, workers, len(tries), func(_, i int) { p.anneal(ctx, tries[i], round, ops) })
		for _, t := range tries {
			judged, t.judged = judged+t.judged, 0
		}
		slices.SortStableFunc(tries, func(a, b *try) int { return a.score.compare(b.score) })
		if tries[0].best == nil {
			return nil, errors.Join(tries[0].err, ctx.Err())
		}
		if ctx.Err() != nil || p.least(tries[0].score) {
			break
		}
		tries = tries[:(len(tries)+1)/2]
	}
	return p.result(ctx, tries[0], judged), nil
}

// tries are the starts: random graphs of each symmetry, and algebraic ones.
func (p *Problem) tries() (out []*try) {
	n := p.Switches
	if n == 0 {
		n = switchesFor(p.Hosts, p.Radix, 1)
	}
	for turns := 1; turns <= n/2; turns++ {
		some := []int{n}
		switch {
		case p.Turns > 0 && turns != p.Turns:
			continue
		case p.Switches == 0 && p.Hosts%turns == 0: // the number of switches may move for the symmetry
			some = p.near(switchesFor(p.Hosts, p.Radix, turns), turns)
		case n%turns != 0 || p.Radix > 0 && p.Hosts%turns != 0:
			continue
		}
		for _, at := range some {
			if at >= 2 && (turns <= 64 || turns == p.Turns) { // a word holds the turns of an orbit
				out = append(out, &try{switches: at, turns: turns, start: "random"})
			}
		}
	}
	if len(out) == 0 {
		out = append(out, &try{switches: max(n, 1), turns: 1, start: "random"})
	}
	if p.Degree > 0 && p.Turns <= 1 {
		for i, g := range seeds(n, p.Degree, stream.New(p.Seed, "wire seeds")) {
			out = append(out, &try{switches: n, turns: 1, start: algebraic[i], from: g})
		}
	}
	return out
}

// near are the number of switches with the least bound on the mean distance, and one a seventh below and above it that has the symmetry:
// which number has the least diameter the bound does not say. 80 hosts on ports of 6 have 6 on 35 switches, and 5 on 40.
func (p *Problem) near(least, turns int) []int {
	some := []int{least}
	for _, at := range []int{least * 6 / 7 / turns * turns, (least*8/7 + turns - 1) / turns * turns} {
		if at > 1 && at != least && at <= p.Hosts && at*(p.Radix-2) >= p.Hosts-2 {
			some = append(some, at)
		}
	}
	return some
}

// anneal takes one try through one round: new random graphs as often as the effort is enough for, or an algebraic graph on from the best
// so far.
func (p *Problem) anneal(ctx context.Context, t *try, round int, ops int64) {
	rng := stream.New(p.Seed, "wire "+t.start, uint64(t.turns), uint64(t.switches), uint64(round))
	if t.from != nil {
		a := newAnnealer(t.from.clone(), rng, p.pull(t.from), false)
		a.run(ops, gentle, func() bool { return ctx.Err() != nil || p.least(a.score) })
		t.keep(a)
		t.from = t.best
		return
	}
	for left := max(ops, 1); left > 0 && ctx.Err() == nil; {
		degree, hosts := p.orbits(t)
		g, err := random(rng, t.turns, degree, hosts)
		if err != nil {
			t.err = err
			return
		}
		a := newAnnealer(g, rng, p.pull(g), p.swings())
		part := max(ops/max(ops/a.enough(), 1), 1)
		a.run(part, warmest+hottest/float64(t.turns), func() bool { return ctx.Err() != nil || p.least(a.score) })
		left -= max(part, a.ops)
		if t.keep(a); p.least(t.score) {
			return
		}
	}
}

// keep remembers what an annealer has found if it is better.
func (t *try) keep(a *annealer) {
	t.judged += a.judged
	if a.score.less(t.score) {
		t.best, t.score = a.best, a.score
	}
}

// least reports whether no graph has a better score.
func (p *Problem) least(s Score) bool {
	if p.Metre > 0 {
		return false
	}
	if p.Radix > 0 {
		n := float64(p.Hosts)
		_, mean := HostsAtLeast(p.Hosts, p.Radix)
		return 2+float64(s.sum)/(n*(n-1)) < mean+1e-9
	}
	_, mean := AtLeast(p.Switches, float64(p.Degree))
	n, k := float64(p.Switches), float64(max(p.Hosts/p.Switches, 1))
	return float64(s.sum)/(k*k*n*(n-1)) < mean+1e-9
}

// swings reports whether hosts move between switches. Where cables weigh they stay, since racks are filled by hosts.
func (p *Problem) swings() bool { return p.Radix > 0 && p.Metre == 0 }

// orbits divides ports and hosts as evenly as can be.
func (p *Problem) orbits(t *try) (degree, hosts []int32) {
	n := t.switches / t.turns
	degree, hosts = make([]int32, n), make([]int32, n)
	for o := range n {
		switch {
		case p.Radix > 0:
			each := p.Hosts / t.turns
			hosts[o] = int32((o+1)*each/n - o*each/n)
			degree[o] = min(int32(p.Radix)-hosts[o], int32(t.switches-1))
		default:
			hosts[o], degree[o] = int32(max(p.Hosts/t.switches, 1)), int32(p.Degree)
		}
	}
	ends := int32(0)
	for _, d := range degree {
		ends += d
	}
	if ends%2 == 1 && t.turns%2 == 1 { // one port stays free
		degree[0]--
	}
	return degree, hosts
}

// result measures the best graph and puts its switches into racks.
func (p *Problem) result(ctx context.Context, t *try, judged int64) *Result {
	g := t.best
	r := &Result{Graph: g, Start: t.start, Judged: judged, Diameter: t.score.Diameter, Connected: t.score.Diameter < g.Switches()}
	h, at := p.hall(g), natural(g)
	links := math.Max(float64(g.Links()), 1)
	r.UnplacedM = h.total(g, at) / links
	if ctx.Err() == nil {
		const each = 2000 // exchanges of a switch: the mean cable of 1,024 switches is then within 1 % of that of ten times as many
		h.place(g, at, stream.New(p.Seed, "wire place"), int64(each*g.Switches()))
	}
	r.at, r.CableM = at, h.total(g, at)/links
	hosts := float64(0)
	for s := range g.Switches() {
		hosts += float64(g.Hosts(s))
	}
	n := float64(g.Switches())
	if p.Radix > 0 {
		r.Diameter += 2
		r.Mean = 2 + float64(t.score.sum)/(hosts*(hosts-1))
		r.AtLeastD, r.AtLeast = HostsAtLeast(p.Hosts, p.Radix)
	} else {
		k := hosts / n
		r.Mean = float64(t.score.sum) / (k * k) / (n * (n - 1))
		r.AtLeastD, r.AtLeast = AtLeast(g.Switches(), float64(p.Degree))
	}
	return r
}

// hall is the one in which the switches of a graph stand.
func (p *Problem) hall(g *Graph) *hall {
	hosts := 0
	for s := range g.Switches() {
		hosts += g.Hosts(s)
	}
	return newHall(&p.Site, g.Switches(), hosts)
}

// pull is what the cables of a graph weigh; nil if nothing.
func (p *Problem) pull(g *Graph) *pull {
	if p.Metre == 0 {
		return nil
	}
	w := newMeter(g, false)
	// A metre of the mean cable is a metre for each link; Metre links of the mean distance are as many for each pair.
	return &pull{p.hall(g), natural(g), p.Metre * w.pairs / float64(g.Links())}
}
