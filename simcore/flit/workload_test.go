package flit

import (
	"math"
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// oneFlow sends from endpoint 0 to 2 of a 4x4 mesh, two hops away, and nothing else.
func oneFlow() fixed {
	to := make(fixed, 16)
	for i := range to {
		to[i] = -1
	}
	to[0] = 2
	return to
}

// A message of ten flits two hops away takes 3 + 4*3 + 2 + 9 = 26 cycles in an idle network; the
// next round begins in the cycle after.
func TestLoopBarrier(t *testing.T) {
	cfg := shortConfig()
	cfg.PacketFlits = 10
	r, err := mustNew(t, newGrid(t, 4, false), oneFlow(), cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopBarrier, Message: 10, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Completed || r.Completion != 3*26+2 || *r.Round != (simcore.RoundTimes{Mean: 26, Min: 26, Max: 26}) || r.Ideal != 3*26 || r.Packets != 3 {
		t.Errorf("completion %d, rounds %+v, ideal %g (%s)", r.Completion, r.Round, r.Ideal, r.IdealBy)
	}
	// In packets of four the tail of a message is no later, as long as no packet waits.
	cfg.PacketFlits = 4
	q, _ := mustNew(t, newGrid(t, 4, false), oneFlow(), cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopBarrier, Message: 10, Rounds: 1})
	if q.Completion < 26 || q.Completion > 30 || q.Packets != 3 {
		t.Errorf("three packets: %d cycles, %d packets", q.Completion, q.Packets)
	}
}

// The ring 0, 1, ... 8 of a 3x3 mesh has hops 1 1 3 1 1 3 1 1 4; a flit takes 7 + 5 h cycles: 143
// once around. No two of the nine ways share a channel, so that no flit ever waits. The longest
// chain of 16 steps leaves out two of one hop: 2*143 - 2*12, and each step but the first is sent
// in the cycle after the one before has arrived: 15 more.
func TestLoopRing(t *testing.T) {
	r, err := mustNew(t, newGrid(t, 3, false), uniform{9}, shortConfig()).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopRing, Message: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Completion != 262+15 || r.Packets != 9*16 || math.Abs(r.Ideal-16*143.0/9) > 1e-9 {
		t.Errorf("completion %d, %d packets, ideal %g (%s)", r.Completion, r.Packets, r.Ideal, r.IdealBy)
	}
	// Messages of several packets that may overtake: every step is still whole.
	cfg := shortConfig()
	cfg.PacketFlits = 3
	r, err = mustNew(t, newGrid(t, 4, true), uniform{16}, cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopRing, Message: 7})
	if err != nil || !r.Completed || r.Packets != 16*30*3 || r.Efficiency > 1 || r.Efficiency < 0.4 {
		t.Errorf("%v: %d packets, completion %d, efficiency %.3f", err, r.Packets, r.Completion, r.Efficiency)
	}
}

// Every endpoint receives a message from every other.
func TestLoopAllToAll(t *testing.T) {
	for _, full := range []bool{false, true} {
		cfg := shortConfig()
		cfg.forceFull, cfg.PacketFlits = full, 2
		s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
		r, err := s.RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopAllToAll, Message: 5})
		if err != nil {
			t.Fatal(err)
		}
		each := 15 * 5 / float64(r.Completion)
		if f := r.Fairness.Received; !r.Completed || math.Abs(f.Min-each) > 1e-9 || math.Abs(f.Max-each) > 1e-9 || r.Packets != 16*15*3 {
			t.Errorf("received %+v, want %.4f each; %d packets", f, each, r.Packets)
		}
		// Half of the flits of each side cross the middle by 4 channels: 8*8*5 = 320 over 4 is 80 on each.
		if r.Ideal < 80 || r.Efficiency > 1 || r.Efficiency < 0.5 {
			t.Errorf("completion %d, ideal %.1f by %s", r.Completion, r.Ideal, r.IdealBy)
		}
		again, _ := s.RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopAllToAll, Message: 5})
		if !reflect.DeepEqual(r, again) {
			t.Error("a second run gives something else")
		}
	}
}

// One packet under way: latency 17, and the next is sent in the cycle after its arrival. With
// more the throughput rises, never above the bound.
func TestLoopWindow(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	r, err := mustNew(t, newGrid(t, 4, false), oneFlow(), cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopWindow, Window: 1})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Accepted-1.0/18) > 1.0/3000 || r.Latency.Mean != 17 || math.Abs(r.Ideal-1.0/17) > 1e-9 {
		t.Errorf("one packet: accepted %.5f, latency %.3f, ideal %.5f by %s", r.Accepted, r.Latency.Mean, r.Ideal, r.IdealBy)
	}
	last := 0.0
	for _, w := range []int{1, 4, 16} {
		cfg.Sizes, cfg.Weights = []int{1, 4}, []int{3, 1}
		r, err := mustNew(t, newGrid(t, 4, true), uniform{16}, cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopWindow, Window: w})
		if err != nil {
			t.Fatal(err)
		}
		if r.Accepted < last || r.Efficiency > 1 || r.Saturated || r.Deadlocked || r.Latency.CI95 <= 0 {
			t.Errorf("window %d: accepted %.4f after %.4f, efficiency %.3f by %s", w, r.Accepted, last, r.Efficiency, r.IdealBy)
		}
		last = r.Accepted
	}
	if last < 0.5 {
		t.Errorf("a window of 16 packets accepts %.3f", last)
	}
}

// After a workload the same Sim runs open loops as ever, and one that does not end in time says so.
func TestLoopLeavesNothing(t *testing.T) {
	racing.Figures(t)
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig())
	before, _ := s.Run(t.Context(), 0.3)
	r, err := s.RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopAllToAll, Message: 100, MaxCycles: 200})
	if err != nil || r.Completed || r.Stop != simcore.StopBudget || r.Cycles != 200 {
		t.Errorf("%v: %+v", err, r)
	}
	if after, _ := s.Run(t.Context(), 0.3); !reflect.DeepEqual(before, after) {
		t.Error("an open loop after a workload gives something else")
	}
	for _, w := range []simcore.Workload{{}, {Kind: "x"}, {Kind: simcore.LoopWindow}, {Kind: simcore.LoopRing}, {Kind: simcore.LoopBarrier, Message: 1}, {Kind: simcore.LoopRing, Message: 1, MaxCycles: -1}} {
		if _, err := s.RunWorkload(t.Context(), w); err == nil {
			t.Errorf("%+v is accepted", w)
		}
	}
}
