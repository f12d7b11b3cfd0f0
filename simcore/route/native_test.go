package route

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

func native(t testing.TB, name string, n *topology.Network, opt Options) *Native {
	t.Helper()
	r, err := ByName(context.Background(), name, n, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// built makes the network of a design, and what its routings need to know.
func built(t testing.TB, text string) (*topology.Network, Options) {
	t.Helper()
	d, n := familytest.Build(t, text)
	opt := Options{}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	if d.Family.Place != nil {
		opt.Blocks = routing.BlocksOf(n, d.Family.Place(d.V))
	}
	return n, opt
}

// The VC counts of the literature on Dragonfly (Kim et al., ISCA 2008, for the group; Garcia et
// al., ICPP 2012, for the router as intermediate) and HyperX.
func TestVCNeed(t *testing.T) {
	df, dfOpt := built(t, "dragonfly(p=2,a=4,h=2)")
	hx, hxOpt := built(t, "hyperx(s1=3,s2=3,s3=3,t=2)")
	tor, torOpt := built(t, "torus(k1=5,k2=5,t=1)")
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
		{"pb", df, dfOpt, 4, 4, 2}, // from here on those of the survey's Table 2
		{"par_ph", df, dfOpt, 5, 5, 0},
		{"ectn", df, dfOpt, 4, 4, 2},
		{"dgb", df, dfOpt, 4, 4, 2},
		{"q_adaptive", df, dfOpt, 5, 5, 5},
		{"natural", hx, hxOpt, 1, 0, 0},
		{"valiant", hx, hxOpt, 2, 0, 0},
		{"minimal", hx, hxOpt, 3, 0, 0},
		{"natural", tor, torOpt, 2, 0, 0},
		{"valiant", tor, torOpt, 4, 0, 0},
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
	z, opt := built(t, "zcube(n=3,k=3)")
	r := native(t, "valiant", z, opt)
	for i, m := range r.mids {
		for _, p := range m.ports {
			for set := range r.t.Router.Sets {
				if r.t.Dist(set, r.t.Node(p.Switch, 0)) == routing.Far {
					t.Fatalf("intermediate %d: switch %d cannot reach set %d", i, p.Switch, set)
				}
			}
		}
	}
}

func TestNamesOfRoutings(t *testing.T) {
	n, _ := built(t, "hyperx(s1=3,s2=3,t=2)")
	for name, want := range map[string]string{
		"ugal":               `there is no routing "ugal"`,
		"natural+group":      "has no intermediate",
		"valiant+group":      "hyperx(s1=3,s2=3,t=2) has no groups",
		"valiant+adaptiv":    `nothing named "adaptiv"`,
		"":                   "there is no routing",
		"ugal_l+hash+switch": "",
		"par_ph":             "",
		"dgb+endpoint":       "",
		"pb":                 "hyperx(s1=3,s2=3,t=2) has no groups, pods or sub-networks, whose switches",
		"q_adaptive+switch":  "has no intermediate",
		"tpr":                "is not built",
		"ugal_le":            "is not built",
	} {
		_, err := ByName(context.Background(), name, n, Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q", name, err, want)
		}
	}
}

// What adaptive routings decide by is refused out of range, and for routings that decide nothing.
func TestTuning(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	number := func(x int) *int { return &x }
	share := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name string
		tune Tuning
		want string // "": it is taken
	}{
		{"ugal_l", Tuning{Bias: number(-7), Stall: number(0), Draws: number(1)}, ""},
		{"par", Tuning{Stall: number(-1), Draws: number(0)}, "ugal_stall = -1 is negative\nugal_draws = 0 is not in 1..1000"},
		{"natural", Tuning{Bias: number(0)}, "routing natural does not decide by queues"},
		{"valiant", Tuning{Draws: number(3)}, "routing valiant does not decide by queues"},
		{"pb", Tuning{Bias: number(2), PiggyBack: PiggyBack{Threshold: number(0), Period: number(1)}}, ""},
		{"pb", Tuning{Contention: Contention{Local: number(2)}}, "routing pb does not use it: ectn_threshold is for ectn"},
		{"dgb", Tuning{Draws: number(2)}, "ugal_draws is for ugal_l, ugal_g, par, pb, ectn"},
		{"ectn", Tuning{Contention: Contention{Local: number(0), Every: number(0)}}, "ectn_threshold = 0 is not in"},
		{"q_adaptive", Tuning{Learning: Learning{Explore: share(1.5)}}, "q_explore = 1.5 is not in 0..1"},
		{"par_ph", Tuning{Phantom: Phantom{Offset: number(-1)}}, "ph_offset = -1 is negative"},
	} {
		opt.Tuning = c.tune
		_, err := ByName(context.Background(), c.name, n, opt)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want %q", c.name, err, c.want)
		}
	}
}

// On the direct way an adaptive routing with four VCs on a Dragonfly uses them as minimal routing does:
// two up to the global link, two behind it. A packet that came on the second of two stays above it, so that
// dependencies lead from the VCs of the first leg to those of the second and never back.
func TestVCsOfTheDirectWay(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	opt.VCs = 4
	minimal, ugal := native(t, "natural", n, opt), native(t, "ugal_l", n, opt)
	minimal.division, ugal.division = nil, nil // without the VCs that other hops leave to global links
	for src := range topology.EndpointID(8) {
		for dst := range topology.EndpointID(n.Endpoints()) {
			for _, late := range []bool{false, true} {
				p := simcore.Packet{Src: src, Dst: dst, Mid: -1, Rand: simcore.NewRand(1, 2)}
				q := p
				minimal.Inject(&p, nil)
				ugal.Inject(&q, nil)
				_, _, ports := n.Group(n.GroupOf(src))
				for sw := ports[0]; ; {
					a, b := minimal.Route(sw, &p, nil), ugal.Route(sw, &q, nil)
					if a.Channel != b.Channel {
						t.Fatalf("%d to %d at %d: channel %d, minimal %d", src, dst, sw, b.Channel, a.Channel)
					}
					if a.Channel == simcore.Eject {
						break
					}
					if late && q.Hops > 0 {
						a.Lo++ // of each pair the one of the second leg
					}
					if a.Lo != b.Lo || a.Hi != b.Hi {
						t.Fatalf("%d to %d, hop %d: VCs %d to %d, want %d to %d", src, dst, q.Hops, b.Lo, b.Hi, a.Lo, a.Hi)
					}
					if q.VC = b.Lo; late {
						q.VC = b.Hi
					}
					p.Hops++
					q.Hops++
					sw = n.To(a.Channel)
				}
			}
		}
	}
}

// A global link of a Dragonfly, on which the natural rule knows one VC, has two of four VCs for either leg of a detour, and all
// for packets on the direct way; one that came on a VC of the second leg stays on those.
func TestVCsOfOneClass(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	opt.VCs = 4
	seen := map[span]int{}
	for _, name := range []string{"valiant", "ugal_l"} {
		r := native(t, name, n, opt)
		for dst := range topology.EndpointID(n.Endpoints()) {
			p := simcore.Packet{Src: 0, Dst: dst, Mid: -1, Rand: simcore.NewRand(1, uint64(dst))}
			r.Inject(&p, nil)
			_, _, ports := n.Group(0)
			for sw := ports[0]; ; p.Hops++ {
				h := r.Route(sw, &p, nil)
				if h.Channel == simcore.Eject {
					break
				}
				single := p.Lanes&ofOneVC != 0
				if global := r.oneVC[r.t.Router.KindOf(h.Channel)]; global != single {
					t.Fatalf("%s: channel %d: of one VC: %t, want %t", name, h.Channel, single, global)
				}
				want := span{0, 3}
				switch {
				case name == "valiant" && p.Phase == outward:
					want.hi = 1
				case name == "valiant" && p.Mid >= 0 || p.Hops > 0 && p.VC == 1: // that of the second leg on the link before
					want.lo = 2
				}
				if got := (span{h.Lo, h.Hi}); single && got != want {
					t.Fatalf("%s to %d, hop %d: VCs %v, want %v", name, dst, p.Hops, got, want)
				}
				if single {
					seen[want]++
				}
				sw, p.VC = n.To(h.Channel), h.Hi
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("seen %v, want three ranges", seen)
	}
}

// par keeps VCs for first hops where first hops are made alone: on a Dragonfly+ with four VCs detours and what comes home share all those of
// links between spines and down to leaves, and of the links up first hops have the one that is left over.
func TestVCsOfFirstHops(t *testing.T) {
	n, opt := built(t, "dragonflyplus(l=3,m=3,p=3,h=3)")
	opt.VCs = 4
	r := native(t, "par", n, opt)
	for c := range topology.ChannelID(n.Channels()) {
		l, _ := r.lanesOn(routing.Hop{Channel: c})
		up := n.SwitchClasses[n.Class(n.From(c))].Name == "leaf"
		want := []uint8{outward, outward, homeward, homeward}
		if up {
			want = []uint8{probing, probing, outward, homeward}
		}
		if !slices.Equal(l.at, want) {
			t.Fatalf("channel %d, up: %t: VCs of the phases %v, want %v", c, up, l.at, want)
		}
	}
	if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
		t.Errorf("%v, %v", rep, err)
	}
}

// Lists and scans choose the same hop by hash, and each of those that there are at random.
func TestChooseByScan(t *testing.T) {
	n, _ := built(t, "torus(k1=4,k2=4,t=1)")
	r := native(t, "minimal", n, Options{})
	type chooser func(t *routing.Table, dst, node int, how pick, p *simcore.Packet, v *simcore.View) (routing.Hop, bool)
	for dst := range r.t.Router.Sets {
		for node := range n.Switches() * r.t.Router.States() {
			p := &simcore.Packet{Src: topology.EndpointID(node), Dst: topology.EndpointID(dst), Rand: simcore.NewRand(1, 2)}
			for _, how := range []pick{hash, sameHash} {
				a, okA := choose(r.t, dst, node, how, p, nil)
				b, okB := chooseByScan(r.t, dst, node, how, p, nil)
				if a != b || okA != okB {
					t.Fatalf("node %d to %d by hash %d: %v by list, %v by scan", node, dst, how, a, b)
				}
			}
			want := r.t.Hops(dst, node)
			for _, how := range []pick{random, adaptive} {
				for _, f := range []chooser{choose, chooseByScan} {
					seen := make(map[routing.Hop]int)
					for range 200 {
						if h, ok := f(r.t, dst, node, how, p, nil); ok {
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

// What takes long ends when its context does.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	if _, err := ByName(ctx, "ugal_l", n, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
}

func TestNoLoadsOfDetours(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	if _, err := RouterFor("valiant", n, opt.Natural); err == nil {
		t.Error("no error")
	}
}

func TestRouteDoesNotAllocate(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	detour := -1 << 20
	for _, name := range []string{"natural+adaptive", "valiant", "ugal_l+group", "ugal_g", "par", "apr_detour"} {
		opt.Tuning.Bias = nil
		if p, _, _ := strings.Cut(name, "+"); slices.Contains([]string{"ugal_l", "ugal_g", "par"}, p) {
			opt.Tuning.Bias = &detour
		}
		r := native(t, name, n, opt)
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
	n, opt := built(b, "dragonfly(p=8,a=16,h=8)")
	opt.Workers, opt.Blocks = 2, nil
	for b.Loop() {
		native(b, "natural", n, opt)
	}
}
