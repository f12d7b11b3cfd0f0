package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// WorstCase encloses what a rule carries of any traffic in which no endpoint sends or takes more than its bandwidth,
// split equally hop by hop. Of an oblivious routing that is decided channel by channel: the worst traffic of one is a
// matching of sources and destinations that weighs most, the weight of a pair being the part of its traffic that crosses
// the channel (Towles and Dally, "Worst-case Traffic for Oblivious Routing Functions", SPAA 2002).
type WorstCase struct {
	// Bound is no less than the relative load of each channel and port under any traffic, in the order of
	// Loads.Relative. Of channels that may be the busiest it is that of the heaviest matching; of others, and where these take too long,
	// the least of three sums, which cover the weights of all pairs as the dual of the matching asks:
	// what sources can send over the channel, each to its worst destination; what destinations can take over it, each
	// from its worst source; and what sources can send over it in the first half of a route with what destinations can
	// take in the second.
	//
	// Of a port it is the most that one endpoint sends or takes through it, all of its bandwidth to or from the worst partner: sums over the endpoints of a set
	// would spread that over the ports of all.
	Bound []float64
	// Worst is the heaviest matching of the busiest of them.
	Worst []Flow
	// Alone is, if the busiest is a port, the load of the one flow that fills it so, in the order of Bound; else nil.
	Alone []float64
}

// WorstBytes is the memory that WorstCase takes: the largest shares of every source on every channel, pairs in lists that grow, and the matching.
func WorstBytes(sets, channels float64) float64 {
	return sets*(16*channels+22*sets) + 2*16*min(listedPairs, sets*sets*min(channels, listedAtOnce))
}

// WorstCase computes it; single is for routings that put a flow on one of its paths, whichever it is: the whole of a
// pair's traffic then counts on every channel that any part of it may cross. alike, if not nil, has for each link class the first of those
// whose channels in one direction are all alike (topology.Symmetry), so that one of them stands for all. It is an error if some pairs have no route.
func (r *Router) WorstCase(ctx context.Context, capacity func(link int) float64, single bool, alike []int) (*WorstCase, error) {
	p := newPairs(r, capacity, single)
	var kind []uint16
	if alike != nil {
		kind = r.alikeKinds(alike)
		if bound, worst, err := p.alike(ctx, kind); bound != nil || err != nil {
			return &WorstCase{Bound: bound, Worst: worst}, err
		}
	}
	n, m := len(r.Sets), len(p.scale)
	rows, nearRows := make([]float64, n*m), make([]float64, n*m) // of each source, over destinations
	columns, farColumns := make([]float64, m), make([]float64, m)
	most, farMost := make([]float64, m), make([]float64, m) // of the destination at hand, over sources
	err := p.each(ctx, func(src, dst int) {
		from, to := float64(r.Sets[src].Endpoints), float64(r.Sets[dst].Endpoints)
		row, near := rows[src*m:][:m], nearRows[src*m:][:m]
		for _, c := range p.touched {
			x := p.of(c)
			row[c] = max(row[c], from*x)
			near[c] = max(near[c], from*p.near[c]*p.scale[c])
			most[c], farMost[c] = max(most[c], to*x), max(farMost[c], to*p.far[c]*p.scale[c])
		}
		if src == n-1 {
			for c := range most {
				columns[c] += most[c]
				farColumns[c] += farMost[c]
			}
			clear(most)
			clear(farMost)
		}
	})
	if err != nil {
		return nil, err
	}
	w := &WorstCase{Bound: columns}
	if m == 0 { // no channel, nor a port beside another
		return w, nil
	}
	busiest, total := 0, make([]float64, m)
	for i := range rows {
		total[i%m] += rows[i]
		farColumns[i%m] += nearRows[i]
	}
	ports := r.Net.Channels()
	for c := range columns {
		switch {
		case c < ports:
			columns[c] = min(columns[c], total[c], farColumns[c])
		case (c-ports)%2 == 0: // towards the network: what one source sends; of a port from it the sum has what one destination takes
			columns[c] = total[c]
		}
		if columns[c] > columns[busiest]*(1+1e-9) {
			busiest = c
		}
	}
	if busiest >= ports {
		if !single {
			if w.Alone, err = p.alone(ctx, busiest); err != nil {
				return nil, err
			}
		}
		w.Worst, err = p.heaviest(ctx, busiest)
		return w, err
	}
	_, w.Worst, err = p.matcher().tighten(ctx, columns[:ports], kind, p.list(ctx))
	return w, err
}

// matcher is of sets, with all their endpoints.
func (p *pairs) matcher() *matcher {
	ends := make([]int32, len(p.r.Sets))
	for i := range ends {
		ends[i] = int32(p.r.Sets[i].Endpoints)
	}
	return newMatcher(ends, ends)
}

// list is for matcher.tighten.
func (p *pairs) list(ctx context.Context) func(wanted []bool, add func(c int32, pair crossing) bool) error {
	return func(wanted []bool, add func(c int32, pair crossing) bool) error {
		more := true
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		err := p.each(ctx, func(src, dst int) {
			for _, c := range p.touched {
				if more && int(c) < len(wanted) && wanted[c] {
					if more = add(c, crossing{int32(src), int32(dst), p.of(c)}); !more {
						stop()
					}
				}
			}
		})
		if !more {
			return nil
		}
		return err
	}
}

// alone is the load of one flow, of an endpoint's bandwidth, that loads a port most.
func (p *pairs) alone(ctx context.Context, port int) (load []float64, err error) {
	most := 0.0
	err = p.each(ctx, func(src, dst int) {
		x := p.of(int32(port))
		if x <= most {
			return
		}
		most, load = x, make([]float64, len(p.scale))
		for _, c := range p.touched {
			load[c] = p.of(c)
		}
		for _, set := range []int{src, dst} { // its endpoints share what each of them sends or takes
			if at := int(p.start[set]); at >= 0 {
				for i := range 2 * len(p.r.Sets[set].Ports) {
					load[at+i] *= float64(p.r.Sets[set].Endpoints)
				}
			}
		}
	})
	return load, err
}

// Even is the largest Bound of channels of each kind where all of a kind are alike and orbits stand for all endpoints (topology.Symmetry), and
// behind them that of a port: what all sources send over a channel of a kind is, in the mean over the kind, what those that stand for others
// do. It follows as many pairs as there are sets, twice for each orbit.
func (r *Router) Even(ctx context.Context, capacity func(link int) float64, orbits []topology.Orbit) ([]float64, error) {
	p := newPairs(r, capacity, false)
	rows, columns, halves := make([]float64, len(r.Kinds)), make([]float64, len(r.Kinds)), make([]float64, len(r.Kinds))
	port := 0.0
	for _, o := range orbits {
		rep, count := int(r.SetOf[r.Net.GroupOf(topology.EndpointID(o.Rep))]), float64(o.Count)
		for _, to := range []bool{false, true} {
			most, half := make([]float64, len(p.scale)), make([]float64, len(p.scale))
			err := p.every(ctx, rep, to, func() {
				for _, c := range p.touched {
					x := p.near
					if to {
						x = p.far
					}
					most[c], half[c] = max(most[c], p.of(c)), max(half[c], x[c]*p.scale[c])
				}
			})
			if err != nil {
				return nil, err
			}
			sums := rows
			if to {
				sums = columns
			}
			for c := range r.Net.Channels() {
				k := r.kind[c]
				sums[k] += count * most[c]
				halves[k] += count * half[c]
			}
			for i, c := range p.start {
				if at := int(c); at >= 0 && i == rep {
					for j := range r.Sets[i].Ports {
						port = max(port, float64(r.Sets[i].Endpoints)*most[at+2*j], float64(r.Sets[i].Endpoints)*most[at+2*j+1])
					}
				}
			}
		}
	}
	number := make([]float64, len(r.Kinds))
	for _, k := range r.kind {
		number[k]++
	}
	out := make([]float64, 0, len(r.Kinds)+1)
	for k := range r.Kinds {
		out = append(out, min(rows[k], columns[k], halves[k])/number[k])
	}
	return append(out, port), nil
}

// every follows a unit from a set to each other one, or from each to it.
func (p *pairs) every(ctx context.Context, rep int, to bool, visit func()) error {
	for i := range p.r.Sets {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, dst := rep, i
		if to {
			src, dst = i, rep
		}
		if !to || i == 0 {
			p.aim(dst)
		}
		if src == dst {
			continue
		}
		if !p.follow(src, dst) {
			return fmt.Errorf("routing: no route from endpoint %d to endpoint %d", p.r.Sets[src].First, p.r.Sets[dst].First)
		}
		visit()
		p.clear()
	}
	return nil
}

// heaviest is the matching that loads a channel or port most.
func (p *pairs) heaviest(ctx context.Context, channel int) (out []Flow, err error) {
	var over []crossing
	err = p.each(ctx, func(src, dst int) {
		if x := p.of(int32(channel)); x > 0 {
			over = append(over, crossing{int32(src), int32(dst), x})
		}
	})
	if err != nil {
		return nil, err
	}
	_, _, err = p.matcher().heaviest(ctx, over, func(src, dst, amount int32) { out = append(out, Flow{int(src), int(dst), float64(amount)}) })
	return out, err
}
