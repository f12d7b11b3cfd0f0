package route

import (
	"testing"

	"toposearch/topology"
)

// Detours avoid the blocks of source and destination where these are groups with few links between two. Planes of a HyperX are no groups: from each
// switch of one a link leads to each other plane. From one of a mesh or torus two do at most, and detours avoid the planes of source and destination.
func TestWhichBlocksAreGroups(t *testing.T) {
	for text, want := range map[string]bool{
		"dragonfly(p=2,a=4,h=2)":         true,
		"dragonfly(p=2,a=4,h=4,g=5)":     true, // four links between two groups
		"dragonflyplus(l=2,m=2,p=2,h=2)": true,
		"hyperx(s1=3,s2=3,s3=4,t=2)":     false,
		"hyperx(s1=4,s2=4,t=2)":          false, // a single block
		"fullmesh(d1=2,d2=3,d3=4)":       false,
		"hypercube(n=6)":                 false,
		"mesh(k1=4,k2=4,k3=4)":           true,
		"torus(k1=4,k2=4,k3=4)":          true,
		"torus(k1=4,k2=4,k3=2,k4=2)":     true, // planes are linked fully, not their rings
		"slimfly(q=5)":                   false,
	} {
		n, opt := built(t, text)
		if r := native(t, "ugal_l", n, opt); r.anyMid == want {
			t.Errorf("%s: detours avoid the blocks of source and destination: %t, want %t", text, !r.anyMid, want)
		}
	}
}

// A link or switch that fails changes nothing of it, though all shortest paths take the rule's place; nor does it matter of a HyperX whether its rule is known, as of a network read from a file.
func TestFailuresLeaveGroupsAsTheyAre(t *testing.T) {
	for text, want := range map[string]bool{
		"dragonfly(p=2,a=4,h=2)":         true,
		"dragonfly(p=2,a=4,h=4,g=5)":     true,
		"dragonflyplus(l=2,m=2,p=2,h=2)": true,
		"hyperx(s1=4,s2=4,s3=4,t=4)":     false,
		"fullmesh(d1=4,d2=4,d3=4)":       false,
		"hypercube(n=6)":                 false,
		"mesh(k1=4,k2=4,k3=4)":           true,
		"torus(k1=4,k2=4,k3=4)":          true,
		"slimfly(q=5)":                   false,
	} {
		n, opt := built(t, text)
		for what, f := range map[string]topology.Failures{
			"a link":   {Links: []topology.ChannelID{topology.ChannelID(n.Channels() / 3)}},
			"a switch": {Switches: []topology.SwitchID{topology.SwitchID(n.Switches() / 3)}},
		} {
			left, err := n.Without(&f)
			if err != nil {
				t.Fatal(err)
			}
			if r := native(t, "ugal_l", left, opt); r.anyMid == want {
				t.Errorf("%s without %s: detours avoid the blocks of source and destination: %t, want %t", text, what, !r.anyMid, want)
			}
		}
	}
	for _, text := range []string{"hyperx(s1=4,s2=4,s3=4,t=4)", "fullmesh(d1=4,d2=4,d3=4)", "hypercube(n=6)"} {
		n, opt := built(t, text)
		opt.Natural = topology.Rule{}
		if r := native(t, "ugal_l", n, opt); !r.anyMid {
			t.Errorf("%s: detours avoid the blocks of source and destination where its rule is not known", text)
		}
	}
}
