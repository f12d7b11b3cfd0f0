package traffic

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
)

// Load is what a traffic asks of a network at an offered load of 1.
type Load struct {
	*routing.Loads
	// Flows are what goes from one attachment set to another beside the uniform part.
	Flows []routing.Flow
	In    []float64 // what each endpoint takes
	Out   float64   // the most that one sends
}

// mostShares bounds the pairs of endpoints that are looked at one by one: seconds.
const mostShares = 1 << 28

// Load computes the loads of the pattern over the routes of a router, for its network.
func (p *Pattern) Load(ctx context.Context, r *routing.Router, workers int) (*Load, error) {
	l := &Load{In: make([]float64, p.n)}
	n, sets := r.Net, len(r.Sets)
	for e := range l.In {
		l.In[e] = p.uniform
	}
	rate, touched := make([]float64, sets), make([]bool, sets)
	members := make([][]topology.EndpointID, sets)
	for e := range topology.EndpointID(p.n) {
		s := r.SetOf[n.GroupOf(e)]
		members[s] = append(members[s], e)
	}
	var order []int32
	shares := 0
	for s, list := range members {
		for _, e := range list {
			sent := p.uniform
			p.Shares(e, func(dst int, part float64) {
				shares++
				sent += part
				l.In[dst] += part
				t := r.SetOf[n.GroupOf(topology.EndpointID(dst))]
				if !touched[t] {
					touched[t] = true
					order = append(order, t)
				}
				rate[t] += part
			})
			l.Out = max(l.Out, sent)
		}
		if shares > mostShares {
			return nil, fmt.Errorf("traffic %s has more than %d pairs of endpoints with a rate of their own: too many to compute loads from", p.name, mostShares)
		}
		for _, t := range order {
			l.Flows = append(l.Flows, routing.Flow{Src: s, Dst: int(t), Rate: rate[t]})
			rate[t], touched[t] = 0, false
		}
		order = order[:0]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	var err error
	if p.uniform == 1 && len(l.Flows) == 0 {
		l.Loads, err = r.UniformLoads(ctx, routing.LoadOptions{Workers: workers})
	} else {
		l.Loads, err = r.MixedLoads(ctx, p.uniform, l.Flows, routing.LoadOptions{Workers: workers})
	}
	return l, err
}

// MostIn is the most that an endpoint takes, and which does; the lowest of several.
func (l *Load) MostIn() (most float64, e topology.EndpointID) {
	for i, x := range l.In {
		if x > most*(1+1e-9) { // of equals the first, whatever was rounded
			most, e = x, topology.EndpointID(i)
		}
	}
	return most, e
}

// Throughput is the largest offered load at which neither a channel nor an endpoint is asked more than it carries, and
// what limits it, in words. It may be above 1, which endpoints cannot send.
func (l *Load) Throughput(n *topology.Network) (load float64, by string) {
	limit := l.Loads.Throughput(n)
	if l.UnreachablePairs > 0 {
		return 0, "some pairs have no route"
	}
	load, by = l.Ends()
	if limit.None || limit.Throughput > load {
		return load, by
	}
	load, by = limit.Throughput, "ports of endpoints"
	if limit.Kind >= 0 {
		k := l.Kinds[limit.Kind].Kind
		by = fmt.Sprintf("links of class %s from %s to %s", n.LinkClasses[k.Link].Name, n.SwitchClasses[k.From].Name, n.SwitchClasses[k.To].Name)
	}
	return load, by
}

// Ends is the same of endpoints alone.
func (l *Load) Ends() (load float64, by string) {
	most, e := l.MostIn()
	if l.Out >= most {
		return 1 / l.Out, "what endpoints send"
	}
	return 1 / most, fmt.Sprintf("endpoint %d, which takes %.4g of what one can send", e, most)
}
