package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestMessages by hand: in an all-reduce of 8 GB each of eight sends 2 * 7/8 of it, by halving and doubling to three others; in an
// exchange its bytes once; in a direct all-to-all an eighth to each other. What stays in domains is left out: of a ring over pairs
// every second message goes on. What a sender sends keeps it busy for as long as Busy says, where no link is shared.
func TestMessages(t *testing.T) {
	all := workload.Group{Stride: 1, Size: 8}
	for _, c := range []struct {
		domain   int
		c        workload.Communication
		messages int
		sent     float64 // by each that sends
	}{
		{1, workload.Communication{Kind: collective.AllReduce, Group: all, Bytes: 8e9, Count: 1}, 24, 14e9},
		{1, workload.Communication{Kind: collective.Exchange, Group: workload.Group{Stride: 4, Size: 2}, Bytes: 3, Count: 2}, 8, 3},
		{1, workload.Communication{Kind: collective.AllToAll, Group: all, Bytes: 8, Count: 1}, 56, 7},
		{2, workload.Communication{Kind: collective.Exchange, Group: all, Bytes: 5, Count: 1}, 4, 5},
		{2, workload.Communication{Kind: collective.AllGather, Group: workload.Group{Stride: 1, Size: 2}, Bytes: 5, Count: 1}, 0, 0},
	} {
		n := on(t, "crossbar(n=8)", c.domain)
		list, name, err := n.Messages(context.Background(), c.c)
		if err != nil {
			t.Fatal(err)
		}
		sent, most := map[topology.EndpointID]float64{}, 0.0
		for _, m := range list {
			sent[m.From] += m.Bytes
			most = max(most, sent[m.From])
		}
		for from, bytes := range sent {
			if math.Abs(bytes-c.sent) > 1e-9*c.sent {
				t.Errorf("%s by %s: endpoint %d sends %g bytes, want %g", c.c, name, from, bytes, c.sent)
			}
		}
		if len(list) != c.messages {
			t.Errorf("%s by %s: %d messages, want %d", c.c, name, len(list), c.messages)
		}
		busy, err := n.Busy(context.Background(), c.c)
		if want := most / 100e9 * float64(c.c.Count); err != nil || math.Abs(busy-want) > 1e-9*want {
			t.Errorf("%s by %s: busy for %g s, want %g (%v)", c.c, name, busy, want, err)
		}
	}
}
