package simcore

// Latency sums up the latencies of the measured packets, in cycles.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  int64   `json:"p50"`
	P95  int64   `json:"p95"`
	P99  int64   `json:"p99"`
	P999 int64   `json:"p999"`
	Max  int64   `json:"max"`
	// StdErr is the standard error of the mean by batch means, with what their correlation adds to it
	// (ErrOfMean); 0 if there are too few batches.
	StdErr float64 `json:"stderr,omitempty"`
	// CI95 is half the width of the 95 % confidence interval of the mean (Student's t over the
	// batches), Lag1 the correlation of neighbouring batches: if it is far above 0 the window is not
	// much longer than the queues last, and the interval a rough one.
	CI95 float64 `json:"ci95,omitempty"`
	Lag1 float64 `json:"batch_correlation,omitempty"`
}

func Summarize(h *Histogram) Latency {
	return Latency{Mean: h.Mean(), P50: h.Quantile(0.50), P95: h.Quantile(0.95),
		P99: h.Quantile(0.99), P999: h.Quantile(0.999), Max: h.Max()}
}

// batchMeans are the means of batches; batches without a packet are left out.
func BatchMeans(sum, n []int64) []float64 {
	means := make([]float64, 0, len(sum))
	for i := range sum {
		if n[i] > 0 {
			means = append(means, float64(sum[i])/float64(n[i]))
		}
	}
	return means
}
