package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// lines is a grid of switches that are all joined along each dimension, with nothing but arithmetic on coordinates.
type lines struct {
	dims []int
	per  int // endpoints of a switch
}

func (l lines) switches() int { return product(l.dims) }

// walk gives to f the links of the route from a switch to another, one coordinate after the other: a link is a pair of switches.
func (l lines) walk(at, to int, f func(link [2]int)) {
	step := 1
	for _, k := range l.dims {
		if x, y := at/step%k, to/step%k; x != y {
			next := at + (y-x)*step
			f([2]int{at, next})
			at = next
		}
		step *= k
	}
}

// loads are what all messages of groups load links with, on routes, and by way of every other switch in equal parts.
func (l lines) loads(g workload.Group, ranks int, partners func(place int) []int) (direct, detours map[[2]int]float64) {
	direct, detours = make(map[[2]int]float64), make(map[[2]int]float64)
	for r := range ranks {
		place := r / g.Stride % g.Size
		for _, p := range partners(place) {
			s, d := r/l.per, (r+(p-place)*g.Stride)/l.per
			if s == d {
				continue
			}
			l.walk(s, d, func(link [2]int) { direct[link]++ })
			for m := range l.switches() {
				if m != s && m != d {
					part := 1 / float64(l.switches()-2)
					l.walk(s, m, func(link [2]int) { detours[link] += part })
					l.walk(m, d, func(link [2]int) { detours[link] += part })
				}
			}
		}
	}
	return direct, detours
}

// least is the load of the busiest link at the best share of detours, by halving thirds of a convex function; and without any.
func (l lines) least(direct, detours map[[2]int]float64) (best, none float64) {
	at := func(f float64) (most float64) {
		for link, x := range detours {
			most = max(most, f*direct[link]+(1-f)*x)
		}
		for link, x := range direct {
			most = max(most, f*x+(1-f)*detours[link])
		}
		return most
	}
	if l.switches() < 3 {
		return at(1), at(1)
	}
	low, high := 0.0, 1.0
	for range 80 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if at(a) <= at(b) {
			high = b
		} else {
			low = a
		}
	}
	return min(at(low), at(1)), at(1)
}

// TestPartlyUsed: all-to-alls and exchanges of groups on grids of which ranks use all, or the first endpoints alone, take what an enumeration of all messages, routes and
// detours by coordinates says, whether the grid is counted or the network routed; with two switches there are no detours. Nothing is faster than its bound.
func TestPartlyUsed(t *testing.T) {
	ctx, faster, compared := context.Background(), 0, 0
	for _, c := range []struct {
		design string
		lines
		carry float64
		ranks []int
	}{
		{"fullmesh(d1=7,d2=7,d3=4)", lines{[]int{7, 7, 4}, 1}, 1. / 15, []int{192}}, // 15 links of an endpoint
		{"fullmesh(d1=4,d2=3,d3=2)", lines{[]int{4, 3, 2}, 1}, 1. / 6, []int{24, 20, 16}},
		{"hyperx(s1=5,s2=3,t=2)", lines{[]int{5, 3}, 2}, 1, []int{30, 28, 24}},
		{"hyperx(s1=2,t=8)", lines{[]int{2}, 8}, 1, []int{16, 12}},
		{"hyperx(s1=3,t=4)", lines{[]int{3}, 4}, 1, []int{12, 8}},
	} {
		full := on(t, c.design, 1)
		for _, ranks := range c.ranks {
			routed := full.On(full.Endpoint[:ranks])
			routed.Link = collective.Link{BytesPerS: 1}
			routed.Detours = BySwitches(routed.Router, nil, routing.OwnCapacity(routed.Router.Net), false, 1)
			grid := *routed
			grid.Router, grid.Detours = nil, new(Detours)
			grid.Shape = &Grid{Dims: c.dims, PerSwitch: c.per, Carry: []float64{c.carry, c.carry, c.carry}[:len(c.dims)]}
			for size := 2; size <= ranks; size++ {
				for stride := 1; stride*size <= ranks; stride++ {
					if ranks%(stride*size) != 0 || ranks > 100 && size != 6 && size != 48 {
						continue
					}
					g := workload.Group{Stride: stride, Size: size}
					for _, kind := range []collective.Kind{collective.AllToAll, collective.Exchange} {
						own, share, partners := 1.0, 1.0, func(place int) []int { return []int{(place + 1) % size} }
						if kind == collective.AllToAll {
							own, share = float64(size-1)/float64(size), 1/float64(size)
							partners = func(place int) (all []int) {
								for p := range size {
									if p != place {
										all = append(all, p)
									}
								}
								return all
							}
						}
						best, none := c.least(c.loads(g, ranks, partners))
						want := max(own, best*share/c.carry)
						x := workload.Communication{Kind: kind, Group: g, Bytes: 1, Count: 1}
						for _, n := range []*Network{routed, &grid} {
							got, name, err := n.Collective(ctx, x)
							if err != nil {
								t.Fatal(err)
							}
							// Of all-to-alls others than the direct one are tried as well.
							if name != "halving and doubling" && math.Abs(got-want) > 1e-6*want || got > want*(1+1e-6) || got < n.LowerBound(x)*(1-1e-12) {
								t.Errorf("%s, %d ranks, %+v %s: %g s by %s, enumerated %g (%g without detours), bound %g", c.design, ranks, g, kind, got, name, want, none*share/c.carry, n.LowerBound(x))
							}
							compared++
						}
						if none > best*(1+1e-9) {
							faster++
						}
					}
				}
			}
		}
	}
	if faster*4 < compared/2 {
		t.Errorf("of %d figures %d are better with detours", compared/2, faster)
	}
}
