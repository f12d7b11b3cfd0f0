package workload

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/workload/collective"
)

// a100 is Korthikanti's system with every unit at 80 % of its peak: 312 Tflop/s, 2.039 TB/s, NVLink of 300 GB/s and
// InfiniBand of 25 GB/s each way.
func a100() System {
	return System{FLOPS: 312e12, Efficiency: 0.8, Memory: 80e9, MemoryBytesPerS: 0.8 * 2.039e12, Domain: 8,
		Link: [collective.Levels]collective.Link{{Alpha: 5e-6, BytesPerS: 240e9}, {Alpha: 5e-6, BytesPerS: 20e9}}}
}

// measured are the times of a step in Korthikanti et al., Table 5.
var measured = []struct {
	name                string
	pp, batch, micro, v int
	full, selective     float64
}{
	{"gpt3-22b", 1, 4, 4, 1, 1.42, 1.10},
	{"gpt3-175b", 8, 64, 1, 3, 18.13, 13.75},
	{"gpt3-530b", 35, 280, 1, 3, 49.05, 37.83},
	{"dense-1t", 64, 512, 1, 1, 94.42, 71.49},
}

// TestMeasuredTimes: all eight measured steps are met within 10 %, with one system for all.
func TestMeasuredTimes(t *testing.T) {
	for _, c := range measured {
		for _, r := range []Recompute{Full, Selective} {
			x := gptTraining(t, c.name, c.pp, c.batch, c.micro, c.v, r == Selective)
			x.Recompute, x.ScatterGather = r, true
			want := c.full
			if r == Selective {
				want = c.selective
			}
			got, err := x.Time(a100())
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Total/want-1) > 0.1 {
				t.Errorf("%s, %s: %.2f s, measured %.2f (%+.1f %%)", c.name, r, got.Total, want, 100*(got.Total/want-1))
			}
		}
	}
}

// TestPartsAddUp, and what is hidden is no more than there is.
func TestPartsAddUp(t *testing.T) {
	m, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	for _, zero := range []int{0, 1, 2, 3} {
		x := &Training{Model: m, Sequence: 4096, Batch: 256, Parallelism: Parallelism{TP: 2, CP: 2, PP: 4, DP: 8, EP: 8, SP: true, Interleave: 2, MicroBatch: 1, ZeRO: zero, FusedAttention: true}}
		got, err := x.Time(a100())
		if err != nil {
			t.Fatal(err)
		}
		sum := got.Matrices + got.Elements + got.Bubble + got.Optimiser
		for _, p := range got.Parts {
			sum += p.Exposed
			one, _, err := a100().Collective(p.Communication)
			if err != nil {
				t.Fatal(err)
			}
			if all := one * float64(p.Count); math.Abs((p.Exposed+p.Hidden)/all-1) > 1e-12 || p.Hidden < 0 || p.Exposed < 0 {
				t.Errorf("%s: %g s exposed and %g hidden of %g", p.Communication, p.Exposed, p.Hidden, all)
			}
		}
		if math.Abs(sum/got.Total-1) > 1e-12 {
			t.Errorf("zero %d: the parts are %g s together, the step %g", zero, sum, got.Total)
		}
		if got.MFU <= 0 || got.MFU >= 1 || got.HFU < got.MFU {
			t.Errorf("MFU %g, HFU %g", got.MFU, got.HFU)
		}
	}
}

// pipelined is the time of a pipeline that runs one forward and one backward pass by turns, by looking when
// each pass can begin: stage s runs p-s forward passes ahead.
func pipelined(forward, backward []float64, m int) float64 {
	p := len(forward)
	type pass struct {
		back bool
		i    int
	}
	order := make([][]pass, p)
	for s := range order {
		ahead := min(p-s-1, m)
		for i := range ahead {
			order[s] = append(order[s], pass{false, i})
		}
		for i := range m {
			if ahead+i < m {
				order[s] = append(order[s], pass{false, ahead + i})
			}
			order[s] = append(order[s], pass{true, i})
		}
	}
	done := make([]map[pass]float64, p)
	for s := range done {
		done[s] = make(map[pass]float64)
	}
	clock := make([]float64, p)
	for left := 2 * m * p; left > 0; {
		for s := range order {
			for len(order[s]) > 0 {
				q := order[s][0]
				begin, ok := clock[s], true
				need, at := 0.0, true
				switch {
				case !q.back && s > 0:
					need, at = done[s-1][q], false
					_, ok = done[s-1][q]
				case q.back && s < p-1:
					need, at = done[s+1][q], false
					_, ok = done[s+1][q]
				}
				if !at && !ok {
					break
				}
				begin = max(begin, need)
				took := forward[s]
				if q.back {
					took = backward[s]
				}
				clock[s] = begin + took
				done[s][q] = clock[s]
				order[s] = order[s][1:]
				left--
			}
		}
	}
	return slices.Max(clock)
}

// TestPipeline: without communication the time of matrices and bubble is that of a pipeline simulated pass by
// pass, with equal stages and with a last one that has the logits as well.
func TestPipeline(t *testing.T) {
	s := System{FLOPS: 1e12, Efficiency: 1, Memory: 1e15, Domain: 1, Link: [collective.Levels]collective.Link{{BytesPerS: 1e30}, {BytesPerS: 1e30}}}
	for _, vocab := range []int{1, 500, 5000, 50000} {
		for _, c := range []struct{ pp, m int }{{1, 4}, {2, 2}, {4, 8}, {8, 8}, {8, 3}} {
			m := gpt("small", "", 16, 512, 8)
			m.Vocab = vocab
			x := &Training{Model: m, Sequence: 512, Batch: c.m, Parallelism: Parallelism{TP: 1, CP: 1, PP: c.pp, DP: 1, EP: 1, Interleave: 1, MicroBatch: 1}}
			got, err := x.Time(s)
			if err != nil {
				t.Fatal(err)
			}
			forward, backward := make([]float64, c.pp), make([]float64, c.pp)
			for i := range forward {
				forward[i] = 2 * 512 * (m.matmuls(false) + m.scores(512)) * float64(16/c.pp) / 1e12
				if i == c.pp-1 {
					forward[i] += 2 * 512 * 512 * float64(vocab) / 1e12
				}
				backward[i] = 2 * forward[i]
			}
			if want := pipelined(forward, backward, c.m); math.Abs(got.Total/want-1) > 1e-9 {
				t.Errorf("pp=%d, %d microbatches, %d words: %g s, simulated %g", c.pp, c.m, vocab, got.Total, want)
			}
		}
	}
	// Interleaving divides the bubble: (p-1)/(v m) of the rest (Narayanan et al., section 2.2).
	m := gpt("small", "", 16, 512, 8)
	m.Vocab = 1
	x := &Training{Model: m, Sequence: 512, Batch: 8, Parallelism: Parallelism{TP: 1, CP: 1, PP: 4, DP: 1, EP: 1, Interleave: 2, MicroBatch: 1}}
	got, err := x.Time(s)
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Bubble / got.Matrices; math.Abs(r-3.0/16) > 1e-3 {
		t.Errorf("bubble of %g of the rest, want 3/16", r)
	}
}

// TestCollectiveTimes by hand: 8 ranks of a domain of 8 at 240 GB/s; 64 of stride 8, one in each domain; 16
// ranks in two domains, where a hierarchical all-reduce sends an eighth of the vector across.
func TestCollectiveTimes(t *testing.T) {
	const s = 1e9
	// An all-to-all in two stages sends 7/8 of everything inside and 1/2 across, not 15/16 across.
	const pxn = (7+1)*5e-6 + 7.0/8*s/240e9 + s/2/20e9
	for _, c := range []struct {
		g    Group
		kind collective.Kind
		want float64
		name string
	}{
		{Group{1, 8}, collective.AllReduce, 6*5e-6 + 1.75*s/240e9, "halving-doubling"},
		{Group{8, 64}, collective.ReduceScatter, 6*5e-6 + 63.0/64*s/20e9, "halving-doubling"},
		{Group{1, 16}, collective.AllReduce, (14+2)*5e-6 + 1.75*s/240e9 + s/8/20e9, "hierarchical"},
		{Group{1, 16}, collective.AllToAll, pxn, "hierarchical"},
		{Group{64, 8}, collective.Exchange, 5e-6 + s/20e9, "message"},
		{Group{3, 6}, collective.AllGather, 5*5e-6 + 5.0/6*s/20e9, "ring"}, // 3 divides no domain of 8
		{Group{2, 8}, collective.ReduceScatter, (3+1)*5e-6 + 0.75*s/240e9 + 0.5/4*s/20e9, "hierarchical"},
	} {
		got, name, err := a100().Collective(Communication{Kind: c.kind, Group: c.g, Bytes: s, Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got/c.want-1) > 1e-9 || name != c.name {
			t.Errorf("%s of %v: %g s by %s, want %g by %s", c.kind, c.g, got, name, c.want, c.name)
		}
	}
}

// TestBest: as good as all of them tried, and what is wished is kept.
func TestBest(t *testing.T) {
	m, err := Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	s := a100()
	x, y, err := Best(m, 2048, 64, 16, s, Parallelism{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.Check(16), x.Fits(s)); err != nil {
		t.Error(err)
	}
	tried := 0
	for _, tp := range []int{1, 2, 4, 8, 16} {
		for _, pp := range []int{1, 2, 4, 8, 16} {
			for _, micro := range []int{1, 2, 4, 8} {
				for _, v := range []int{1, 2, 3, 4, 6} {
					for _, r := range []Recompute{NoRecompute, Selective, Full} {
						for _, zero := range []int{1, 3} {
							if tp*pp > 16 {
								continue
							}
							z := &Training{Model: m, Sequence: 2048, Batch: 64, Parallelism: Parallelism{TP: tp, CP: 1, PP: pp, DP: 16 / tp / pp, EP: 1,
								SP: tp > 1, ScatterGather: tp > 1, Interleave: v, MicroBatch: micro, Recompute: r, ZeRO: zero}}
							if z.Check(16) != nil || z.Fits(s) != nil {
								continue
							}
							tried++
							w, err := z.Time(s)
							if err != nil {
								t.Fatal(err)
							}
							if w.Total < y.Total*(1-1e-12) {
								t.Errorf("%s takes %g s, the best found, %s, %g", z.Parallelism, w.Total, x.Parallelism, y.Total)
							}
						}
					}
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d were tried", tried)
	}
	z, _, err := Best(m, 2048, 64, 16, s, Parallelism{TP: 4, PP: 4})
	if err != nil || z.TP != 4 || z.PP != 4 {
		t.Errorf("%v, %v", z, err)
	}
	for _, c := range []struct {
		n, batch int
		wish     Parallelism
		want     string
	}{
		{1, 64, Parallelism{}, "more than the 80 GB"},
		{16, 7, Parallelism{DP: 2}, "does not divide the batch of 7: 1 sequences are left over; write dp and micro whose product divides it, or a batch of 8"},
		{16, 64, Parallelism{TP: 3}, "no product tp x cp x pp x dp"},
	} {
		if _, _, err := Best(m, 2048, c.batch, c.n, s, c.wish); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d accelerators: %v, want %s", c.n, err, c.want)
		}
	}
}

// TestLeast: no step takes less than its bound, but for rounding, and some take as long: where only links that nothing hides take time the bound is the time.
func TestLeast(t *testing.T) {
	closest := 0.0
	for _, name := range []string{"gpt3-22b", "deepseek-v3"} {
		m, err := Model(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, domain := range []int{1, 3, 8} {
			for _, alpha := range []float64{0, 5e-6} {
				s := a100()
				s.Domain, s.Link[0].Alpha, s.Link[1].Alpha = domain, alpha, alpha
				for _, wish := range []Parallelism{{}, {ZeRO: 2}, {FusedAttention: true}} {
					each(m, 4096, 64, 8, wish, func(x *Training) {
						if x.Check(0) != nil {
							return
						}
						got, err := x.Time(s)
						if err != nil {
							t.Fatal(err)
						}
						if least := x.least(s); least > got.Total*rounded {
							t.Fatalf("%s, %s on %+v takes %g s, at least %g", name, x.Parallelism, s, got.Total, least)
						} else {
							closest = max(closest, least/got.Total)
						}
						if y, err := x.TimeWithin(s, s, got.Total*rounded); err != nil || y == nil || y.Total != got.Total {
							t.Fatalf("%s, %s: %+v within its own time (%v)", name, x.Parallelism, y, err)
						}
					})
				}
			}
		}
	}
	if closest < 1-1e-12 {
		t.Errorf("no step takes less than %g times its bound", 1/closest)
	}
}
