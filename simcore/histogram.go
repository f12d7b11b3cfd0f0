package simcore

import (
	"math"
	"math/bits"
)

// Histogram counts non-negative integers in buckets that are exact below 128 and at most 1/64
// wide above, so that percentiles need no samples. The zero value is empty.
type Histogram struct {
	counts   []int64
	n        int64
	sum, top int64
	low      int64
}

const (
	histExact   = 128 // values with a bucket of their own
	histPerOct  = 64  // buckets per power of two above
	histOctaves = 40
	histBuckets = histExact + histOctaves*histPerOct
)

// Reset empties the histogram and keeps its memory.
func (h *Histogram) Reset() {
	if h.counts == nil {
		h.counts = make([]int64, histBuckets)
	}
	clear(h.counts)
	h.n, h.sum, h.top, h.low = 0, 0, 0, 0
}

// Add counts x.
func (h *Histogram) Add(x int64) {
	if h.counts == nil {
		h.Reset()
	}
	h.counts[bucketOf(x)]++
	if h.n == 0 || x < h.low {
		h.low = x
	}
	h.n++
	h.sum += x
	h.top = max(h.top, x)
}

// absorb moves the values of another histogram here.
func (h *Histogram) Absorb(o *Histogram) {
	if o.n == 0 {
		return
	}
	if h.counts == nil {
		h.Reset()
	}
	if h.n == 0 || o.low < h.low {
		h.low = o.low
	}
	h.n, h.sum, h.top = h.n+o.n, h.sum+o.sum, max(h.top, o.top)
	for i, c := range o.counts {
		h.counts[i] += c
	}
	o.Reset()
}

func bucketOf(x int64) int {
	if x < histExact {
		return int(max(x, 0))
	}
	shift := bits.Len64(uint64(x)) - 7
	return min(histExact+(shift-1)*histPerOct+int(x>>shift)-histPerOct, histBuckets-1)
}

// bucketTop is the largest value in a bucket.
func bucketTop(b int) int64 {
	if b < histExact {
		return int64(b)
	}
	b -= histExact
	shift := b/histPerOct + 1
	return int64(b%histPerOct+histPerOct+1)<<shift - 1
}

// N is the number of values, Mean their exact mean (0 if there are none), Max the largest.
func (h *Histogram) N() int64 { return h.n }

// Mean is exact.
func (h *Histogram) Mean() float64 {
	if h.n == 0 {
		return 0
	}
	return float64(h.sum) / float64(h.n)
}

// Max is exact.
func (h *Histogram) Max() int64 { return h.top }

// Min is exact; 0 if there are no values.
func (h *Histogram) Min() int64 { return h.low }

// StdDev is the standard deviation of the values, each taken at the middle of its bucket (exact
// below 128, at most 1/128 off above). 0 if there are fewer than two.
func (h *Histogram) StdDev() float64 {
	if h.n < 2 {
		return 0
	}
	mean, q := h.Mean(), 0.0
	low := int64(0)
	for b, c := range h.counts {
		top := bucketTop(b)
		if c > 0 {
			d := (float64(low)+float64(min(top, h.top)))/2 - mean
			q += d * d * float64(c)
		}
		low = top + 1
	}
	return math.Sqrt(q / float64(h.n-1))
}

// Quantile is the smallest value that at least a fraction q of the values do not exceed, rounded
// up to the end of its bucket (at most 1/64 too high) and never above Max. 0 if it is empty.
func (h *Histogram) Quantile(q float64) int64 {
	if h.n == 0 {
		return 0
	}
	need := int64(q * float64(h.n))
	if float64(need) < q*float64(h.n) || need == 0 {
		need++
	}
	for b, c := range h.counts {
		if need -= c; need <= 0 {
			return min(bucketTop(b), h.top)
		}
	}
	return h.top
}

// Merge adds what another histogram has counted.
func (h *Histogram) Merge(o *Histogram) {
	if o.n == 0 {
		return
	}
	if h.counts == nil {
		h.Reset()
	}
	for b, c := range o.counts {
		h.counts[b] += c
	}
	if h.n == 0 || o.low < h.low {
		h.low = o.low
	}
	h.n += o.n
	h.sum += o.sum
	h.top = max(h.top, o.top)
}
