package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/bound"
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

// runSampledDistances searches from endpoints drawn without repetition, and bounds the mean over all by sampledMean.
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
	nearest := 0.0
	if !w.e.scaled(w.d.Family) {
		nearest, _ = bound.Reach(w.size, w.size)
	}
	sum := 0.0
	for l, pairs := range d.Pairs {
		sum += float64(l) * float64(pairs)
	}
	mean := sum / float64(f.Pairs)
	lo, hi := sampledMean(mean, nearest, float64(furthest), len(sources))
	w.drawn = margins{mean - lo, hi - mean}
	w.setDistances(&f)
	w.widen(metric.MeanPathLinks, w.drawn.below, w.drawn.above)
	w.widen(metric.MeanPathSwitches, w.drawn.below, w.drawn.above)
	w.widen(metric.MeanHops, w.drawn.below+2*float64(f.bare)/float64(f.Pairs), w.drawn.above)
	for _, k := range []metric.Key{metric.MaxPathLinks, metric.MaxPathSwitches, metric.MaxHops} {
		ends := 0.0
		if k == metric.MaxPathLinks && w.net.LinkClasses[0].Name != topology.ClassInternal {
			ends = 2
		} else if k == metric.MaxPathSwitches && w.net.LinkClasses[0].Name != topology.ClassInternal {
			ends = 1
		}
		w.widen(k, 0, math.Max(0, float64(furthest)+ends-w.res.Metrics[k].Value))
	}
	return nil
}

// sampledMean encloses the mean of numbers between least and most of which n drawn without repetition have the mean given, but for sampleRisk: a mean
// that lies further off on its scale has a chance of exp(-n D) at most of being drawn, D being the relative entropy of the two as chances of a coin (Hoeffding,
// Probability Inequalities for Sums of Bounded Random Variables, JASA 58, 1963, theorem 1, and section 6 for draws without repetition).
func sampledMean(mean, least, most float64, n int) (lo, hi float64) {
	if most <= least {
		return mean, mean
	}
	p := math.Min(math.Max((mean-least)/(most-least), 0), 1)
	term := func(x, y float64) float64 {
		if x == 0 {
			return 0
		}
		return x * math.Log(x/y)
	}
	limit := math.Log(2/sampleRisk) / float64(n)
	furthest := func(end float64) float64 { // the mean towards that end that is just as unlikely as allowed, or a little further off
		in, out := p, end
		for range 60 { // halves the interval to what a float64 tells apart
			q := (in + out) / 2
			if term(p, q)+term(1-p, 1-q) < limit {
				in = q
			} else {
				out = q
			}
		}
		return least + out*(most-least)
	}
	return furthest(0), furthest(1)
}
