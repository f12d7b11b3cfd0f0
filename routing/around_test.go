package routing

import (
	"context"
	"testing"

	"toposearch/topology"
)

// TestAround against every pair and every set by way of which it may go, one by one, on whole networks and without a link or a switch in the middle of others' ways. What all by detours
// load on a whole network is what turns of Valiant's routing say.
func TestAround(t *testing.T) {
	ctx := context.Background()
	missed := 0
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{dragonfly(t, 2, 4, 2), lgl()}, {torus(t, true, 4, 5), torusDOR(2)}, {hyperx(t, 3, 4, 2), dor(2)}} {
		for fail := range 4 {
			n := c.n
			if fail > 0 {
				left, err := n.Without(&topology.Failures{Links: []topology.ChannelID{topology.ChannelID(5 * fail)}})
				if err != nil {
					t.Fatal(err)
				}
				n = left
			}
			r, err := New(n, c.rule)
			if err != nil {
				t.Fatal(err)
			}
			a, err := r.Around(ctx)
			if err != nil || a == nil {
				t.Fatalf("%s: %v %v", n.Design, a, err)
			}
			sets := len(r.Sets)
			reaches := make([][]bool, sets)
			for src := range sets {
				for dst := range sets {
					reaches[src] = append(reaches[src], r.Field(dst).Dist[int(r.Sets[src].Ports[0].Switch)*r.states] != Unreachable)
				}
			}
			var direct, detours []Flow
			pairs := 0
			for src := range sets {
				for dst := range sets {
					if src == dst {
						continue
					}
					rate := float64(r.Sets[src].Endpoints*r.Sets[dst].Endpoints) / float64(n.Endpoints()-1)
					var mids []int
					for mid := range sets {
						if mid != src && mid != dst && reaches[src][mid] && reaches[mid][dst] {
							mids = append(mids, mid)
						}
					}
					all, by := rate/float64(len(mids)+2), &direct
					if reaches[src][dst] {
						direct = append(direct, Flow{src, dst, rate})
						detours = append(detours, Flow{src, dst, 2 * all})
						by = nil
					} else {
						all = rate / float64(len(mids))
						pairs++
					}
					for _, mid := range mids {
						legs := []Flow{{src, mid, all}, {mid, dst, all}}
						detours = append(detours, legs...)
						if by != nil {
							*by = append(*by, legs...)
						}
					}
				}
			}
			if missed += pairs; pairs != a.Missed {
				t.Errorf("%s: %d pairs are missed, want %d", n.Design, a.Missed, pairs)
			}
			relative := func(flows []Flow) []float64 {
				l, err := r.FlowLoads(ctx, flows, LoadOptions{})
				if err != nil || l.UnreachablePairs > 0 {
					t.Fatalf("%s: %v, %g without a route", n.Design, err, l.UnreachablePairs)
				}
				return l.Relative(n, OwnCapacity(n))
			}
			same := func(what string, got, want []float64) {
				for i := range want {
					if !near(got[i], want[i]) {
						t.Errorf("%s, failure %d, %s: channel %d has %v of its capacity, want %v", n.Design, fail, what, i, got[i], want[i])
						return
					}
				}
			}
			same("direct", relative(a.Direct), relative(direct))
			same("detours", relative(a.Detours), relative(detours))
			if pairs == 0 {
				turns, err := r.Valiant(ctx, nil)
				if err != nil {
					t.Fatal(err)
				}
				same("Valiant", relative(a.Detours), turns.Relative(OwnCapacity(n)))
			}
		}
	}
	if missed < 20 {
		t.Errorf("%d pairs are missed in all: too few to tell", missed)
	}
	n := zcube(t, 4, 2)
	if r, err := New(n, monotone(2)); err != nil {
		t.Fatal(err)
	} else if a, err := r.Around(ctx); a != nil || err != nil {
		t.Errorf("%s, with endpoints of several ports: %v %v", n.Design, a, err)
	}
}
