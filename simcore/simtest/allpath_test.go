package simtest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// All-path routing keeps the contract; detours are two hops at most.
func TestAllPathRouting(t *testing.T) {
	for _, c := range []struct {
		text, routings string
		shortest       bool // the shortest paths of the graph are admitted
	}{
		{"fullmesh(d1=4,d2=3)", "apr_shortest apr_detour apr_detour+adaptive", true},
		{"fullmesh(d1=3,d2=2,d3=2,b1=2)", "apr_detour+hash", true},
		{"hyperx(s1=3,s2=3,t=2)", "apr_shortest apr_detour", true},
		{"ubmesh(x=2,y=4,z=2,w=2,pods=2,lx=12,ly=12,lz=16,lw=16)", "apr_shortest apr_detour apr_borrow", false},
		{"ubmesh(x=2,y=4,z=2,w=2,pods=2,lz=8,lw=8,rack=1dfma)", "apr_borrow", false},
	} {
		n := build(t, c.text)
		for _, name := range strings.Fields(c.routings) {
			r, err := route.ByName(context.Background(), name, n.Network, n.opt)
			if err != nil {
				t.Fatal(err)
			}
			if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic || r.VCs() != 2 {
				t.Fatalf("%s on %s: %v, %s", name, c.text, err, rep.Words(n.Network))
			}
			tr, err := traffic.ByName("worst", traffic.Options{Network: n.Network})
			if err != nil {
				t.Fatal(err)
			}
			k := simtest.RoutingCase{Network: n.Network, Routing: r, Traffic: tr, Load: 0.3}
			if c.shortest {
				router, err := route.RouterFor("minimal", n.Network, topology.Rule{})
				if err != nil {
					t.Fatal(err)
				}
				hops := distance(n.Network, router)
				if name == "apr_shortest" {
					k.Hops = hops
				} else {
					most := 0
					for s := range topology.EndpointID(n.Endpoints()) {
						most = max(most, hops(0, s))
					}
					k.MaxHops = most + 2
				}
			}
			simtest.Routing(t, k)
		}
	}
}

// Detours carry adversarial traffic that one shortest path does not, and leave idle networks alone.
func TestAllPathDetours(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates a full mesh of 36 NPUs under two routings")
	}
	n := build(t, "fullmesh(d1=6,d2=6)")
	direct, detour := accepted(t, n, "natural", "worst", 0.4), accepted(t, n, "apr_detour", "worst", 0.4)
	// Each endpoint has one of its ten links under dimension order.
	if direct.Accepted > 0.102 || detour.Accepted < 2*direct.Accepted {
		t.Errorf("worst: accepted %.3f directly, %.3f with detours, want twice as much", direct.Accepted, detour.Accepted)
	}
	idle := accepted(t, n, "apr_detour", "uniform", 0.005)
	if shortest := 2 * 5.0 / 6 * 36 / 35; idle.Hops.Mean > 1.03*shortest {
		t.Errorf("idle: %.4f hops in the mean, the shortest paths have %.4f", idle.Hops.Mean, shortest)
	}
}

// What has no structure for it, or no uplinks to borrow, is refused by name.
func TestAllPathNeeds(t *testing.T) {
	for _, c := range []struct {
		text, routing string
		vcs           int
		want          string
	}{
		{"torus(k1=4,k2=4)", "apr_detour", 0, "every kind of link once"},
		{"fullmesh(d1=4,d2=4)", "apr_borrow", 0, "no switches of class hrs"},
		{"ubmesh(z=2,w=2)", "apr_borrow", 0, "no switches of class hrs"},
		{"fullmesh(d1=4,d2=4)", "apr_detour", 1, "needs 2 virtual channels"},
		{"fullmesh(d1=4,d2=4)", "apr_detour+switch", 0, "has no intermediate"},
	} {
		n := build(t, c.text)
		opt := n.opt
		opt.VCs = c.vcs
		if _, err := route.ByName(context.Background(), c.routing, n.Network, opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %s: %v, want %q", c.routing, c.text, err, c.want)
		}
	}
}

// By hand (routing.TestBestWalksByHand): on 8 x 8 NPUs the best splits carry 4/14 of a shift by one place along all rows, and of one along rows and
// columns; dimension order 1/14 of either. Deciding by queues reaches more than 80 % of it. One pair has 7 ways in its dimension,
// 7/14; those out and back in the other are left to queues longer than a credit round trip on all VCs.
func TestAllPathsBySplit(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates a full mesh of 64 NPUs under three traffics")
	}
	n := build(t, "fullmesh(d1=8,d2=8)")
	for _, c := range []struct {
		name                 string
		senders, right, down int
		load                 float64
	}{{"one pair", 1, 1, 0, 0.47}, {"rows", 64, 1, 0, 0.26}, {"rows and columns", 64, 1, 1, 0.24}} {
		var text strings.Builder
		for e := range c.senders {
			fmt.Fprintln(&text, e, (e/8+c.down)%8*8+(e%8+c.right)%8)
		}
		path := filepath.Join(t.TempDir(), "traffic")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := accepted(t, n, "apr_detour", "file:"+path, c.load); got.Accepted < 0.97*c.load {
			t.Errorf("%s: accepted %.4f of %.4f", c.name, got.Accepted, c.load)
		}
	}
}
