package routing

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// By hand, 8 x 8 NPUs with one port to each of 7 + 7 others, in units of an NPU's 14 links.
//
//   - A pair of neighbours has n-1 = 7 ways in its dimension: 1 direct, 6 of two hops; and 7 out and back in the other. All are
//     disjoint: 7/14 with one hop more, 14/14 with two.
//   - All NPUs of all rows send one place on: the direct link of each carries what goes directly, and each of the 6 others a detour
//     out and one back, so that 1 + 6/2 = 4 links' worth leave an NPU. Two hops out and back in the other dimension use the direct link of another
//     row and gain nothing.
//   - One place on in both dimensions: with one hop more each route crosses the link of one of the two offsets once, of which an NPU has two: 2.
func TestBestWalksByHand(t *testing.T) {
	racing.Figures(t)
	n, _, r := allPathRouter(t, "fullmesh(d1=8,d2=8)")
	table, err := NewTable(context.Background(), r, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	shift := func(dx, dy int) (out []WalkFlow) {
		for s := range 64 {
			to := (s/8+dy)%8*8 + (s%8+dx)%8
			out = append(out, WalkFlow{table, topology.SwitchID(s), to, 1})
		}
		return out
	}
	one := []WalkFlow{{table, 0, 1, 1}}
	for _, c := range []struct {
		name  string
		flows []WalkFlow
		slack int
		want  float64 // links
	}{
		{"one pair, shortest", one, 0, 1}, {"one pair, one hop more", one, 1, 7}, {"one pair, two", one, 2, 14},
		{"rows, shortest", shift(1, 0), 0, 1}, {"rows, one hop more", shift(1, 0), 1, 4}, {"rows, two", shift(1, 0), 2, 4},
		{"both, shortest", shift(1, 1), 0, 1}, {"both, one hop more", shift(1, 1), 1, 2},
	} {
		const lost = 0.03
		b, err := BestWalks(context.Background(), n, c.flows, c.slack, OwnCapacity(n), lost*float64(len(c.flows)))
		low, high, want := b.Low, b.High, c.want/14
		if b.Most < want/(1-lost)*(1-1e-9) || b.Most > high/(1-lost)*1.02 { // all flows are alike, but for the lengths found
			t.Errorf("%s: %.5f without %g of them, up to %.5f with all", c.name, b.Most, lost, high)
		}
		if got := b.Shares.Saturation(1-lost, 1); got < 0.98*min(1, low/(1-lost)) || got > b.Most*(1+1e-4) {
			t.Errorf("%s: the split that was found loses %g from %.5f on, between %.5f and %.5f", c.name, lost, got, low, b.Most)
		}
		if err != nil || low > want*(1+1e-9) || low < 0.99*want || high < want*(1-1e-9) || high > 1.45*want {
			t.Errorf("%s: [%.5f, %.5f], %v, want %.5f", c.name, low, high, err, want)
		}
	}
	// Two hops more, both dimensions: all walks by way of any NPU are admitted, two routes in dimension order;
	// of uniform traffic a link has 8/63 of what an NPU sends, so that Valiant's two phases carry 63/(8*14) / 2 * 64/63 = 2/7.
	b, err := BestWalks(context.Background(), n, shift(1, 1), 2, OwnCapacity(n), 0)
	if err != nil || b.Low < 2./7*0.999 || b.High > 1.1*b.Low || b.Most != b.High {
		t.Errorf("both, two hops more: %+v, %v", b, err)
	}
}
