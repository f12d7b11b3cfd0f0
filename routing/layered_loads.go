package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// UniformLoads gives the loads of uniform traffic: every endpoint sends 1/(N-1) to every other, over its path.
func (t *Layered) UniformLoads(ctx context.Context) (*Loads, error) {
	n := t.Router.Net
	if n.Endpoints() < 2 {
		return nil, ErrNoTraffic
	}
	share := 1 / float64(n.Endpoints()-1)
	return t.loads(ctx, func(row int, send func(src int, rate, pairs float64)) {
		d := t.rows[row]
		for i := range t.Router.Sets {
			pairs := float64(t.Router.Sets[i].Endpoints) * float64(d.endpoints)
			if i == int(d.set) {
				pairs -= float64(d.endpoints) // nobody sends to itself
			}
			if pairs > 0 {
				send(i, pairs*share, pairs)
			}
		}
	})
}

// FlowLoads gives the loads of flows between sets. What goes to a set is shared out equally over its endpoints: where
// these are destinations of their own the loads of a permutation are means over who of a set sends to whom.
func (t *Layered) FlowLoads(ctx context.Context, flows []Flow) (*Loads, error) {
	to := make([][]Flow, len(t.Router.Sets))
	for _, f := range flows {
		if f.Src < 0 || f.Src >= len(to) || f.Dst < 0 || f.Dst >= len(to) {
			return nil, fmt.Errorf("routing: flow from set %d to set %d of %d", f.Src, f.Dst, len(to))
		}
		to[f.Dst] = append(to[f.Dst], f)
	}
	l, err := t.loads(ctx, func(row int, send func(src int, rate, pairs float64)) {
		d := t.rows[row]
		part := float64(d.endpoints) / float64(t.Router.Sets[d.set].Endpoints)
		for _, f := range to[d.set] {
			send(f.Src, f.Rate*part, f.Rate*part)
		}
	})
	if err == nil {
		l.Exact = len(t.rows) == len(t.Router.Sets)
	}
	return l, err
}

// loads adds up what is sent to every row.
func (t *Layered) loads(ctx context.Context, to func(row int, send func(src int, rate, pairs float64))) (*Loads, error) {
	r := t.Router
	start := r.portStart()
	sum := r.newPartial(start[len(r.Sets)])
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to(row, func(src int, rate, pairs float64) { t.send(&sum, start, row, src, rate, pairs) })
	}
	l := r.finish(&sum, start, LoadOptions{})
	l.Method = "each pair over its path in the tables"
	return l, nil
}

// send lets a set send to a row, over the ports at which it enters equally.
func (t *Layered) send(sum *partial, start []int32, row, src int, rate, pairs float64) {
	set, dst := &t.Router.Sets[src], t.rows[row].set
	sum.pairs += pairs
	var ports int32
	least := uint8(Far)
	for _, p := range set.Ports {
		switch _, hops := t.Layer(row, p.Switch); {
		case hops < least:
			least, ports = hops, p.Count
		case hops == least:
			ports += p.Count
		}
	}
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
		hops, nics, s := 0, 0, p.Switch
		for c := t.Next(row, s); c >= 0; c = t.Next(row, s) {
			sum.channel[c] += rate * part
			if t.Router.Net.LinkClasses[t.Router.Net.LinkClass(c)].Name == topology.ClassNic {
				nics++
			}
			s = t.Router.Net.To(c)
			hops++
		}
		sum.hops += pairs * part * float64(hops)
		if nics == 0 {
			sum.noNic += pairs * part
		}
		sum.maxHops = max(sum.maxHops, uint16(hops))
		t.eject(sum, start, dst, s, rate*part)
	}
}

func (t *Layered) eject(sum *partial, start []int32, dst int32, s topology.SwitchID, amount float64) {
	set := &t.Router.Sets[dst]
	for i, p := range set.Ports {
		if p.Switch == s {
			sum.out[start[dst]+int32(i)] += amount / (float64(p.Count) * float64(set.Endpoints))
			return
		}
	}
}
