package routing

import (
	"context"

	"toposearch/topology"
)

// Tracer spreads many traffics of few pairs each over one network: FlowLoads, where shortest routes to all switches are found
// once, 64 at a time, and only the switches are visited that a traffic passes. It is for one goroutine.
type Tracer struct {
	r       *Router
	ways    *ways
	short   *twinned  // ways with fewer switches, for flows
	targets []target  // by switch, for those on which endpoints hang
	flow    []float64 // per node, 0 between two destinations
	levels  [][]int32 // nodes with flow by their distance, each once
	to      []target  // of the set at hand
	at      []int
	next    []int32 // room for the hops of a node
	start   []int32
	loads   []float64 // of hops that stand for several
	each    *squares  // nil: flows are added together
	sum     partial
	// Once it was asked for (ToAll), what is at node x on its way to the i-th destination of a word at [x*wideBits+i], and by set the node of its packets; kept is 1 if all is as
	// ToAll needs it, -1 if not.
	toward  []float64
	live    []uint64 // by word and node, the destinations of packets that come by; of one word where hops are not kept
	on      []uint64 // and these of that word
	passed  []int32  // the nodes by which some come
	sources []int32
	kept    int8
}

// NewTracer finds all routes. The error is ErrTooMuch, or that of a route with Far hops or more.
func (r *Router) NewTracer(ctx context.Context) (t *Tracer, err error) {
	t = &Tracer{r: r, start: r.portStart(), targets: make([]target, r.Net.Switches()), levels: make([][]int32, Far)}
	var dsts []topology.SwitchID
	met := make([]bool, r.Net.Switches())
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if !met[p.Switch] {
				met[p.Switch] = true
				t.targets[p.Switch] = target{p.Switch, int32(len(dsts) / wideBits), uint8(len(dsts) % wideBits)}
				dsts = append(dsts, p.Switch)
			}
		}
	}
	if t.ways, err = r.newWays(ctx, dsts); err != nil {
		return nil, err
	}
	t.short = t.ways.twins(met)
	t.flow, t.loads = make([]float64, t.ways.nodes), make([]float64, len(t.short.times))
	most := int32(0)
	for x := range t.ways.nodes {
		most = max(most, t.ways.start[x+1]-t.ways.start[x])
	}
	t.next = make([]int32, most)
	return t, nil
}

// Begin starts a traffic of no flow.
func (t *Tracer) Begin() {
	if t.sum.channel == nil {
		t.sum = t.r.newPartial(t.start[len(t.r.Sets)])
		return
	}
	clear(t.loads)
	t.each = nil
	clear(t.sum.channel)
	clear(t.sum.in)
	clear(t.sum.out)
	t.sum = partial{channel: t.sum.channel, in: t.sum.in, out: t.sum.out}
}

// Add spreads flows to one destination set, which is theirs.
func (t *Tracer) Add(dst int, flows []Flow) {
	set, rows := &t.r.Sets[dst], int32(t.ways.rows.n())
	t.to = t.to[:0]
	for _, p := range set.Ports {
		t.to = append(t.to, t.targets[p.Switch])
	}
	top := uint8(0)
	for i := range flows {
		top = max(top, t.enter(&flows[i]))
	}
	for d := top; d > 0; d-- {
		for _, x := range t.levels[d] {
			t.step(x, d)
		}
		t.levels[d] = t.levels[d][:0]
	}
	for _, x := range t.levels[0] {
		amount := t.flow[x]
		t.flow[x] = 0
		for i, p := range set.Ports {
			if int32(p.Switch) == x/rows {
				x := amount / (float64(p.Count) * float64(set.Endpoints))
				t.sum.out[t.start[dst]+int32(i)] += x
				if t.each != nil {
					t.each.out[t.start[dst]+int32(i)] += x * amount / (t.each.rate * float64(p.Count))
				}
				break
			}
		}
	}
	t.levels[0] = t.levels[0][:0]
}

// AddEach is Add of flows one by one, whose Rate is as many messages, so that Loads know their Spread; all flows since Begin are added so.
func (t *Tracer) AddEach(dst int, flows []Flow) {
	if t.each == nil {
		hops := len(t.sum.channel)
		if t.short.times != nil {
			hops = len(t.loads)
		}
		t.each = &squares{hop: make([]float64, hops), in: make([]float64, len(t.sum.in)), out: make([]float64, len(t.sum.out))}
	}
	for i := range flows {
		t.each.rate = flows[i].Rate
		t.Add(dst, flows[i:i+1])
	}
}

// Beside is a tracer of the same routes, for other traffics beside those of t, on the same goroutine.
func (t *Tracer) Beside() *Tracer {
	b := &Tracer{r: t.r, ways: t.ways, short: t.short, targets: t.targets, start: t.start, levels: make([][]int32, Far), flow: make([]float64, t.ways.nodes), loads: make([]float64, len(t.loads)), next: make([]int32, len(t.next))}
	b.Begin()
	return b
}

// Ends is the part of what one endpoint of a set sends to one of another that a link of each port of theirs carries, out of the sender and into the
// receiver; nothing where no route leads there. The loads of t are for nothing else then.
func (t *Tracer) Ends(src, dst int) (out, in []float64) {
	t.Add(dst, []Flow{{Src: src, Dst: dst, Rate: 1}})
	taken := func(sum []float64, set int) []float64 {
		sum = sum[t.start[set]:t.start[set+1]]
		parts := make([]float64, len(sum))
		for i, x := range sum {
			parts[i] = x * float64(t.r.Sets[set].Endpoints)
		}
		clear(sum)
		return parts
	}
	return taken(t.sum.in, src), taken(t.sum.out, dst)
}

// Loads are those of all that was added since Begin. They are valid until then.
func (t *Tracer) Loads() *Loads {
	t.short.spread(t.loads, t.sum.channel, t.ways.hops)
	l := t.r.finish(&t.sum, t.start, LoadOptions{})
	if t.each != nil {
		l.Spread = t.each.spread(&t.sum, t.short, t.ways.hops)
	}
	return l
}

// put adds flow to a node that is d hops from the destination.
func (t *Tracer) put(node int32, d uint8, amount float64) {
	if t.flow[node] == 0 {
		t.levels[d] = append(t.levels[d], node)
	}
	t.flow[node] += amount
}

// node is that of packets that enter at a switch.
func (t *Tracer) node(s topology.SwitchID) int32 {
	rows := &t.ways.rows
	return int32(s)*int32(rows.n()) + int32(rows.of[0])
}

// enter lets a set send over its nearest ports, as spreader.enter, and says how far from the destination they are; 0 if nothing leads there.
func (t *Tracer) enter(f *Flow) (best uint8) {
	src := &t.r.Sets[f.Src]
	if len(src.Ports) == 1 && src.Ports[0].Count == 1 && len(t.to) == 1 {
		return t.enterBy(t.node(src.Ports[0].Switch), f, src.Endpoints)
	}
	best = Far
	total := int32(0)
	t.at = t.at[:0]
	for i, p := range src.Ports {
		switch d := t.ways.nearest(t.node(p.Switch), t.to); {
		case d < best:
			best, total = d, p.Count
			t.at = append(t.at[:0], i)
		case d == best && d != Far:
			total += p.Count
			t.at = append(t.at, i)
		}
	}
	if !t.count(f.Rate, best) {
		return 0
	}
	for _, i := range t.at {
		p := src.Ports[i]
		part := f.Rate * float64(p.Count) / float64(total)
		t.put(t.node(p.Switch), best, part)
		x := part / (float64(p.Count) * float64(src.Endpoints))
		t.sum.in[t.start[f.Src]+int32(i)] += x
		if t.each != nil {
			t.each.in[t.start[f.Src]+int32(i)] += x / float64(total)
		}
	}
	return best
}

// enterBy is enter by the one port of all endpoints of a set.
func (t *Tracer) enterBy(node int32, f *Flow, endpoints int64) uint8 {
	d := t.ways.from(node, t.to[0])
	if !t.count(f.Rate, d) {
		return 0
	}
	t.put(node, d, f.Rate)
	t.sum.in[t.start[f.Src]] += f.Rate / float64(endpoints)
	if t.each != nil {
		t.each.in[t.start[f.Src]] += f.Rate / float64(endpoints)
	}
	return d
}

// count takes note of a flow of d hops, and tells whether anything leads there.
func (t *Tracer) count(rate float64, d uint8) bool {
	t.sum.pairs += rate
	if d == Far {
		t.sum.unreachable += rate
		return false
	}
	t.sum.traffic += rate
	t.sum.hops += rate * float64(d)
	t.sum.maxHops = max(t.sum.maxHops, uint16(d))
	return true
}

// step moves what is at a node d hops from its destination one hop on, split equally over all that Router.Next offers.
func (t *Tracer) step(node int32, d uint8) {
	first := t.short.start[node]
	next, hops := t.short.next(node, t.to, d, t.next), t.short.hops[first:]
	amount := t.flow[node]
	t.flow[node] = 0
	if t.short.times != nil {
		t.stepAll(next, first, d, amount, t.short.alike[node])
		return
	}
	amount /= float64(len(next))
	for _, i := range next {
		h := &hops[i]
		t.sum.channel[h.channel] += amount
		if t.each != nil {
			t.each.hop[h.channel] += amount * amount / t.each.rate
		}
		t.put(h.node, d-1, amount)
	}
}

// stepAll is step of a node that stands for so many, of which each has the flow: as much comes to each one for which another stands by all links from them.
func (t *Tracer) stepAll(next []int32, first int32, d uint8, amount float64, alike int32) {
	hops, times, loads := t.short.hops[first:], t.short.times[first:], t.loads[first:]
	all := int32(0)
	for _, i := range next {
		all += times[i]
	}
	amount /= float64(all)
	for _, i := range next {
		to := hops[i].node
		loads[i] += amount
		if t.each != nil {
			t.each.hop[first+i] += amount * amount / t.each.rate
		}
		t.put(to, d-1, amount*float64(alike*times[i]/t.short.alike[to]))
	}
}
