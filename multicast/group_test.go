package multicast

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// small is a tree of 64 endpoints in modules of 16, 8-port switches, full bisection.
func small(t testing.TB) *Tree {
	t.Helper()
	return tree(t, []Level{{4, 4, 1}, {4, 4, 1}, {4, 0, 0}})
}

func tree(t testing.TB, l []Level) *Tree {
	t.Helper()
	x, err := NewTree(l)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// set makes a set of ports.
func set(ports ...int) (p Ports) {
	for _, x := range ports {
		p |= 1 << x
	}
	return p
}

// TestExample: the create packets as the paper prints them.
func TestExample(t *testing.T) {
	x, err := NewExample()
	if err != nil {
		t.Fatal(err)
	}
	g, err := x.Group()
	if err != nil {
		t.Fatal(err)
	}
	first := set(1, 3, 7)
	want := []Create{
		{[]uint8{3, 1}, []Ports{first, set(0, 1, 0xf), set(1, 6, 8, 0xa)}},
		{[]uint8{3, 0xf}, []Ports{first, set(0, 1, 0xf), set(3, 5, 0xb)}},
		{[]uint8{7, 0xe}, []Ports{first, set(0xc, 0xe), set(0, 4, 8, 0xa, 0xc)}},
	}
	if !reflect.DeepEqual(g.Creates, want) {
		t.Errorf("create packets %v, want %v", g.Creates, want)
	}
	// The first by hand. Header: kind 2, 2 hops, none passed, route 3 1 and seven empty hops: 22 03 10 00 00 00.
	// Link layer: 20 zero bits. Payload: creator 211 = 00d3, sequence 0000, lists with port 0 as their first bit:
	// {1,3,7} 0101000100000000 = 5100, {0,1,f} 1100000000000001 = c001, {1,6,8,a} 0100001010100000 = 42a0, six empty lists, 12 spare bits.
	f, err := g.Creates[0].Flit(g.ID)
	if err != nil {
		t.Fatal(err)
	}
	bitsByHand := "220310000000" + "00000" + "00d3" + "0000" + "5100" + "c001" + "42a0" + strings.Repeat("0000", 6) + "000"
	if got := hex.EncodeToString(f[:]); got != bitsByHand {
		t.Errorf("first create packet %s, want %s", got, bitsByHand)
	}
}

// TestFlits: random create packets come back from their bits; what is too large is refused.
func TestFlits(t *testing.T) {
	r := stream.New(1, "flits")
	for range 200 {
		id := ID{r.IntN(1 << 16), r.IntN(1 << 16)}
		c := Create{Lists: []Ports{Ports(r.IntN(1 << 16))}}
		for range r.IntN(MaxHops) {
			c.Route, c.Lists = append(c.Route, uint8(r.IntN(16))), append(c.Lists, Ports(r.IntN(1<<16)))
		}
		f, err := c.Flit(id)
		if err != nil {
			t.Fatal(err)
		}
		if gotID, got, err := ParseCreate(f); err != nil || gotID != id || !reflect.DeepEqual(got, c) {
			t.Fatalf("%v of %v came back as %v of %v, %v", c, id, got, gotID, err)
		}
	}
	one := []Ports{1}
	for _, bad := range []struct {
		c    Create
		id   ID
		want string
	}{
		{Create{nil, one}, ID{1 << 16, 0}, "below 65536"},
		{Create{nil, []Ports{1 << 16}}, ID{}, "port 16"},
		{Create{[]uint8{16}, []Ports{1, 1}}, ID{}, "4 bits"},
		{Create{make([]uint8, 9), make([]Ports, 10)}, ID{}, "at most 9 switches"},
		{Create{[]uint8{1}, one}, ID{}, "1 lists for 1 hops"},
	} {
		if _, err := bad.c.Flit(bad.id); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: %v, want an error with %q", bad.c, err, bad.want)
		}
	}
	if f, err := Data(KindUnicast, []uint8{1}, ID{}); err != nil {
		t.Error(err)
	} else if _, _, err = ParseCreate(f); err == nil {
		t.Error("a unicast head was read as a create packet")
	}
}

// TestRoutes: every route of a tree leads to its destination with the hops of its height, up ports are
// used alike, and the routes of a source to everybody form a tree. The last two trees have fewer upper switches than
// subtrees, and parallel links.
func TestRoutes(t *testing.T) {
	for _, l := range [][]Level{
		{{4, 0, 0}}, {{4, 4, 1}, {4, 4, 1}, {4, 0, 0}}, {{4, 2, 1}, {4, 3, 1}, {5, 0, 0}}, {{2, 2, 2}, {2, 1, 3}, {3, 2, 1}, {2, 0, 0}},
	} {
		x := tree(t, l)
		n := x.Endpoints()
		use := make([]int, len(x.to))
		for src := range n {
			var others []int
			for dst := range n {
				if dst == src {
					continue
				}
				others = append(others, dst)
				route := x.Route(nil, src, dst)
				passed, end, err := x.Follow(src, route)
				if err != nil || end != dst {
					t.Fatalf("%s: route %x from %d leads to %d, %v; want %d", x, route, src, end, err, dst)
				}
				height := 1
				for u := l[0].Down; src/u != dst/u; height++ {
					u *= l[height].Down
				}
				if len(route) != 2*height-1 {
					t.Errorf("%s: %d hops from %d to %d, want %d", x, len(route), src, dst, 2*height-1)
				}
				for i, s := range passed {
					use[x.index(Tie{s, route[i]})]++
				}
			}
			if _, err := NewGroup(x.Fabric, x, ID{Creator: src}, others); err != nil {
				t.Error(err)
			}
		}
		if len(l) == 3 && l[0].Up == 4 {
			// Full: 64 endpoints of which 60 are on other leaves, 48 in other modules; 16 leaves and 16 middle
			// switches with 4 links up each, so that every link carries 60 or 48 routes, each way.
			for i, p := range x.to {
				if p.Switch < 0 {
					continue
				}
				want := []int{60, 48}[min(x.level(x.tie(int32(i)).Switch), x.level(p.Switch))]
				if use[i] != want {
					t.Errorf("%s: the link from %v carries %d routes, want %d", x, x.tie(int32(i)), use[i], want)
				}
			}
		}
	}
}

// TestTH1A: 7,168 endpoints, 16 ports, modules of 32 endpoints on 8 switches, 9 hops, and a group of all
// endpoints whose create packets fit their flit.
func TestTH1A(t *testing.T) {
	x := tree(t, TH1A())
	if x.Endpoints() != 7168 {
		t.Errorf("%d endpoints, want 7168", x.Endpoints())
	}
	for s := range x.Switches() {
		if x.Radix(s) > 16 {
			t.Fatalf("switch %d has %d ports", s, x.Radix(s))
		}
	}
	if got := len(x.Route(nil, 0, 7167)); got != MaxHops {
		t.Errorf("%d hops across the top, want %d", got, MaxHops)
	}
	module := map[int32]bool{}
	for a := range 32 {
		for b := range 32 {
			if a != b {
				passed, _, err := x.Follow(a, x.Route(nil, a, b))
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range passed {
					module[s] = true
				}
			}
		}
	}
	if len(module) != 8 {
		t.Errorf("the first 32 endpoints use %d switches among themselves, want 8", len(module))
	}
	var others []int
	for e := 1; e < x.Endpoints(); e++ {
		others = append(others, e)
	}
	g, err := NewGroup(x.Fabric, x, ID{Creator: 0}, others)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Creates) != 895 { // all leaf switches but the creator's
		t.Errorf("%d create packets, want 895", len(g.Creates))
	}
	for _, c := range g.Creates {
		if _, err := c.Flit(g.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// spans checks that a group's lists are one tree that holds exactly its members: links are in both lists, the
// number of links is one less than that of switches, and everything is reached.
func spans(t *testing.T, f *Fabric, g *Group) {
	t.Helper()
	var got []int
	for _, l := range g.Lists {
		for p := range f.Radix(int(l.Switch)) {
			if !l.Ports.Has(p) {
				continue
			}
			far := f.peer(Tie{l.Switch, uint8(p)})
			if far.endpoint >= 0 {
				got = append(got, int(far.endpoint))
			} else if !g.List(far.Switch).Has(int(far.Port)) {
				t.Errorf("the link from switch %d to %d is in one list only", l.Switch, far.Switch)
			}
		}
	}
	want := slices.Sorted(slices.Values(g.Members))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("endpoints of the lists %v, want %v", got, want)
	}
	if g.Links(f) != len(g.Lists)-1 {
		t.Errorf("%d links between %d switches are no tree", g.Links(f), len(g.Lists))
	}
	listed := map[int32]bool{}
	for _, c := range g.Creates {
		at := f.At(g.Creator).Switch
		for i, l := range c.Lists {
			listed[at] = true
			if l != g.List(at) {
				t.Errorf("create packet %v: list %d is not that of switch %d", c, i, at)
			}
			if i < len(c.Route) {
				at = f.peer(Tie{at, c.Route[i]}).Switch
			}
		}
	}
	if len(listed) != len(g.Lists) {
		t.Errorf("create packets reach %d switches of %d", len(listed), len(g.Lists))
	}
}

// draw draws distinct members.
func draw(seed uint64, endpoints, members int) (creator int, others []int) {
	p := stream.New(seed, "members").Perm(endpoints)
	return p[0], p[1:members]
}

// TestTrees: random groups on trees, by both methods, and on other networks.
func TestTrees(t *testing.T) {
	x := small(t)
	for i := range 40 {
		creator, others := draw(uint64(i), x.Endpoints(), 2+i)
		g, err := NewGroup(x.Fabric, x, ID{creator, i}, others)
		if err != nil {
			t.Fatal(err)
		}
		spans(t, x.Fabric, g)
		if g, err = NewRooted(x.Fabric, x, ID{creator, i}, others); err != nil {
			t.Fatal(err)
		}
		spans(t, x.Fabric, g)
	}
	for _, design := range []string{"torus(k1=4,k2=4)", "dragonfly(p=2,a=4,h=2,g=9)", "slimfly(q=5,p=2)", "mesh(k1=3,k2=5)"} {
		f, u := upDown(t, design)
		for i := range 10 {
			creator, others := draw(uint64(i), f.Endpoints(), 2+i)
			g, err := NewRooted(f, u, ID{creator, i}, others)
			if err != nil {
				t.Fatal(err)
			}
			spans(t, f, g)
			route := u.Route(nil, creator, others[0])
			if _, dst, err := f.Follow(creator, route); err != nil || dst != others[0] {
				t.Errorf("%s: route %x leads to %d, %v", design, route, dst, err)
			}
		}
	}
}

func upDown(t testing.TB, design string) (*Fabric, *UpDown) {
	t.Helper()
	f, u, err := NewUpDown(network(t, design))
	if err != nil {
		t.Fatal(err)
	}
	return f, u
}

func network(t testing.TB, design string) *topology.Network {
	t.Helper()
	_, n := familytest.Build(t, design)
	return n
}

// crossed has routes that part and meet again: from endpoint 0 to 1 over one spine, to 2 over the other.
type crossed struct{ *Tree }

func (c crossed) Route(buf []uint8, src, dst int) []uint8 {
	buf = c.Tree.Route(buf, src, dst)
	buf[0] = uint8(dst % 2)
	return buf
}

// TestBadGroups: members that are none, twice, or whose routes make no tree.
func TestBadGroups(t *testing.T) {
	x := tree(t, []Level{{2, 2, 1}, {3, 0, 0}})
	for want, members := range map[string][]int{
		"outside the network: ": {1, 6}, "member -1 is outside": {-1}, "stands twice": {1, 1}, "creator is a member": {0}, "no other member": nil,
	} {
		if _, err := NewGroup(x.Fabric, x, ID{}, members); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("members %v: %v, want an error with %q", members, err, want)
		}
	}
	if _, err := NewGroup(x.Fabric, crossed{x}, ID{}, []int{2, 3}); err == nil || !strings.Contains(err.Error(), "must form a tree") {
		t.Errorf("routes that meet again: %v", err)
	}
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}})
	b.Switch(0, 2)
	b.Endpoints(2, []topology.SwitchID{0, 1})
	n, err := b.Build("two ports")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromNetwork(n); err == nil || !strings.Contains(err.Error(), "endpoint 0 has 2 ports") {
		t.Errorf("endpoints of two ports: %v", err)
	}
	for _, l := range [][]Level{nil, make([]Level, 6), {{4, 4, 1}}, {{4, 0, 1}, {2, 0, 0}}, {{1 << 30, 0, 0}}, {{60, 30, 1}, {2, 0, 0}}} {
		if _, err := NewTree(l); err == nil {
			t.Errorf("a tree of the levels %v", l)
		}
	}
}

func ExampleTree_Route() {
	t, err := NewTree([]Level{{4, 4, 1}, {4, 0, 0}})
	if err != nil {
		panic(err)
	}
	fmt.Println(t, t.Route(nil, 0, 9), t.Route(nil, 0, 1))
	// Output: tree(4/4/1,4/0/0) [2 2 5] [5]
}
