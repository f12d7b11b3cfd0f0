package foreign

import (
	"fmt"
	"io"
	"math"

	"toposearch/topology"
)

// tree is what a topology file of htsim says: fat trees of two or three tiers, each switch of a pod's tier linked to all of the
// tier above in the pod, the switch in position p of every pod to the same top switches (csg-htsim, fat_tree_topology.cpp).
type tree struct {
	tiers, nodes, pod int
	down, up, bundle  [3]int
	class             [3]int // of the links below a tier
}

// sameSteps bounds the comparison with the tree that htsim would make, some seconds.
const sameSteps = 1e9

// HTSim writes a .topo file of htsim. Only what is, link by link, the fat tree that htsim would make of it is written.
func (f *Fabric) HTSim(out io.Writer, o Times) error {
	const format = "htsim"
	if err := first(f.bothWays(format), f.onePort(format), f.rated(format)); err != nil {
		return err
	}
	t, why := f.tree()
	if why == "" {
		var n *topology.Network
		if n, why = t.build(); why == "" {
			switch same, _ := topology.Isomorphic(f.n, n, sameSteps); same {
			case topology.Different:
				why = "the fat tree of its tiers is another network"
			case topology.Undecided:
				why = "whether it is the fat tree of its tiers was not found out in time"
			}
		}
	}
	if why != "" {
		return f.refusal(format, "its topology files are fat trees of two or three tiers, and %s; graphml and simai have any graph", why)
	}
	for i := range t.tiers {
		if f.mbps(t.class[i])%1000 != 0 {
			return f.refusal(format, "rates are whole Gb/s in it, and links of class %s have %s; another --bandwidth does", f.n.LinkClasses[t.class[i]].Name, f.gbps(t.class[i]))
		}
	}
	fmt.Fprintf(out, "# %s\nNodes %d\nTiers %d\nPodsize %d\n", f.n.Design, t.nodes, t.tiers, t.pod)
	var err error
	for i := range t.tiers {
		fmt.Fprintf(out, "\nTier %d\nDownlink_speed_Gbps %d\nRadix_Down %d\n", i, f.mbps(t.class[i])/1000, t.down[i])
		if i+1 < t.tiers {
			fmt.Fprintf(out, "Radix_Up %d\n", t.up[i])
			// Oversubscribed is down over up in rates.
			fmt.Fprintf(out, "Oversubscribed %d\n", int64(t.down[i])*f.mbps(t.class[i])/(int64(t.up[i])*f.mbps(t.class[i+1])))
		}
		if t.bundle[i] > 1 {
			fmt.Fprintf(out, "Bundle %d\n", t.bundle[i])
		}
		_, err = fmt.Fprintf(out, "Downlink_Latency_ns %d\nSwitch_Latency_ns 0\n", int(math.Round(o.HopNs)))
	}
	return err
}

// tree reads tiers off the graph: switches with endpoints, those next to them, the others.
func (f *Fabric) tree() (t tree, why string) {
	n := f.n
	tier := make([]int, n.Switches())
	for s := range tier {
		tier[s] = 2
		if f.ports[s] > len(n.Neighbors(topology.SwitchID(s))) {
			tier[s] = 0
		}
	}
	for s := range tier {
		for _, x := range n.Neighbors(topology.SwitchID(s)) {
			if tier[s] != 0 && tier[x] == 0 {
				tier[s] = 1
			}
		}
	}
	t.nodes, t.tiers = n.Endpoints(), 2
	var seen [3]bool
	for s, i := range tier {
		v := topology.SwitchID(s)
		t.tiers = max(t.tiers, i+1)
		down, up, bundle := f.ports[s]-len(n.Neighbors(v)), 0, map[topology.SwitchID]int{}
		for c, end := n.Out(v); c < end; c++ {
			x := n.To(c)
			switch tier[x] {
			case i - 1:
				down++
				bundle[x]++
				if t.class[i] != 0 && t.class[i] != n.LinkClass(c) {
					return t, "links between two tiers are of several classes"
				}
				t.class[i] = n.LinkClass(c)
			case i + 1:
				up++
			default:
				return t, fmt.Sprintf("%s and %s are of one tier", f.names[v], f.names[x])
			}
		}
		each := 1
		for _, k := range bundle {
			if each != 1 && each != k {
				return t, "bundles of links differ"
			}
			each = k
		}
		if seen[i] && (t.down[i] != down || t.up[i] != up || t.bundle[i] != each) {
			return t, fmt.Sprintf("switches of tier %d have other numbers of ports than each other", i)
		}
		seen[i], t.down[i], t.up[i], t.bundle[i] = true, down, up, each
	}
	if !seen[1] {
		return t, "it has one tier"
	}
	for i := range t.tiers - 1 {
		lower, upper := int64(t.down[i])*f.mbps(t.class[i]), int64(t.up[i])*f.mbps(t.class[i+1])
		if upper == 0 || lower%upper != 0 {
			return t, fmt.Sprintf("tier %d has %d ports down and %d up, in rates no whole ratio", i, t.down[i], t.up[i])
		}
	}
	t.pod = t.nodes
	if t.tiers == 3 {
		_, pods := f.parts(func(c int) bool { return c != t.class[2] })
		tops := 0
		for _, i := range tier {
			if i == 2 {
				tops++
			}
		}
		if pods -= tops; pods < 1 || t.nodes%pods != 0 {
			return t, "its pods differ"
		}
		t.pod = t.nodes / pods
	}
	return t, ""
}

// build makes the network that htsim would.
func (t tree) build() (n *topology.Network, why string) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "tor"}, {Name: "agg"}, {Name: "core"}},
		[]topology.LinkClass{{Name: topology.ClassNic}, {Name: "agg"}, {Name: "core"}})
	pods := t.nodes / t.pod
	if t.pod%t.down[0] != 0 || t.up[0]%t.bundle[1] != 0 {
		return nil, "endpoints of a pod, or links of a bundle, do not divide"
	}
	tors, aggs := t.pod/t.down[0], t.up[0]/t.bundle[1]
	if tors*t.bundle[1] != t.down[1] {
		return nil, "a switch of the second tier is not linked to each of the first of its pod"
	}
	cores, each := 0, 0
	if t.tiers == 3 {
		if t.up[1]%t.bundle[2] != 0 || t.down[2] != pods*t.bundle[2] {
			return nil, "a top switch is not linked to each pod"
		}
		each = t.up[1] / t.bundle[2]
		cores = aggs * each
	}
	b.Switch(0, tors*pods)
	b.Switch(1, aggs*pods)
	b.Switch(2, cores)
	for tor := range tors * pods {
		b.Endpoints(t.down[0], []topology.SwitchID{topology.SwitchID(tor)})
		for a := range aggs {
			for range t.bundle[1] {
				b.Link(1, topology.SwitchID(tor), topology.SwitchID(tors*pods+tor/tors*aggs+a))
			}
		}
	}
	for a := range aggs * pods {
		for c := range each {
			for range t.bundle[2] {
				b.Link(2, topology.SwitchID(tors*pods+a), topology.SwitchID((tors+aggs)*pods+a%aggs*each+c))
			}
		}
	}
	n, err := b.Build("fat tree of htsim")
	if err != nil {
		return nil, "the fat tree of its tiers does not exist"
	}
	return n, ""
}
