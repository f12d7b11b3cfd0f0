package family

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/survey"
	"toposearch/topology/topotest"
)

// Networks of other families as tuples of ATOP's space; those of ZCube, of the dragonfly (palm tree) and of tori as its papers and
// notes give them, the others derived from their constructions.
func layeredKnownNetworks() [][2]string {
	zcube2 := func(n int) [2]string {
		return [2]string{fmt.Sprintf("zcube(n=%d,k=2)", n), fmt.Sprintf("layered(n1=%d,n2=%[2]d,n3=%[2]d,h12_1=%[2]d,h12_2=%[2]d,h13_1=1,h13_3=1,h23_2=1,h23_3=1,e23=%[2]d)", n*n, n)}
	}
	bcube2 := func(n int) [2]string {
		return [2]string{fmt.Sprintf("bcube(n=%d,l=2)", n), fmt.Sprintf("layered_relay(n1=%d,n2=%[2]d,n3=%[2]d,h12_1=%[2]d,h12_2=%[2]d,h13_1=1,h13_3=1)", n*n, n)}
	}
	return [][2]string{
		zcube2(4), zcube2(16), bcube2(4), bcube2(16),
		{"zcube(n=3,k=3)", "layered(n1=27,n2=9,n3=9,n4=9,h12_1=9,h12_2=9,h13_1=3,h13_3=3,h14_1=1,h14_4=1,h23_2=3,h23_3=3,e23=3,h34_3=3,h34_4=1,e34=3)"},
		{"zcube_partial(n=4)", "layered(n1=64,n2=16,n3=16,n4=8,h12_1=16,h12_2=16,h13_1=4,h13_3=4,h23_2=4,h23_3=4,e23=4,h34_3=4,h34_4=1,e34=4)"},
		{"bcube(n=3,l=3)", "layered_relay(n1=27,n2=9,n3=9,n4=9,h12_1=9,h12_2=9,h13_1=3,h13_3=3,h14_1=1,h14_4=1)"},
		{"fattree(k=8,l=2)", "layered(n1=32,n2=8,n3=4,h12_1=8,h12_2=8,h23_2=1,h23_3=1,e23=4)"},
		{"fattree(k=4,l=3)", "layered(n1=16,n2=8,n3=8,n4=4,h12_1=8,h12_2=8,h23_2=4,h23_3=4,e23=2,h34_3=4,h34_4=1,e34=2)"},
		{"fattree(k=8,l=3)", "layered(n1=128,n2=32,n3=32,n4=16,h12_1=32,h12_2=32,h23_2=8,h23_3=8,e23=4,h34_3=8,h34_4=1,e34=4)"},
		{"roft(k=16,pods=16)", "layered(n1=1024,n2=128,n3=128,n4=64,h12_1=16,h12_2=16,h23_2=16,h23_3=16,e23=8,h34_3=16,h34_4=1,e34=8)"},
		{"hpn(k=16,g=4,segments=2,up=4)", "layered(n1=64,n2=16,n3=8,h12_1=2,h12_2=2,e12=2,b23=2,h23_2=16,h23_3=2,e23=4)"},
		{"hpn(k=64,segments=1,up=16)", "layered(n1=256,n2=16,n3=32,h12_1=1,h12_2=1,e12=2,b23=2,h23_2=16,h23_3=2,e23=16)"},
		{"dragonfly(p=2,a=4,h=2)", "layered(n1=72,n2=36,h12_1=36,h12_2=36,d2=2,s2_1=4,p2_1=3,p2_2=2,a2_1_01=1,a2_1_11=1,a2_1_22=1,a2_2_11=-1,c2_2_1=3,a2_2_02=1,a2_2_12=2,a2_2_22=1)"},
		{"hyperx(s1=4,s2=4,t=16)", "layered(n1=256,n2=16,h12_1=16,h12_2=16,d2=2,s2_1=4,p2_1=3,p2_2=3,a2_1_01=1,a2_1_11=1,a2_1_22=1,a2_2_02=1,a2_2_11=1,a2_2_22=1)"},
		{"torus(k1=8,k2=4,t=8)", "layered(n1=256,n2=32,h12_1=32,h12_2=32,d2=2,s2_1=8,p2_1=1,p2_2=1,a2_1_11=1,a2_1_22=1,c2_1_1=1,a2_2_11=1,a2_2_22=1,c2_2_2=1)"},
		{"fullmesh(d1=4,d2=4)", "layered_relay(n1=16,d1=2,s1_1=4,p1_1=3,p1_2=3,a1_1_01=1,a1_1_11=1,a1_1_22=1,a1_2_02=1,a1_2_11=1,a1_2_22=1)"},
		{"complete(n=17,t=16)", "layered(n1=272,n2=17,h12_1=17,h12_2=17,d2=1,p2_1=16,a2_1_01=1,a2_1_11=1)"},
	}
}

// Each is the same graph, with as many VCs or one more per relay where routes are freer than the family's own.
func TestLayeredHoldsKnownNetworks(t *testing.T) {
	for _, x := range layeredKnownNetworks() {
		a, b := design(t, x[0]), design(t, x[1])
		var s, r topology.Size
		if err := b.Family.Size(b.V, &r); err != nil {
			t.Errorf("%s as %s: %v", x[0], x[1], err)
			continue
		}
		if err := a.Family.Size(a.V, &s); err != nil || s.Switches() != r.Switches() || s.SwitchLinks() != r.SwitchLinks() || s.Radix() != r.Radix() ||
			s.EndpointLinks() != r.EndpointLinks() || s.EndpointPorts != r.EndpointPorts {
			t.Errorf("%s: %d switches of radix %d, %d and %d links; %s has %d of %d, %d and %d", x[0], s.Switches(), s.Radix(), s.SwitchLinks(),
				s.EndpointLinks(), x[1], r.Switches(), r.Radix(), r.SwitchLinks(), r.EndpointLinks())
		}
		if s.Endpoints > 500 && testing.Short() {
			continue
		}
		if !topotest.Isomorphic(network(t, x[0]), network(t, x[1])) {
			t.Errorf("%s is not %s", x[1], x[0])
		}
	}
}

// The trap of the modulus: in the palm tree coordinate 2 counts to 9, dimension 1 only to 4. Taken modulo the size of the dimension
// that owns the attempt, as printed, the links within a group would leave it.
func TestLayeredModulus(t *testing.T) {
	n := network(t, layeredKnownNetworks()[13][1])
	for s := range n.Switches() {
		local := 0
		for _, to := range n.Neighbors(topology.SwitchID(s)) {
			if int(to)/4 == s/4 {
				local++
			}
		}
		if local != 3 || len(n.Neighbors(topology.SwitchID(s))) != 5 {
			t.Fatalf("switch %d has %d links, %d in its group, want 5 and 3", s, len(n.Neighbors(topology.SwitchID(s))), local)
		}
	}
}

// VCs of the natural routing, by hand: trees and ZCubes climb or descend once; a BCube climbs anew at every relay; a palm tree
// takes up to three links within its layer, one VC each.
func TestLayeredVCs(t *testing.T) {
	want := map[string]int{"zcube(n=16,k=2)": 1, "bcube(n=4,l=2)": 2, "bcube(n=3,l=3)": 3, "fattree(k=8,l=3)": 1, "dragonfly(p=2,a=4,h=2)": 3}
	for _, x := range layeredKnownNetworks() {
		d := design(t, x[1])
		if w := want[x[0]]; w > 0 {
			if got := d.Family.Natural(d.V).VCs(); got != w {
				t.Errorf("%s: %d VCs, want %d", x[1], got, w)
			}
		}
	}
}

// Eight switches that nothing joins: no number of them makes a network with the blocks as they are, so that none is named.
func TestLayeredApart(t *testing.T) {
	d := design(t, "layered(n1=64,n2=8,h12_1=8,h12_2=8)")
	var s topology.Size
	err := d.Family.Size(d.V, &s)
	if err == nil || !strings.Contains(err.Error(), "reach one another") || strings.Contains(err.Error(), "nearest") {
		t.Errorf("%s: %v", d, err)
	}
	for n := range 65 {
		v := slices.Clone(d.V)
		v[1] = n
		if d.Family.Size(v, &s) == nil {
			t.Errorf("%s with n2 = %d is a network", d, n)
		}
	}
}

// The canonical form of a form is itself, and names the same network.
func TestLayeredCanonical(t *testing.T) {
	for _, f := range []*topology.Family{layered, layeredRelay} {
		rng := stream.New(3, f.Name)
		v, other := make([]int, len(f.Params)), make([]int, len(f.Params))
		changed := 0
		for i := range 300 {
			survey.Tuple(f, rng, 30, v)
			var l layeredNet
			l.decode(v, f == layeredRelay)
			if !l.exchange(1 + i%2) {
				continue
			}
			l.encode(other)
			if slices.Equal(v, other) {
				continue
			}
			a, errA := topology.Design{Family: f, V: slices.Clone(v)}.Build()
			b, errB := topology.Design{Family: f, V: slices.Clone(other)}.Build()
			if errA != nil || errB != nil {
				if (errA == nil) != (errB == nil) {
					t.Fatalf("%v: %v, renumbered %v", v, errA, errB)
				}
				continue
			}
			if changed++; !topotest.Isomorphic(a, b) {
				t.Fatalf("renumbering layers changes %s", a.Design)
			}
			f.Canonical(other)
			if !slices.Equal(v, other) {
				t.Fatalf("canonical forms of one network: %v and %v", v, other)
			}
		}
		if changed < 20 {
			t.Errorf("%s: only %d tuples renumbered", f.Name, changed)
		}
	}
}

// Nine of ten drawn tuples of 256 and of 1,024 accelerators are networks, mending leaves networks alone, and what is varied stays
// one as often.
func TestLayeredDraws(t *testing.T) {
	for _, f := range []*topology.Family{layered, layeredRelay} {
		rng := stream.New(4, f.Name)
		lo, hi, v := make([]int, len(f.Params)), make([]int, len(f.Params)), make([]int, len(f.Params))
		for i, p := range f.Params {
			lo[i], hi[i] = p.Min, p.Max
		}
		lo[0], hi[0] = 256, 256
		var s topology.Size
		drawn, varied, moved, same := 0, 0, 0, 0
		const tries = 200
		for range tries {
			f.Draws.Sample(rng.IntN, lo, hi, v)
			if f.Size(v, &s) == nil {
				drawn++
				f.Canonical(v)
				w := slices.Clone(v)
				if f.Draws.Repair(lo, hi, w); slices.Equal(v, w) {
					same++
				}
			}
			w := slices.Clone(v)
			f.Draws.Vary(rng.IntN, lo, hi, w)
			if !slices.Equal(v, w) {
				moved++
			}
			if f.Size(w, &s) == nil {
				varied++
			}
		}
		t.Logf("%s: of %d tuples %d networks, %d of these left alone, %d moved, %d networks", f.Name, tries, drawn, same, moved, varied)
		if drawn < tries*9/10 || varied < tries*9/10 || moved < tries*7/10 || same < drawn*9/10 {
			t.Errorf("%s: of %d tuples %d networks, %d of these left alone, %d moved, %d networks", f.Name, tries, drawn, same, moved, varied)
		}
	}
}
