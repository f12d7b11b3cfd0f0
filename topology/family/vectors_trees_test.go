package family

import (
	"errors"
	"math"
	"testing"

	"toposearch/topology"
)

// closedLinks is the mean of path_links by the family's closed form.
func closedLinks(t *testing.T, d topology.Design) float64 {
	t.Helper()
	var p topology.Paths
	if !d.Family.Paths(d.V, &p) {
		t.Fatalf("%s: no closed form", d)
	}
	var sum, pairs int64
	for _, x := range p.Types {
		pairs += x.Weight
		for c, n := range x.Cross {
			if c < len(d.Family.LinkClasses) && d.Family.LinkClasses[c].Name != topology.ClassInternal {
				sum += x.Weight * int64(n)
			}
		}
	}
	return float64(sum) / float64(pairs)
}

// searchedLinks is the same by breadth-first search over all links, without switch `failed` (-1:
// none), starting from every each-th group of endpoints: exact for each = 1, or if they are alike.
func searchedLinks(t *testing.T, n *topology.Network, failed topology.SwitchID, each int) float64 {
	t.Helper()
	nic := int64(2)
	if n.LinkClasses[0].Name == topology.ClassInternal {
		nic = 0
	}
	dist, queue := make([]int64, n.Switches()), make([]topology.SwitchID, 0, n.Switches())
	var sum, pairs int64
	for g := 0; g < n.Groups(); g += each {
		first, end, ports := n.Group(g)
		for i := range dist {
			dist[i] = -1
		}
		queue = queue[:0]
		for _, p := range ports {
			if p != failed && dist[p] < 0 {
				dist[p] = 0
				queue = append(queue, p)
			}
		}
		for i := 0; i < len(queue); i++ {
			for _, y := range n.Neighbors(queue[i]) {
				if y != failed && dist[y] < 0 {
					dist[y] = dist[queue[i]] + 1
					queue = append(queue, y)
				}
			}
		}
		for h := range n.Groups() {
			a, b, to := n.Group(h)
			weight := int64(end-first) * int64(b-a)
			if h == g {
				weight = int64(end-first) * int64(end-first-1)
			}
			best := int64(-1)
			for _, p := range to {
				if dist[p] >= 0 && (best < 0 || dist[p] < best) {
					best = dist[p]
				}
			}
			if weight > 0 && best < 0 {
				t.Fatalf("%s: groups %d and %d are not connected without switch %d", n.Design, g, h, failed)
			}
			sum += weight * (best + nic)
			pairs += weight
		}
	}
	return float64(sum) / float64(pairs)
}

// failedLinks averages over every single failed switch that is not embedded, one per class: the
// switches of a class are alike.
func failedLinks(t *testing.T, n *topology.Network) float64 {
	t.Helper()
	count, first := make([]int, len(n.SwitchClasses)), make([]topology.SwitchID, len(n.SwitchClasses))
	total := 0
	for s := n.Switches() - 1; s >= 0; s-- {
		c := n.Class(topology.SwitchID(s))
		if !n.SwitchClasses[c].Embedded {
			count[c]++
			first[c] = topology.SwitchID(s)
			total++
		}
	}
	mean := 0.0
	for c := range count {
		if count[c] > 0 {
			mean += float64(count[c]) * searchedLinks(t, n, first[c], 1) / float64(total)
		}
	}
	return mean
}

func near(a, b float64) bool { return math.Abs(a-b) < 5.01e-6 }

// TestPathVectors holds the published mean path lengths: ATOP Table 3 and the small cases that
// were recomputed from the constructions by an independent program.
func TestPathVectors(t *testing.T) {
	for _, c := range []struct {
		design string
		want   float64
	}{
		{"fattree(k=4,l=3)", 5.46667},
		{"fattree(k=8,l=3)", 5.71654},
		{"roft(k=32,pods=4)", 5.47214},
		{"railonly(k=32,leaves=8)", 4.61388}, // starred in ATOP: its servers relay
		{"hpn(k=64,segments=4)", 3.93939},
		{"bcube(n=32,l=2)", 3.87879},
	} {
		d := design(t, c.design)
		if got := closedLinks(t, d); !near(got, c.want) {
			t.Errorf("%s: mean path links by formula = %.5f, want %.5f", d, got, c.want)
		}
		if got := searchedLinks(t, network(t, c.design), -1, 1); !near(got, c.want) {
			t.Errorf("%s: mean path links by search = %.5f, want %.5f", d, got, c.want)
		}
	}
	// Too large for the plain search.
	if got := closedLinks(t, design(t, "hpn(k=256,segments=16)")); !near(got, 3.98450) {
		t.Errorf("hpn of 16384: mean path links = %.5f, want 3.98450", got)
	}
	// ATOP prints 3.93797 at 4096, which needs 128 endpoints per ToR; its own Table 7 has 64.
	if got := closedLinks(t, design(t, "hpn(k=128,segments=8)")); !near(got, 3.96923) {
		t.Errorf("hpn of 4096: mean path links = %.5f, want 3.96923", got)
	}
}

// TestServerVectors holds ATOP's starred columns: servers of 8 joined by a full mesh.
func TestServerVectors(t *testing.T) {
	for _, c := range []struct {
		design           string
		want, wantFailed float64 // 0: not published
	}{
		{"roft(k=32,pods=4)", 5.34897, 5.36011},
		{"bcube(n=32,l=2)", 3.65982, 3.66224},
		// 7 links of 1, 31 servers at 2 and 7 times 3, 768 endpoints at 4, over 1023. ATOP prints
		// 3.76918, which is no multiple of 1/1023: a known gap.
		{"hpn(k=64,segments=4)", 3.70674, 3.70674},
	} {
		n, err := topology.WithServers(network(t, c.design), 8)
		if err != nil {
			t.Fatal(err)
		}
		if got := searchedLinks(t, n, -1, 1); !near(got, c.want) {
			t.Errorf("%s with servers: mean path links = %.5f, want %.5f", c.design, got, c.want)
		}
		if testing.Short() {
			continue
		}
		if got := failedLinks(t, n); !near(got, c.wantFailed) {
			t.Errorf("%s with servers: mean path links after a failure = %.5f, want %.5f", c.design, got, c.wantFailed)
		}
	}
	// Endpoints are alike, so one start is enough. At 4096 ATOP has 128 endpoints per ToR here.
	for design, want := range map[string]float64{"hpn(k=256,segments=4)": 3.71575, "hpn(k=256,segments=16)": 3.92895} {
		n, err := topology.WithServers(network(t, design), 8)
		if err != nil {
			t.Fatal(err)
		}
		if got := searchedLinks(t, n, -1, n.Groups()); !near(got, want) {
			t.Errorf("%s with servers: mean path links = %.5f, want %.5f", design, got, want)
		}
	}
	// ATOP prints 4.61631 for Rail-only after a failure, whose distance from 4.61388 is half of
	// what the construction gives: a known gap.
	if got := failedLinks(t, network(t, "railonly(k=32,leaves=8)")); !near(got, 4.61875) {
		t.Errorf("railonly: mean path links after a failure = %.5f, want 4.61875", got)
	}
	if got := failedLinks(t, network(t, "bcube(n=32,l=2)")); !near(got, 3.88258) {
		t.Errorf("bcube(n=32,l=2): mean path links after a failure = %.5f, want 3.88258", got)
	}
}

func TestWithServersRefuses(t *testing.T) {
	if _, err := topology.WithServers(network(t, "railonly(k=4,g=2,leaves=2)"), 2); err == nil {
		t.Error("a network with scale-up links took another mesh")
	}
	for _, per := range []int{-1, 0, 1, 3} {
		if _, err := topology.WithServers(network(t, "fattree(k=4,l=2)"), per); err == nil {
			t.Errorf("8 endpoints were divided into servers of %d", per)
		}
	}
}

// TestWithServersKeeps: old links stay, every endpoint keeps its ports as nic links.
func TestWithServersKeeps(t *testing.T) {
	n := network(t, "multirail(k=4,l=2,r=2,planes=2)")
	m, err := topology.WithServers(n, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Switches(), n.Switches()+n.Endpoints(); got != want {
		t.Errorf("switches = %d, want %d", got, want)
	}
	// Both directions of the old links, of two nic links per endpoint, of three mesh ends each.
	if got, want := m.Channels(), n.Channels()+n.Endpoints()*(2*2+3); got != want {
		t.Errorf("channels = %d, want %d", got, want)
	}
	for g := range m.Groups() {
		e, end, ports := m.Group(g)
		if end-e != 1 || len(ports) != 1 || !m.Embedded(ports[0]) {
			t.Fatalf("group %d: %d endpoints on %v", g, end-e, ports)
		}
		_, _, want := n.Group(n.GroupOf(e))
		var got []topology.SwitchID
		for c, last := m.Out(ports[0]); c < last; c++ {
			if m.LinkClasses[m.LinkClass(c)].Name == topology.ClassNic {
				got = append(got, m.To(c))
			}
		}
		if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("endpoint %d: ports %v, want %v", e, got, want)
		}
	}
}

// TestTreeCounts holds ATOP Tables 6 and 7, the survey's sizes at k = 64 (section 11.1 of the
// project's reference), and the deployed HPN 7.0.
func TestTreeCounts(t *testing.T) {
	for _, c := range []struct {
		design                     string
		endpoints, switches        int64
		endpointLinks, switchLinks int64
		radix                      int
		nonBlocking                int64
		middle                     float64
	}{
		{"fattree(k=4,l=1)", 4, 1, 4, 0, 4, 4, 1},
		{"fattree(k=4,l=2)", 8, 6, 8, 8, 4, 8, 1},
		{"fattree(k=8,l=2)", 32, 12, 32, 32, 8, 32, 1},
		{"fattree(k=4,l=3)", 16, 20, 16, 32, 4, 16, 1},
		{"fattree(k=8,l=3)", 128, 80, 128, 256, 8, 128, 1},
		{"fattree(k=64,l=2)", 2048, 96, 2048, 2048, 64, 2048, 1},
		{"fattree(k=64,l=3)", 65536, 5120, 65536, 131072, 64, 65536, 1},
		{"fattree(k=64,l=4)", 2097152, 229376, 2097152, 6291456, 64, 2097152, 1},
		{"fattree(k=128,l=3,pods=4)", 16384, 640, 16384, 32768, 128, 16384, 1},
		{"fattree(k=8,l=2,d=6)", 48, 10, 48, 16, 8, 6, 1. / 3},
		{"roft(k=32,pods=4)", 1024, 160, 1024, 2048, 32, 1024, 1},
		{"roft(k=64,pods=4)", 4096, 320, 4096, 8192, 64, 4096, 1},
		{"roft(k=128,pods=4)", 16384, 640, 16384, 32768, 128, 16384, 1},
		{"railonly(k=32,leaves=8)", 1024, 96, 1024, 1024, 32, 1024, 1},
		{"railonly(k=64,leaves=16)", 4096, 192, 4096, 4096, 64, 4096, 1},
		{"railonly(k=128,leaves=32)", 16384, 384, 16384, 16384, 128, 16384, 1},
		{"railonly(k=64)", 16384, 768, 16384, 16384, 64, 16384, 1},
		{"hpn(k=64,segments=4)", 1024, 96, 2048, 1024, 48, 1024, 1},
		{"hpn(k=128,segments=8)", 4096, 192, 8192, 4096, 96, 4096, 1},
		{"hpn(k=256,segments=16)", 16384, 384, 32768, 16384, 192, 16384, 1},
		// 240 ToRs of 128 + 60 ports, 120 aggregation switches of 120 + 8, 16 core switches.
		{"hpn(k=256,segments=15,up=60,core=8)", 15360, 376, 30720, 240*60 + 120*8, 188, 128, 0.9375},
		{"bcube(n=4,l=2)", 16, 8, 32, 0, 4, 1, 0.5},
		{"bcube(n=32,l=2)", 1024, 64, 2048, 0, 32, 1, 0.5},
		{"bcube(n=64,l=2)", 4096, 128, 8192, 0, 64, 1, 0.5},
		{"bcube(n=128,l=2)", 16384, 256, 32768, 0, 128, 1, 0.5},
		{"meshtree(k=4)", 64, 80, 64, 128, 4, 4, 0.5},
		{"meshtree(k=64)", 4194304, 327680, 4194304, 4194304 + 64*64*32*32, 64, 1024, 0.5},
	} {
		d := design(t, c.design)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		if s.Endpoints != c.endpoints || s.Switches() != c.switches || s.EndpointLinks() != c.endpointLinks ||
			s.SwitchLinks() != c.switchLinks || s.Radix() != c.radix {
			t.Errorf("%s: endpoints, switches, endpoint links, switch links, radix = %d %d %d %d %d, want %d %d %d %d %d", d,
				s.Endpoints, s.Switches(), s.EndpointLinks(), s.SwitchLinks(), s.Radix(),
				c.endpoints, c.switches, c.endpointLinks, c.switchLinks, c.radix)
		}
		if got := d.Family.NonBlocking(d.V); got != c.nonBlocking {
			t.Errorf("%s: non-blocking region = %d, want %d", d, got, c.nonBlocking)
		}
		if got := d.Family.Middle(d.V); math.Abs(got-c.middle) > 1e-12 {
			t.Errorf("%s: middle cut = %v, want %v", d, got, c.middle)
		}
	}
}

// TestTreeRules: each broken rule names the nearest value that keeps it, and that value works.
func TestTreeRules(t *testing.T) {
	for _, c := range []struct {
		design, param string
		bound         int
	}{
		{"fattree(k=5,l=3)", "k", 6},
		{"fattree(k=4,l=1,pods=2)", "pods", 1},
		{"fattree(k=8,l=3,pods=9)", "pods", 8},
		{"fattree(k=8,l=3,pods=1)", "pods", 2},
		{"fattree(k=8,l=2,d=3)", "d", 4},
		{"fattree(k=8,l=2,d=8)", "d", 7},
		{"multirail(k=8,l=2,r=4,planes=3)", "planes", 2},
		{"multirail(k=8,l=2,r=4,f=3)", "f", 2},
		{"multirail(k=8,l=2,r=6,planes=16)", "planes", 6},
		{"multirail(k=12,l=3,r=4,f=4)", "f", 2},
		{"multirail(k=8,l=2,r=3,d=4)", "d", 6},
		{"multirail(k=8,l=2,r=4,f=4,pods=4)", "pods", 8},
		{"roft(k=20)", "g", 10},
		{"railonly(k=8,leaves=9)", "leaves", 8},
		{"hpn(k=16,g=2,segments=5)", "segments", 4},
		{"hpn(k=16,g=2,segments=2,up=5)", "up", 4},
		{"hpn(k=16,g=2,segments=2,groups=2)", "core", 1},
		{"hpn(k=16,g=2,segments=2,core=5)", "core", 4},
		{"hpn(k=16,g=2,segments=2,groups=9,core=1)", "groups", 8},
		{"meshtree(k=6)", "k", 8},
	} {
		d, err := topology.ParseDesign(c.design, All())
		if err != nil {
			t.Fatal(err)
		}
		var s topology.Size
		err = d.Family.Size(d.V, &s)
		var bad *topology.Infeasible
		if !errors.As(err, &bad) || !errors.Is(err, topology.ErrInfeasible) {
			t.Errorf("%s: error %v, want one about %s", d, err, c.param)
			continue
		}
		if bad.Param != c.param || bad.Bound != c.bound {
			t.Errorf("%s: blames %s, nearest %d (%v); want %s, nearest %d", d, bad.Param, bad.Bound, err, c.param, c.bound)
			continue
		}
		if c.param == "k" {
			continue // defaults of the others follow k
		}
		d.V[d.Family.Param(c.param)] = c.bound
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Errorf("%s: the nearest value is refused too: %v", d, err)
		}
	}
}

func BenchmarkSizeTrees(b *testing.B) {
	for _, name := range []string{"fattree(k=64,l=3)", "multirail(k=64,l=3,r=4,planes=2,f=2,pods=24)", "hpn(k=256,segments=15,up=60,core=8)"} {
		d := design(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var s topology.Size
			for b.Loop() {
				if err := d.Family.Size(d.V, &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
