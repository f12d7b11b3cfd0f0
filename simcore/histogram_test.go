package simcore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Against the sorted values: exact below 128, at most 1/64 too high above, never too low.
func TestHistogramQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, top := range []int64{5, 127, 128, 5000, 1 << 40} {
		var h Histogram
		var all []int64
		for range 5000 {
			x := rng.Int64N(top)
			h.Add(x)
			all = append(all, x)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 0.999, 1} {
			k := max(0, int(q*float64(len(all))+0.9999999)-1)
			got, want := h.Quantile(q), all[k]
			if got < want || float64(got) > float64(want)*(1+1.0/64)+1 || top <= 128 && got != want {
				t.Errorf("values below %d: quantile %g = %d, want %d", top, q, got, want)
			}
		}
		if h.Max() != all[len(all)-1] || h.Min() != all[0] || h.N() != 5000 {
			t.Errorf("values below %d: min %d, max %d, n %d", top, h.Min(), h.Max(), h.N())
		}
	}
	var empty Histogram
	if empty.Quantile(0.5) != 0 || empty.Mean() != 0 {
		t.Error("an empty histogram has quantiles")
	}
}

// Bucket limits: every value lies in one bucket, and bucketTop is the largest of its bucket.
func TestHistogramBuckets(t *testing.T) {
	for b := range histBuckets - 1 {
		if top := bucketTop(b); bucketOf(top) != b || bucketOf(top+1) != b+1 {
			t.Fatalf("bucket %d: its top %d is in %d, %d is in %d", b, top, bucketOf(top), top+1, bucketOf(top+1))
		}
	}
}

// The standard deviation of 0..n-1 is sqrt(n (n+1) / 12).
func TestHistogramStdDev(t *testing.T) {
	for _, n := range []int64{2, 100, 5000} {
		var h Histogram
		for x := range n {
			h.Add(x)
		}
		want := math.Sqrt(float64(n) * float64(n+1) / 12)
		if got := h.StdDev(); math.Abs(got/want-1) > 0.001 {
			t.Errorf("0..%d: standard deviation = %g, want %g", n-1, got, want)
		}
	}
}
