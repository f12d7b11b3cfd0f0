package routing

import (
	"context"
	"slices"

	"toposearch/topology"
)

// mostSlowestWork bounds channels times destinations times steps of MeanLag: about a second.
const mostSlowestWork = 1e8

// Lag is how far the last flit of a packet is behind its first, which nothing delays, in cycles: a slow
// link spreads them, and at each switch behind it the others catch up, since they need no route and no
// virtual channel.
type Lag struct {
	Link  [topology.MaxClasses]float64 // behind a link of a class
	Catch float64                      // made good at each switch, not beyond what the next link spreads
	Least float64                      // behind the link to the destination, at least
}

// MeanLag is the mean over packets of the lag at their destination: the largest, over the links of the
// route, of what is left of theirs. Flows say who sends to whom, nil being uniform traffic. For networks
// too large to look at all routes it is the least, which is then a lower bound.
func (r *Router) MeanLag(ctx context.Context, lag *Lag, flows []Flow) (float64, error) {
	steps := lag.steps(r.Net)
	least := lag.Least
	if len(steps) == 0 || float64(len(steps))*float64(len(r.Sets))*float64(r.Net.Channels()) > mostSlowestWork {
		return least, nil
	}
	s := slowest{search: newSearch(r), lag: lag, avoid: make([]float64, r.Net.Switches()*r.states)}
	by := make([][]Flow, len(r.Sets))
	for _, f := range flows {
		by[f.Dst] = append(by[f.Dst], f)
	}
	sum, pairs := 0.0, 0.0
	for dst := range r.Sets {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := by[dst]
		if flows == nil {
			from = r.uniformTo(dst)
		}
		if len(from) == 0 {
			continue
		}
		s.run(dst)
		before := least
		for i, c := range steps {
			meet, all := s.meet(c, from)
			sum += (c - before) * meet
			before = c
			if i == 0 {
				pairs += all
			}
		}
	}
	if pairs == 0 {
		return least, nil
	}
	return least + sum/pairs, nil
}

// left is what is left of the lag of a link of class c behind a number of switches.
func (l *Lag) left(c, switches int) float64 { return l.Link[c] - l.Catch*float64(switches) }

// mostLagSteps bounds the switches over which a lag is followed; those behind more are left out.
const mostLagSteps = 64

// steps lists the lags above the least that a destination can see, ascending.
func (l *Lag) steps(n *topology.Network) (out []float64) {
	for c := range n.LinkClasses {
		for k := 1; k <= mostLagSteps && l.left(c, k) > l.Least; k++ {
			if x := l.left(c, k); !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	return out
}

// uniformTo lists uniform traffic to a set, every pair of endpoints counting 1.
func (r *Router) uniformTo(dst int) (out []Flow) {
	for src := range r.Sets {
		pairs := r.Sets[src].Endpoints * r.Sets[dst].Endpoints
		if src == dst {
			pairs -= r.Sets[dst].Endpoints
		}
		if pairs > 0 {
			out = append(out, Flow{src, dst, float64(pairs)})
		}
	}
	return out
}

// slowest is the scratch space of MeanLag.
type slowest struct {
	*search
	lag   *Lag
	avoid []float64 // by node: the chance that what is left of the route has no link of such a lag
	hops  []Hop
	at    []int
}

// meet is how much of the traffic arrives with such a lag or more, and how much there is.
func (s *slowest) meet(lag float64, flows []Flow) (meet, all float64) {
	r, S := s.r, s.r.states
	for _, x := range s.field.order {
		if s.field.Dist[x] == 0 {
			s.avoid[x] = 1
			continue
		}
		s.hops = r.Next(&s.field, topology.SwitchID(int(x)/S), uint8(int(x)%S), s.hops[:0])
		sum := 0.0
		for _, h := range s.hops {
			if s.lag.left(r.Net.LinkClass(h.Channel), int(s.field.Dist[x])) < lag {
				sum += s.avoid[int(r.Net.To(h.Channel))*S+int(h.State)]
			}
		}
		s.avoid[x] = sum / float64(max(len(s.hops), 1))
	}
	for _, f := range flows {
		var d uint16
		if s.at, d = r.Inject(&s.field, f.Src, s.at[:0]); d == Unreachable {
			continue
		}
		sum, ports := 0.0, 0.0
		for _, i := range s.at {
			p := r.Sets[f.Src].Ports[i]
			sum += float64(p.Count) * s.avoid[int(p.Switch)*S]
			ports += float64(p.Count)
		}
		meet += f.Rate * (1 - sum/ports)
		all += f.Rate
	}
	return meet, all
}
