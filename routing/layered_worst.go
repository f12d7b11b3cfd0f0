package routing

import (
	"context"
	"slices"

	"toposearch/topology"
)

// mostPaired is the number of endpoints with several ports up to which WorstCase follows each pair of them: some seconds.
const mostPaired = 4096

// WorstCase encloses the relative load of the busiest channel or port under the worst traffic in which no endpoint sends or takes more than its
// bandwidth: no traffic loads any by more than hi, and one loads a channel by lo. They are the same unless matchings take too long. A flow keeps to one port
// of each of its endpoints.
func (t *Layered) WorstCase(ctx context.Context, capacity func(link int) float64) (lo, hi float64, err error) {
	r := t.Router
	bound, err := t.MostLoads(ctx)
	if err != nil {
		return 0, 0, err
	}
	scale := r.scales(capacity)
	for c := range bound {
		bound[c] *= scale[c]
	}
	several := SeveralPorts(r.Net)
	if several { // any flow fills a port
		lo = 1 / capacity(nicClass(r.Net))
	}
	if hi = max(lo, largest(bound)); hi <= lo || several && r.Net.Endpoints() > mostPaired {
		return lo, hi, nil
	}
	m := t.matcher(several)
	load, _, err := m.tighten(ctx, bound, nil, func(wanted []bool, add func(c int32, pair crossing) bool) error {
		visit := func(src, dst int, s topology.SwitchID, row int) (more bool) {
			more = true
			t.along(row, s, func(c int, _ bool) {
				more = more && (!wanted[c] || add(int32(c), crossing{int32(src), int32(dst), scale[c]}))
			})
			return more
		}
		if several {
			return t.eachPair(ctx, visit)
		}
		return t.eachRow(ctx, visit)
	})
	return max(lo, load), max(lo, largest(bound)), err
}

func largest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}

// matcher is of sets and rows, or, if they have several ports, of single endpoints.
func (t *Layered) matcher(single bool) *matcher {
	if single {
		ones := slices.Repeat([]int32{1}, t.Router.Net.Endpoints())
		return newMatcher(ones, ones)
	}
	supply, demand := make([]int32, len(t.Router.Sets)), make([]int32, len(t.rows))
	for i := range supply {
		supply[i] = int32(t.Router.Sets[i].Endpoints)
	}
	for i := range demand {
		demand[i] = int32(t.rows[i].endpoints)
	}
	return newMatcher(supply, demand)
}

// eachRow calls visit with every set, row and the switch at which packets enter, until it says no.
func (t *Layered) eachRow(ctx context.Context, visit func(src, dst int, s topology.SwitchID, row int) bool) error {
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		for src := range t.Router.Sets {
			for _, p := range t.Router.Sets[src].Ports {
				if !visit(src, row, p.Switch, row) {
					return nil
				}
			}
		}
	}
	return nil
}

// eachPair does with every pair of endpoints.
func (t *Layered) eachPair(ctx context.Context, visit func(src, dst int, s topology.SwitchID, row int) bool) error {
	n := t.Router.Net
	for dst := range n.Endpoints() {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := t.Row(topology.EndpointID(dst))
		for src := range n.Endpoints() {
			if src == dst {
				continue
			}
			if s, ok := t.entersAt(topology.EndpointID(src), topology.EndpointID(dst)); ok && !visit(src, dst, s, row) {
				return nil
			}
		}
	}
	return nil
}

// MostLoads is no less than the load of each channel under any traffic in which no endpoint sends or takes more than its
// bandwidth, in bandwidths of an endpoint. It is the least of three covers of the pairs with a path over the channel, as
// in WorstCase: their sources, their destinations, and the sources of those that cross it in the first half of their
// path with the destinations of the others. Loads on several ports of an endpoint are not bounded. The time is that of
// following every path twice.
func (t *Layered) MostLoads(ctx context.Context) ([]float64, error) {
	sets, channels := t.Router.Sets, t.Router.Net.Channels()
	from, near := newCover(channels), newCover(channels)
	to, far := newCover(channels), newCover(channels)
	for row, d := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for src := range sets {
			t.cross(row, src, func(c int, first bool) {
				to.add(c, row, d.endpoints)
				if !first {
					far.add(c, row, d.endpoints)
				}
			})
		}
	}
	for src := range sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for row := range t.rows {
			t.cross(row, src, func(c int, first bool) {
				from.add(c, src, sets[src].Endpoints)
				if first {
					near.add(c, src, sets[src].Endpoints)
				}
			})
		}
	}
	most := make([]float64, channels)
	for c := range most {
		most[c] = float64(min(from.endpoints[c], to.endpoints[c], near.endpoints[c]+far.endpoints[c]))
	}
	return most, nil
}

// cover counts the endpoints of different members for each channel, one member after the other.
type cover struct {
	endpoints []int64
	last      []int32 // the member that was added last, counted from 1
}

func newCover(channels int) *cover { return &cover{make([]int64, channels), make([]int32, channels)} }

func (v *cover) add(c, member int, endpoints int64) {
	if v.last[c] != int32(member)+1 {
		v.last[c] = int32(member) + 1
		v.endpoints[c] += endpoints
	}
}

// cross visits the channels over which a set may send to a row, from each of its ports, and tells whether they are in the
// first half of the path.
func (t *Layered) cross(row, src int, visit func(c int, first bool)) {
	for _, p := range t.Router.Sets[src].Ports {
		t.along(row, p.Switch, visit)
	}
}

// along does it from one switch.
func (t *Layered) along(row int, s topology.SwitchID, visit func(c int, first bool)) {
	_, hops := t.Layer(row, s)
	hop := 0
	for c := t.Next(row, s); c >= 0; c = t.Next(row, t.Router.Net.To(c)) {
		visit(int(c), 2*hop <= int(hops)-1)
		hop++
	}
}
