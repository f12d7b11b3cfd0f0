package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
)

// enclosedDistances is for networks that take too long to be made, where an endpoint hangs on one switch, and equally many on each.
var enclosedDistances = method{name: "bounds of any network of its degree", level: 1, applies: (*work).notRegular, run: runEnclosedDistances}

// notRegular is why only a network itself tells how far its endpoints are apart, "" if counts bound that.
func (w *work) notRegular() string {
	switch s := w.size; {
	case s.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.how == unnamed || w.undrawn() == "":
		return "the network is made"
	case !w.rule().Free():
		return "lengths of routes of the rule are not bounded"
	case !w.everySwitchAttached() || w.e.scaled(w.d.Family) || !w.d.Family.Regular || s.Switches() < 2:
		return "no bound of networks of its degree"
	}
	return ""
}

// reachOf encloses how far switches are apart in any connected network of n switches with so many different neighbours each: from below as if
// each new neighbour were a switch not met before (Moore); from above by J. W. Moon, On the Diameter of a Graph, Michigan Mathematical Journal 12, 1965,
// 3n/(k+1) - 1, and on the mean by M. Kouider and P. Winkler, Mean Distance and Minimum Degree, Journal of Graph Theory 25, 1997, n/(k+1) + 2.
func reachOf(n, k float64) (mean [2]float64, most [2]int) {
	left, layer, sum := n-1, k, 0.0
	for hops := 1; left > 0; hops++ {
		here := math.Min(left, layer)
		sum += float64(hops) * here
		left, layer, most[0] = left-here, layer*(k-1), hops
	}
	most[1] = max(most[0], int(3*n/(k+1))-1)
	return [2]float64{sum / (n - 1), math.Min(n/(k+1)+2, float64(most[1]))}, most
}

// randomMean is how far switches of a random network are apart in the mean: those within so many hops are drawn of all, by as many links as lead there.
func randomMean(n, k float64) (mean float64) {
	mean = 1
	for layer, within := k, k; ; layer, within = layer*(k-1), within+layer*(k-1) {
		further := math.Exp(-within / n)
		if mean += further; further < 1e-6 { // no digit that is printed depends on it
			return mean
		}
	}
}

func runEnclosedDistances(w *work) error {
	s := w.size
	n, each := float64(s.Switches()), float64(s.Switch[0].Ports[0])
	mean, most := reachOf(n, float64(w.neighbours()))
	others := (n - 1) * each / (n*each - 1) // the part of the endpoints on other switches
	lo, hi := others*mean[0], others*mean[1]
	f := pathFigures{text: fmt.Sprintf("%s, the value of random networks of as many switches and links, lo and hi of any connected ones; %s", w.routesText(), w.undrawn())}
	f.Pairs, f.Links, f.Hops = 1, (lo+hi)/2+2, (lo+hi)/2
	f.MaxLinks, f.MaxHops = most[0]+2, most[0]
	w.setDistances(&f)
	off := (hi - lo) / 2
	w.drawn = margins{off, off}
	w.likely = others*math.Min(math.Max(randomMean(n, float64(w.neighbours())), mean[0]), mean[1]) + 2
	for i, k := range []metric.Key{metric.MeanPathLinks, metric.MeanPathSwitches, metric.MeanHops} {
		w.widen(k, off*(1+1e-12), off*(1+1e-12)) // sums are rounded
		w.res.Metrics[k].Value = w.likely - float64(i)
	}
	for _, k := range []metric.Key{metric.MaxPathLinks, metric.MaxPathSwitches, metric.MaxHops} {
		w.widen(k, 0, float64(most[1]-most[0]))
	}
	w.apart = apart{known: true, connected: true, lo: most[0], hi: most[1]}
	return nil
}

// neighbours is how many links each switch has to others, none of them twice.
func (w *work) neighbours() (k int32) {
	for c := 1; c < len(w.d.Family.LinkClasses); c++ {
		k += w.size.Switch[0].Ports[c]
	}
	return k
}

// enclosedDiameter is that of enclosedDistances.
var enclosedDiameter = method{name: "bounds of any network of its degree", level: 1, applies: (*work).notRegular, run: func(w *work) error {
	_, most := reachOf(float64(w.size.Switches()), float64(w.neighbours()))
	w.between(metric.GraphDiameter, float64(most[0]), float64(most[0]), float64(most[1]), "between what any connected network of as many switches and links may have; "+w.undrawn())
	return nil
}}
