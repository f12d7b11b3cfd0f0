package routing

import (
	"context"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// allPathDesigns are all sizes and kinds of racks of the contract tests of both families, and the published ones.
var allPathDesigns = []string{
	"fullmesh(d1=2,d2=2)", "fullmesh(d1=5,d2=1)", "fullmesh(d1=3,d2=4,b1=2)", "fullmesh(d1=4,d2=4)", "fullmesh(d1=8,d2=8)", "fullmesh(d1=2,d2=3,d3=2,d4=2,d5=2)",
	"fullmesh(d1=4,d2=4,d3=4)", "fullmesh(d1=8,d2=8,d3=4,d4=4)",
	"ubmesh(x=2,y=2,z=2,w=2,pods=1,lx=4,ly=4,lz=8,lw=8)", "ubmesh(x=2,y=2,z=2,w=2,pods=3,lx=20,ly=20,lz=8,lw=8)",
	"ubmesh(x=2,y=4,z=2,w=2,pods=2,lx=12,ly=12,lz=16,lw=16)", "ubmesh(x=2,y=2,z=3,w=2,pods=3,lz=8,lw=16)",
	"ubmesh(x=3,y=4,z=1,w=1,pods=2,lx=4,ly=12)", "ubmesh(x=2,y=4,z=2,w=2,pods=6,lx=12,ly=12,lz=16,lw=16)",
	"ubmesh(x=2,y=4,z=2,w=2,pods=2,lz=8,lw=8,rack=1dfma)", "ubmesh(x=4,y=2,z=2,w=2,pods=3,lz=16,lw=16,rack=1dfma)",
	"ubmesh(x=2,y=2,z=2,w=3,lz=8,lw=8,rack=1dfma)", "ubmesh(x=2,y=2,z=2,w=2,pods=2,lz=8,lw=8,rack=1dfmb)",
	"ubmesh(x=3,y=2,z=2,w=2,lz=8,lw=8,rack=1dfmb)", "ubmesh(x=2,y=2,z=2,w=2,lz=72,lw=72,rack=clos)",
	"ubmesh(x=3,y=2,z=2,w=1,pods=3,lz=72,rack=clos)", "ubmesh(z=2,w=2)", "ubmesh(z=4,w=4)",
}

func allPathRouter(t *testing.T, text string) (*topology.Network, topology.Rule, *Router) {
	t.Helper()
	d, n := familytest.Build(t, text)
	rule, err := AllPath(n, d.Family.Natural(d.V))
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	return n, rule, r
}

// Two lanes suffice for all walks of the rule, on every design; on one lane the same walks go in circles, which
// the check finds.
func TestAllPathOnTwoLanes(t *testing.T) {
	for _, text := range allPathDesigns {
		n, rule, r := allPathRouter(t, text)
		if testing.Short() && n.Switches() > 500 {
			continue
		}
		rep, err := r.CheckWalks(context.Background())
		if err != nil || !rep.Acyclic || !rep.Proven || rep.VCs != 2 || rep.Dependencies == 0 {
			t.Errorf("%s: %v, %+v", text, err, rep)
		}
		if k := KindGraph(n, rule, 0); !k.Acyclic {
			t.Errorf("%s: the kinds of channels have no order", text)
		}
		one := rule
		one.Steps = nil
		for _, st := range rule.Steps {
			st.VC = 0
			one.Steps = append(one.Steps, st)
		}
		folded, err := New(n, one)
		if err != nil {
			t.Fatal(err)
		}
		// Two NPUs a dimension have no third; they still go round a square.
		if rep, err := folded.CheckWalks(context.Background()); err != nil || rep.Acyclic || len(rep.Cycle) < 2 {
			t.Errorf("%s on one lane: %v, %+v, want a cycle", text, err, rep)
		}
	}
}

// Every path that CountPaths admits is a walk of the rule and no other: all walks from all sources, counted
// one by one on the network.
func TestCountPaths(t *testing.T) {
	for _, c := range []struct {
		text string
		dims []int
	}{{"fullmesh(d1=4,d2=3)", []int{4, 3}}, {"fullmesh(d1=3,d2=3,d3=3)", []int{3, 3, 3}}, {"fullmesh(d1=5,d2=1)", []int{5}}, {"fullmesh(d1=3,d2=2,d3=2,d4=2)", []int{3, 2, 2, 2}}} {
		n, _, r := allPathRouter(t, c.text)
		var got PathCount
		for s := range topology.SwitchID(n.Switches()) {
			walkAll(n, r, c.dims, s, &got)
		}
		want := CountPaths(c.dims)
		want.InOrder = got.InOrder
		if got != want {
			t.Errorf("%s: walks %+v, counted %+v", c.text, got, want)
		}
	}
	// By hand, two dimensions of 3: 36 ordered pairs that differ in both have 2 shortest paths each, 36 that differ in
	// one have 1. A third NPU: 1 in each dimension; XXY, XYX, YXX and the same of Y for those
	// that differ in both, of which YXX and YYX need two turns; XX alone else. Around: YXY by 2 NPUs.
	if got, want := CountPaths([]int{3, 3}), (PathCount{Shortest: 108, ShortestAdmitted: 108, Detour: 36*6 + 36, DetourAdmitted: 36*4 + 36, Around: 72, AroundAdmitted: 72, InOrder: 36*2 + 36}); got != want {
		t.Errorf("3x3: %+v, want %+v", got, want)
	}
}

// walkAll counts the simple paths from s of at most two hops more than the shortest, as PathCount does, and those of them
// that the rule has, by its set of states.
func walkAll(n *topology.Network, r *Router, dims []int, s topology.SwitchID, out *PathCount) {
	differ := func(a, b topology.SwitchID) (set int) {
		for d, k := range dims {
			if int(a)%k != int(b)%k {
				set |= 1 << d
			}
			a, b = a/topology.SwitchID(k), b/topology.SwitchID(k)
		}
		return set
	}
	ones := func(x int) (c int) {
		for ; x != 0; x &= x - 1 {
			c++
		}
		return c
	}
	var path []topology.SwitchID
	var walk func(at topology.SwitchID, states uint64)
	walk = func(at topology.SwitchID, states uint64) {
		path = append(path, at)
		defer func() { path = path[:len(path)-1] }()
		if hops := len(path) - 1; hops > 0 {
			want, taken, outside := differ(s, at), 0, 0
			for i := range hops {
				taken |= differ(path[i], path[i+1])
			}
			outside = ones(taken &^ want)
			all, admitted := &out.Shortest, &out.ShortestAdmitted
			switch hops - ones(want) {
			case 1:
				all, admitted = &out.Detour, &out.DetourAdmitted
			case 2:
				all, admitted = &out.Around, &out.AroundAdmitted
			}
			if extra := hops - ones(want); extra <= 1 && outside == 0 || extra == 2 && outside == 1 && want != 0 {
				*all++
				if states != 0 {
					*admitted++
				}
			}
			if hops > len(dims)+1 {
				return
			}
		}
		first, end := n.Out(at)
	next:
		for c := first; c < end; c++ {
			to := n.To(c)
			for _, p := range path {
				if p == to {
					continue next
				}
			}
			var after uint64
			for b := range r.states {
				if states>>b&1 != 0 {
					after |= r.next[int(r.kind[c])*r.states+b]
				}
			}
			walk(to, after)
		}
	}
	walk(s, 1)
}

// Rules that take a kind of link twice are refused, and so is one without a rule.
func TestAllPathRefuses(t *testing.T) {
	for _, text := range []string{"torus(k1=4,k2=4)", "slimfly(q=5)", "mesh(k1=3,k2=3)"} {
		n, rule := familytest.Network(t, text)
		if _, err := AllPath(n, rule); err == nil || !strings.Contains(err.Error(), "every kind of link once") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
