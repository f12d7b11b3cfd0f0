package routing

import (
	"context"
	"slices"

	"toposearch/topology"
)

// mostSetPairs bounds the flows of either leg: 0.2 s, 100 MB.
const mostSetPairs = 1 << 22

// Valiant are the turns of flows, or of uniform traffic, of which each packet goes by way of a set, each as likely: directly if that is its own or its destination's. So does what goes to an endpoint on the same
// switch. nil: some set is no intermediate, since from none of its switches all can be reached.
func (r *Router) Valiant(ctx context.Context, flows []Flow) (*Turns, error) {
	v := valiant{r: r, sets: len(r.Sets)}
	if v.sets < 3 {
		return nil, nil
	}
	if v.sets*v.sets > mostSetPairs {
		return nil, TooManyTurns{"pairs of sets", int64(v.sets) * int64(v.sets), mostSetPairs}
	}
	if flows == nil {
		flows = r.uniformFlows()
	}
	v.rate = make([]float64, v.sets*v.sets)
	sent, taken := make([]float64, v.sets), make([]float64, v.sets)
	own, others := []Flow{}, []Flow{} // nil is uniform traffic
	for _, f := range flows {
		if r.Share(f.Src, f.Dst) {
			own = append(own, f)
			continue
		}
		others = append(others, f)
		sent[f.Src] += f.Rate
		taken[f.Dst] += f.Rate
		v.rate[f.Src*v.sets+f.Dst] += f.Rate
	}
	outward, homeward := v.legs(func(src, _ int) float64 { return sent[src] }), v.legs(func(_, dst int) float64 { return taken[dst] })
	var first, second *Turns
	var err error
	if SeveralPorts(r.Net) {
		if first, err = v.toPorts(ctx, outward); first != nil && err == nil {
			second, err = v.fromPorts(ctx, first)
		}
	} else if first, err = r.Turns(ctx, outward); err == nil {
		second, err = r.Turns(ctx, homeward)
	}
	if second == nil || err != nil {
		return nil, err
	}
	within, err := r.Turns(ctx, own)
	if err != nil {
		return nil, err
	}
	direct, err := r.Turns(ctx, others)
	if err != nil {
		return nil, err
	}
	t := first.Detoured(second, direct, 2/float64(v.sets))
	for i, x := range within.Rate {
		t.Rate[i] += x
	}
	return t, nil
}

// Share says whether two attachment sets have a port on the same switch, which needs no link.
func (r *Router) Share(a, b int) bool {
	if a == b {
		return true
	}
	for _, p := range r.Sets[a].Ports {
		if slices.ContainsFunc(r.Sets[b].Ports, func(q Port) bool { return p.Switch == q.Switch }) {
			return true
		}
	}
	return false
}

// valiant is what Valiant works with.
type valiant struct {
	r    *Router
	sets int
	rate []float64 // [src*sets+dst], without what stays within a set
	ends [][]Port  // of each set, those of its ports from which every set can be reached: there first legs end
}

// toPorts are the turns of first legs where endpoints have several ports; nil: some set is no intermediate.
func (v *valiant) toPorts(ctx context.Context, flows []Flow) (*Turns, error) {
	r := v.r
	var err error
	if v.ends, err = r.FirstLegsEnd(ctx); err != nil || slices.ContainsFunc(v.ends, func(p []Port) bool { return p == nil }) {
		return nil, err
	}
	t, err := r.newTurns()
	if err != nil {
		return nil, err
	}
	jobs, err := r.flowJobs(flows)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].to = v.ends[jobs[i].set]
	}
	return t, newTurner(t).follow(ctx, jobs)
}

// legs between sets: of what a set sends to all but the intermediate each has the same part, and so has it of what all but the intermediate send to a set.
func (v *valiant) legs(whole func(src, dst int) float64) []Flow {
	legs := []Flow{}
	for src := range v.sets {
		for dst := range v.sets {
			if x := whole(src, dst) - v.rate[src*v.sets+dst]; src != dst && x > 0 {
				legs = append(legs, Flow{src, dst, x / float64(v.sets-2)})
			}
		}
	}
	return legs
}

// fromPorts are the turns of second legs where endpoints have several ports. They begin at the one by which the first leg came: who passes an endpoint by cannot choose the nearest, as it does
// itself. Which one that is depends on the source, and so does where the second leg goes: from a switch that the intermediate shares with the source it is the direct
// way (zcube(n=9,k=2), worst: a channel is full at 0.39, 0.58 if all sources had the same part in what comes by a port).
func (v *valiant) fromPorts(ctx context.Context, first *Turns) (*Turns, error) {
	by, err := v.landings(ctx, first.PortStart)
	if err != nil {
		return nil, err
	}
	t, err := v.r.newTurns()
	if err != nil {
		return nil, err
	}
	ports := len(by) / v.sets
	f, starts := newTurner(t), make([]float64, ports)
	for dst := range v.sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(starts)
		for src := range v.sets {
			if x := v.rate[src*v.sets+dst] / float64(v.sets-2); x > 0 {
				f.work += float64(ports)
				for at, part := range by[src*ports : (src+1)*ports] {
					starts[at] += x * part
				}
				for at := t.PortStart[src]; at < t.PortStart[src+1]; at++ { // it goes by way of others
					starts[at] -= x * by[src*ports+int(at)]
				}
			}
		}
		f.run(dst)
		f.all = f.all[:0]
		for mid := range v.sets {
			for i, p := range v.r.Sets[mid].Ports {
				at := int(t.PortStart[mid]) + i
				if node := int(p.Switch) * v.r.states; mid != dst && starts[at] > 0 {
					f.arrive(node, arrival{in: int32(v.r.Net.Channels() + at), rate: starts[at]})
				}
			}
		}
		f.drain(dst)
		if f.work > mostTurnWork {
			return nil, TooManyTurns{"ways on of what arrives at switches", int64(f.work), mostTurnWork}
		}
	}
	return t, nil
}

// landings are, for each set and then each port of all, the part of what the set sends to that of the port which arrives by it.
func (v *valiant) landings(ctx context.Context, start []int32) ([]float64, error) {
	r, S := v.r, v.r.states
	ports := int(start[v.sets])
	by := make([]float64, v.sets*ports)
	s := newSearch(r)
	var hops []Hop
	var at []int
	for dst := range v.sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := v.ends[dst]
		f := s.runTo(own)
		reach := make([]float64, len(f.Dist)*len(own)) // by node: what arrives by each port
		for _, x := range f.order {
			row := reach[int(x)*len(own):][:len(own)]
			sw := topology.SwitchID(int(x) / S)
			if f.Dist[x] == 0 {
				row[slices.IndexFunc(own, func(p Port) bool { return p.Switch == sw })] = 1
				continue
			}
			hops = r.Next(f, sw, uint8(int(x)%S), hops[:0])
			for _, h := range hops {
				to := int(r.Net.To(h.Channel)) * S
				next := []uint8{h.State}
				if rest, _, ok := r.Rest(h.State); ok && h.Top > h.VC {
					next = append(next, rest)
				}
				for _, state := range next {
					for i, y := range reach[(to+int(state))*len(own):][:len(own)] {
						row[i] += y / float64(len(hops)*len(next))
					}
				}
			}
		}
		for src := range v.sets {
			at, _ = r.Inject(f, src, at[:0])
			total := int32(0)
			for _, i := range at {
				total += r.Sets[src].Ports[i].Count
			}
			for _, i := range at {
				p := r.Sets[src].Ports[i]
				for k, y := range reach[int(p.Switch)*S*len(own):][:len(own)] {
					port := slices.IndexFunc(r.Sets[dst].Ports, func(p Port) bool { return p.Switch == own[k].Switch })
					by[src*ports+int(start[dst])+port] += y * float64(p.Count) / float64(total)
				}
			}
		}
	}
	return by, nil
}

// arrivals are what leaves the network by each port of a set.
func (t *Turns) arrivals() []float64 {
	channels := t.Router.Net.Channels()
	out := make([]float64, len(t.Row)-channels)
	for in := range t.Row {
		t.Each(in, func(port int, rate float64) {
			if port >= channels {
				out[port-channels] += rate
			}
		})
	}
	return out
}

// Detoured are the turns of traffic of which a part keeps to the routes of `direct` and the rest makes detours of two legs. VCs are those of
// the direct part and of either leg.
func (outward *Turns) Detoured(second, direct *Turns, part float64) *Turns {
	n := outward.Router.Net
	t := *outward
	t.Single = false // by different ways
	t.Rate, t.On = make([]float64, len(outward.Rate)), make([]float64, len(outward.On))
	onward := second.onward()
	channels := n.Channels()
	for in := range t.Row {
		sw := t.switchOf(in)
		first, end := n.Out(sw)
		deg := int(end - first)
		row, next := outward.Rate[t.Row[in]:][:deg+len(t.Local[sw])], second.Rate[t.Row[in]:]
		out, own := t.Rate[t.Row[in]:], direct.Rate[t.Row[in]:]
		ends := 0.0 // first legs that end here
		for _, x := range row[deg:] {
			ends += x
		}
		for k, x := range row {
			switch {
			case in >= channels && k >= deg: // within the switch: the second leg begins there, too
				x = 0
			case in < channels && k >= deg:
				x = next[k]
			case in < channels:
				x += next[k]
			}
			if ends > 0 {
				x += ends * onward[sw][k]
			}
			out[k] = part*own[k] + (1-part)*x
		}
	}
	for i, x := range outward.On {
		t.On[i] = part*direct.On[i] + (1-part)*(x+second.On[i])
	}
	return &t
}

// Relative are the loads of turns as Loads.Relative has them.
func (t *Turns) Relative(capacity func(link int) float64) []float64 {
	r := t.Router
	l := Loads{Channel: make([]float64, r.Net.Channels()), Out: t.arrivals(), PortStart: t.PortStart}
	l.In = make([]float64, len(l.Out))
	for c := range l.Channel {
		for _, x := range t.On[c*t.Codes : (c+1)*t.Codes] {
			l.Channel[c] += x
		}
	}
	for at := range l.In {
		t.Each(r.Net.Channels()+at, func(_ int, rate float64) { l.In[at] += rate })
	}
	for i := range r.Sets {
		for k, p := range r.Sets[i].Ports {
			alike := float64(p.Count) * float64(r.Sets[i].Endpoints)
			l.In[int(t.PortStart[i])+k] /= alike
			l.Out[int(t.PortStart[i])+k] /= alike
		}
	}
	return l.Relative(r.Net, capacity)
}

// onward is where what endpoints of each switch send goes, as parts of it: what a second leg does that begins there.
func (t *Turns) onward() [][]float64 {
	n := t.Router.Net
	out := make([][]float64, n.Switches())
	for sw, local := range t.Local {
		sum := 0.0
		for _, p := range local {
			in := n.Channels() + int(p)
			first, end := n.Out(t.at[p])
			row := t.Rate[t.Row[in]:][:int(end-first)+len(local)]
			if out[sw] == nil {
				out[sw] = make([]float64, len(row))
			}
			for k, x := range row {
				out[sw][k] += x
				sum += x
			}
		}
		for k := range out[sw] {
			out[sw][k] /= max(sum, 1e-300) // of nothing nothing goes on
		}
	}
	return out
}
