package routing

import (
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
)

// No matching of endpoints puts more on a channel than MostLoads says, by augmenting paths over all pairs whose path may
// cross it; on most channels one puts as much.
func TestMostLoads(t *testing.T) {
	tight, all := 0, 0
	for seed := range uint64(20) {
		n := anyNet(t, seed)
		for name, x := range tablesOf(t, n) {
			most, err := x.MostLoads(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			heaviest := heaviestOf(n, x, false)
			for c := range most {
				if all++; heaviest[c] > int(most[c]) {
					t.Errorf("%s of %s: a matching of %d crosses channel %d, at most %v should", name, n.Design, heaviest[c], c, most[c])
				} else if heaviest[c] == int(most[c]) {
					tight++
				}
			}
		}
	}
	if 4*tight < 3*all {
		t.Errorf("the bound is reached on %d of %d channels", tight, all)
	}
}

// The worst case of tables is the largest matching over a channel, by augmenting paths; where endpoints have several ports of the
// paths that flows take, and no less than a full port.
func TestLayeredWorstCase(t *testing.T) {
	nets := []*topology.Network{dragonfly(t, 2, 4, 2), torus(t, true, 5, 3), hyperx(t, 3, 3, 2), zcube(t, 3, 2)}
	for seed := range uint64(10) {
		nets = append(nets, anyNet(t, seed))
	}
	for _, n := range nets {
		capacity, port := OwnCapacity(n), 0.0
		if SeveralPorts(n) {
			port = 1 / capacity(nicClass(n))
		}
		for name, x := range tablesOf(t, n) {
			lo, hi, err := x.WorstCase(t.Context(), capacity)
			if err != nil {
				t.Fatal(err)
			}
			want := port
			scale := x.Router.scales(capacity)
			for c, k := range heaviestOf(n, x, true) {
				want = max(want, float64(k)*scale[c])
			}
			to, how, err := x.WorstPermutation(t.Context(), capacity)
			if err != nil {
				t.Fatal(err)
			}
			var flows []Pair
			for src, dst := range to {
				flows = append(flows, Pair{topology.EndpointID(src), topology.EndpointID(dst), 1})
				if !slices.Contains(to, int32(src)) || src == int(dst) {
					t.Errorf("%s of %s: %v is no permutation", name, n.Design, to)
				}
			}
			load := make([]float64, n.Channels())
			for p := range x.Paths(flows) {
				for _, h := range p.Hops {
					load[h.Channel] += scale[h.Channel]
				}
			}
			if strings.Contains(how, "channel by channel") && max(port, slices.Max(load)) < want {
				t.Errorf("%s of %s: the worst permutation loads a channel by %v, one by %v", name, n.Design, slices.Max(load), want)
			}
			if lo != want || hi != want {
				t.Errorf("%s of %s: [%v, %v], want %v", name, n.Design, lo, hi, want)
			}
		}
	}
}

// heaviestOf is the size of the largest matching of sources and destinations over each channel, over paths from all ports or from the one that the flow takes.
func heaviestOf(n *topology.Network, x *Layered, enter bool) []int {
	ends := n.Endpoints()
	to := make([][][]int, n.Channels()) // by channel and source: destinations
	for c := range to {
		to[c] = make([][]int, ends)
	}
	for s := range ends {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(s)))
		for d := range ends {
			seen := map[topology.ChannelID]bool{}
			for i, sw := range ports {
				if enter && s != d && i != x.Enter(topology.EndpointID(s), topology.EndpointID(d)) {
					continue
				}
				for c := x.Next(x.Row(topology.EndpointID(d)), sw); c >= 0; c = x.Next(x.Row(topology.EndpointID(d)), n.To(c)) {
					if !seen[c] && s != d {
						seen[c] = true
						to[c][s] = append(to[c][s], d)
					}
				}
			}
		}
	}
	out := make([]int, len(to))
	for c := range to {
		partner := map[int]int{} // of a destination
		for s := range ends {
			if augment(to[c], s, partner, map[int]bool{}) {
				out[c]++
			}
		}
	}
	return out
}

func augment(to [][]int, s int, partner map[int]int, tried map[int]bool) bool {
	for _, d := range to[s] {
		if tried[d] {
			continue
		}
		tried[d] = true
		if other, taken := partner[d]; !taken || augment(to, other, partner, tried) {
			partner[d] = s
			return true
		}
	}
	return false
}
