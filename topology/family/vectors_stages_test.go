package family

import (
	"math"
	"testing"

	"toposearch/topology"
)

// TestStageCounts holds Hennessy & Patterson's counts: (N/k) log_k N switches and N(log_k N + 1)
// unidirectional links of an Omega network, (N/2)(2 log2 N - 1) switches of a Benes network, the
// parts of a Clos network, and the bus and the fat tree of Figure F.15 for 64 endpoints.
func TestStageCounts(t *testing.T) {
	for _, c := range []struct {
		design                                  string
		endpoints, switches, allLinks, embedded int64
		radix                                   int
	}{
		{"omega(k=2,n=3)", 8, 12, 8 * 4, 0, 4},
		{"omega(k=4,n=6)", 4096, 1024 * 6, 4096 * 7, 0, 8},
		{"omega(k=16,n=3)", 4096, 256 * 3, 4096 * 4, 0, 32},
		{"butterfly(k=4,n=3)", 64, 48, 64 * 4, 0, 8},
		{"benes(n=3)", 8, 20, 8 * 6, 0, 4},
		{"clos(m=5,n=3,r=4)", 12, 13, 24 + 40, 0, 8},
		{"bus(n=64)", 64, 0, 129, 0, 0},
		{"kntree(k=2,n=6)", 64, 192, 64 + 320, 0, 4},
		{"kntree(k=4,n=3)", 64, 48, 64 + 128, 0, 8},
		{"th1a(n=5)", 65536, 36864, 5 * 65536, 0, 16},
	} {
		d := design(t, c.design)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		if s.Endpoints != c.endpoints || s.Switches() != c.switches || s.EndpointLinks()+s.SwitchLinks() != c.allLinks ||
			s.EmbeddedSwitches() != c.embedded || s.Radix() != c.radix {
			t.Errorf("%s: endpoints, switches, links, embedded, radix = %d %d %d %d %d, want %+v", d,
				s.Endpoints, s.Switches(), s.EndpointLinks()+s.SwitchLinks(), s.EmbeddedSwitches(), s.Radix(), c)
		}
	}
}

// TestFatTreeOfTextbook: Figure F.15's 64 endpoints on 4-port switches; 2*level-1 switches on a
// route, 579/63 on average, 11 at most.
func TestFatTreeOfTextbook(t *testing.T) {
	d := design(t, "kntree(k=2,n=6)")
	if got, want := closedLinks(t, d)-1, 579./63; math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: mean switches passed = %.6f, want %.6f", d, got, want)
	}
	if got, want := searchedLinks(t, network(t, "kntree(k=2,n=6)"), -1, 1)-1, 579./63; math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: mean switches passed by search = %.6f, want %.6f", d, got, want)
	}
}

// omegaRoute lists the channels from endpoint a to b of an 8-port Omega network of 2 x 2 switches,
// as (stage, line), by the textbook: shuffle, then put the last bit right.
func omegaRoute(a, b int) (lines [3]int) {
	x := a
	for s := range 3 {
		x = x<<1&7 | b>>(2-s)&1
		lines[s] = x
	}
	return lines
}

// TestOmegaBlocks: Hennessy & Patterson's example: 0 to 1 and 4 to 0 block in an 8-port Omega
// network. Both must leave the same switch by the same port of the network as it is built.
func TestOmegaBlocks(t *testing.T) {
	a, b := omegaRoute(0, 1), omegaRoute(4, 0)
	if a[0] != b[0] {
		t.Fatalf("the textbook's example does not block: %v %v", a, b)
	}
	n := network(t, "omega(k=2,n=3)")
	for src := range 8 {
		for dst := range 8 {
			at := topology.SwitchID(12 + src)
			x := src
			for s := range 3 {
				x = x << 1 & 7
				if !leads(n, at, topology.SwitchID(4*s+x/2)) {
					t.Fatalf("%d to %d: no channel from switch %d to line %d of stage %d", src, dst, at, x, s)
				}
				at = topology.SwitchID(4*s + x/2)
				x = omegaRoute(src, dst)[s]
			}
			if x != dst || !leads(n, at, topology.SwitchID(12+dst)) {
				t.Fatalf("%d to %d ends at line %d", src, dst, x)
			}
		}
	}
}

func leads(n *topology.Network, a, b topology.SwitchID) bool {
	for _, y := range n.Neighbors(a) {
		if y == b {
			return true
		}
	}
	return false
}
