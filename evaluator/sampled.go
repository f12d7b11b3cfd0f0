package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// sampleRisk is the chance that a mean lies outside the interval that a sample of sources gives: that of the spectral bound.
const sampleRisk = 1e-6

// sampledDistances is for networks without symmetry on which distances between all endpoints take too long.
var sampledDistances = method{name: "search from endpoints drawn", level: 1, built: true,
	applies: func(w *work) string {
		switch r := w.rule(); {
		case w.size.Endpoints < 2:
			return "there is no pair of endpoints"
		case !r.Free():
			return "lengths of routes of the rule are not bounded"
		}
		return ""
	},
	cost: func(w *work) float64 { return w.searchesNs(float64(w.sampledSources())) + w.apartNs() },
	run:  runSampledDistances,
}

// samplePasses is how many times 256 sources are searched: as many as take three tenths of a second.
func (w *work) samplePasses() float64 { return math.Floor(3e8 / w.passNs()) }

// sampledSources is from how many endpoints is searched: where there is no time for 256 at once, as many as that holds one by one.
func (w *work) sampledSources() int {
	if n := int(256 * w.samplePasses()); n > 0 {
		return n
	}
	return min(topology.FewSources, max(2, int(3e8/(2.5*w.channels()+4*w.sets()))))
}

// sourcesWithin is sampledSources of a network whose switches are known to be so far apart: sparse ones are searched level by level for
// longer than passNs assumes, and there the switches outweigh the channels (60 ns a switch and level, as measured on DCells).
func (w *work) sourcesWithin(levels int) int {
	pass := math.Max(w.passNs(), float64(levels)*(1.3*w.channels()+60*w.vertices()))
	if fit := int(256 * math.Floor(3e8/pass)); fit > 0 {
		return min(fit, w.sampledSources())
	}
	return min(topology.FewSources, w.sampledSources(), w.mostSingle()) // one by one
}

// missNs is what one search from one place takes at a switch of a network that no cache holds.
const missNs = 150

// mostSingle is from how many endpoints at most is searched one by one where metrics of levels 0 and 1 alone are asked for: two of a million
// switches. The margin of FewSources is 0.78 of how far endpoints are apart, so that intervals of fewer tell hardly less.
func (w *work) mostSingle() int {
	if !w.brisk() || w.vertices() < 1<<18 {
		return math.MaxInt
	}
	each := 2.5*w.channels() + missNs*w.vertices()
	if w.net.LinkClasses[0].Name == topology.ClassInternal {
		each *= 2 // again without nic links
	}
	return max(2, int(3e8/each))
}

// runSampledDistances searches from endpoints drawn without repetition. The mean over all sources is within R sqrt(ln(2/risk)/(2S)) of
// that over S of them, R being the most that any two endpoints are apart, but for that risk (Hoeffding, Probability Inequalities for Sums
// of Bounded Random Variables, JASA 58, 1963, which holds for draws without replacement, too, section 6).
func runSampledDistances(w *work) error {
	x, err := w.howFar()
	if err != nil {
		return err
	}
	furthest := x.hi
	drawn := map[int32]bool{}
	var sources []topology.Orbit
	rng := stream.New(1, "sampled distances")
	for most := min(w.sourcesWithin(x.lo), w.net.Endpoints()/2); len(sources) < most; {
		if e := rng.Int32N(int32(w.net.Endpoints())); !drawn[e] {
			drawn[e] = true
			sources = append(sources, topology.Orbit{Rep: e, Count: 1})
		}
	}
	d, err := w.net.Distances(w.ctx, topology.DistanceOptions{Workers: w.e.opt.Workers, Orbits: sources})
	if err != nil {
		return err
	}
	f := figuresFrom(w.net, d)
	if f.unreachable > 0 || !x.connected {
		for _, k := range distanceKeys {
			w.absent(k, fmt.Sprintf("%d of %d endpoint pairs drawn are unreachable by %s", f.unreachable, f.total, w.routesText()))
		}
		return nil
	}
	f.text = fmt.Sprintf("%s, search from %d endpoints drawn; lo and hi at a risk of %g", w.routesText(), len(sources), sampleRisk)
	margin := float64(furthest) * math.Sqrt(math.Log(2/sampleRisk)/(2*float64(len(sources))))
	w.setDistances(&f)
	w.widen(metric.MeanPathLinks, margin, margin)
	w.widen(metric.MeanPathSwitches, margin, margin)
	w.widen(metric.MeanHops, margin+2*float64(f.bare)/float64(f.Pairs), margin)
	for _, k := range []metric.Key{metric.MaxPathLinks, metric.MaxPathSwitches, metric.MaxHops} {
		ends := 0.0
		if k == metric.MaxPathLinks && w.net.LinkClasses[0].Name != topology.ClassInternal {
			ends = 2
		} else if k == metric.MaxPathSwitches && w.net.LinkClasses[0].Name != topology.ClassInternal {
			ends = 1
		}
		w.widen(k, 0, math.Max(0, float64(furthest)+ends-w.res.Metrics[k].Value))
	}
	w.drawn = margin
	return nil
}
