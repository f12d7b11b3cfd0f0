package routing

import (
	"errors"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// TestCritical: the parts without which endpoints are apart are those of which the failure, one by one, leaves pairs
// disconnected.
func TestCritical(t *testing.T) {
	for _, name := range []string{
		"fattree(k=4,l=2)", "fattree(k=4,l=3)", "fattree(k=4,l=2,pods=2)", "torus(k1=4,k2=3)", "mesh(k1=5)", "mesh(k1=4,t=2)", "ring(n=5)", "crossbar(n=6)",
		"dragonfly(p=2,a=2,h=1)", "hpn(k=8,g=2,segments=2)", "hpn(k=16,g=2,segments=3,up=1,groups=2,core=1)", "railonly(k=4,g=2)", "multirail(k=4,l=2,r=2,f=2)",
		"multirail(k=8,l=2,r=4,f=2,planes=2)", "bcube(n=3,l=2)", "fullmesh(d1=3,d2=2)", "ubmesh(x=2,y=2,z=2,w=2,lx=8,ly=8,lz=16,lw=16)", "zcube(n=3,k=2)", "dcell(n=2,l=1)",
		"hammingmesh(a=2,b=2,x=2,y=2,k=4)", "tpuocs(x=1,y=1,z=2)", "roft(k=4,g=2,pods=2)",
	} {
		_, n := familytest.Build(t, name)
		for _, card := range []int{1, 2} {
			checkCritical(t, name, n, card)
		}
	}
	d, n := familytest.Build(t, "butterfly(k=2,n=2)")
	if _, err := n.Critical(1); !errors.Is(err, topology.ErrOneWay) {
		t.Errorf("%s: %v", d, err)
	}
}

// checkCritical fails every part by itself.
func checkCritical(t *testing.T, name string, n *topology.Network, card int) {
	t.Helper()
	got, err := n.Critical(card)
	if Disconnected(n).Pairs > 0 {
		if !errors.Is(err, topology.ErrApart) {
			t.Errorf("%s: %v, though pairs are apart", name, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	cuts := func(f topology.Failures) bool {
		left, err := n.Without(&f)
		if err != nil {
			t.Fatal(err)
		}
		return Disconnected(left).Pairs > 0
	}
	want := topology.Critical{Switches: make([]int64, len(n.SwitchClasses)), Links: make([]int64, len(n.LinkClasses))}
	for _, s := range n.Boxes() {
		if cuts(topology.Failures{Switches: []topology.SwitchID{s}}) {
			want.Switches[n.Class(s)]++
		}
	}
	for _, c := range n.Cables() {
		if !topology.IsScaleup(n.LinkClasses[n.LinkClass(c)].Name) && cuts(topology.Failures{Links: []topology.ChannelID{c}}) {
			want.Links[n.LinkClass(c)]++
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			for i := range ports {
				if cuts(topology.Failures{Ports: []topology.PortFailure{{Endpoint: e, Switch: ports[i]}}}) {
					want.Ports++
				}
			}
			for i := 0; i < len(ports); i += card {
				var f topology.Failures
				for _, s := range ports[i:min(i+card, len(ports))] {
					f.Ports = append(f.Ports, topology.PortFailure{Endpoint: e, Switch: s})
				}
				if cuts(f) {
					want.Cards++
				}
			}
		}
	}
	for i := range want.Switches {
		if got.Switches[i] != want.Switches[i] {
			t.Errorf("%s: %d switches of class %s part it, want %d", name, got.Switches[i], n.SwitchClasses[i].Name, want.Switches[i])
		}
	}
	for i := range want.Links {
		if got.Links[i] != want.Links[i] {
			t.Errorf("%s: %d links of class %s part it, want %d", name, got.Links[i], n.LinkClasses[i].Name, want.Links[i])
		}
	}
	if got.Ports != want.Ports || got.Cards != want.Cards {
		t.Errorf("%s: %d ports and %d cards of %d cut off, want %d and %d", name, got.Ports, got.Cards, card, want.Ports, want.Cards)
	}
}
