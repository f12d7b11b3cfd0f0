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
	return max(2, int(3e8/(2.5*w.channels()+4*w.sets())))
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
	for most := min(w.sampledSources(), w.net.Endpoints()/2); len(sources) < most; {
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

// widen lets a figure lie so much below and above what is recorded of it.
func (w *work) widen(k metric.Key, below, above float64) {
	m := &w.res.Metrics[k]
	w.between(k, m.Value, math.Max(0, m.Lo-below), m.Hi+above, m.Method)
}

// boundedLatency is for routes whose loads take too long: what they cross of each class is not known, only of all together.
var boundedLatency = method{name: "mean path, whatever classes it crosses", level: 1, applies: func(w *work) string {
	switch {
	case w.dist == nil:
		return w.res.Absent[metric.MeanHops]
	case w.e.scaled(w.d.Family):
		return "links of scale-up domains"
	}
	return w.noLengths()
}, run: runBoundedLatency}

// runBoundedLatency encloses the latency of a mean path of L links: each interior vertex is a switch or relays, and each link is of a
// class that costs between the least and the most; the first and the last are nic links where endpoints do not relay.
func runBoundedLatency(w *work) error {
	f, l := w.d.Family, &w.e.opt.Latency
	mtu := 8 * float64(l.MTUBytes)
	least, most, slow, fast := math.Inf(1), math.Inf(-1), math.Inf(1), 0.0
	ends, nicLo, nicHi := 0.0, 0.0, 0.0
	for c := range f.LinkClasses {
		if w.size.Link[c] == 0 || f.LinkClasses[c].Name == topology.ClassInternal {
			continue
		}
		// What a link of the class adds: its ends on switches each stand for half of one that is passed instead of a relay.
		half, length := float64(w.rates.Ends[c])/2*(l.SwitchNs-l.RelayNs), w.spans[c]
		if length.MaxM == 0 {
			length.MinM, length.MaxM = w.res.Plan.MeanM[c], w.res.Plan.MeanM[c]
		}
		lo, hi := half+l.CableNsPerM*length.MinM, half+l.CableNsPerM*length.MaxM
		slow, fast = math.Min(slow, w.rates.Link[c]), math.Max(fast, w.rates.Link[c])
		if c == 0 {
			ends, nicLo, nicHi = 2, 2*lo, 2*hi
			continue
		}
		least, most = math.Min(least, lo), math.Max(most, hi)
	}
	if math.IsInf(least, 1) {
		least, most = 0, 0
	}
	at := func(links, nic, each float64) float64 { return (links-1)*l.RelayNs + nic + (links-ends)*each }
	mean := w.dist.MeanLinks()
	few, many := math.Max(mean-w.drawn, ends), mean+w.drawn
	lo := l.NICNs + mtu/fast + math.Min(at(few, nicLo, least), at(many, nicLo, least))
	hi := l.NICNs + mtu/slow + math.Max(at(few, nicHi, most), at(many, nicHi, most))
	w.between(metric.Latency, wholeSteps((lo+hi)/2), wholeSteps(lo), wholeSteps(hi), w.routesText()+", middle of what the mean path can cross of each class of links")
	return nil
}
