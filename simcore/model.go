package simcore

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// What models other than the flit engine share with it.

// CI95 is half the width of the 95 % confidence interval of a mean whose standard error comes from
// this many batches (Student's t); 0 below two.
func CI95(stderr float64, batches int) float64 {
	if batches < 2 {
		return 0
	}
	return stderr * distuv.StudentsT{Sigma: 1, Nu: float64(batches - 1)}.Quantile(0.975)
}

// ErrOfMean is the standard error of the mean of values in order of time, such as means of batches;
// 0 if there are fewer than two. If neighbours are correlated the variance of the mean is that of
// independent values times (1 + r) / (1 - r), as of a first-order autoregression (Fishman, Management
// Science 17(7), 1971): near saturation queues last longer than a batch, and without this a 95 %
// interval of 20 batches with r = 0.6 holds the mean 67 times in 100, with it 90 times.
func ErrOfMean(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	n := float64(len(x))
	return stat.StdErr(stat.StdDev(x, nil), n) * inflation(correlation(x), n)
}

const (
	// fewBatches is the number of values from which on their correlation is worth estimating.
	fewBatches = 8
	// mostCorrelation bounds the inflation to 6: beyond, the run is too short for any interval.
	mostCorrelation = 0.95
)

// inflation is the factor of the standard error for the correlation r that was estimated from n
// values. Estimates are too low by about (1 + 4 r) / n (Marriott and Pope, Biometrika 41, 1954),
// which is made up for. Correlations below 0, which would narrow the interval, count as 0.
func inflation(r, n float64) float64 {
	if n < fewBatches {
		return 1
	}
	r = min(max((r+1/n)/(1-4/n), 0), mostCorrelation)
	return math.Sqrt((1 + r) / (1 - r))
}

// correlation is that of neighbours, 0 for fewer than three values or constant ones.
func correlation(x []float64) float64 {
	if len(x) < 3 {
		return 0
	}
	d := slices.Clone(x)
	floats.AddConst(-stat.Mean(x, nil), d)
	q := floats.Dot(d, d)
	if q == 0 {
		return 0
	}
	return floats.Dot(d[1:], d[:len(d)-1]) / q
}

// ShareOf sums up what single endpoints got, as loads: got by endpoint, one of which is load 1;
// only those for which counts is true, all if it is nil.
func ShareOf(got []int64, one float64, counts func(e int) bool) Share {
	var n, sum, squares, lo, hi float64
	for e, g := range got {
		if counts != nil && !counts(e) {
			continue
		}
		x := float64(g)
		if n == 0 || x < lo {
			lo = x
		}
		hi = max(hi, x)
		n++
		sum += x
		squares += x * x
	}
	r := Share{Min: lo / one, Max: hi / one, Jain: 1}
	if squares > 0 {
		r.Jain = sum * sum / (n * squares)
	}
	return r
}
