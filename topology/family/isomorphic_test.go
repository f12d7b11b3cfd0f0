package family

import (
	"math/rand/v2"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestIsomorphic: designs of different families that are one network, and pairs that agree in every count and are not. The Shrikhande graph and the
// 4x4 rook's graph (hyperx) are strongly regular with the same parameters, so that colours alone do not tell them apart.
func TestIsomorphic(t *testing.T) {
	build := func(name string) *topology.Network {
		d, err := topology.ParseDesign(name, All())
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		a, b string
		want topology.Sameness
	}{
		{"dragonfly(p=32,a=1,h=31)", "hyperx(s1=32,t=32)", topology.Same},
		{"zcube(n=8,k=2)", "zcube_rect(n=64,m=8)", topology.Same},
		{"multirail(k=16,l=2,r=2,f=2)", "multirail(k=16,l=2,r=2)", topology.Different}, // counts agree
		{"hypercube(n=4)", "torus(k1=4,k2=4)", topology.Same},
		{"hyperx(s1=4,s2=4,t=2)", "hyperx(s1=4,s2=4,t=2)", topology.Same},
		{"bcube(n=4,l=2)", "bcube(n=4,l=2)", topology.Same},
		{"hypercube(n=6)", "torus(k1=8,k2=8)", topology.Different},
		{"torus(k1=6,k2=4)", "torus(k1=12,k2=2)", topology.Different},
		{"fattree(k=8,l=2)", "hyperx(s1=8,t=4)", topology.Different},
	} {
		a, b := build(c.a), build(c.b)
		if got, _ := topology.Isomorphic(a, b, 1e8); got != c.want {
			t.Errorf("%s, %s: %v, want %v", c.a, c.b, got, c.want)
		}
		if got, _ := topology.Isomorphic(b, a, 100); got == topology.Same {
			t.Errorf("%s, %s: decided within 100 steps", c.b, c.a)
		}
	}
	rook := build("hyperx(s1=4,s2=4,t=2)")
	t1 := 0
	for g := range rook.Groups() {
		first, end, _ := rook.Group(g)
		t1 = int(end - first)
	}
	// Shrikhande: Cayley graph of Z4 x Z4 with (+-1,0), (0,+-1), +-(1,1).
	shrikhande := graph(t, 16, func(int) int { return t1 }, func(link func(a, b int)) {
		for x := range 4 {
			for y := range 4 {
				for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
					link(4*x+y, 4*((x+d[0])%4)+(y+d[1])%4)
				}
			}
		}
	})
	if rook.Channels() != shrikhande.Channels() || rook.Endpoints() != shrikhande.Endpoints() {
		t.Fatalf("%d channels, %d endpoints, and %d, %d", rook.Channels(), rook.Endpoints(), shrikhande.Channels(), shrikhande.Endpoints())
	}
	if got, _ := topology.Isomorphic(rook, shrikhande, 1e8); got != topology.Different {
		t.Errorf("the rook's graph and Shrikhande's: %v", got)
	}
	if x, y := printOf(t, rook), printOf(t, shrikhande); x != y { // walks of two channels are as many
		t.Errorf("the rook's graph and Shrikhande's: fingerprints %x and %x", x, y)
	}
}

func printOf(t *testing.T, n *topology.Network) uint64 {
	sum, taken, ok := topology.Fingerprint(n, 1e7)
	if _, _, enough := topology.Fingerprint(n, taken-1); !ok || enough {
		t.Fatalf("fingerprint in %d steps %v, in one less %v", taken, ok, enough)
	}
	return sum
}

// TestIsomorphicPlain holds it against the plain twin on all pairs of some designs of one size, and against itself on a network whose rings make
// refinement take as many rounds as it has rows: a step an arc and round would be 19 millions. Fingerprints tell all these pairs apart.
func TestIsomorphicPlain(t *testing.T) {
	names := []string{"hypercube(n=4)", "torus(k1=4,k2=4)", "torus(k1=8,k2=2)", "mesh(k1=4,k2=4)", "hyperx(s1=4,s2=4,t=1)", "jellyfish(n=16,r=4,p=1)",
		"jellyfish(n=16,r=4,p=1,seed=2)", "hammingmesh(a=2,b=2,x=2,y=2,k=4)", "hammingmesh(a=4,b=2,x=1,y=2,k=4)", "hammingmesh(a=2,b=4,x=2,y=1,k=4)",
		"dragonfly(p=1,a=4,h=1,g=4)", "zcube(n=4,k=2)", "zcube_rect(n=16,m=4)", "complete(n=16,t=1)", "dragonfly(p=1,a=1,h=15)", "mesh(k1=8,k2=2)"}
	var nets []*topology.Network
	for _, name := range names {
		d, err := topology.ParseDesign(name, All())
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		nets = append(nets, n)
	}
	same, apart := 0, 0
	for i, a := range nets {
		for j, b := range nets {
			alike := printOf(t, a) == printOf(t, b)
			if alike != topotest.Isomorphic(a, b) {
				t.Errorf("%s, %s: fingerprints equal %v", names[i], names[j], alike)
			}
			if got, taken := topology.Isomorphic(a, b, 1e7); got == topology.Different && taken > 0 {
				apart++
			}
			got, _ := topology.Isomorphic(a, b, 1e7)
			if want := topotest.Isomorphic(a, b); want != (got == topology.Same) || got == topology.Undecided {
				t.Errorf("%s, %s: %v, the plain twin %v", names[i], names[j], got, want)
			} else if want && i != j {
				same++
			}
		}
	}
	if apart < 20 {
		t.Errorf("%d pairs that counts do not tell apart", apart)
	}
	if same < 4 {
		t.Errorf("%d pairs of one network under two names", same)
	}
	a, _ := topology.ParseDesign("hammingmesh(a=4,b=2,x=1,y=128,k=256)", All())
	b, _ := topology.ParseDesign("hammingmesh(a=2,b=4,x=128,y=1,k=256)", All())
	x, err := a.Build()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got, steps := topology.Isomorphic(x, y, 2e6); got != topology.Same {
		t.Errorf("%s, %s: %v after %d steps", a, b, got, steps)
	}
}

// TestFingerprintRenumbered numbers the switches and the groups of endpoints of designs of every family anew, and splits some of these groups: the
// fingerprint stays, and Isomorphic never finds another network.
func TestFingerprintRenumbered(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range All() {
		for _, d := range topotest.Sample(f, rng, 3, 200) {
			n, err := d.Build()
			if err != nil {
				t.Fatal(d, err)
			}
			m := renumbered(t, n, rng)
			if x, y := printOf(t, n), printOf(t, m); x != y {
				t.Errorf("%s: fingerprint %x, renumbered %x", d, x, y)
			}
			if got, _ := topology.Isomorphic(n, m, 1e7); got == topology.Different {
				t.Errorf("%s differs from itself renumbered", d)
			}
		}
	}
}

// renumbered is the network with its switches and links in random order, and endpoints one by one where a coin says so.
func renumbered(t *testing.T, n *topology.Network, rng *rand.Rand) *topology.Network {
	t.Helper()
	b := topology.NewBuilder(n.SwitchClasses, n.LinkClasses)
	if n.Unidirectional {
		b.Unidirectional()
	}
	at := make([]topology.SwitchID, n.Switches())
	for i, s := range rng.Perm(n.Switches()) {
		at[s] = topology.SwitchID(i)
		b.Switch(n.Class(topology.SwitchID(s)), 1)
	}
	for _, c := range rng.Perm(n.Channels()) {
		c := topology.ChannelID(c)
		if n.Unidirectional || c < n.Rev(c) {
			b.Link(n.LinkClass(c), at[n.From(c)], at[n.To(c)])
		}
	}
	for _, g := range rng.Perm(n.Groups()) {
		first, end, on := n.Group(g)
		ports := make([]topology.SwitchID, len(on))
		for i, j := range rng.Perm(len(on)) {
			ports[i] = at[on[j]]
		}
		if rng.IntN(2) == 0 {
			b.Endpoints(int(end-first), ports)
			continue
		}
		for range end - first {
			b.Endpoints(1, ports)
		}
	}
	m, err := b.Build("renumbered")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
