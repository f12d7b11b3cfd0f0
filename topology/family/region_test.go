package family

import (
	"testing"

	"toposearch/topology"
)

// TestRegionsCarry holds non-blocking regions against the largest flow from the first half of their endpoints to the second, over the whole
// network, which carries no less than what is inside: B from each endpoint of the half. Blocks of the construction that are larger must miss it where
// it is named.
func TestRegionsCarry(t *testing.T) {
	for _, c := range []struct {
		design string
		whole  bool // the region is all of the network
	}{
		{"bcube(n=4,l=1)", true}, {"bcube(n=2,l=2)", false}, {"bcube(n=4,l=2)", false}, {"bcube(n=3,l=3)", false},
		{"butterfly(k=4,n=1)", true}, {"butterfly(k=2,n=3)", false}, {"butterfly(k=3,n=2)", false}, {"butterfly(k=4,n=2)", false},
		{"omega(k=2,n=3)", true}, {"omega(k=4,n=2)", true}, {"benes(n=3)", true}, {"clos(m=4,n=4,r=3)", true}, {"clos(m=2,n=4,r=4)", false},
		{"zcube(n=4,k=2)", true}, {"zcube(n=4,k=3)", false}, {"fattree(k=4,l=3)", true}, {"fattree(k=12,l=3,taper2=2:1)", false},
		{"dragonfly(p=2,a=4,h=2)", false}, {"dragonflyplus(l=2,m=2,p=2,h=2)", false}, {"zettafly3(a=4,p=2,h=2)", false},
		{"zettafly4(a=4,p=2,h=2)", false}, {"torus(k1=4,k2=4)", true}, {"mesh(k1=4,k2=4)", false}, {"hypercube(n=3,t=2)", false},
		{"hyperx(s1=4,s2=2,t=2)", false}, {"hpn(k=16,g=4,segments=2)", true}, {"roft(k=8,g=2)", true}, {"mlfm(h=4)", false}, {"meshtree(k=4)", false},
	} {
		d := design(t, c.design)
		n := network(t, c.design)
		region := int(d.Family.NonBlocking(d.V))
		if whole := region == n.Endpoints(); whole != c.whole {
			t.Errorf("%s: non-blocking region of %d of %d endpoints, want all of them: %v", d, region, n.Endpoints(), c.whole)
		}
		for first := 0; first+region <= n.Endpoints(); first += region {
			if want := region / 2 * int(n.EndpointLanes); flowAcross(n, first, region) < want {
				t.Errorf("%s: of endpoints %d to %d the first half sends less than %d lanes to the second", d, first, first+region-1, want)
				break
			}
		}
		if !c.whole && flowAcross(n, 0, n.Endpoints()) >= n.Endpoints()/2*int(n.EndpointLanes) {
			t.Errorf("%s: the middle cut of all carries what the first half sends", d)
		}
	}
}

// flowAcross is the largest flow, in lanes, from the first half of a block of endpoints to the second, by augmenting along shortest paths.
func flowAcross(n *topology.Network, first, size int) int {
	const ample = 1 << 20 // lanes of what forwards inside an endpoint
	nodes := n.Switches() + n.Endpoints() + 2
	source, sink := nodes-2, nodes-1
	left := make([]map[int]int, nodes)
	for i := range left {
		left[i] = map[int]int{}
	}
	join := func(a, b int, class int) {
		lanes := int(n.Lanes[class])
		if n.LinkClasses[class].Name == topology.ClassInternal {
			lanes = ample
		}
		left[a][b] += lanes
		left[b][a] += 0
	}
	for c := range topology.ChannelID(n.Channels()) {
		join(int(n.From(c)), int(n.To(c)), int(n.LinkClass(c)))
	}
	for e := first; e < first+size; e++ {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		at, sends := n.Switches()+e, e < first+size/2
		for _, p := range ports {
			if sends {
				join(at, int(p), 0)
			} else {
				join(int(p), at, 0)
			}
		}
		if sends {
			left[source][at], left[at][source] = int(n.EndpointLanes), 0
		} else {
			left[at][sink], left[sink][at] = int(n.EndpointLanes), 0
		}
	}
	for total := 0; ; {
		from := map[int]int{source: source}
		for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
			for b, x := range left[queue[0]] {
				if _, seen := from[b]; !seen && x > 0 {
					from[b] = queue[0]
					queue = append(queue, b)
				}
			}
		}
		if _, ok := from[sink]; !ok {
			return total
		}
		most := ample
		for b := sink; b != source; b = from[b] {
			most = min(most, left[from[b]][b])
		}
		for b := sink; b != source; b = from[b] {
			left[from[b]][b] -= most
			left[b][from[b]] += most
		}
		total += most
	}
}
