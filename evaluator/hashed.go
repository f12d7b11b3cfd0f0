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
	// fewSets are attachment sets between all of which paths are followed, each pairNs: of few flows it matters that channels of a class differ in how likely flows take them.
	// Of 64 they take some 4 ms, and throughput is within 1 % of drawn hashes, where means of a class are off by up to 5.
	fewSets = 64
	pairNs  = 1000
	// hashMostNs is what following them may take where loads are known in closed form; where those of every channel were summed it takes less than that did.
	// Beyond it thousands of flows cross each channel, and their spread, whatever it is, is some percent.
	hashMostNs = 1e8
)

// hashedRarely is how seldom hashes make a collective take longer than hi: an operator who restarts jobs meets other hashes each time, and some thousands in the life of a network.
const hashedRarely = 1e-6

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
	each := w.loads
	if r != nil && len(r.Sets) <= fewSets {
		if each, err = w.eachPair(r); err != nil {
			return err
		}
		h.text = "probabilities of all paths"
	}
	of, most := w.crowds(spread, r, each)
	even, choice := 0.0, false
	for _, c := range of {
		even, choice = max(even, c.Flows*c.Flow), choice || c.Spread > 0
	}
	if h.least, h.messages = 1, 1; even > 0 {
		h.part = min(1, even/route.BusiestHashed(of))
		h.least = min(h.part, even/route.HashedWithin(of, hashedRarely))
		others := float64(w.size.Endpoints - 1)
		h.messages = even / route.BusiestHashed(append(of, route.Crowd{Channels: 1, Flows: others, Flow: 1 / others}))
	} else {
		h.text = ""
	}
	h.sure = h.sure && even > 0 && !choice
	h.most = max(most, l.Throughput)
	w.hashes = h
	return nil
}

// eachPair are the loads of uniform traffic with how many flows each channel may have (routing.Loads.Spread).
func (w *work) eachPair(r *routing.Router) (*routing.Loads, error) {
	t, err := r.NewTracer(w.ctx)
	if err != nil {
		return nil, err
	}
	t.Begin()
	others := float64(w.net.Endpoints() - 1)
	for dst := range r.Sets {
		var flows []routing.Flow
		for src := range r.Sets {
			pairs := float64(r.Sets[src].Endpoints * r.Sets[dst].Endpoints)
			if src == dst {
				pairs -= float64(r.Sets[dst].Endpoints) // nobody sends to itself
			}
			if pairs > 0 {
				flows = append(flows, routing.Flow{Src: src, Dst: dst, Rate: pairs / others})
			}
		}
		t.AddEach(dst, flows)
	}
	return t.Loads(), nil
}

// followNs is what following flows takes, the network and its rule included.
func (w *work) followNs() float64 {
	pairs := 0.0
	if s := w.sets(); s <= fewSets {
		pairs = s * s * pairNs
	}
	return pairs + w.buildNs() + w.compileNs() + 3*hashSets*(w.channels()+w.vertices())*float64(max(w.rule().States, 1))
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
	spread = w.byClass(by, spread)
	h.text = "probabilities of paths between " + fmt.Sprint(min(len(r.Sets), hashSets)) + " x as many sets of endpoints"
	return spread, r, nil
}

// byClass gives spread, of link classes of the family and of scale-up domains behind them, what is known by those of the network.
func (w *work) byClass(by, spread []float64) []float64 {
	classes, inside := w.classIn(w.net), 0.0
	for i, x := range by {
		if c := classes[i].class; c >= 0 {
			spread[c] = x
		} else {
			inside = max(inside, x)
		}
	}
	spread[len(spread)-1] = inside
	return spread
}

// crowds are channels alike, of flows each of which is a part of what an endpoint sends, and the sums of their capacities and of what is carried over them.
type crowds struct {
	flows        float64 // for each unit of load
	of           []route.Crowd
	all, carried float64
}

// add adds channels with a mean spread of flows; as many as can have the load of the busiest, which is so many times the mean.
func (c *crowds) add(spread, channels, peak, load, capacity float64) {
	if load > 0 {
		c.all, c.carried = c.all+channels*capacity, c.carried+channels*load/peak
		c.of = append(c.of, route.Crowd{Channels: channels / peak, Flows: load * c.flows, Spread: spread, Flow: 1 / (c.flows * capacity)})
	}
}

// crowds are the channels with the mean of flows on each under uniform traffic: of closed forms by class, else channel by channel. Most is all capacity over all
// hops, of which paths of a pair have as many each, so that no hash carries more.
func (w *work) crowds(spread []float64, r *routing.Router, l *routing.Loads) (of []route.Crowd, most float64) {
	c := &crowds{flows: float64(w.size.Endpoints - 1)}
	if l != nil && l.Spread != nil {
		w.crowd(c, l, spread, r)
	} else if p := w.naturalPaths(); p != nil {
		s, f := w.size, w.d.Family
		for k := range f.LinkClasses {
			if p.Sums.Cross[k] == 0 || w.rates.Kind[k] == market.Inside || k == 0 && (s.EndpointPorts <= 1 || f.Unidirectional) {
				continue
			}
			channels := 2 * float64(s.Link[k])
			if f.Unidirectional {
				channels /= 2
			}
			load := float64(p.Sums.Cross[k]) / float64(p.Sums.Pairs) * float64(s.Endpoints)
			c.add(spread[k], channels, p.Peak[k], load/channels*p.Peak[k], w.rates.Capacity(k))
		}
	} else if l != nil && l.Exact {
		w.crowd(c, l, spread, r)
	}
	if c.carried == 0 { // no loads are known
		return nil, 0
	}
	return c.of, c.all / c.carried
}

// crowd adds the channels of the network at hand by their loads, and, if r is not nil, the ports of endpoints that have several.
func (w *work) crowd(c *crowds, l *routing.Loads, spread []float64, r *routing.Router) {
	inside := func(link int) bool { return w.net.LinkClasses[link].Name == topology.ClassInternal }
	classes, capacity := w.classIn(w.net), w.linkCapacity()
	spreadOf := func(link int) float64 {
		if k := classes[link].class; k >= 0 {
			return spread[k]
		}
		return spread[len(spread)-1]
	}
	if l.Channel == nil {
		for _, k := range l.Kinds {
			if link := int(k.Kind.Link); !inside(link) && k.Max > 0 {
				c.add(spreadOf(link), float64(k.Channels), k.Max/k.Mean(), k.Max, capacity(link))
			}
		}
		return
	}
	groups := newAlike(c)
	for at, load := range l.Channel {
		link := w.net.LinkClass(topology.ChannelID(at))
		if load <= 0 || inside(link) {
			continue
		}
		x := spreadOf(link)
		if l.Spread != nil {
			x = l.Spread.Channel[at]
		}
		groups.add(1, load, x, capacity(link))
	}
	if r != nil && w.severalPorts() {
		for i := range r.Sets {
			for j, port := range r.Sets[i].Ports {
				at, n := int(l.PortStart[i])+j, float64(r.Sets[i].Endpoints)*float64(port.Count)
				out, in := spread[0], spread[0]
				if l.Spread != nil {
					out, in = l.Spread.Out[at], l.Spread.In[at]
				}
				groups.add(n, l.Out[at], out, w.rates.Capacity(0))
				groups.add(n, l.In[at], in, w.rates.Capacity(0))
			}
		}
	}
	groups.close()
}

// alike takes channels of a capacity whose loads differ by less than a thirtieth, and spreads by as much, as some with the mean of theirs: expected loads differ by less than a thousandth from those of finer kinds.
type alike struct {
	c     *crowds
	of    map[alikeKey]*alikeSum
	order []*alikeSum
}

type alikeKey struct {
	load, spread int
	capacity     float64
}

type alikeSum struct{ channels, load, between, capacity float64 }

func newAlike(c *crowds) *alike { return &alike{c: c, of: make(map[alikeKey]*alikeSum)} }

func (a *alike) add(channels, load, spread, capacity float64) {
	if load <= 0 {
		return
	}
	k := alikeKey{int(math.Round(math.Log(load) * 30)), int(math.Round(spread * 30)), capacity}
	s := a.of[k]
	if s == nil {
		s = &alikeSum{capacity: capacity}
		a.of[k], a.order = s, append(a.order, s)
	}
	s.channels, s.load, s.between = s.channels+channels, s.load+channels*load, s.between+channels*load*spread
}

// close adds them to the crowds.
func (a *alike) close() {
	for _, s := range a.order {
		a.c.add(s.between/s.load, s.channels, 1, s.load/s.channels, s.capacity)
	}
}
