package routing

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
)

// distances is the matrix of distances between sets, [src*sets+dst].
func (r *Router) distances(ctx context.Context) ([]uint16, error) {
	m := len(r.Sets)
	w := make([]uint16, m*m)
	s := newSearch(r)
	var buf []int
	for dst := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, most := s.run(dst), uint16(0)
		for src := range m {
			var d uint16
			if buf, d = r.Inject(f, src, buf[:0]); d == Unreachable {
				return nil, r.unreachable(src, dst)
			}
			w[src*m+dst] = d
			most = max(most, d)
		}
		if dst == 0 && r.free && m > leastWide && most <= mostWide {
			return r.freeDistances(ctx)
		}
	}
	return w, nil
}

func (r *Router) unreachable(src, dst int) error {
	return fmt.Errorf("routing: no route from endpoint %d to endpoint %d: the worst permutation is one of endpoints that all reach each other; take another traffic", r.Sets[src].First, r.Sets[dst].First)
}

// lane is a set of up to 256 destinations, a bit for each, as topology.Distances searches from.
type lane [4]uint64

// leastWide and mostWide are when that pays: a search of many sets at once goes through all channels at each distance, one by one through each of
// them once.
const (
	leastWide = 64
	mostWide  = 16
)

// freeDistances is distances where every walk is a route: backwards from 256 sets at a time, one bit for each (Then et al., The More the Merrier,
// VLDB 2014), about sets/256 times the channels, times the diameter.
func (r *Router) freeDistances(ctx context.Context) ([]uint16, error) {
	const wide = 64 * len(lane{})
	m, n := len(r.Sets), r.Net.Switches()
	dist := make([]uint16, m*m)
	for i := range dist {
		dist[i] = Unreachable
	}
	seen, at, ahead := make([]lane, n), make([]lane, n), make([]lane, n)
	done := make([]lane, m)
	for first := 0; first < m; first += wide {
		clear(seen)
		clear(at)
		clear(done)
		for dst := first; dst < min(first+wide, m); dst++ {
			for _, p := range r.Sets[dst].Ports {
				at[p.Switch][(dst-first)/64] |= 1 << ((dst - first) % 64)
			}
		}
		for d := uint16(0); d < Unreachable; d++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			more := false
			for v := range at {
				for k := range at[v] {
					at[v][k] &^= seen[v][k]
					seen[v][k] |= at[v][k]
				}
				more = more || at[v] != lane{}
			}
			if !more {
				break
			}
			for src := range r.Sets {
				var now lane
				for _, p := range r.Sets[src].Ports {
					for k := range now {
						now[k] |= at[p.Switch][k]
					}
				}
				for k := range now {
					fresh := now[k] &^ done[src][k]
					done[src][k] |= fresh
					for ; fresh != 0; fresh &= fresh - 1 {
						dist[src*m+first+64*k+bits.TrailingZeros64(fresh)] = d
					}
				}
			}
			clear(ahead)
			for v := range at {
				if at[v] == (lane{}) {
					continue
				}
				for _, w := range r.inFrom[r.inStart[v]:r.inStart[v+1]] {
					for k := range at[v] {
						ahead[w][k] |= at[v][k]
					}
				}
			}
			at, ahead = ahead, at
		}
	}
	if i := slices.Index(dist, Unreachable); i >= 0 {
		return nil, r.unreachable(i/m, i%m)
	}
	return dist, nil
}
