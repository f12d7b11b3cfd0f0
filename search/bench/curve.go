package bench

import (
	"math"
	"slices"
)

func quartiles(xs []float64) Quartiles {
	slices.Sort(xs)
	at := func(part float64) float64 { return xs[int(math.Ceil(part*float64(len(xs))))-1] }
	return Quartiles{at(0.25), at(0.5), at(0.75)}
}

// perDecade is how many points a curve has between 10 and 100 evaluations, and so on: a figure shows no more.
const perDecade = 12

// summary is a strategy's part of a result. Its curve ends at the budget, or where enumeration does.
func summary(strategy string, runs [][]snap, budget int64) Trial {
	t := Trial{Strategy: strategy, Runs: len(runs)}
	end := func(f func(s *snap) float64) Quartiles { return over(runs, math.MaxInt64, f) }
	t.Hypervolume = end(func(s *snap) float64 { return s.Hypervolume })
	t.Recall = end(func(s *snap) float64 { return s.Recall })
	t.IGDPlus = end(func(s *snap) float64 { return s.IGDPlus })
	t.Epsilon = end(func(s *snap) float64 { return s.Epsilon })
	t.Factor = end(func(s *snap) float64 { return s.Factor })
	t.Used = end(func(s *snap) float64 { return float64(s.evaluations) })
	t.Seconds = end(func(s *snap) float64 { return s.seconds })
	for part, to := range map[float64]*int64{0.90: &t.To90, 0.95: &t.To95, 0.99: &t.To99} {
		var xs []float64
		for _, r := range runs {
			xs = append(xs, first(r, part))
		}
		if m := quartiles(xs).Median; !math.IsInf(m, 1) {
			*to = int64(m)
		}
	}
	last := int64(0)
	for k := 0; last < int64(math.Ceil(t.Used.Q3)); k++ {
		n := min(int64(10*math.Pow(10, float64(k)/perDecade)), int64(math.Ceil(t.Used.Q3)))
		if n <= last {
			continue
		}
		last = n
		t.Points = append(t.Points, Point{n, over(runs, n, func(s *snap) float64 { return s.seconds }).Median,
			over(runs, n, func(s *snap) float64 { return s.Hypervolume }), over(runs, n, func(s *snap) float64 { return s.Recall })})
	}
	return t
}

// over gives quartiles of a figure of the last snaps that took no more than n evaluations: 0 before the first.
func over(runs [][]snap, n int64, f func(*snap) float64) Quartiles {
	xs := make([]float64, 0, len(runs))
	for _, r := range runs {
		at := 0.0
		for i := range r {
			if r[i].evaluations > n {
				break
			}
			at = f(&r[i])
		}
		xs = append(xs, at)
	}
	return quartiles(xs)
}

// first is the least number of evaluations from which on a run has a part of the hypervolume; infinite if never.
func first(snaps []snap, part float64) float64 {
	for _, s := range snaps {
		if s.Hypervolume >= part {
			return float64(s.evaluations)
		}
	}
	return math.Inf(1)
}
