package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// enterPairs bounds the pairs of endpoints with several ports of which it is looked up at which port each enters, some 50 ns each. Of more, ports are loaded
// evenly but for a pair more or less, of a thousand that an endpoint sends to.
const enterPairs = 1 << 20

// UniformLoads gives the loads of uniform traffic: every endpoint sends 1/(N-1) to every other, over its path; avoid is LoadOptions.Avoid.
func (t *Layered) UniformLoads(ctx context.Context, avoid ...uint64) (*Loads, error) {
	n := t.Router.Net
	if n.Endpoints() < 2 {
		return nil, ErrNoTraffic
	}
	if N := n.Endpoints(); N <= enterPairs/N && SeveralPorts(n) {
		return t.pairLoads(ctx, avoid)
	}
	return t.loads(ctx, t.uniform, avoid)
}

// pairLoads are the loads of uniform traffic pair by pair, each from the port that it takes (Enter). A port of a set carries what that of its busiest
// endpoint does.
func (t *Layered) pairLoads(ctx context.Context, avoid []uint64) (*Loads, error) {
	r, n := t.Router, t.Router.Net
	start := r.portStart()
	sum := carried{r.newPartial(start[len(r.Sets)]), avoid}
	sum.without = make([]float64, len(avoid))
	share := 1 / float64(n.Endpoints()-1)
	in := make([][]float64, n.Endpoints()) // by endpoint and its port
	for e := range in {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		in[e] = make([]float64, len(ports))
	}
	pairs := make([]float64, n.Switches()) // to a destination, by the switch at which they enter
	for dst := range in {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, set := t.Row(topology.EndpointID(dst)), r.SetOf[n.GroupOf(topology.EndpointID(dst))]
		clear(pairs)
		for src := range in {
			if src == dst {
				continue
			}
			sum.pairs++
			port := t.Enter(topology.EndpointID(src), topology.EndpointID(dst))
			if port < 0 {
				sum.unreachable++
				continue
			}
			sum.traffic++
			in[src][port] += share
			_, _, ports := n.Group(n.GroupOf(topology.EndpointID(src)))
			pairs[ports[port]]++
		}
		out := make([]float64, len(r.Sets[set].Ports))
		for s, k := range pairs {
			if k == 0 {
				continue
			}
			last := t.carry(&sum, row, topology.SwitchID(s), k*share, k)
			for i, p := range r.Sets[set].Ports {
				if p.Switch == last {
					out[i] += k * share / float64(p.Count)
				}
			}
		}
		for i, x := range out {
			sum.out[start[set]+int32(i)] = max(sum.out[start[set]+int32(i)], x)
		}
	}
	for e, loads := range in {
		set := r.SetOf[n.GroupOf(topology.EndpointID(e))]
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		for i, p := range r.Sets[set].Ports {
			for j, s := range ports {
				if s == p.Switch {
					sum.in[start[set]+int32(i)] = max(sum.in[start[set]+int32(i)], loads[j])
				}
			}
		}
	}
	l := r.finish(&sum.partial, start, LoadOptions{})
	l.Method = "each pair over its path in the tables, from the port that it takes"
	return l, nil
}

// carried are the sums of what paths carry.
type carried struct {
	partial
	avoid []uint64
}

// carry adds what goes over the channels from a switch to a row, and gives the last switch.
func (t *Layered) carry(sum *carried, row int, s topology.SwitchID, rate, pairs float64) topology.SwitchID {
	hops, crossed, n := 0, uint64(0), t.Router.Net
	for c := t.Next(row, s); c >= 0; c = t.Next(row, s) {
		sum.channel[c] += rate
		crossed |= 1 << n.LinkClass(c)
		s = n.To(c)
		hops++
	}
	sum.hops += pairs * float64(hops)
	for i, set := range sum.avoid {
		if crossed&set == 0 {
			sum.without[i] += pairs
		}
	}
	sum.maxHops = max(sum.maxHops, uint16(hops))
	return s
}

// sending calls send for what each set sends to a row: its rate, and the pairs, or what weighs as much, that it is of.
type sending func(row int, send func(src int, rate, pairs float64))

func (t *Layered) uniform(row int, send func(src int, rate, pairs float64)) {
	d, share := t.rows[row], 1/float64(t.Router.Net.Endpoints()-1)
	for i := range t.Router.Sets {
		pairs := float64(t.Router.Sets[i].Endpoints) * float64(d.endpoints)
		if i == int(d.set) {
			pairs -= float64(d.endpoints) // nobody sends to itself
		}
		if pairs > 0 {
			send(i, pairs*share, pairs)
		}
	}
}

// FlowLoads gives the loads of flows between sets. What goes to a set is shared out equally over its endpoints: where
// these are destinations of their own the loads of a permutation are means over who of a set sends to whom, and where endpoints have several ports
// means over which of them who takes (Enter).
func (t *Layered) FlowLoads(ctx context.Context, flows []Flow) (*Loads, error) {
	to, err := t.flows(flows)
	if err != nil {
		return nil, err
	}
	l, err := t.loads(ctx, to, nil)
	if err == nil {
		l.Exact = len(t.rows) == len(t.Router.Sets) && !SeveralPorts(t.Router.Net)
	}
	return l, err
}

func (t *Layered) flows(flows []Flow) (sending, error) {
	to := make([][]Flow, len(t.Router.Sets))
	for _, f := range flows {
		if f.Src < 0 || f.Src >= len(to) || f.Dst < 0 || f.Dst >= len(to) {
			return nil, fmt.Errorf("routing: flow from set %d to set %d of %d", f.Src, f.Dst, len(to))
		}
		to[f.Dst] = append(to[f.Dst], f)
	}
	return func(row int, send func(src int, rate, pairs float64)) {
		d := t.rows[row]
		part := float64(d.endpoints) / float64(t.Router.Sets[d.set].Endpoints)
		for _, f := range to[d.set] {
			send(f.Src, f.Rate*part, f.Rate*part)
		}
	}, nil
}

// loads adds up what is sent to every row.
func (t *Layered) loads(ctx context.Context, to sending, avoid []uint64) (*Loads, error) {
	r := t.Router
	start := r.portStart()
	sum := carried{r.newPartial(start[len(r.Sets)]), avoid}
	sum.without = make([]float64, len(avoid))
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to(row, func(src int, rate, pairs float64) { t.send(&sum, start, row, src, rate, pairs) })
	}
	l := r.finish(&sum.partial, start, LoadOptions{})
	l.Method = "each pair over its path in the tables"
	return l, nil
}

// send lets a set send to a row, over the ports at which it enters equally.
func (t *Layered) send(sum *carried, start []int32, row, src int, rate, pairs float64) {
	set, dst := &t.Router.Sets[src], t.rows[row].set
	sum.pairs += pairs
	least, ports := t.entrance(row, set)
	if least == Far {
		sum.unreachable += pairs
		return
	}
	sum.traffic += pairs
	for i, p := range set.Ports {
		if _, hops := t.Layer(row, p.Switch); hops > least {
			continue
		}
		part := float64(p.Count) / float64(ports)
		sum.in[start[src]+int32(i)] += rate * part / (float64(p.Count) * float64(set.Endpoints))
		t.eject(sum, start, dst, t.carry(sum, row, p.Switch, rate*part, pairs*part), rate*part)
	}
}

// entrance is how few hops a row is away from a set, Far if there is no route, and at how many ports of an endpoint packets enter.
func (t *Layered) entrance(row int, set *Set) (least uint8, ports int32) {
	least = Far
	for _, p := range set.Ports {
		switch _, hops := t.Layer(row, p.Switch); {
		case hops < least:
			least, ports = hops, p.Count
		case hops == least:
			ports += p.Count
		}
	}
	return least, ports
}

func (t *Layered) eject(sum *carried, start []int32, dst int32, s topology.SwitchID, amount float64) {
	set := &t.Router.Sets[dst]
	for i, p := range set.Ports {
		if p.Switch == s {
			sum.out[start[dst]+int32(i)] += amount / (float64(p.Count) * float64(set.Endpoints))
			return
		}
	}
}

// Deal says how many of a channel's VCs each layer has: one, and each that is left goes to the layer with the most uniform traffic, flits times hops, for each VC that it has, so that
// this is least. Layers are filled one after another, and the last may be nearly empty.
func (t *Layered) Deal(have int) []int {
	traffic, vcs := make([]float64, max(t.Layers, 1)), make([]int, max(t.Layers, 1))
	for row := range t.rows {
		t.uniform(row, func(src int, rate, _ float64) {
			set := &t.Router.Sets[src]
			least, ports := t.entrance(row, set)
			for _, p := range set.Ports {
				if layer, hops := t.Layer(row, p.Switch); hops == least && least != Far {
					traffic[layer] += rate * float64(p.Count) / float64(ports) * float64(hops)
				}
			}
		})
	}
	for i := range vcs {
		vcs[i] = 1
	}
	for range have - len(vcs) {
		most := 0
		for i := range vcs {
			if traffic[i]/float64(vcs[i]) > traffic[most]/float64(vcs[most]) {
				most = i
			}
		}
		vcs[most]++
	}
	return vcs
}

// Turns follows uniform traffic (flows nil) or given flows over the paths of the tables; VCs are layers.
func (t *Layered) Turns(ctx context.Context, flows []Flow) (*Turns, error) {
	r := t.Router
	out := &Turns{Router: r, Codes: 2 * max(t.Layers, 1), Layers: true, Deal: t.Deal}
	if err := out.layOut(); err != nil {
		return nil, err
	}
	to := sending(t.uniform)
	if flows != nil {
		var err error
		if to, err = t.flows(flows); err != nil {
			return nil, err
		}
	}
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to(row, func(src int, rate, _ float64) { t.follow(out, row, src, rate) })
	}
	return out, nil
}

// follow adds the turns of what a set sends to a row.
func (t *Layered) follow(out *Turns, row, src int, rate float64) {
	set := &t.Router.Sets[src]
	least, ports := t.entrance(row, set)
	if least == Far {
		return
	}
	for i, p := range set.Ports {
		layer, hops := t.Layer(row, p.Switch)
		if hops > least {
			continue
		}
		part := rate * float64(p.Count) / float64(ports)
		in, s := t.Router.Net.Channels()+int(out.PortStart[src])+i, p.Switch
		for c := t.Next(row, s); c >= 0; c = t.Next(row, s) {
			first, _ := t.Router.Net.Out(s)
			out.Rate[out.Row[in]+int64(c-first)] += part
			out.On[int(c)*out.Codes+2*int(layer)] += part
			in, s = int(c), t.Router.Net.To(c)
		}
		first, end := t.Router.Net.Out(s)
		out.Rate[out.Row[in]+int64(end-first)+int64(out.exit(s, int(t.rows[row].set)))] += part
	}
}
