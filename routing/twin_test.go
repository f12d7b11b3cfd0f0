package routing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// plain walks routes one by one, from the definition: legal routes by recursion over the steps
// of the rule as it is written, no tables, no search backwards.
type plain struct {
	n    *topology.Network
	rule topology.Rule
	dst  map[topology.SwitchID]int // ports of the destination
	memo map[[2]int]int
}

type plainHop struct {
	c     topology.ChannelID
	vc    uint8
	state uint8
}

// steps lists the hops that the rule allows, near or far.
func (p *plain) steps(s topology.SwitchID, state uint8) (out []plainHop) {
	first, end := p.n.Out(s)
	for c := first; c < end; c++ {
		k := p.n.Kind(s, c)
		done := make(map[uint8]bool)
		for _, st := range p.rule.Steps {
			ok := st.From == state && (st.Kind.Link == any8 || st.Kind.Link == k.Link) &&
				(st.Kind.From == any8 || st.Kind.From == k.From) && (st.Kind.To == any8 || st.Kind.To == k.To)
			if ok && !done[st.To] {
				done[st.To] = true
				out = append(out, plainHop{c, st.VC, st.To})
			}
		}
	}
	return out
}

// reach reports whether a legal route of at most d hops leads to the destination.
func (p *plain) reach(s topology.SwitchID, state uint8, d int) bool {
	if p.dst[s] > 0 {
		return true
	}
	key := [2]int{int(s)*64 + int(state), d}
	if v, ok := p.memo[key]; ok {
		return v == 1
	}
	p.memo[key] = 0
	if d > 0 {
		for _, h := range p.steps(s, state) {
			if p.reach(p.n.To(h.c), h.state, d-1) {
				p.memo[key] = 1
			}
		}
	}
	return p.memo[key] == 1
}

func (p *plain) dist(s topology.SwitchID, state uint8, limit int) int {
	for d := 0; d <= limit; d++ {
		if p.reach(s, state, d) {
			return d
		}
	}
	return -1
}

// nearer lists the hops that lead one step nearer. Two to a state and its rest on one channel are one route:
// that to the state, which goes on wherever the other does.
func (p *plain) nearer(s topology.SwitchID, state uint8, d int) (out []plainHop) {
	var all []plainHop
	for _, h := range p.steps(s, state) {
		if p.reach(p.n.To(h.c), h.state, d-1) {
			all = append(all, h)
		}
	}
	for _, h := range all {
		spare := slices.ContainsFunc(all, func(g plainHop) bool { return g.c == h.c && p.rest(g.state) == int(h.state) })
		if !spare {
			out = append(out, h)
		}
	}
	return out
}

// rest is what findRest calls so, from its words; -1 for none.
func (p *plain) rest(t uint8) int {
	into := make(map[uint8]map[uint8]bool) // VCs on which packets come to a state
	rivals := make(map[[2]uint8]bool)      // pairs of states to which a channel leads from one
	more := make(map[[2]uint8]bool)        // (u, t): u allows something that t does not
	for s := range topology.SwitchID(p.n.Switches()) {
		var to [64]map[plainHop]bool
		for q := range uint8(p.rule.States) {
			to[q] = make(map[plainHop]bool)
			hops := p.steps(s, q)
			for _, h := range hops {
				if into[h.state] == nil {
					into[h.state] = make(map[uint8]bool)
				}
				into[h.state][h.vc] = true
				to[q][plainHop{c: h.c, state: h.state}] = true
				for _, g := range hops {
					if g.c == h.c {
						rivals[[2]uint8{g.state, h.state}] = true
					}
				}
			}
		}
		for u := range uint8(p.rule.States) {
			for q := range uint8(p.rule.States) {
				for h := range to[u] {
					more[[2]uint8{u, q}] = more[[2]uint8{u, q}] || !to[q][h]
				}
			}
		}
	}
	for u := t + 1; int(u) < p.rule.States; u++ {
		if !rivals[[2]uint8{t, u}] || more[[2]uint8{u, t}] || len(into[t]) != 1 || len(into[u]) != 1 {
			continue
		}
		for vc := range into[t] {
			if into[u][vc+1] {
				return int(u)
			}
		}
	}
	return -1
}

// send pushes an amount along all routes, each on its own, and counts them: parallel links one by
// one, those of the destination too.
func (p *plain) send(s topology.SwitchID, state uint8, d int, amount float64, load []float64) (routes float64) {
	if d == 0 {
		return float64(p.dst[s])
	}
	hops := p.nearer(s, state, d)
	for _, h := range hops {
		load[h.c] += amount / float64(len(hops))
		routes += p.send(p.n.To(h.c), h.state, d-1, amount/float64(len(hops)), load)
	}
	return routes
}

// forPairs calls f for every ordered pair of distinct endpoints with the switches at which its
// packets enter, one per port.
func (p *plain) forPairs(limit int, f func(src, dst topology.EndpointID, at []topology.SwitchID, d int)) {
	n := p.n
	for dst := range topology.EndpointID(n.Endpoints()) {
		p.dst, p.memo = make(map[topology.SwitchID]int), make(map[[2]int]int)
		_, _, ports := n.Group(n.GroupOf(dst))
		for _, s := range ports {
			p.dst[s]++
		}
		for src := range topology.EndpointID(n.Endpoints()) {
			if src == dst {
				continue
			}
			best := -1
			var at []topology.SwitchID
			_, _, from := n.Group(n.GroupOf(src))
			for _, s := range from {
				switch d := p.dist(s, 0, limit); {
				case d < 0:
				case best < 0 || d < best:
					best, at = d, []topology.SwitchID{s}
				case d == best:
					at = append(at, s)
				}
			}
			f(src, dst, at, best)
		}
	}
}

// randomNet is a small network with random links, several classes, endpoints with up to two
// ports, sometimes unidirectional or in pieces, and a random rule.
func randomNet(t *testing.T, rng *rand.Rand) (*topology.Network, topology.Rule) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "a"}, {Name: "b"}}, twoLinks)
	na, nb := 2+rng.IntN(4), rng.IntN(4)
	b.Switch(0, na)
	b.Switch(1, nb)
	if rng.IntN(4) == 0 {
		b.Unidirectional()
	}
	size := na + nb
	pick := func() topology.SwitchID { return topology.SwitchID(rng.IntN(size)) }
	for range size + rng.IntN(2*size) {
		if x, y := pick(), pick(); x != y {
			b.Link(1+rng.IntN(2), x, y)
		}
	}
	for range 2 + rng.IntN(4) {
		ports := []topology.SwitchID{pick()}
		if rng.IntN(2) == 0 {
			ports = append(ports, pick())
		}
		b.Endpoints(1+rng.IntN(2), ports)
	}
	rule := topology.Rule{Name: "random", States: 1 + rng.IntN(4)}
	wild := func(m int) uint8 {
		if rng.IntN(2) == 0 {
			return any8
		}
		return uint8(rng.IntN(m))
	}
	seen := make(map[[2]uint8]bool)
	for range 3 + rng.IntN(6) {
		from, to := uint8(rng.IntN(rule.States)), uint8(rng.IntN(rule.States))
		if seen[[2]uint8{from, to}] {
			continue // the same step must not have two VCs
		}
		seen[[2]uint8{from, to}] = true
		link := wild(3)
		rule.Steps = append(rule.Steps, topology.Step{From: from, To: to, VC: uint8(rng.IntN(2)),
			Kind: topology.Kind{Link: link, From: wild(2), To: wild(2)}})
	}
	return built(t, b, "random"), rule
}

// randomRing is a ring with an endpoint on each switch and up to two chords: cyclic more often
// than not.
func randomRing(t *testing.T, rng *rand.Rand) *topology.Network {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	size := topology.SwitchID(4 + rng.IntN(4))
	b.Switch(0, int(size))
	for s := range size {
		b.Link(1, s, (s+1)%size)
		b.Endpoints(1, []topology.SwitchID{s})
	}
	for range rng.IntN(3) {
		if x, y := rng.IntN(int(size)), rng.IntN(int(size)); x != y {
			b.Link(2, topology.SwitchID(x), topology.SwitchID(y))
		}
	}
	return built(t, b, "ring")
}

func TestLoadsAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for i := range 300 {
		n, rule := randomNet(t, rng)
		limit := n.Switches() * rule.States
		p := &plain{n: n, rule: rule}
		load := make([]float64, n.Channels())
		var hops, routes, unreachable, pairs float64
		p.forPairs(limit, func(src, dst topology.EndpointID, at []topology.SwitchID, d int) {
			if d < 0 {
				unreachable++
				return
			}
			pairs++
			hops += float64(d)
			for _, s := range at {
				routes += p.send(s, 0, d, 1/float64((n.Endpoints()-1)*len(at)), load)
			}
		})
		got := uniform(t, n, rule, LoadOptions{Routes: true, Workers: 2})
		name := fmt.Sprintf("network %d, rule %+v", i, rule)
		for c := range load {
			if math.Abs(got.Channel[c]-load[c]) > 1e-9 {
				t.Fatalf("%s: channel %d: load = %v, want %v", name, c, got.Channel[c], load[c])
			}
		}
		if got.UnreachablePairs != unreachable {
			t.Fatalf("%s: unreachable = %v, want %v", name, got.UnreachablePairs, unreachable)
		}
		if pairs > 0 {
			compared++
			if !near(got.MeanHops, hops/pairs) || !near(got.Routes, routes/pairs) {
				t.Fatalf("%s: hops %v, routes %v, want %v, %v", name, got.MeanHops, got.Routes, hops/pairs, routes/pairs)
			}
		}
	}
	if compared < 250 {
		t.Errorf("only %d networks had traffic", compared)
	}
}

// plainCyclic builds the dependency graph as a map and looks for a cycle by depth-first search.
func plainCyclic(p *plain, limit, vcs int) bool {
	type res struct {
		c  topology.ChannelID
		vc int
	}
	arcs := make(map[res]map[res]bool)
	vcOf := func(h plainHop, hop int) int {
		if p.rule.HopVCs {
			return min(hop, vcs-1)
		}
		return min(int(h.vc), vcs-1)
	}
	var follow func(prev *res, s topology.SwitchID, state uint8, d, hop int)
	follow = func(prev *res, s topology.SwitchID, state uint8, d, hop int) {
		if d == 0 {
			return
		}
		for _, h := range p.nearer(s, state, d) {
			r := res{h.c, vcOf(h, hop)}
			if arcs[r] == nil {
				arcs[r] = make(map[res]bool)
			}
			if prev != nil {
				arcs[*prev][r] = true
			}
			follow(&r, p.n.To(h.c), h.state, d-1, hop+1)
		}
	}
	p.forPairs(limit, func(src, dst topology.EndpointID, at []topology.SwitchID, d int) {
		for _, s := range at {
			follow(nil, s, 0, d, 0)
		}
	})
	colour := make(map[res]int)
	var dfs func(r res) bool
	dfs = func(r res) bool {
		colour[r] = 1
		for u := range arcs[r] {
			if colour[u] == 1 || colour[u] == 0 && dfs(u) {
				return true
			}
		}
		colour[r] = 2
		return false
	}
	for r := range arcs {
		if colour[r] == 0 && dfs(r) {
			return true
		}
	}
	return false
}

func TestDeadlockAgainstPlain(t *testing.T) {
	racing.Figures(t)
	rng := rand.New(rand.NewPCG(3, 4))
	cyclic, proven := 0, 0
	for i := range 900 {
		n, rule := randomNet(t, rng)
		if i%3 == 0 {
			n, rule = randomRing(t, rng), topology.Minimal()
		} else if i%3 == 1 {
			rule = torusDOR(1) // states and VCs that follow link classes
		}
		for vcs := 1; vcs <= 3; vcs++ {
			want := plainCyclic(&plain{n: n, rule: rule}, n.Switches()*rule.States, vcs)
			rep, err := CheckDeadlock(context.Background(), n, rule, vcs)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Acyclic == want {
				t.Fatalf("network %d, rule %+v, %d VCs: acyclic = %v, plain search finds a cycle: %v", i, rule, vcs, rep.Acyclic, want)
			}
			checkCycle(t, "random", n, rep)
			if want {
				cyclic++
			}
			if k := KindGraph(n, rule, vcs); k.Acyclic {
				proven++
				if want {
					t.Fatalf("network %d, rule %+v, %d VCs: kinds prove %s, but there is a cycle", i, rule, vcs, k.Order)
				}
			}
		}
	}
	if cyclic < 100 || proven < 20 {
		t.Errorf("%d cyclic cases, %d proven by kinds: too few to tell", cyclic, proven)
	}
}

func BenchmarkLoads(b *testing.B) {
	n := dragonfly(b, 8, 16, 8)
	r, err := New(n, topology.Minimal())
	if err != nil {
		b.Fatal(err)
	}
	for _, w := range []int{1, 2} {
		b.Run(fmt.Sprintf("switches=2064/workers=%d", w), func(b *testing.B) {
			for b.Loop() {
				if _, err := r.UniformLoads(context.Background(), LoadOptions{Workers: w}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDeadlock(b *testing.B) {
	n := dragonfly(b, 4, 8, 4)
	for b.Loop() {
		if _, err := CheckDeadlock(context.Background(), n, lgl(), 0); err != nil {
			b.Fatal(err)
		}
	}
}
