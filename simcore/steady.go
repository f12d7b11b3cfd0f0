package simcore

import (
	"context"
	"math"
)

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
	mserIntervals = 200
	mserBatch     = 5
	// mserGrow is the factor between looks: not so small that looks are many, not so large that a
	// network that has just not settled costs twice the cycles.
	mserGrow = 1.5
	// WarmupTimes is the default of Config.WarmupLimit in multiples of Warmup.
	WarmupTimes = 8
	// mserMargin is the number of batches at the end at which no truncation is looked for: the
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
	// Overloaded tells that the network saturates, so that it will not settle.
	Overloaded func() bool
}

// BatchLength is the length of a batch of MSER-5 that looks first at a time.
func BatchLength(first int64) int64 { return max(1, first/(mserIntervals/mserBatch)) }

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

// warmUp simulates until the rule says that the network is warm; false: the run is over.
func (s *Sim) warmUp(ctx context.Context, pt *Point) (ok bool) {
	c := &s.cfg
	if c.WarmupRule != WarmupMSER5 {
		ok = s.stepTo(ctx, Cycle(c.Warmup), pt)
		pt.Warmup = WarmupReport{Rule: WarmupFixed, Cycles: int64(s.now)}
		return ok
	}
	limit := c.WarmupLimit
	if limit == 0 {
		limit = WarmupTimes * c.Warmup
	}
	x := Settling{First: int64(c.Warmup), Limit: int64(limit), Length: BatchLength(int64(c.Warmup)), Overloaded: s.overloaded,
		Step:   func(to int64) bool { return s.stepTo(ctx, Cycle(to), pt) },
		Counts: func() (now, n, sum int64) { return int64(s.now), s.stat.allN, s.stat.allSum }}
	pt.Warmup, ok = x.WarmUp()
	return ok
}

// overloaded tells that the sources have clearly got rid of less than what is offered since the
// start.
func (s *Sim) overloaded() bool {
	offered := s.load * float64(s.rateNum) / float64(s.rateDen) * s.senders() * float64(s.now)
	return Overloaded(float64(s.stat.injFlits), offered, s.cfg.MeanFlits())
}

// Overloaded tells that so much less than what is offered has been injected, in packets of a mean
// size, that the network saturates, and more warm-up would not settle it. A network that fills its
// buffers needs some time, so that twice the usual share and slack are allowed for.
func Overloaded(injected, offered, size float64) bool {
	return injected < saturatedBelow*saturatedBelow*offered-6*size*math.Sqrt(offered/size)
}

// Stops of a measurement.
const (
	StopWindow      = "window"      // Config.Measure cycles, no precision was asked for
	StopPrecision   = "precision"   // the precision asked for is reached
	StopBudget      = "budget"      // it is not, after Config.MaxMeasure cycles
	StopSaturated   = "saturated"   // a saturated network has no steady latency
	StopDeadlocked  = "deadlocked"  // nothing moves
	StopInterrupted = "interrupted" // the context ended
)

// MeasureTimes is the default of MaxMeasure in multiples of Measure: a confidence interval four
// times as narrow as that of the first window.
const MeasureTimes = 16

// window simulates the measured cycles: Measure of them and, until the precision asked for is
// reached or MaxMeasure would be passed, twice as many again. The batches stay as many: two
// become one when the window doubles, so that their length grows with it and their means become
// less dependent (Law and Carson, Operations Research 27(5), 1979).
func (s *Sim) window(ctx context.Context, pt *Point) (end Cycle, ok bool) {
	c, t := &s.cfg, &s.stat
	from, length, b := s.now, Cycle(c.Measure), c.Batches
	budget := Cycle(c.MaxMeasure)
	if budget == 0 {
		budget = MeasureTimes * Cycle(c.Measure)
	}
	t.recNow, t.recFrom, t.recTo = from, from, from+length
	t.batchFrom, t.batchLength = from, max(1, length/Cycle(b))
	t.restart()
	s.obs.open()
	per := make([]int64, b)
	for first := 0; ; first = b / 2 {
		for k := first; k < b; k++ {
			before := t.accFlits
			if !s.stepTo(ctx, from+length*Cycle(k+1)/Cycle(b), pt) {
				pt.Stop = StopInterrupted
				if pt.Deadlocked {
					pt.Stop = StopDeadlocked
				}
				s.closeWindow(pt, s.now-from, per[:k])
				return s.now, false
			}
			per[k] = t.accFlits - before
		}
		s.closeWindow(pt, s.now-from, per)
		pt.Latency = summarize(&t.plat)
		pt.Latency.Errors(t.batchSum, t.batchN)
		if pt.Decide(c.Precision, 2*length <= budget && int64(from)+4*int64(length) <= maxCycles) {
			return s.now, true
		}
		for k := range b / 2 {
			per[k] = per[2*k] + per[2*k+1]
		}
		t.pairBatches()
		length *= 2
		t.recTo = from + length
	}
}

// Decide sets Stop after a window, in a run that is to measure to a precision (0: just the window)
// and has cycles left for one twice as long, or not; false: go on.
func (pt *Point) Decide(precision float64, left bool) bool {
	switch {
	case precision <= 0:
		pt.Stop = StopWindow
	case pt.Saturated:
		pt.Stop = StopSaturated
	case pt.within(precision):
		pt.Stop = StopPrecision
	case !left:
		pt.Stop = StopBudget
	default:
		return false
	}
	return true
}

// maxCycles: cycles in packets are 32 bits wide.
const maxCycles = 1<<31 - 1<<20

// within tells whether mean latency and accepted load are known to a fraction of themselves, with
// 95 % confidence.
func (pt *Point) within(precision float64) bool {
	return pt.Latency.CI95 > 0 && pt.Latency.CI95 <= precision*pt.Latency.Mean && pt.AcceptedCI95 <= precision*pt.Accepted
}

// pairBatches makes one batch of each two and leaves the second half empty.
func (t *tally) pairBatches() {
	PairBatches(t.batchSum)
	PairBatches(t.batchN)
	t.batchLength *= 2
}

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
	means := batchMeans(sum, n)
	l.StdErr = ErrOfMean(means)
	l.CI95 = CI95(l.StdErr, len(means))
	l.Lag1 = correlation(means)
}
