package cutthrough_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

func workload(t *testing.T, s *cutthrough.Sim, w cutthrough.Workload) cutthrough.LoopResult {
	t.Helper()
	r, err := s.RunWorkload(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A packet of 4096 B takes 81.92 ns at 400 Gb/s and passes one switch in 400 ns over two cables of
// 10 ns; 1000 B take 20 ns. On a crossbar without contention completion times follow by hand.
func TestLoopsByHand(t *testing.T) {
	const d, lone = 81.92, 10 + 400 + 10 + 81.92
	crossbar := func(pattern string, change func(*cutthrough.Config)) *cutthrough.Sim {
		return sim(t, "crossbar(n=5)", "minimal", pattern, change)
	}
	for _, c := range []struct {
		name string
		s    *cutthrough.Sim
		w    cutthrough.Workload
		want float64 // ns
	}{
		// 2 (5 - 1) steps of a packet each, one after the other.
		{"ring", crossbar("uniform", nil), cutthrough.Workload{Kind: "ring", Message: 4096}, 8 * lone},
		// Messages of three packets and 1000 bytes: the last byte follows the head.
		{"ring of messages", crossbar("uniform", nil), cutthrough.Workload{Kind: "ring", Message: 3*4096 + 1000}, 8 * (420 + 3*d + 20)},
		// The NICs' own 300 ns count for each message.
		{"ring with NICs", crossbar("uniform", func(c *cutthrough.Config) { c.NICNs = 300 }), cutthrough.Workload{Kind: "ring", Message: 4096}, 8 * (lone + 300)},
		// In step k endpoint e sends to e + k: no two to the same.
		{"all-to-all", crossbar("uniform", nil), cutthrough.Workload{Kind: "alltoall", Message: 2 * 4096}, 420 + 4*2*d},
		// A round is a message; the next begins when all have arrived.
		{"barrier", crossbar("neighbor", nil), cutthrough.Workload{Kind: "barrier", Message: 2 * 4096, Rounds: 7}, 7 * (420 + 2*d)},
		// Relays add nothing to what goes from neighbour to neighbour: one link of 100 Gb/s, 20 ns long.
		{"relays", sim(t, "fullmesh(d1=5,d2=1)", "natural", "uniform", nil), cutthrough.Workload{Kind: "ring", Message: 4096}, 8 * (20 + 4*d)},
	} {
		r := workload(t, c.s, c.w)
		if !r.Completed || math.Abs(r.CompletionUs*1000-c.want) > 0.5 || math.Abs(float64(r.Completion)-c.want) > 1 || r.Stop != simcore.StopWindow || r.Efficiency > 1 || r.Efficiency < 0.3 {
			t.Errorf("%s: completed %v in %.3f us, want %.3f; bound %.3f us by %s", c.name, r.Completed, r.CompletionUs, c.want/1000, r.IdealUs, r.IdealBy)
		}
		if c.w.Kind != "barrier" != (r.Round == nil) || r.Round != nil && (math.Abs(r.Round.Mean-c.want/7) > 0.5 || math.Abs(float64(r.Round.Max-r.Round.Min)) > 1) {
			t.Errorf("%s: rounds %+v", c.name, r.Round)
		}
	}
	// A window of k packets sends k packets in the time that one takes, until the link is full.
	for k := 1; k <= 8; k++ {
		r := workload(t, crossbar("neighbor", func(c *cutthrough.Config) { c.WarmupNs, c.MeasureNs = 5020, 50_192 }), cutthrough.Workload{Kind: "window", Window: k})
		if want := min(1, float64(k)*d/lone); math.Abs(r.Accepted-want) > 0.002 || r.Efficiency > 1.002 || r.Efficiency < 0.99 || k < 6 && math.Abs(r.Latency.Mean-lone) > 0.5 || r.Completed {
			t.Errorf("window of %d: accepted %.4f, want %.4f; packets take %.2f ns; bound %.4f by %s", k, r.Accepted, want, r.Latency.Mean, r.Ideal, r.IdealBy)
		}
	}
}

// Every byte of a workload arrives, no faster than the bounds allow, and any number of workers gives
// the same, to the last bit: with several ports per endpoint, with relays, with adaptive routing and
// with either flow control.
func TestLoopsOnNetworks(t *testing.T) {
	for i, c := range []struct {
		design, routing, flow string
	}{
		{"dragonfly(p=1,a=4,h=2)", "ugal_l+adaptive", "pfc"}, {"zcube(n=3,k=2)", "natural+adaptive", "credit"}, {"bcube(n=3,l=2)", "natural", "pfc"},
		{"fullmesh(d1=4,d2=3)", "valiant", "credit"}, {"hammingmesh(a=2,b=2,x=2,y=1,k=8)", "natural", "credit"},
	} {
		if testing.Short() && i > 2 {
			break
		}
		for j, w := range []cutthrough.Workload{{Kind: "alltoall", Message: 9000}, {Kind: "ring", Message: 5000}, {Kind: "barrier", Message: 9000, Rounds: 5}, {Kind: "window", Window: 3}} {
			if i > 0 && (i+j)%2 == 0 { // the first with all, the others with two
				continue
			}
			var want cutthrough.LoopResult
			for k, workers := range []int{1, 2, 16}[i%2:][:2] {
				s := sim(t, c.design, c.routing, "uniform", func(x *cutthrough.Config) {
					observed(x)
					x.FlowControl, x.Workers, x.BufferBytes = c.flow, workers, 12_000_000
				})
				r := workload(t, s, w)
				if k == 0 {
					want = r
				} else if !reflect.DeepEqual(r, want) {
					t.Errorf("%s %s: %d workers\n%+v\nwant\n%+v", c.design, w.Kind, workers, r, want)
				}
			}
			n := int64(sim(t, c.design, c.routing, "uniform", nil).Endpoints())
			packets := map[string]int64{"alltoall": n * (n - 1) * 3, "ring": n * 2 * (n - 1) * 2, "barrier": n * 5 * 3, "window": want.Packets}[w.Kind]
			if want.Packets != packets || want.Efficiency > 1 || want.Efficiency <= 0.05 || want.Completed == (w.Kind == "window") || want.Dropped > 0 || want.Deadlocked || want.Detail == nil || want.Accepted <= 0 {
				t.Errorf("%s %s: %d packets of %d, efficiency %.3f by %s, %+v", c.design, w.Kind, want.Packets, packets, want.Efficiency, want.IdealBy, want)
			}
			t.Logf("%s %s: %.3f us, efficiency %.3f by %s, accepted %.3f", c.design, w.Kind, want.CompletionUs, want.Efficiency, want.IdealBy, want.Accepted)
		}
	}
}

// What is wrong is named; a limit and the end of the context stop a workload with what was measured.
func TestLoopLimits(t *testing.T) {
	s := sim(t, "dragonfly(p=2,a=4,h=2)", "natural", "uniform", nil)
	for _, c := range []struct {
		w    cutthrough.Workload
		want string
	}{
		{cutthrough.Workload{Kind: "rng"}, `workload "rng"`}, {cutthrough.Workload{Kind: "ring"}, "Message = 0"}, {cutthrough.Workload{Kind: "window"}, "Window = 0"},
		{cutthrough.Workload{Kind: "barrier", Message: 1}, "Rounds = 0"}, {cutthrough.Workload{Kind: "ring", Message: 1, MaxNs: -1}, "MaxNs = -1"},
	} {
		if _, err := s.RunWorkload(t.Context(), c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.w, err)
		}
	}
	r := workload(t, s, cutthrough.Workload{Kind: "alltoall", Message: 65_536, MaxNs: 20_000})
	if r.Completed || r.Stop != simcore.StopBudget || r.Cycles < 20_000 || r.Accepted < 0.35 {
		t.Errorf("after 20 us: %s, %+v", r.Stop, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.OnProgress(func(ns int64) {
		if ns > 30_000 {
			cancel()
		}
	})
	r, err := s.RunWorkload(ctx, cutthrough.Workload{Kind: "alltoall", Message: 65_536})
	if !errors.Is(err, context.Canceled) || !r.Interrupted || r.Completed || r.Packets == 0 || r.Measured < 30_000 || r.Accepted < 0.35 {
		t.Errorf("interrupted: %v, %+v", err, r)
	}
}
