package routing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/topology"
)

// anyNet is a connected random network; some endpoints have two ports.
func anyNet(t *testing.T, seed uint64) *topology.Network {
	r := rand.New(rand.NewPCG(seed, 5))
	n := 6 + r.IntN(14)
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, n)
	id := func(s int) topology.SwitchID { return topology.SwitchID(s) }
	for s := 1; s < n; s++ {
		b.Link(1, id(r.IntN(s)), id(s))
	}
	for range n {
		if x, y := r.IntN(n), r.IntN(n); x != y {
			b.Link(1, id(x), id(y))
		}
	}
	for s := range n {
		switch r.IntN(4) {
		case 0:
			b.Endpoints(1, []topology.SwitchID{id(s), id((s + 1) % n)})
		default:
			b.Endpoints(1+r.IntN(3), []topology.SwitchID{id(s)})
		}
	}
	return built(t, b, fmt.Sprint("random ", seed))
}

func tablesOf(t *testing.T, n *topology.Network) map[string]*Layered {
	t.Helper()
	lash, err := LASH(t.Context(), n)
	if err != nil {
		t.Fatal(n.Design, err)
	}
	dfsssp, err := DFSSSP(t.Context(), n)
	if err != nil {
		t.Fatal(n.Design, err)
	}
	return map[string]*Layered{"lash": lash, "dfsssp": dfsssp}
}

// TestLayeredTwin: paths are shortest from the nearest ports, the layers have no cycle by a search over maps, those
// below the last cannot be left out (a layer takes no path that the ones before would have taken, LASH) and loads are
// those of the paths, one by one.
func TestLayeredTwin(t *testing.T) {
	for seed := range uint64(60) {
		n := anyNet(t, seed)
		for name, x := range tablesOf(t, n) {
			checkLayered(t, name, n, x)
		}
	}
}

type depMap map[topology.ChannelID]map[topology.ChannelID]bool

// cyclic searches depth-first.
func (m depMap) cyclic() bool {
	state := map[topology.ChannelID]int{}
	var loops func(c topology.ChannelID) bool
	loops = func(c topology.ChannelID) bool {
		state[c] = 1
		for d := range m[c] {
			if state[d] == 1 || state[d] == 0 && loops(d) {
				return true
			}
		}
		state[c] = 2
		return false
	}
	for c := range m {
		if state[c] == 0 && loops(c) {
			return true
		}
	}
	return false
}

func (m depMap) add(path []topology.ChannelID) {
	for i := 1; i < len(path); i++ {
		if m[path[i-1]] == nil {
			m[path[i-1]] = map[topology.ChannelID]bool{}
		}
		m[path[i-1]][path[i]] = true
	}
}

func checkLayered(t *testing.T, name string, n *topology.Network, x *Layered) {
	t.Helper()
	r := x.Router
	layers := make([]depMap, x.Layers)
	for i := range layers {
		layers[i] = depMap{}
	}
	all, load, even := depMap{}, make([]float64, n.Channels()), make([]float64, n.Channels()) // from the port that each pair takes, and from all alike
	used := make([]bool, x.Layers)
	for dst := range topology.EndpointID(n.Endpoints()) {
		set := int(r.SetOf[n.GroupOf(dst)])
		f := r.Field(set)
		for src := range topology.EndpointID(n.Endpoints()) {
			if src == dst {
				continue
			}
			from := int(r.SetOf[n.GroupOf(src)])
			at, hops := r.Inject(f, from, nil)
			_, _, ports := n.Group(n.GroupOf(src))
			entered := ports[x.Enter(src, dst)]
			for i, p := range r.Sets[from].Ports {
				layer, left := x.Layer(x.Row(dst), p.Switch)
				if !slices.Contains(at, i) {
					continue
				}
				if left != uint8(hops) || layer == noLayer {
					t.Fatalf("%s, %s: from %d to %d at switch %d: layer %d, %d hops", name, n.Design, src, dst, p.Switch, layer, left)
				}
				var path []topology.ChannelID
				for s := p.Switch; ; s = n.To(path[len(path)-1]) {
					c := x.Next(x.Row(dst), s)
					if c < 0 {
						break
					}
					path = append(path, c)
				}
				if len(path) != int(hops) {
					t.Fatalf("%s, %s: from %d to %d: %d hops, want %d", name, n.Design, src, dst, len(path), hops)
				}
				layers[layer].add(path)
				all.add(path)
				used[layer] = true
				for _, c := range path {
					even[c] += 1 / float64(n.Endpoints()-1) / float64(len(at))
					if p.Switch == entered {
						load[c] += 1 / float64(n.Endpoints()-1)
					}
				}
			}
		}
	}
	for i, m := range layers {
		if m.cyclic() || !used[i] {
			t.Errorf("%s, %s: layer %d of %d has a cycle, or no path", name, n.Design, i, x.Layers)
		}
	}
	if all.cyclic() != (x.Layers > 1) {
		t.Errorf("%s, %s: %d layers, and paths together have a cycle: %v", name, n.Design, x.Layers, all.cyclic())
	}
	if rep, err := x.CheckDeadlock(t.Context()); err != nil || !rep.Acyclic || !rep.Proven {
		t.Errorf("%s, %s: %v, %s", name, n.Design, err, rep.Words(n))
	}
	l, err := x.UniformLoads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	alike, err := x.loads(t.Context(), x.uniform, nil) // of more pairs than are looked up
	if err != nil {
		t.Fatal(err)
	}
	for c := range load {
		if math.Abs(load[c]-l.Channel[c]) > 1e-9 || math.Abs(even[c]-alike.Channel[c]) > 1e-9 {
			t.Fatalf("%s, %s: load of channel %d is %g, want %g; from all ports alike %g, want %g", name, n.Design, c, l.Channel[c], load[c], alike.Channel[c], even[c])
		}
	}
	if gap := x.Unreachable(); gap.Pairs != 0 {
		t.Errorf("%s, %s: %+v", name, n.Design, gap)
	}
}

// TestLayeredKnown: rings of 3 and 4 need one layer, since no path of up to two hops leads on from the middle of
// another all the way round; longer ones two, by hand: in one direction all dependencies of neighbouring links are
// there, and a second layer takes those that cross a point. Trees have one path for each pair.
func TestLayeredKnown(t *testing.T) {
	for k, want := range map[int]int{3: 1, 4: 1, 5: 2, 6: 2, 9: 2, 16: 2} {
		for name, x := range tablesOf(t, ringOf(t, k)) {
			if x.Layers != want {
				t.Errorf("ring of %d, %s: %d layers, want %d", k, name, x.Layers, want)
			}
		}
	}
	for name, x := range tablesOf(t, torus(t, false, 1, 9)) {
		if x.Layers != 1 {
			t.Errorf("line, %s: %d layers", name, x.Layers)
		}
	}
}

// TestLayeredCycleShows: a check that cannot fail proves nothing. All paths in one layer have the ring's cycle.
func TestLayeredCycleShows(t *testing.T) {
	n := ringOf(t, 6)
	x, err := newTables(t.Context(), n, true)
	if err != nil {
		t.Fatal(err)
	}
	x.Layers = 1
	rep, err := x.CheckDeadlock(t.Context())
	if err != nil || rep.Acyclic || len(rep.Cycle) != 6 {
		t.Errorf("%v, acyclic %v, a cycle of %d", err, rep.Acyclic, len(rep.Cycle))
	}
}

// TestDFSSSPBalances: up from a leaf of two with two spines each destination has a spine of its own: every
// channel carries the same, where LASH sends both endpoints of a leaf over one spine.
func TestDFSSSPBalances(t *testing.T) {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, 6) // four leaves, two spines
	for leaf := range 4 {
		b.Link(1, topology.SwitchID(leaf), 4)
		b.Link(1, topology.SwitchID(leaf), 5)
	}
	for leaf := range 4 {
		b.Endpoints(2, []topology.SwitchID{topology.SwitchID(leaf)})
	}
	n := built(t, b, "leaves and spines")
	for name, x := range tablesOf(t, n) {
		l, err := x.UniformLoads(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// A destination takes 6/7 from beyond its leaf; two of them share a spine under LASH.
		want := map[string]float64{"lash": 12. / 7, "dfsssp": 6. / 7}[name]
		if got := slices.Max(l.Channel); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: busiest channel %g, want %g", name, got, want)
		}
	}
}

// Of all ways to deal VCs out to layers that give each one, Deal takes one by which the fullest layer has the least traffic a VC; what they carry is counted from what crosses channels.
func TestLayeredDeal(t *testing.T) {
	several := 0
	for seed := range uint64(30) {
		for name, x := range tablesOf(t, anyNet(t, seed)) {
			turns, err := x.Turns(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			traffic := make([]float64, x.Layers)
			for at, rate := range turns.On {
				traffic[at%turns.Codes/2] += rate
			}
			fullest := func(vcs []int) (most float64) {
				for i, n := range vcs {
					most = max(most, traffic[i]/float64(n))
				}
				return most
			}
			for have := x.Layers; have <= x.Layers+4; have++ {
				best := math.Inf(1)
				vcs := make([]int, x.Layers)
				var deal func(i, left int)
				deal = func(i, left int) {
					if i == x.Layers-1 {
						vcs[i] = left
						best = min(best, fullest(vcs))
						return
					}
					for vcs[i] = 1; vcs[i] <= left-(x.Layers-1-i); vcs[i]++ {
						deal(i+1, left-vcs[i])
					}
				}
				deal(0, have)
				got, sum := x.Deal(have), 0
				for _, n := range got {
					sum += n
				}
				if sum != have || slices.Min(got) < 1 || fullest(got) > best*(1+1e-9) {
					t.Errorf("seed %d, %s: of %d VCs %v, the fullest layer with %g a VC, %g is possible", seed, name, have, got, fullest(got), best)
				}
			}
			if x.Layers > 1 {
				several++
			}
		}
	}
	if several < 10 {
		t.Errorf("%d tables of several layers are too few to tell", several)
	}
}
