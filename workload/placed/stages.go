package placed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// stages are the steps of a schedule that all groups run at once.
func (n *Network) stages(ctx context.Context, g workload.Group, s *collective.Schedule) ([]stage, error) {
	var out []stage
	for _, st := range s.Steps {
		p := st.Lanes[0].Perm
		k := key{g, p.Stride, p.Size, p.Shift, p.Grow, p.Xor, 1}
		if p.Grow != 0 {
			k.n = st.Repeat // all repetitions together are one traffic
		}
		single := len(st.Lanes) == 1 && p.Table == nil
		one, ok := n.known[k]
		if !single || !ok {
			var err error
			if one, err = n.stage(ctx, g, s.Ranks, st, single); err != nil {
				return nil, err
			}
		}
		if single {
			if n.known == nil {
				n.known = make(map[key]stage)
			}
			n.known[k] = one
			one.far, one.inside = one.far*st.Lanes[0].Share, one.inside*st.Lanes[0].Share
		}
		times := 1.0
		if p.Grow == 0 {
			times = float64(st.Repeat)
		}
		out = append(out, stage{st.Repeat, one.far * times, one.inside * times})
	}
	return out, nil
}

// stage is one repetition of a step, or all of them if they differ; unit takes a share for 1.
func (n *Network) stage(ctx context.Context, g workload.Group, places int, st collective.Step, unit bool) (stage, error) {
	t := n.newTraffic(g)
	for _, l := range st.Lanes {
		times, share := 1, l.Share
		if l.Grow != 0 {
			times = st.Repeat
		}
		if unit {
			share = 1
		}
		for i := range times {
			l.Each(places, i, func(from, to int) { t.send(from, to, share) })
		}
	}
	far, err := t.far(ctx)
	return stage{1, far, slices.Max(t.inside)}, err
}

// traffic is what all groups send in a step, in shares of S.
type traffic struct {
	n     *Network
	group workload.Group
	rate  map[[2]int32]float64 // over the network, by sets of the router
	order [][2]int32           // of its keys, as they came
	// What each rank sends and receives over the network, and inside its domain.
	out, in, inside []float64
}

func (n *Network) newTraffic(g workload.Group) *traffic {
	ranks := len(n.Endpoint)
	return &traffic{n: n, group: g, rate: make(map[[2]int32]float64),
		out: make([]float64, ranks), in: make([]float64, ranks), inside: make([]float64, ranks)}
}

// send adds a message between two places of a group, of all groups.
func (t *traffic) send(from, to int, share float64) {
	g, net := t.group, t.n.Router.Net
	for base := 0; base < len(t.n.Endpoint); base += g.Stride * g.Size {
		for low := range g.Stride {
			a, b := base+low+from*g.Stride, base+low+to*g.Stride
			if t.n.Domain > 1 && t.n.domain(a) == t.n.domain(b) {
				t.inside[a] += share
				continue
			}
			t.out[a] += share
			t.in[b] += share
			k := [2]int32{t.n.Router.SetOf[net.GroupOf(t.n.Endpoint[a])], t.n.Router.SetOf[net.GroupOf(t.n.Endpoint[b])]}
			if _, ok := t.rate[k]; !ok {
				t.order = append(t.order, k)
			}
			t.rate[k] += share
		}
	}
}

// far is what the network takes of S, at an endpoint's rate: what an endpoint sends or receives, or more if a
// link carries more than that.
func (t *traffic) far(ctx context.Context) (float64, error) {
	own := max(slices.Max(t.out), slices.Max(t.in))
	flows := make([]routing.Flow, 0, len(t.order))
	for _, k := range t.order {
		flows = append(flows, routing.Flow{Src: int(k[0]), Dst: int(k[1]), Rate: t.rate[k]})
	}
	if len(flows) == 0 {
		return own, nil
	}
	l, err := t.n.Router.FlowLoads(ctx, flows, routing.LoadOptions{Workers: t.n.Workers})
	if err != nil {
		return 0, fmt.Errorf("placed: %w", err)
	}
	if l.UnreachablePairs > 0 {
		return 0, fmt.Errorf("placed: of what ranks send %g of %g has no route", l.UnreachablePairs, l.Pairs)
	}
	scale := t.n.Carries
	if scale == nil {
		scale = func(l *routing.Loads) float64 {
			if limit := l.Throughput(t.n.Router.Net); !limit.None {
				return limit.Throughput
			}
			return math.Inf(1)
		}
	}
	return max(own, 1/scale(l)), nil
}
