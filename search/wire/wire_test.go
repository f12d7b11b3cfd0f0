package wire

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// plain is the weighed sum of distances between all switches and the diameter, by one search from each.
func plain(g *Graph) (sum int64, diameter int) {
	n := g.Switches()
	near := make([][]int, n)
	g.Each(func(a, b int) {
		near[a], near[b] = append(near[a], b), append(near[b], a)
	})
	for s := range n {
		dist := make([]int, n)
		for i := range dist {
			dist[i] = -1
		}
		dist[s] = 0
		for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
			for _, t := range near[queue[0]] {
				if dist[t] < 0 {
					dist[t] = dist[queue[0]] + 1
					queue = append(queue, t)
				}
			}
		}
		for t, d := range dist {
			if g.Hosts(s) == 0 || g.Hosts(t) == 0 {
				continue
			}
			if d < 0 {
				return far, n
			}
			sum += int64(d) * int64(g.Hosts(s)) * int64(g.Hosts(t))
			diameter = max(diameter, d)
		}
	}
	return sum, diameter
}

// drawn is a random graph of so many orbits.
func drawn(t *testing.T, rng *rand.Rand, orbits, turns, degree int, even bool) *Graph {
	t.Helper()
	d, h := make([]int32, orbits), make([]int32, orbits)
	for o := range d {
		d[o], h[o] = int32(degree), 3
		if !even {
			h[o], d[o] = int32(1+rng.IntN(4)), int32(degree-rng.IntN(2))
		}
	}
	ends := int32(0)
	for _, x := range d {
		ends += x
	}
	if ends%2 == 1 && turns%2 == 1 {
		d[0]--
	}
	g, err := random(rng, turns, d, h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestMeasure: both ways to hold what is reached agree with a search from every switch, after any moves; what is given up
// is above the limit.
func TestMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ orbits, turns, degree int }{{12, 1, 3}, {70, 1, 5}, {5, 8, 4}, {7, 9, 4}, {3, 64, 5}, {130, 2, 6}, {2, 30, 7}} {
		for _, even := range []bool{true, false} {
			g := drawn(t, rng, c.orbits, c.turns, c.degree, even)
			m := newMeter(g, !even)
			weights, kinds := m.hosts, []reacher{newBySources(g, m.hosts, m.even)}
			if c.turns > 1 {
				kinds = append(kinds, newByTurns(g, weights, m.even))
			}
			var mv move
			swings := 0
			for range 60 {
				if mv.draw(g, rng, !even) && mv.from != mv.to {
					swings++
					m.moved(mv.from, mv.to)
					for _, k := range kinds {
						k.weighed(mv.from)
						k.weighed(mv.to)
					}
				}
				want, diameter := plain(g)
				for _, k := range kinds {
					for o := range g.Orbits {
						k.touched(int32(o))
					}
					m.reach = k
					sum, d, ok := m.measure(far)
					if want == far {
						if d < g.Switches() {
							t.Fatalf("%+v: diameter %d of a graph in parts", c, d)
						}
						continue
					}
					if !ok || sum*m.scale != want || d != diameter {
						t.Fatalf("%+v, even %t: sum %d, diameter %d, want %d, %d", c, even, sum*m.scale, d, want, diameter)
					}
					for _, limit := range []int64{sum, sum - 1, sum * 9 / 10} {
						if _, _, ok := m.measure(limit); !ok && sum <= limit {
							t.Fatalf("%+v: given up at %d, and the sum is %d", c, limit, sum)
						}
					}
				}
			}
			if !even && swings == 0 {
				t.Errorf("%+v: no host has moved", c)
			}
		}
	}
}

// TestSwings: what an annealer knows of a graph whose hosts move is what the graph is, after every move, kept or taken back.
func TestSwings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, turns := range []int{1, 2, 10} {
		p := Problem{Hosts: 100, Radix: 8}
		degree, hosts := p.orbits(&try{switches: 40, turns: turns})
		g, err := random(rng, turns, degree, hosts)
		if err != nil {
			t.Fatal(err)
		}
		a, swings := newAnnealer(g, rng, nil, true), 0
		for range 400 {
			var mv move
			if !mv.draw(a.g, rng, true) {
				continue
			}
			a.judge(&mv, a.now+20)
			if mv.from != mv.to {
				swings++
			}
			want, _ := plain(a.g)
			if sum, _, _ := a.m.measure(far); want != far && sum*a.m.scale != want {
				t.Fatalf("%d turns: sum %d, want %d", turns, sum*a.m.scale, want)
			}
		}
		if swings == 0 {
			t.Errorf("%d turns: no swing of 400 moves was kept", turns)
		}
	}
}

// TestMoves: every move keeps the ports of switches, symmetry of ends and simplicity, and can be taken back.
func TestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, turns := range []int{1, 2, 5, 8} {
		g := drawn(t, rng, 9, turns, 5, false)
		ports := make([]int, g.Orbits)
		for o := range ports {
			ports[o] = len(g.links[o]) + int(g.hosts[o])
		}
		made, swings := 0, 0
		var mv move
		for range 2000 {
			before := g.clone()
			if !mv.draw(g, rng, true) {
				if !same(g, before) {
					t.Fatal("a move that was none has changed the graph")
				}
				continue
			}
			made++
			if mv.from != mv.to {
				swings++
			}
			for o, l := range g.links {
				if len(l)+int(g.hosts[o]) != ports[o] || g.hosts[o] < 0 {
					t.Fatalf("orbit %d has %d links and %d hosts on %d ports", o, len(l), g.hosts[o], ports[o])
				}
				for k, e := range l {
					b := g.links[e.orbit][e.back]
					if int(b.orbit) != o || int(b.back) != k || b.turn != g.minus(e.turn) || !g.simple(int32(o), int32(k)) {
						t.Fatalf("end %d of orbit %d is %+v, its other %+v", k, o, e, b)
					}
				}
			}
			if made%2 == 0 {
				mv.undo(g)
				if !same(g, before) {
					t.Fatal("a move was not taken back")
				}
			}
		}
		if made < 500 || swings < 50 {
			t.Errorf("%d turns: %d moves of 2000 were made, %d of hosts", turns, made, swings)
		}
	}
}

func same(a, b *Graph) bool {
	return slices.Equal(a.hosts, b.hosts) && slices.EqualFunc(a.links, b.links, func(x, y []end) bool { return slices.Equal(x, y) })
}

// TestBounds: the values that Graph Golf publishes.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		n, d, diameter int
		mean           float64
	}{{16, 3, 3, 2.2}, {64, 4, 4, 2.8571}, {64, 8, 2, 1.8730}, {72, 4, 4, 2.9859}, {256, 5, 4, 3.4706}, {1024, 8, 4, 3.4839}, {1024, 32, 2, 1.9687}} {
		if d, m := AtLeast(c.n, float64(c.d)); d != c.diameter || math.Abs(m-c.mean) > 5e-5 {
			t.Errorf("(%d,%d): %d, %.4f, want %d, %.4f", c.n, c.d, d, m, c.diameter, c.mean)
		}
	}
	for _, c := range []struct {
		n, r, diameter int
		mean           float64
	}{{32, 4, 5, 4.1935483871}, {80, 6, 4, 3.8607594937}, {128, 24, 3, 2.8582677165}, {432, 12, 4, 3.7911832947},
		{1024, 10, 5, 4.3235581623}, {4608, 36, 4, 3.7558063816}, {65536, 64, 4, 3.9545891508}, {10, 12, 2, 2}} {
		if d, m := HostsAtLeast(c.n, c.r); d != c.diameter || math.Abs(m-c.mean) > 5e-10 {
			t.Errorf("%d hosts, radix %d: %d, %.10f, want %d, %.10f", c.n, c.r, d, m, c.diameter, c.mean)
		}
	}
}

// TestSolve: an optimum that is known is found, the same on any number of workers, no matter how often.
func TestSolve(t *testing.T) {
	p := Problem{Switches: 16, Degree: 3, Seed: 7, Effort: 100 * time.Millisecond}
	var texts []string
	for _, workers := range []int{1, 3} {
		r, err := p.Solve(t.Context(), workers)
		if err != nil {
			t.Fatal(err)
		}
		if r.Diameter != 3 || math.Abs(r.Mean-2.2) > 1e-9 || r.AtLeast > r.Mean+1e-9 {
			t.Errorf("%d workers: diameter %d, mean %g, bound %g, want 3 and 2.2", workers, r.Diameter, r.Mean, r.AtLeast)
		}
		var b bytes.Buffer
		if err := r.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.String())
	}
	if texts[0] != texts[1] {
		t.Error("another number of workers, another graph")
	}
}

// TestFile: what is written is the network that was measured: hosts on switches of the radix, distances, cables.
func TestFile(t *testing.T) {
	p := Problem{Hosts: 100, Radix: 8, Seed: 1, Effort: 100 * time.Millisecond}
	r, err := p.Solve(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	f, list := netfile.Parse("net.csv", b.Bytes())
	if list.HasErrors() {
		t.Fatal(list)
	}
	n, err := topology.Design{Family: f.Family}.Build()
	if err != nil {
		t.Fatal(err)
	}
	if n.Endpoints() != 100 || n.Switches() != r.Graph.Switches() || len(n.Cables()) != r.Graph.Links() {
		t.Errorf("%d endpoints, %d switches, %d links", n.Endpoints(), n.Switches(), len(n.Cables()))
	}
	hosts := make([]int, n.Switches())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		hosts[ports[0]] += int(end - first)
	}
	sum := int64(0)
	for s := range n.Switches() {
		if ports := hosts[s] + len(n.Neighbors(topology.SwitchID(s))); ports > p.Radix {
			t.Errorf("switch %d uses %d ports of %d", s, ports, p.Radix)
		}
		d := distances(n, s)
		for u, x := range d {
			sum += int64(x) * int64(hosts[s]) * int64(hosts[u])
		}
	}
	if mean := 2 + float64(sum)/(100*99); math.Abs(mean-r.Mean) > 1e-9 || r.Mean < r.AtLeast {
		t.Errorf("the file has a mean distance of %g, printed is %g, bound %g", mean, r.Mean, r.AtLeast)
	}
	if r.CableM > r.UnplacedM {
		t.Errorf("placing made cables longer: %g from %g", r.CableM, r.UnplacedM)
	}
}

func distances(n *topology.Network, s int) []int {
	dist := make([]int, n.Switches())
	for i := range dist {
		dist[i] = -1
	}
	dist[s] = 0
	for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
		for _, t := range n.Neighbors(topology.SwitchID(queue[0])) {
			if dist[t] < 0 {
				dist[t] = dist[queue[0]] + 1
				queue = append(queue, int(t))
			}
		}
	}
	return dist
}

// TestMetre: the more a metre is worth, the shorter the cables and the longer the ways.
// The mean cable that is told is that of the floor plan of the file: with switches beside their hosts, evenly or with a rack less full at the end,
// and in racks of their own where those of the hosts would hold more than 16.
func TestCable(t *testing.T) {
	m, err := market.New(market.Options{Catalog: catalog.Builtin(), Currency: "USD", BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Problem{
		{Switches: 48, Degree: 5}, {Switches: 200, Degree: 6}, {Switches: 100, Degree: 6, Hosts: 200},
		{Hosts: 432, Radix: 12}, {Switches: 64, Degree: 8, Hosts: 512, Metre: 0.01},
	} {
		p.Seed, p.Effort = 1, 20*time.Millisecond
		r, err := p.Solve(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		f, list := netfile.Parse("net.csv", b.Bytes())
		if list.HasErrors() {
			t.Fatal(list)
		}
		site := floor.Site{}
		site.FillDefaults()
		s, err := floor.NewSchedule(m, &site, 8, topology.Design{Family: f.Family})
		if err != nil {
			t.Fatal(err)
		}
		sum, links := 0.0, 0
		if err := s.EachCable(false, func(c floor.Cable) bool {
			if c.FromSwitch >= 0 && c.ToSwitch >= 0 {
				sum, links = sum+c.LaidM, links+1
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if mean := sum / float64(links); links != r.Graph.Links() || math.Abs(mean-r.CableM) > 1e-9 {
			t.Errorf("%d switches of degree %d, %d hosts, radix %d: %d links of %g m on the mean on the floor plan, want %d of %g", p.Switches, p.Degree, p.Hosts, p.Radix, links, mean, r.Graph.Links(), r.CableM)
		}
	}
}

func TestMetre(t *testing.T) {
	p := Problem{Switches: 128, Degree: 6, Hosts: 1024, Turns: 4, Seed: 1, Effort: 200 * time.Millisecond}
	free, err := p.Solve(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Metre = 0.3
	short, err := p.Solve(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if short.CableM > 0.9*free.CableM || short.Mean < free.Mean {
		t.Errorf("free: %.3f links, %.2f m; a metre worth 0.3: %.3f links, %.2f m", free.Mean, free.CableM, short.Mean, short.CableM)
	}
}

// TestSeeds: algebraic graphs with switches left out or put in keep the degree and nearly the distances.
func TestSeeds(t *testing.T) {
	for _, c := range []struct{ n, d int }{{1024, 32}, {300, 19}, {57, 8}} {
		found := seeds(c.n, c.d, rand.New(rand.NewPCG(5, 6)))
		if len(found) == 0 {
			t.Errorf("(%d,%d): none", c.n, c.d)
		}
		for _, g := range found {
			for s := range g.Switches() {
				if g.Degree(s) > c.d {
					t.Fatalf("(%d,%d): switch %d has %d links", c.n, c.d, s, g.Degree(s))
				}
			}
			sum, _, _ := newMeter(g, false).measure(far)
			if mean := float64(sum) / float64(c.n*(c.n-1)); mean > 2.1 {
				t.Errorf("(%d,%d): mean %.4f", c.n, c.d, mean)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for want, p := range map[string]Problem{
		"neither a degree nor a radix":      {Switches: 8},
		"a degree and a radix":              {Switches: 8, Degree: 3, Radix: 8},
		"a degree of 8; give 2 to 7":        {Switches: 8, Degree: 8},
		"0 switches; give 2 to":             {Degree: 3},
		"a radix of 2; give 3":              {Hosts: 8, Radix: 2},
		"1 hosts; give 2":                   {Hosts: 1, Radix: 8},
		"3 turns do not divide the 8":       {Switches: 8, Degree: 3, Turns: 3},
		"7 turns do not divide the 8 hosts": {Hosts: 8, Radix: 8, Turns: 7},
		"cannot be one network":             {Hosts: 100, Radix: 4, Switches: 20},
		"9 hosts on 8 switches":             {Switches: 8, Degree: 3, Hosts: 9},
		"links for a metre":                 {Switches: 8, Degree: 3, Metre: -1},
	} {
		if faults := p.Check(); len(faults) == 0 || !strings.Contains(faults[0].Error(), want) {
			t.Errorf("%+v: %v, want %q", p, faults, want)
		}
	}
	none := Problem{Switches: 3, Degree: 2}
	if r, err := none.Solve(t.Context(), 1); err != nil || r.Mean != 1 {
		t.Errorf("no effort: %v, and a triangle is the only graph", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := Problem{Switches: 200, Degree: 5, Effort: time.Hour}
	if _, err := p.Solve(ctx, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped at once: %v", err)
	}
}

// BenchmarkMoves is how many graphs of 1,024 switches of degree 8 are judged, by symmetry.
func BenchmarkMoves(b *testing.B) {
	for _, turns := range []int{1, 64} {
		b.Run("turns="+string(rune('0'+turns/10))+string(rune('0'+turns%10)), func(b *testing.B) {
			p := Problem{Switches: 1024, Degree: 8}
			t := &try{switches: 1024, turns: turns}
			degree, hosts := p.orbits(t)
			rng := rand.New(rand.NewPCG(1, 2))
			g, err := random(rng, turns, degree, hosts)
			if err != nil {
				b.Fatal(err)
			}
			a := newAnnealer(g, rng, nil, false)
			b.ResetTimer()
			for a.judged < int64(b.N) {
				a.run(1e7, 1, func() bool { return a.judged >= int64(b.N) })
			}
			b.ReportMetric(float64(a.judged)/b.Elapsed().Seconds(), "graphs/s")
		})
	}
}
