package routing

import (
	"context"
	"fmt"
	"math"

	"toposearch/topology"
)

// job is one destination set: uniform traffic to it if flows is nil, else these, and that part of uniform traffic.
type job struct {
	set    int
	to     []Port // of those of the set's ports by which the traffic arrives; nil: all (Turns alone knows others)
	weight float64
	flows  []Flow
	part   float64
}

// partial is what a block of jobs adds up to. Blocks do not depend on the number of workers and
// are added in order, so that sums are the same bits.
type partial struct {
	channel, in, out   []float64
	pairs, unreachable float64
	traffic, hops      float64
	routes             float64
	without            []float64 // by set of classes
	maxHops            uint16
}

func (p *partial) merge(q *partial) {
	for i, x := range q.channel {
		p.channel[i] += x
	}
	for i, x := range q.in {
		p.in[i] += x
	}
	for i, x := range q.out {
		p.out[i] += x
	}
	p.pairs += q.pairs
	p.unreachable += q.unreachable
	p.traffic += q.traffic
	p.hops += q.hops
	p.routes += q.routes
	for i, x := range q.without {
		p.without[i] += x
	}
	p.maxHops = max(p.maxHops, q.maxHops)
}

// spreader pushes the traffic of one job after another from its sources to its destination.
type spreader struct {
	*search
	partial
	flow, routes []float64 // per node of the product graph
	avoid        []uint64
	shares       [][]float64 // by set of avoid and node, the share of routes that cross none of its links
	hops         []Hop
	at           []int
	start        []int32
	weight       float64 // of the job
	count        bool
}

func (r *Router) newPartial(ports int32) partial {
	return partial{channel: make([]float64, r.Net.Channels()), in: make([]float64, ports), out: make([]float64, ports)}
}

// blocks is the number of blocks that the jobs are cut into: 16, so that few workers wait at the
// end, or fewer where the sums of 16 would take more than 512 MB.
func (r *Router) blocks(jobs int) int {
	const bytes = 512 << 20
	b := bytes / (8 * (r.Net.Channels() + 1))
	return max(1, min(16, b, jobs))
}

// portStart numbers the ports of sets: those of set i are [start[i], start[i+1]).
func (r *Router) portStart() []int32 {
	start := make([]int32, len(r.Sets)+1)
	for i := range r.Sets {
		start[i+1] = start[i] + int32(len(r.Sets[i].Ports))
	}
	return start
}

// loads runs all jobs and sums up.
func (r *Router) loads(ctx context.Context, jobs []job, opt LoadOptions) (*Loads, error) {
	start := r.portStart()
	nb := r.blocks(len(jobs))
	parts := make([]partial, nb)
	each(ctx, opt.Workers, nb, func() func(int) {
		s := &spreader{search: newSearch(r), start: start, count: opt.Routes}
		s.flow = make([]float64, len(s.field.Dist))
		if opt.Routes {
			s.routes = make([]float64, len(s.field.Dist))
		}
		for range opt.Avoid {
			s.shares = append(s.shares, make([]float64, len(s.field.Dist)))
		}
		s.avoid = opt.Avoid
		return func(b int) {
			s.partial = r.newPartial(start[len(r.Sets)])
			s.without = make([]float64, len(opt.Avoid))
			for i := b * len(jobs) / nb; i < (b+1)*len(jobs)/nb && ctx.Err() == nil; i++ {
				s.push(jobs[i])
			}
			parts[b] = s.partial
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for b := 1; b < nb; b++ {
		parts[0].merge(&parts[b])
		parts[b] = partial{}
	}
	return r.finish(&parts[0], start, opt), nil
}

// push adds the traffic of a job.
func (s *spreader) push(j job) {
	s.run(j.set)
	s.weight = j.weight
	if s.count {
		s.countRoutes(j.set)
	}
	if len(s.avoid) > 0 {
		s.shareWithout()
	}
	for _, f := range j.flows {
		s.enter(f.Src, f.Rate, f.Rate)
	}
	switch {
	case j.flows == nil:
		s.uniform(j.set, j.weight/float64(s.r.Net.Endpoints()-1), j.weight)
	case j.part != 0:
		rate := j.part / float64(s.r.Net.Endpoints()-1)
		s.uniform(j.set, rate, rate)
	}
	s.sweep(j.set)
}

// uniform lets every endpoint send at a rate to each one of a set; weight is that of each pair's statistics.
func (s *spreader) uniform(set int, rate, weight float64) {
	dst := float64(s.r.Sets[set].Endpoints)
	for i := range s.r.Sets {
		pairs := float64(s.r.Sets[i].Endpoints) * dst
		if i == set {
			pairs -= dst // nobody sends to itself
		}
		if pairs > 0 {
			s.enter(i, pairs*rate, pairs*weight)
		}
	}
}

// enter lets a set send at a rate, over its nearest ports equally; pairs weighs its statistics.
func (s *spreader) enter(src int, rate, pairs float64) {
	r := s.r
	var d uint16
	s.at, d = r.Inject(&s.field, src, s.at[:0])
	s.pairs += pairs
	if d == Unreachable {
		s.unreachable += pairs
		return
	}
	s.traffic += pairs
	s.partial.hops += pairs * float64(d)
	s.maxHops = max(s.maxHops, d)
	set := &r.Sets[src]
	var total int32
	for _, i := range s.at {
		total += set.Ports[i].Count
	}
	for _, i := range s.at {
		p := set.Ports[i]
		x := int(p.Switch) * r.states
		part := rate * float64(p.Count) / float64(total)
		s.flow[x] += part
		s.in[s.start[src]+int32(i)] += part / (float64(p.Count) * float64(set.Endpoints))
		if s.count {
			s.partial.routes += pairs * s.routes[x] * float64(p.Count)
		}
		for k, shares := range s.shares {
			s.without[k] += pairs * shares[x] * float64(p.Count) / float64(total)
		}
	}
}

// sweep moves what has entered to the destination, most distant first.
func (s *spreader) sweep(dst int) {
	r, S, f := s.r, s.r.states, &s.field
	for k := len(f.order) - 1; k >= 0; k-- {
		x := int(f.order[k])
		amount := s.flow[x]
		if amount == 0 {
			continue
		}
		s.flow[x] = 0
		sw := topology.SwitchID(x / S)
		if f.Dist[x] == 0 {
			s.eject(dst, sw, amount)
			continue
		}
		s.hops = r.Next(f, sw, uint8(x%S), s.hops[:0])
		amount /= float64(len(s.hops))
		for _, h := range s.hops {
			s.channel[h.Channel] += amount
			s.flow[int(r.Net.To(h.Channel))*S+int(h.State)] += amount
		}
	}
}

func (s *spreader) eject(dst int, sw topology.SwitchID, amount float64) {
	set := &s.r.Sets[dst]
	for i, p := range set.Ports {
		if p.Switch == sw {
			s.out[s.start[dst]+int32(i)] += amount / (s.weight * float64(p.Count) * float64(set.Endpoints))
			return
		}
	}
}

// countRoutes counts the shortest routes from every node to an endpoint of the set, nearest first.
// Parallel links count one by one, those of the endpoint too.
func (s *spreader) countRoutes(dst int) {
	r, S, f := s.r, s.r.states, &s.field
	for _, x := range f.order {
		if f.Dist[x] == 0 {
			for _, p := range r.Sets[dst].Ports {
				if int(p.Switch) == int(x)/S {
					s.routes[x] = float64(p.Count)
				}
			}
			continue
		}
		s.hops = r.Next(f, topology.SwitchID(int(x)/S), uint8(int(x)%S), s.hops[:0])
		var sum float64
		for _, h := range s.hops {
			sum += s.routes[int(r.Net.To(h.Channel))*S+int(h.State)]
		}
		s.routes[x] = sum
	}
}

// shareWithout gives for each set of classes the share of what every node sends whose route to the set of ports crosses no link of it, nearest first.
func (s *spreader) shareWithout() {
	r, S, f := s.r, s.r.states, &s.field
	for _, x := range f.order {
		if f.Dist[x] == 0 {
			for _, shares := range s.shares {
				shares[x] = 1
			}
			continue
		}
		s.hops = r.Next(f, topology.SwitchID(int(x)/S), uint8(int(x)%S), s.hops[:0])
		for set, shares := range s.shares {
			sum := 0.0
			for _, h := range s.hops {
				if s.avoid[set]>>r.Net.LinkClass(h.Channel)&1 == 0 {
					sum += shares[int(r.Net.To(h.Channel))*S+int(h.State)]
				}
			}
			shares[x] = sum / float64(len(s.hops))
		}
	}
}

// finish turns sums into Loads.
func (r *Router) finish(p *partial, start []int32, opt LoadOptions) *Loads {
	all := opt.Orbits == nil && opt.Sample == 0
	l := &Loads{Pairs: p.pairs, UnreachablePairs: p.unreachable, MaxHops: int(p.maxHops), PortStart: start,
		MeanHops: math.NaN(), Exact: all || opt.Orbits != nil && (opt.Even || opt.Channels != nil), Method: "equal split hop by hop, all destinations"}
	if opt.Channels != nil {
		average(p.channel, opt.Channels)
	}
	if p.traffic > 0 {
		l.MeanHops = p.hops / p.traffic
		l.Routes = p.routes / p.traffic
		for _, x := range p.without {
			l.Without = append(l.Without, x/p.traffic)
		}
	}
	l.Kinds = make([]KindLoad, len(r.Kinds))
	for i := range l.Kinds {
		l.Kinds[i] = KindLoad{Kind: r.Kinds[i], Busiest: -1}
	}
	for c, x := range p.channel {
		k := &l.Kinds[r.kind[c]]
		k.Channels++
		k.Total += x
		if x > k.Max || k.Busiest < 0 {
			k.Max, k.Busiest = x, topology.ChannelID(c)
		}
	}
	// A single port that has all lanes of an endpoint carries whatever it sends; the last one that failures left of several does not.
	full := r.Net.Lanes[nicClass(r.Net)] >= r.Net.EndpointLanes
	for i := range r.Sets {
		set := &r.Sets[i]
		if set.ports() == 0 || set.ports() == 1 && full || r.Net.Embedded(set.Ports[0].Switch) {
			continue
		}
		for at := start[i]; at < start[i+1]; at++ {
			l.maxPort = max(l.maxPort, p.out[at])
			if all {
				l.maxPort = max(l.maxPort, p.in[at])
			}
		}
	}
	if all {
		l.Channel, l.In, l.Out = p.channel, p.in, p.out
		return l
	}
	if opt.Channels != nil {
		l.Channel, l.Method = p.channel, "equal split hop by hop, destinations and channels by symmetry"
		return l
	}
	l.Method = "equal split hop by hop, destinations by symmetry, averaged over the channels of a kind"
	if opt.Sample > 0 {
		l.Method = fmt.Sprintf("equal split hop by hop, a sample of %d of %d destinations, averaged over the channels of a kind", opt.Sample, len(r.Sets))
	}
	for i := range l.Kinds {
		l.Kinds[i].Max, l.Kinds[i].Busiest = l.Kinds[i].Mean(), -1
	}
	return l
}

// average gives each channel the mean of those that have the same lowest one.
func average(load []float64, lowest []int32) {
	count := make([]int32, len(load))
	for c, low := range lowest {
		if count[low]++; int(low) != c {
			load[low] += load[c]
		}
	}
	for c, low := range lowest {
		if int(low) == c {
			load[c] /= float64(count[c])
		} else {
			load[c] = load[low]
		}
	}
}
