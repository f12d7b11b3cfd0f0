package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

var distanceKeys = []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.MeanHops, metric.MaxHops}

// allPairsNs is the cost of distances between all endpoints.
func allPairsNs(w *work) float64 { return (w.sets()/256 + 1) * w.passNs() }

// passNs is the cost of distances from 256 sources: four levels of 1.3 ns a channel, and the counting.
func (w *work) passNs() float64 {
	return 4*1.3*w.channels() + 20*w.sets()*float64(max(w.size.EndpointPorts, 1))
}

// searchesNs is the cost of distances from so many sources: few are searched one by one (topology.Network.Distances).
func (w *work) searchesNs(sources float64) float64 {
	return math.Min(sources*(2.5*w.channels()+4*w.sets()), math.Ceil(sources/256)*w.passNs())
}

// ruleWork is how many times as long a search of the routes of the rule takes as one of shortest paths: it goes
// through the switches again for every fourth state, as measured on rules of 4 to 19 states.
func (w *work) ruleWork() float64 {
	if r := w.rule(); !r.Free() {
		return 1 + float64(r.States)/4
	}
	return 1
}

// figuresFrom sums a histogram.
func figuresFrom(n *topology.Network, d *topology.Distances) pathFigures {
	var f pathFigures
	embedded := n.LinkClasses[0].Name == topology.ClassInternal
	for l, k := range d.Pairs {
		if k == 0 {
			continue
		}
		if !embedded {
			f.Add(k, l+2, l)
			continue
		}
		bare := d.NoNic[l]
		if bare > 0 {
			f.bare += bare
			f.Add(bare, l, l)
		}
		if k > bare {
			f.Add(k-bare, l, l-2)
		}
	}
	f.unreachable = d.Unreachable
	f.total = f.Pairs + f.unreachable
	return f
}

func (w *work) setDistances(f *pathFigures) {
	if f.unreachable > 0 {
		why := fmt.Sprintf("%d of %d endpoint pairs are unreachable by %s", f.unreachable, f.total, w.routesText())
		for _, k := range distanceKeys {
			w.absent(k, why)
		}
		return
	}
	w.dist = f
	w.exact(metric.MeanPathLinks, f.MeanLinks(), f.text)
	w.exact(metric.MaxPathLinks, float64(f.MaxLinks), f.text)
	w.exact(metric.MeanPathSwitches, f.MeanLinks()-1, f.text)
	w.exact(metric.MaxPathSwitches, float64(f.MaxLinks-1), f.text)
	w.exact(metric.MeanHops, f.MeanHops(), f.text)
	w.exact(metric.MaxHops, float64(f.MaxHops), f.text)
}

// widen lets a figure lie so much below and above what is recorded of it.
func (w *work) widen(k metric.Key, below, above float64) {
	m := &w.res.Metrics[k]
	w.between(k, m.Value, math.Max(0, m.Lo-below), m.Hi+above, m.Method)
}
