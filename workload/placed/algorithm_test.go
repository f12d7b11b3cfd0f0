package placed

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestByAlgorithm by hand, on a ring of eight switches whose links have an endpoint's rate of 100 GB/s, with S = 8 GB. A first byte takes 1 ms
// to the next endpoint but 3 ms from the last to the first.
//   - ring, all-gather: seven steps of 10 ms each; the data that pass the slow link once more are late by 2 ms: 70 + 7 + 2.
//   - halving, reduce-scatter: as TestShares, 1 + 0.5 + 0.125 of 80 ms, and three latencies, of which that of the slow link counts
//     where it is met: 7 and 0 are never partners, so 3 ms.
//   - chain of one segment: seven times 80 ms and 1 ms; of four, the last three segments follow at 20 ms each.
//   - all-to-all: 80 ms on each link and one latency at least.
//   - barrier of 8 B: no bytes to speak of; ways of 1, 2 and 4 ranks pass the slow link once at most: 3 + 1 + 1.
func TestByAlgorithm(t *testing.T) {
	n := on(t, "ring(n=8)", 1)
	n.Link.Alpha = 0
	lone := func(from, to topology.EndpointID, _ float64) (float64, float64) {
		if from == 7 && to == 0 {
			return 3e-3, 100e9
		}
		return 1e-3, 100e9
	}
	for _, c := range []struct {
		kind  collective.Kind
		a     collective.Algorithm
		bytes float64
		want  float64 // ms
	}{
		{collective.AllGather, collective.Ring{N: 8}, 8e9, 79},
		{collective.ReduceScatter, collective.HalvingDoubling{N: 8}, 8e9, 80*1.625 + 3},
		{collective.Broadcast, collective.Chain{N: 8, Segments: 1}, 8e9, 7 * 81},
		{collective.Broadcast, collective.Chain{N: 8, Segments: 4}, 8e9, 7*21 + 3*20},
		{collective.Barrier, collective.Dissemination{N: 8}, 8, 5},
	} {
		e, err := n.ByAlgorithm(context.Background(), workload.Communication{Kind: c.kind, Group: workload.Group{Stride: 1, Size: 8}, Bytes: c.bytes, Count: 1}, c.a, lone)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Total * 1e3; math.Abs(got-c.want) > 1e-3 {
			t.Errorf("%s by %s: %g ms, want %g", c.kind, c.a.Name(), got, c.want)
		}
	}
}

// TestSummed: of 600 ranks that all send to all 359,400 messages are not followed, of 500 249,500 are; on one switch both take what a rank sends, and a latency.
func TestSummed(t *testing.T) {
	for _, ranks := range []int{500, 600} {
		n := on(t, fmt.Sprintf("crossbar(n=%d)", ranks), 1)
		n.Link.Alpha = 0
		lone := func(from, to topology.EndpointID, _ float64) (float64, float64) { return 1e-3, n.Link.BytesPerS }
		e, err := n.ByAlgorithm(context.Background(), workload.Communication{Kind: collective.AllToAll, Group: workload.Group{Stride: 1, Size: ranks}, Bytes: n.Link.BytesPerS, Count: 1}, collective.Direct{N: ranks}, lone)
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(ranks-1)/float64(ranks) + 1e-3; math.Abs(e.Total-want) > 0.01*want || e.Summed != (ranks == 600) {
			t.Errorf("%d ranks: %+v, want %g", ranks, e, want)
		}
	}
}

// TestSlowest: of two jobs that keep a channel busy for six tenths of a second and take one the last is not done before 1.2; a third on another channel does not care. One that takes 0.7 s may be done
// before, and is that at least if nobody else is on the channel.
func TestSlowest(t *testing.T) {
	for _, c := range []struct {
		load  [][]float64
		alone []float64
		want  float64
	}{
		{[][]float64{{0.6, 0}, {0.6, 0}, {0, 0.9}}, []float64{1, 1, 0.9}, 1.2},
		{[][]float64{{0.6, 0}, {0.3, 0}, {0, 0.9}}, []float64{1, 0.7, 0.9}, 1},
		{[][]float64{{0.8, 0}, {0.5, 0.5}, {0, 0.7}}, []float64{1, 0.7, 0.7}, 1.2 / 0.7},
	} {
		if got := slowest(c.load, c.alone); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v alone %v: %g, want %g", c.load, c.alone, got, c.want)
		}
	}
}

// TestChannelsAround: on five switches that are all joined each link carries a fifth of S of an all-to-all; if all packets go by way of any switch, of a fifth of what four flows
// send and four receive 0.32; and as a hash says if that takes all paths directly.
func TestChannelsAround(t *testing.T) {
	n := on(t, "complete(n=5,t=1)", 1)
	c := workload.Communication{Kind: collective.AllToAll, Group: workload.Group{Stride: 1, Size: 5}, Bytes: n.Link.BytesPerS, Count: 1}
	check := func(what string, want float64) {
		busy, err := n.Channels(context.Background(), c, collective.Direct{N: 5})
		if err != nil {
			t.Fatal(err)
		}
		for ch, x := range busy {
			if math.Abs(x-want) > 1e-9 {
				t.Errorf("%s: channel %d is busy for %g s, want %g", what, ch, x, want)
			}
		}
	}
	check("routes", 0.2)
	n.Around = BySwitches(n.Router, nil, func(int) float64 { return 1 }, true, 1)
	check("detours", 0.32)
	n.Around = nil
	n.Follow = func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (int, topology.SwitchID, bool) {
		first, end := n.Router.Net.Out(topology.SwitchID(src))
		for ch := first; ch < end; ch++ {
			if n.Router.Net.To(ch) == topology.SwitchID(dst) {
				cross(ch)
			}
		}
		return 0, topology.SwitchID(dst), true
	}
	check("a hash", 0.2)
}

// TestAroundPlayed: of eight switches with an endpoint each that all send to all, every message makes a detour: links carry two hops of each, as evenly as packets draw their ways, which
// takes longer than the even division that is counted where there are too many of them; no message is left out.
func TestAroundPlayed(t *testing.T) {
	n := on(t, "complete(n=8)", 1)
	n.Link.Alpha, n.PacketBytes = 0, 4096
	n.Around = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), true, 1)
	n.Detours = n.Around
	c := workload.Communication{Kind: collective.AllToAll, Group: workload.Group{Stride: 1, Size: 8}, Bytes: 8 * 64 * 4096, Count: 1}
	lone := func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 1e-6, n.Link.BytesPerS }
	split, err := n.Divide(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	even := c.Bytes / split.Throughput / n.Link.BytesPerS
	for _, a := range []collective.Algorithm{collective.Direct{N: 8}, collective.MultiPath{Direct: collective.Direct{N: 8}, Directly: 0}} {
		e, err := n.ByAlgorithm(context.Background(), c, a, lone)
		if err != nil {
			t.Fatal(err)
		}
		_, ahead := a.(collective.MultiPath)
		if counted := math.Abs(e.Transfer-even) <= 1e-9*even; e.Summed || counted != ahead && !counted || e.Total < even || e.Total > 1.5*even {
			t.Errorf("%s: %+v, divided evenly %g", a.Name(), e, even)
		}
	}
}
