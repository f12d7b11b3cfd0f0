package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/topology"
)

// Uniform throughput where every flow keeps to one path that a hash picks: one over the expected load of the busiest channel.

const (
	// busiestNs is what route.BusiestHashed takes of a few classes, and binNs a channel whose load is counted.
	busiestNs = 6000
	binNs     = 20
	// fewNs is the same of so few endpoints that few flows cross each channel, whose number is binomial.
	fewNs        = 80_000
	fewEndpoints = 64
	// hashSets are the attachment sets between which paths are followed: on fat trees, a torus, a Dragonfly+ and a random graph the throughput is within
	// 0.3 % of that of all pairs.
	hashSets = 8
	// hashMostNs is what following them may take where loads are known in closed form; where those of every channel were summed it takes less than that did.
	// Beyond it thousands of flows cross each channel, and their spread, whatever it is, is some percent.
	hashMostNs = 1e8
)

// hash finds what hashes leave of a limit of direct routes, in w.hashes.
func (w *work) hash(l route.Limit) error {
	if w.hashes != nil {
		return nil
	}
	h := &hashed{part: 1}
	if w.req.Level < 1 && len(w.req.Keys) == 0 {
		h.why = "how hashes deal out flows is known from level 1 on"
		w.hashes = h
		return nil
	}
	spread, r, err := w.hashSpread(h)
	if err != nil {
		return err
	}
	crowds, most := w.crowds(spread, r)
	even, choice := 0.0, false
	for _, c := range crowds {
		even, choice = max(even, c.Flows*c.Flow), choice || c.Spread > 0
	}
	if even > 0 {
		h.part = min(1, even/route.BusiestHashed(crowds))
	} else {
		h.text = ""
	}
	h.sure = h.sure && even > 0 && !choice
	h.most = max(most, l.Throughput)
	w.hashes = h
	return nil
}

// followNs is what following flows takes, the network and its rule included.
func (w *work) followNs() float64 {
	return w.buildNs() + w.compileNs() + 3*hashSets*(w.channels()+w.vertices())*float64(max(w.rule().States, 1))
}

// hashNs is what hash is modelled to take where a routing that may be chosen asks for it; of loads that were summed channel by channel, on a network that is there.
func (w *work) hashNs(summed bool) float64 {
	if !w.namesSingle() || w.req.Level < 1 && len(w.req.Keys) == 0 {
		return 0
	}
	ns := w.followNs()
	if summed {
		return ns - w.buildNs() + binNs*w.channels()
	}
	busiest := float64(busiestNs)
	if w.size.Endpoints < fewEndpoints {
		busiest = fewNs
	}
	if f := w.d.Family; f.Spread != nil && f.Spread(w.d.V, new([topology.MaxClasses]float64)) || ns > hashMostNs {
		return busiest
	}
	return ns + busiest
}

// hashSpread is routing.HashSpread by link class of the family, of scale-up domains behind them, and the router of whose flows, nil where none was followed.
func (w *work) hashSpread(h *hashed) ([]float64, *routing.Router, error) {
	f := w.d.Family
	spread := slices.Repeat([]float64{1}, len(f.LinkClasses)+1)
	if known := [topology.MaxClasses]float64{}; w.naturalPaths() != nil && f.Spread != nil && f.Spread(w.d.V, &known) {
		copy(spread, known[:len(f.LinkClasses)])
		h.text, h.sure = "probabilities of paths in closed form", true
		return spread, nil, nil
	}
	ns := w.followNs()
	if known := w.loads != nil && w.loads.Exact; !known && (ns > hashMostNs || w.tooMuch("paths of flows", w.networkBytes()+graphBytes(w)) != "") {
		if w.severalPorts() {
			spread[0] = 1 - 1/float64(w.size.EndpointPorts)
		}
		h.text = "each flow taken to have many paths (following some takes " + seconds(ns) + "; hi holds for flows without a choice, too)"
		return spread, nil, nil
	}
	if err := w.take("paths of flows", w.networkBytes()+graphBytes(w)); err != nil {
		return nil, nil, err
	}
	if err := w.build(); err != nil {
		return nil, nil, err
	}
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return nil, nil, err
	}
	by, err := r.HashSpread(w.ctx, hashSets)
	if err != nil {
		return nil, nil, err
	}
	classes, inside := w.classIn(w.net), 0.0
	for i, x := range by {
		if c := classes[i].class; c >= 0 {
			spread[c] = x
		} else {
			inside = max(inside, x)
		}
	}
	spread[len(f.LinkClasses)] = inside
	h.text = "probabilities of paths between " + fmt.Sprint(min(len(r.Sets), hashSets)) + " x as many sets of endpoints"
	return spread, r, nil
}

// crowds are the channels with the mean of flows on each: of closed forms by class, else channel by channel. Most is all capacity over all hops, of which
// paths of a pair have as many each, so that no hash carries more.
func (w *work) crowds(spread []float64, r *routing.Router) (out []route.Crowd, most float64) {
	others := float64(w.size.Endpoints - 1)
	all, carried := 0.0, 0.0
	add := func(class int, channels, peak, load, capacity float64) { // as many as have the load of the busiest, at most
		if load > 0 {
			all, carried = all+channels*capacity, carried+channels*load/peak
			channels /= peak
			out = append(out, route.Crowd{Channels: channels, Flows: load * others, Spread: spread[class], Flow: 1 / (others * capacity)})
		}
	}
	if p := w.naturalPaths(); p != nil {
		s, f := w.size, w.d.Family
		for c := range f.LinkClasses {
			if p.Sums.Cross[c] == 0 || w.rates.Kind[c] == market.Inside || c == 0 && (s.EndpointPorts <= 1 || f.Unidirectional) {
				continue
			}
			channels := 2 * float64(s.Link[c])
			if f.Unidirectional {
				channels /= 2
			}
			load := float64(p.Sums.Cross[c]) / float64(p.Sums.Pairs) * float64(s.Endpoints)
			add(c, channels, p.Peak[c], load/channels*p.Peak[c], w.rates.Capacity(c))
		}
		return out, all / carried
	}
	if w.loads == nil || !w.loads.Exact {
		return nil, 0
	}
	inside := func(link int) bool { return w.net.LinkClasses[link].Name == topology.ClassInternal }
	classes, capacity := w.classIn(w.net), w.linkCapacity()
	classOf := func(link int) int {
		if c := classes[link].class; c >= 0 {
			return c
		}
		return len(spread) - 1
	}
	if w.loads.Channel == nil {
		for _, k := range w.loads.Kinds {
			if link := int(k.Kind.Link); !inside(link) && k.Max > 0 {
				add(classOf(link), float64(k.Channels), k.Max/k.Mean(), k.Max, capacity(link))
			}
		}
		return out, all / carried
	}
	type alike struct{ link, bin int }
	count := make(map[alike]int) // those whose loads differ by less than a percent are taken as one
	var order []alike
	for c, load := range w.loads.Channel {
		link := w.net.LinkClass(topology.ChannelID(c))
		if load <= 0 || inside(link) {
			continue
		}
		k := alike{link, int(math.Round(math.Log(load) * 100))}
		if count[k] == 0 {
			order = append(order, k)
		}
		count[k]++
	}
	for _, k := range order {
		add(classOf(k.link), float64(count[k]), 1, math.Exp(float64(k.bin)/100), capacity(k.link))
	}
	if r != nil && w.severalPorts() {
		for i := range r.Sets {
			for j, port := range r.Sets[i].Ports {
				at := int(w.loads.PortStart[i]) + j
				for _, load := range []float64{w.loads.Out[at], w.loads.In[at]} {
					add(0, float64(r.Sets[i].Endpoints)*float64(port.Count), 1, load, w.rates.Capacity(0))
				}
			}
		}
	}
	return out, all / carried
}
