package evaluator

import (
	"math"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/routing"
	"toposearch/topology"
)

// Traffic that crowds on one channel bounds from above what a routing carries: of direct routes by what it loads the channel with, of those that split
// traffic by the less of that and of what detours load it with, which no split relieves.

const (
	// crowdMostNs is what is spent on crowds, and crowdKinds on how many channels, of different kinds.
	crowdMostNs = 5e7
	crowdKinds  = 3
	// crowdMost are the sets of endpoints that are looked at on either side of a channel: more add little to what those nearest load.
	crowdMost = 24
)

// crowdNs is the cost of crowds of so many sets: a router, and for each set a search over the channels of the rule and as many pairs.
func (w *work) crowdNs(sets int) float64 {
	k := float64(sets)
	mean, _ := w.across()
	return w.compileNs() + crowdKinds*k*(3*w.arcs()*float64(max(w.rule().States, 1))+k*67*mean)
}

// crowdSets is how many sets there is time for; 0: for too few.
func (w *work) crowdSets() int {
	if !w.e.usesOwn() {
		return 0
	}
	for _, k := range []int{crowdMost, 12, 6, 3} {
		if w.crowdNs(k) <= crowdMostNs {
			return k
		}
	}
	return 0
}

// counts is what counting knows of any routing: what all capacity carries of the permutation with the most hops that is proven,
// how much any traffic loads a channel over direct routes, and, where channels of a kind are alike, which kinds it loads with how much (even), and
// detours of any traffic (detours; nil: not known).
type counts struct {
	hi            float64
	why           string
	crossed       float64
	even, detours []float64
}

// evenMostNs is what following the pairs of endpoints that stand for all may take where worst_throughput was asked for by name, evenQuickNs where it
// comes with others, which the budget is to hold, too.
const evenMostNs, evenQuickNs = 2e8, 2e7

const evenText = "lo bounds the matching of sources and destinations that is heaviest on a channel of each kind, all of which are alike (Towles and Dally 2002)"

// evenNs is the cost of routing.Router.Even: for each orbit a search for every set, and twice as many pairs.
func (w *work) evenNs() float64 {
	s := w.attached()
	mean, _ := w.across()
	fan := w.channels() / max(w.vertices(), 1)
	return w.compileNs() + float64(len(w.symmetry().Endpoints))*s*(3*w.arcs()*float64(max(w.rule().States, 1))+2*(67*mean+20*fan*mean))
}

// evenFits tells whether it is asked.
func (w *work) evenFits() bool {
	most := evenQuickNs
	if w.worstDecides() {
		most = evenMostNs
	}
	o := w.symmetry()
	return o.EvenLinks && o.Endpoints != nil && w.evenNs() <= most
}

// countEven adds what any traffic and its detours load kinds of channels with.
func (w *work) countEven(c *counts) error {
	if !w.evenFits() {
		return nil
	}
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return err
	}
	capacity, n := w.linkCapacity(), float64(w.net.Endpoints())
	if c.even, err = r.Even(w.ctx, capacity, w.symmetry().Endpoints); err != nil || w.severalPorts() {
		return err
	}
	detours := make([]float64, len(c.even))
	for i, k := range r.Kinds {
		if w.net.LinkClasses[k.Link].Name == topology.ClassInternal || c.even[i] == 0 {
			continue
		}
		_, x := w.uniformOn(k, 0)
		detours[i] = 2 * x / capacity(int(k.Link)) * (n - 1) / n
		if math.IsNaN(detours[i]) {
			return nil
		}
	}
	c.detours = detours
	return nil
}

// loaded is a channel and what uniform traffic loads it with, relative to its capacity; NaN if that is not known.
type loaded struct {
	channel topology.ChannelID
	uniform float64
}

// crowded is what a routing carries of the worst crowd that is found; +Inf if nothing is.
func (w *work) crowded(a *Algorithm) (hi float64, err error) {
	sets := w.crowdSets()
	hi = math.Inf(1)
	if sets == 0 || a.Tables || a.Single || a.Always || a.Detours && w.severalPorts() {
		return hi, nil
	}
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return hi, err
	}
	x, capacity, n := routing.NewCrowds(r), w.linkCapacity(), float64(w.net.Endpoints())
	for _, c := range w.busiest(r) {
		load, err := x.Load(w.ctx, c.channel, sets)
		if err != nil {
			return hi, err
		}
		load /= capacity(w.net.LinkClass(c.channel))
		if a.Detours {
			load = math.Min(load, 2*c.uniform*(n-1)/n)
		}
		if load > 0 { // not NaN
			hi = math.Min(hi, 1/load)
		}
	}
	return hi, nil
}

// busiest are channels of different kinds that uniform traffic loads most, the busiest first.
func (w *work) busiest(r *routing.Router) (out []loaded) {
	first := make([]topology.ChannelID, len(r.Kinds))
	for i := range first {
		first[i] = -1
	}
	for c := w.net.Channels() - 1; c >= 0; c-- {
		first[r.KindOf(topology.ChannelID(c))] = topology.ChannelID(c)
	}
	capacity := w.linkCapacity()
	for i, k := range r.Kinds {
		if w.net.LinkClasses[k.Link].Name != topology.ClassInternal {
			c, x := w.uniformOn(k, first[i])
			out = append(out, loaded{c, x / capacity(int(k.Link))})
		}
	}
	slices.SortStableFunc(out, func(a, b loaded) int {
		switch x, y := a.uniform, b.uniform; {
		case x > y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case y > x || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		}
		return 0
	})
	return out[:min(len(out), crowdKinds)]
}

// uniformOn is the busiest channel of a kind, or one if all are alike, and its load under uniform traffic; NaN if that is not known.
func (w *work) uniformOn(k topology.Kind, first topology.ChannelID) (c topology.ChannelID, load float64) {
	if w.loads != nil && w.loads.Exact {
		for _, l := range w.loads.Kinds {
			if l.Kind == k && l.Busiest >= 0 {
				return l.Busiest, l.Max
			} else if l.Kind == k {
				return first, l.Max
			}
		}
	}
	if p := w.naturalPaths(); p != nil && len(w.net.LinkClasses) == len(w.d.Family.LinkClasses) && w.rates.Kind[k.Link] != market.Inside {
		c := int(k.Link)
		if sum := float64(p.Sums.Cross[c]); sum > 0 && p.Peak[c] == 1 { // all are alike
			return first, sum / float64(p.Sums.Pairs) * float64(w.size.Endpoints) / (2 * float64(w.size.Link[c]))
		}
	}
	return first, math.NaN()
}
