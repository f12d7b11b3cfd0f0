package simcore

import "math"

// Warmup rules.
const (
	// WarmupFixed discards Config.Warmup cycles.
	WarmupFixed = "fixed"
	// WarmupMSER5 looks at the mean latency of the packets that arrive, in means of five
	// consecutive intervals: the truncation that minimises the standard error of the rest (MSER-5;
	// White, Simulation 69(6), 1997) has to lie in the first half of what was simulated. It looks
	// first after Config.Warmup cycles, and again after each half as many more, up to
	// Config.WarmupLimit. All cycles up to the look that finds the network settled are discarded.
	WarmupMSER5 = "mser5"
)

// WarmupReport says how the warm-up ended.
type WarmupReport struct {
	Rule   string `json:"rule"`
	Cycles int64  `json:"cycles"` // discarded
	// Truncation is the cycle from which on MSER-5 finds the latency steady; 0 with the fixed rule.
	Truncation int64 `json:"truncation,omitempty"`
	// Settled: the truncation lies in the first half. False with the fixed rule, which does not
	// ask, and in a network that saturates, whose source queues only grow.
	Settled bool `json:"settled"`
	Looks   int  `json:"looks,omitempty"`
}

const (
	// mserIntervals is the number of intervals in Config.Warmup: 40 batches of five at the first
	// look, enough for a minimum to be one.
	MSERIntervals = 200
	mserBatch     = 5
	// mserGrow is the factor between looks: not so small that looks are many, not so large that a
	// network that has just not settled costs twice the cycles.
	mserGrow = 1.5
	// WarmupTimes is the default of Config.WarmupLimit in multiples of Warmup.
	WarmupTimes = 8
	// mserMargin is the number of batches at the end at which no truncation is sought: the
	// variance of a handful says nothing.
	mserMargin = 5
)

// mser5 gives the number of leading values to discard: the d that minimises the sum of squares of
// y[d:] about their mean, divided by the square of their number.
func mser5(y []float64) int {
	best, at := math.Inf(1), 0
	var n, mean, q float64
	// From the end, so that each d costs one step (Welford).
	for d := len(y) - 1; d >= 0; d-- {
		n++
		delta := y[d] - mean
		mean += delta / n
		q += delta * (y[d] - mean)
		if d > len(y)-mserMargin {
			continue
		}
		if v := q / (n * n); v <= best {
			best, at = v, d
		}
	}
	return at
}

// Settling is a network on its way to a steady state, of any model and in any unit of time.
type Settling struct {
	First, Limit int64 // when MSER-5 looks first, and last
	Length       int64 // of a batch of five intervals
	// Step simulates up to a time, or as little beyond as it can; false: the run is over.
	Step func(to int64) bool
	// Counts gives the time, and how many packets have arrived with what sum of latencies.
	Counts func() (now, n, sum int64)
	// Overloaded reports whether the network saturates, so that it will not settle.
	Overloaded func() bool
}

// BatchLength is the length of a batch of MSER-5 that looks first at a time.
func BatchLength(first int64) int64 { return max(1, first/(MSERIntervals/mserBatch)) }

// WarmUp simulates until MSER-5 finds the network settled, it is overloaded, or the limit is
// reached; false: the run is over. Times in the report are in the unit of x.
func (x *Settling) WarmUp() (r WarmupReport, ok bool) {
	r.Rule = WarmupMSER5
	var y []float64 // from the first arrival on
	var n, sum int64
	silent := 0 // batches before it
	for next := x.First; ; next = min(x.Limit, int64(float64(next)*mserGrow)) {
		for r.Cycles < next {
			ok := x.Step(min(next, r.Cycles+x.Length))
			now, count, total := x.Counts()
			if r.Cycles = now; !ok {
				return r, false
			}
			switch k := count - n; {
			case k > 0:
				y = append(y, float64(total-sum)/float64(k))
			case len(y) > 0:
				y = append(y, y[len(y)-1]) // nothing new is known
			default:
				silent++
			}
			n, sum = count, total
		}
		d := silent + mser5(y)
		r.Looks++
		r.Truncation = int64(d) * x.Length
		if r.Settled = len(y) >= 2*mserMargin && 2*d <= silent+len(y); r.Settled || r.Cycles >= x.Limit || x.Overloaded() {
			return r, true
		}
	}
}

// Overloaded reports whether so little of what is offered has been injected, in packets of a mean
// size, that the network saturates, and more warm-up would not settle it. A network that fills its
// buffers needs some time, so that twice the usual share and slack are allowed for.
func Overloaded(injected, offered, size float64) bool {
	return injected < SaturatedBelow*SaturatedBelow*offered-6*size*math.Sqrt(offered/size)
}

// Stops of a measurement.
const (
	StopWindow      = "window"      // Config.Measure cycles, no precision was asked for
	StopPrecision   = "precision"   // the precision asked for is reached
	StopBudget      = "budget"      // it is not, after Config.MaxMeasure cycles
	StopSaturated   = "saturated"   // a saturated network has no steady latency
	StopTooShort    = "too_short"   // the window ended while the network still filled: nothing tells whether it saturates
	StopDecided     = "decided"     // in a search for saturation, whether the load is accepted
	StopDeadlocked  = "deadlocked"  // nothing moves
	StopInterrupted = "interrupted" // the context ended
)

// MeasureTimes is the default of MaxMeasure in multiples of Measure: a confidence interval four
// times as narrow as that of the first window.
const MeasureTimes = 16

// ProbeTimes is the same for a load in a search for saturation: enough for loads two percent from the answer in networks
// of some dozen endpoints. Closer ones, or smaller networks, take longer, and stay undecided.
const ProbeTimes = 4

// EarlyShare is the part of the window after which a search for saturation looks at a load first. A load is rejected there
// of which less than EarlyBelow is accepted, and after the window itself of which less than WindowBelow is: queues that
// still fill have cost torus(k1=4,k2=4) a tenth in a window of 1,000 cycles, of a load of which 98.5 % are accepted
// in the end.
const (
	EarlyShare  = 4
	EarlyBelow  = 0.75
	WindowBelow = 0.9
)

// PairBatches adds each two neighbours of an even number up, and leaves the second half empty.
func PairBatches(x []int64) {
	h := len(x) / 2
	for i := range h {
		x[i] = x[2*i] + x[2*i+1]
	}
	clear(x[h:])
}

// Errors fills in what batches of packets, the sums of their latencies and their numbers, tell of
// the mean.
func (l *Latency) Errors(sum, n []int64) {
	means := BatchMeans(sum, n)
	l.StdErr = ErrOfMean(means)
	l.CI95 = CI95(l.StdErr, len(means))
	l.Lag1 = correlation(means)
}
