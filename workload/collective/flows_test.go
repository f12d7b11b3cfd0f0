package collective

import (
	"math"
	"testing"
)

// TestFlows: flows carry what the schedule does between each two ranks; a chain never sends a piece that its sender had by
// another chain; and played by their needs alone, one message after the other, all of them are sent. kinds are those of
// TestSchedules and the pipelines.
func TestFlows(t *testing.T) {
	done := 0
	for _, n := range []int{2, 3, 5, 8, 12} {
		list := append(algorithms(n), Chain{n, 1}, Chain{n, 7}, Binomial{n}, Dissemination{n})
		for _, a := range list {
			for _, k := range Kinds() {
				flows, err := FlowsOf(a, k)
				s, serr := a.Schedule(k)
				if err != nil && serr == nil && s.Switches == 0 || err == nil && serr != nil {
					t.Fatalf("%T%+v %s: %v, Schedule %v", a, a, k, err, serr)
				}
				if err != nil {
					continue
				}
				done++
				sameBytes(t, a, s, flows)
				ownPieces(t, a, s)
				if left := play(flows); left > 0 {
					t.Errorf("%T%+v %s: %d messages wait for ever", a, a, k, left)
				}
			}
		}
	}
	if done < 200 {
		t.Errorf("only %d algorithms and kinds", done)
	}
}

func sameBytes(t *testing.T, a Algorithm, s *Schedule, flows []Flow) {
	sent := make(map[[2]int]float64)
	for _, f := range flows {
		sent[[2]int{f.From, f.To}] += float64(f.Count) * f.Share
	}
	for _, st := range s.Steps {
		for _, l := range st.Lanes {
			for k := range st.Repeat {
				l.Each(s.Ranks, k, func(from, to int) { sent[[2]int{from, to}] -= l.Share })
			}
		}
	}
	for p, x := range sent {
		if math.Abs(x) > 1e-9 {
			t.Errorf("%T%+v %s: %d sends %d %g of S more as flows", a, a, s.Kind, p[0], p[1], x)
		}
	}
}

func ownPieces(t *testing.T, a Algorithm, s *Schedule) {
	type had struct{ rank, piece int }
	chain := make(map[had]int)
	for _, st := range s.Steps {
		for k := range st.Repeat {
			now := make(map[had]int)
			for _, l := range st.Lanes {
				l.Each(s.Ranks, k, func(from, to int) {
					for _, p := range l.pieces(from, k, nil) {
						if c, ok := chain[had{from, p}]; ok && c != l.Chain {
							t.Fatalf("%T%+v %s: rank %d sends piece %d on chain %d and has it by chain %d", a, a, s.Kind, from, p, l.Chain, c)
						}
						now[had{to, p}] = l.Chain
					}
				})
			}
			for h, c := range now {
				chain[h] = c
			}
		}
	}
}

// play sends what may be sent until nothing may, and gives how much is left.
func play(flows []Flow) (left int) {
	sent := make([]int, len(flows))
	for moved := true; moved; {
		moved, left = false, 0
		for i, f := range flows {
			for sent[i] < f.Count {
				ok := true
				for _, n := range f.After {
					ok = ok && sent[n.Flow] >= min(sent[i]+n.Lead, flows[n.Flow].Count)
				}
				if !ok {
					break
				}
				sent[i]++
				moved = true
			}
			left += f.Count - sent[i]
		}
	}
	return left
}

// TestPipelines carries every piece through chains, binomial trees and barriers, and compares their closed forms.
func TestPipelines(t *testing.T) {
	for _, n := range []int{2, 3, 4, 7, 8, 9, 31, 32} {
		for _, a := range []Algorithm{Chain{n, 1}, Chain{n, 5}, Binomial{n}, Dissemination{n}} {
			for _, k := range []Kind{Broadcast, Barrier, Pipeline} {
				want, err := a.Cost(k)
				s, serr := a.Schedule(k)
				if (err == nil) != (serr == nil) {
					t.Fatalf("%T%+v %s: Cost says %v, Schedule %v", a, a, k, err, serr)
				}
				if err != nil {
					continue
				}
				if err := s.Check(); err != nil {
					t.Errorf("%T%+v %s: %v", a, a, k, err)
				}
				compare(t, a, k, want, s.Cost())
			}
		}
	}
}

// TestAgain: what is done again is sent as often, each time by who has received all of the time before, and no message waits for ever.
func TestAgain(t *testing.T) {
	for _, a := range []Algorithm{Ring{N: 5}, HalvingDoubling{N: 8}, DoubleTree{N: 6, Segments: 3}} {
		flows, err := FlowsOf(a, AllReduce)
		if err != nil {
			t.Fatal(err)
		}
		again := Again(flows, 3)
		if left := play(again); left > 0 || len(again) != 3*len(flows) {
			t.Errorf("%T: %d flows, %d messages wait for ever", a, len(again), left)
		}
		for i, f := range again[len(flows):] {
			waits := make(map[int]int)
			for _, need := range f.After {
				waits[need.Flow] = need.Lead
			}
			for k := i / len(flows) * len(flows); k < (i/len(flows)+1)*len(flows); k++ { // of the time before
				if got := waits[k]; again[k].To == f.From && got != again[k].Count {
					t.Fatalf("%T: flow %d waits for %d messages of flow %d, want %d", a, i+len(flows), got, k, again[k].Count)
				}
			}
		}
	}
}
