package routing

import (
	"context"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

func native(t testing.TB, name string, n *topology.Network, opt Options) *Native {
	t.Helper()
	r, err := ByName(context.Background(), name, n, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// groupsOf puts a consecutive switches into each block.
func groupsOf(n *topology.Network, a int) []int32 {
	out := make([]int32, n.Switches())
	for s := range out {
		out[s] = int32(s / a)
	}
	return out
}

// The VC counts of the literature on Dragonfly (Kim et al., ISCA 2008, for the group; Garcia et
// al., ICPP 2012, for the router as intermediate) and HyperX.
func TestVCNeed(t *testing.T) {
	df := dragonfly(t, 2, 4, 2)
	dfOpt := Options{Natural: lgl(), Blocks: groupsOf(df, 4)}
	hx := hyperx(t, 2, 3, 3, 3)
	tor := torus(t, true, 5, 5)
	for _, c := range []struct {
		name          string
		n             *topology.Network
		opt           Options
		want          int
		local, global int // 0: not said
	}{
		{"natural", df, dfOpt, 2, 2, 1},
		{"minimal", df, dfOpt, 3, 3, 3},
		{"valiant+group", df, dfOpt, 3, 3, 2},
		{"ugal_l+group", df, dfOpt, 3, 3, 2},
		{"valiant", df, dfOpt, 4, 4, 2},
		{"ugal_g", df, dfOpt, 4, 4, 2},
		{"par+group", df, dfOpt, 4, 4, 0},
		{"par", df, dfOpt, 5, 5, 0},
		{"natural", hx, Options{Natural: dor(3)}, 1, 0, 0},
		{"valiant", hx, Options{Natural: dor(3)}, 2, 0, 0},
		{"minimal", hx, Options{Natural: dor(3)}, 3, 0, 0},
		{"natural", tor, Options{Natural: torusDOR(2)}, 2, 0, 0},
		{"valiant", tor, Options{Natural: torusDOR(2)}, 4, 0, 0},
		{"valiant", tor, Options{}, 8, 0, 0}, // two legs of 4 hops
	} {
		r := native(t, c.name, c.n, c.opt)
		if r.VCs() != c.want {
			t.Errorf("%s on %s: VCs = %d, want %d", c.name, c.n.Design, r.VCs(), c.want)
		}
		if v := r.ClassVCs(); c.local > 0 && v[1] != c.local || c.global > 0 && v[2] != c.global {
			t.Errorf("%s on %s: local, global VCs = %d, %d, want %d, %d", c.name, c.n.Design, v[1], v[2], c.local, c.global)
		}
		if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
			t.Errorf("%s on %s: %v, %v", c.name, c.n.Design, rep, err)
		}
		opt := c.opt
		if opt.VCs = c.want - 1; opt.VCs > 0 {
			if _, err := ByName(context.Background(), c.name, c.n, opt); err == nil || !strings.Contains(err.Error(), "virtual channels") {
				t.Errorf("%s on %s with %d VCs: error = %v, want a refusal", c.name, c.n.Design, opt.VCs, err)
			}
		}
	}
}

// A packet that has come to a spine cannot go up again: only leaves are intermediates.
func TestIntermediatesCanGoOn(t *testing.T) {
	z := zcube(t, 3, 3)
	r := native(t, "valiant", z, Options{Natural: monotone(3)})
	for i, m := range r.mids {
		for _, p := range m.ports {
			for set := range r.t.r.Sets {
				if r.t.at(set, r.t.node(p.Switch, 0)) == far {
					t.Fatalf("intermediate %d: switch %d cannot reach set %d", i, p.Switch, set)
				}
			}
		}
	}
}

func TestNamesOfRoutings(t *testing.T) {
	n := hyperx(t, 2, 3, 3)
	for name, want := range map[string]string{
		"ugal":               `there is no routing "ugal"`,
		"natural+group":      "has no intermediate",
		"valiant+group":      "has no groups",
		"valiant+adaptiv":    `nothing named "adaptiv"`,
		"":                   "there is no routing",
		"ugal_l+hash+switch": "",
	} {
		_, err := ByName(context.Background(), name, n, Options{Natural: dor(2)})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q", name, err, want)
		}
	}
}

// Lists and scans offer the same hops, and they are those of the field.
func TestTableAgainstField(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{dragonfly(t, 2, 4, 2), lgl()}, {zcube(t, 3, 3), topology.Minimal()}, {torus(t, true, 5, 4), torusDOR(2)}} {
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := newTable(context.Background(), r, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := tab.makeLists(context.Background(), 2); err != nil || !tab.lists() {
			t.Fatalf("no lists: %v", err)
		}
		for set := range r.Sets {
			f := r.Field(set)
			for x, d := range f.Dist {
				want := r.Next(f, topology.SwitchID(x/r.states), uint8(x%r.states), nil)
				got, scan := tab.hopsOf(set, x), tab.scan(set, x, nil)
				if d != Unreachable && int(d) != int(tab.at(set, x)) {
					t.Fatalf("distance %d, want %d", tab.at(set, x), d)
				}
				if len(got) != len(want) || len(scan) != len(want) {
					t.Fatalf("node %d to set %d: %v by list, %v by scan, want %v", x, set, got, scan, want)
				}
				for i := range want {
					if got[i] != want[i] || scan[i] != want[i] {
						t.Fatalf("node %d to set %d: %v by list, %v by scan, want %v", x, set, got, scan, want)
					}
				}
			}
		}
	}
}

// Without lists the same hops are chosen: the same one by hash, each of them at random.
func TestChooseByScan(t *testing.T) {
	n := torus(t, true, 4, 4)
	r := native(t, "minimal", n, Options{})
	bare := *r.t
	bare.list = nil
	for dst := range r.t.r.Sets {
		for node := range r.t.nodes {
			p := &simcore.Packet{Src: topology.EndpointID(node), Dst: topology.EndpointID(dst), Rand: simcore.NewRand(1, 2)}
			a, okA := r.t.choose(dst, node, hash, p, nil)
			b, okB := bare.choose(dst, node, hash, p, nil)
			if a != b || okA != okB {
				t.Fatalf("node %d to %d by hash: %v by list, %v by scan", node, dst, a, b)
			}
			want := r.t.hopsOf(dst, node)
			for _, how := range []pick{random, adaptive} {
				for _, tab := range []*table{r.t, &bare} {
					seen := make(map[Hop]int)
					for range 200 {
						if h, ok := tab.choose(dst, node, how, p, nil); ok {
							seen[h]++
						}
					}
					for _, h := range want {
						// 200 draws: the mean is at least 50 with a deviation of 6.
						if seen[h] < 20 {
							t.Fatalf("node %d to %d: hop %v was chosen %d times of 200 among %d", node, dst, h, seen[h], len(want))
						}
					}
					if len(seen) != len(want) {
						t.Fatalf("node %d to %d: %d hops were chosen, want %d", node, dst, len(seen), len(want))
					}
				}
			}
		}
	}
}

func TestRuleErrors(t *testing.T) {
	n := torus(t, true, 3, 3)
	k := topology.Kind{Link: any8, From: any8, To: any8}
	for name, rule := range map[string]topology.Rule{
		"no states":       {Name: "x"},
		"too many states": {Name: "x", States: 65},
		"no such state":   {Name: "x", States: 1, Steps: []topology.Step{{Kind: k, To: 1}}},
		"two VCs":         {Name: "x", States: 1, Steps: []topology.Step{{Kind: k}, {Kind: k, VC: 1}}},
	} {
		if _, err := New(n, rule); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRouteDoesNotAllocate(t *testing.T) {
	n := dragonfly(t, 2, 4, 2)
	for _, name := range []string{"natural+adaptive", "valiant", "ugal_l+group", "ugal_g", "par"} {
		detour := -1 << 20
		r := native(t, name, n, Options{Natural: lgl(), Blocks: groupsOf(n, 4), Bias: &detour})
		src, dst := topology.EndpointID(0), topology.EndpointID(71)
		rng := simcore.NewRand(3, 4)
		if got := testing.AllocsPerRun(200, func() {
			p := simcore.Packet{Src: src, Dst: dst, Mid: -1, Rand: rng}
			e := r.Inject(&p, nil)
			_, _, ports := n.Group(n.GroupOf(src))
			p.Port = uint8(e.Port)
			sw := ports[e.Port]
			for p.Hops = 0; ; p.Hops++ {
				h := r.Route(sw, &p, nil)
				if h.Channel == simcore.Eject {
					break
				}
				sw = n.To(h.Channel)
			}
		}); got != 0 {
			t.Errorf("%s: %v allocations per packet", name, got)
		}
	}
}

func BenchmarkNative(b *testing.B) {
	n := dragonfly(b, 8, 16, 8)
	for b.Loop() {
		native(b, "natural", n, Options{Natural: lgl(), Workers: 2})
	}
}
