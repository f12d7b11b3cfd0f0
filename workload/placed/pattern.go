package placed

import (
	"context"

	"toposearch/workload"
)

// countPattern is count, unit, of a pattern on a router's network without domains.
func (n *Network) countPattern(ctx context.Context, k key) (stage, error) {
	t := &traffic{n: n, group: k.group, alike: &k.pattern, rate: make([]float64, len(n.Router.Sets)), flows: n.flows[:0]}
	far, err := t.far(ctx)
	n.flows = t.flows
	return stage{1, far, 0}, err
}

// sends is how many messages each rank sends and receives.
func (p pattern) sends(of workload.Group) int {
	if p.All {
		return of.Size - 1
	}
	return 1
}

// receiveAlike adds what the ranks of a set receive by a pattern.
func (t *traffic) receiveAlike(ranks []int32) {
	stride, size, sets := uint32(t.group.Stride), uint32(t.group.Size), t.n.hangs()
	if !t.alike.All {
		shift := uint32(t.alike.Shift)
		for _, r := range ranks {
			from := uint32(r) - shift*stride
			if uint32(r)/stride%size < shift {
				from += size * stride
			}
			t.add(sets[from], 1)
		}
		return
	}
	if t.members == nil {
		t.members = make([]int32, len(sets))
	}
	own := sets[ranks[0]]
	for _, r := range ranks {
		t.members[uint32(r)-uint32(r)/stride%size*stride]++
	}
	for _, r := range ranks {
		place := uint32(r) / stride % size
		first := uint32(r) - place*stride
		n := float64(t.members[first])
		if n == 0 { // those of its group are added
			continue
		}
		t.members[first] = 0
		// Each other rank of the group sends to all of these; of themselves to all but one.
		for _, part := range [2][2]uint32{{place, 0}, {size, place + 1}} {
			for p := part[0]; p > part[1]; p-- {
				if s := sets[first+(p-1)*stride]; s != own {
					t.add(s, n)
				} else {
					t.add(s, n-1)
				}
			}
		}
		if n > 1 {
			t.add(own, n-1)
		}
	}
}

// add adds what a set sends to the one at hand.
func (t *traffic) add(set int32, amount float64) {
	if t.rate[set] == 0 {
		t.from = append(t.from, set)
	}
	t.rate[set] += amount
}
