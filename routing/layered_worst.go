package routing

import "context"

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
		_, hops := t.Layer(row, p.Switch)
		hop := 0
		for c := t.Next(row, p.Switch); c >= 0; c = t.Next(row, t.Router.Net.To(c)) {
			visit(int(c), 2*hop <= int(hops)-1)
			hop++
		}
	}
}
