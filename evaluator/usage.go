package evaluator

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// usage is how often routes cross the links of a class, on average, and the load of its busiest
// channel over the mean; +Inf if that is not known.
type usage struct{ times, peak float64 }

// setLatency takes the cables of each class at their mean length. Where routes use all cables of
// a class equally, that is exact; elsewhere they may prefer short or long ones.
func (w *work) setLatency(x, lo, hi float64, use *[topology.MaxClasses]usage, text string) {
	per := w.e.opt.Latency.CableNsPerM
	even := true
	for c := range w.d.Family.LinkClasses {
		u := &use[c]
		if u.times == 0 || w.spans[c].MaxM == 0 {
			continue
		}
		l, h := crossed(&w.spans[c], u.peak)
		lo += per * u.times * (l - w.spans[c].MeanM)
		hi += per * u.times * (h - w.spans[c].MeanM)
		even = even && l == h
	}
	if !even {
		text += ", which routes need not cross equally"
	}
	x = wholeSteps(x)
	w.between(metric.Latency, x, math.Min(wholeSteps(lo), x), math.Max(wholeSteps(hi), x), text)
}

// wholeSteps rounds a latency in ns to 1e-10 ns. It is a mean over routes, whose last bits depend on
// how many there are: designs with the same latency would be above and below each other by 1e-13 ns,
// and what costs more for nothing stay on a front. The step is less than the 1e-12 of a latency of
// 50 ns or more by which the bounds of level 0 and of the floor plan give way.
func wholeSteps(ns float64) float64 {
	if math.Abs(ns) > 1e5 { // the steps of floats themselves are not much finer
		return ns
	}
	return math.Round(ns*1e10) / 1e10
}

// pathUsage sums a closed form up. peaks says that its loads are those of the routes meant.
func (w *work) pathUsage(p *topology.Paths, peaks bool) (use [topology.MaxClasses]usage) {
	for c := range w.d.Family.LinkClasses {
		use[c].peak = math.Inf(1)
		if peaks || c == 0 && w.size.EndpointPorts == 1 {
			use[c].peak = p.Peak[c] // the port of an endpoint carries what it sends
		}
		use[c].times = float64(p.Sums.Cross[c]) / float64(p.Sums.Pairs)
	}
	return use
}

// loadPeaks fills in the peaks of classes from the loads of channels: the busiest of any kind
// over the mean of the class.
func (w *work) loadPeaks(l *routing.Loads, classes *[topology.MaxClasses]netClass, use *[topology.MaxClasses]usage) {
	var most, total, channels [topology.MaxClasses]float64
	for _, k := range l.Kinds {
		c := classes[k.Kind.Link].class
		if c < 0 || c >= len(w.d.Family.LinkClasses) {
			continue
		}
		most[c] = math.Max(most[c], k.Max)
		total[c] += k.Total
		channels[c] += float64(k.Channels)
	}
	for c := range use {
		use[c].peak = math.Inf(1)
		if l.Exact && total[c] > 0 {
			use[c].peak = most[c] * channels[c] / total[c]
		}
	}
	if w.net.LinkClasses[0].Name != topology.ClassNic {
		return
	}
	// Links of endpoints are no channels: each endpoint sends and receives one unit.
	switch at := classes[0].class; {
	case at < 0:
	case w.size.EndpointPorts == 1:
		use[at].peak = 1
	case l.In != nil:
		use[at].peak = 0
		for i := range l.In {
			use[at].peak = math.Max(use[at].peak, float64(w.size.EndpointPorts)*math.Max(l.In[i], l.Out[i]))
		}
	}
}
