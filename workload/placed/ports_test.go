package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/workload"
)

// TestPortsByRank: what the busiest port of an endpoint carries is that of the endpoint, not the mean over those that hang on the same switches, as it is
// where every message is followed by itself.
func TestPortsByRank(t *testing.T) {
	ctx := context.Background()
	hidden := 0
	for _, design := range []string{"zcube_rect(n=40,m=20)", "zcube_rect(n=40,m=10)", "zcube_rect(n=48,m=12)", "zcube_rect(n=40,m=4)", "hpn(k=8,g=2,segments=2)", "zcube(n=4,k=2)"} {
		n := on(t, design, 1)
		ranks := len(n.Endpoint)
		tracer, err := n.Router.NewTracer(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []workload.Group{{Stride: 1, Size: ranks}, {Stride: 1, Size: ranks / 2}, {Stride: 1, Size: 4}, {Stride: 2, Size: 4}, {Stride: 8, Size: 2}, {Stride: 5, Size: 8}, {Stride: 4, Size: ranks / 4}} {
			for _, p := range []pattern{{Shift: 1}, {Shift: 3}, {Shift: g.Size - 1}, {All: true}} {
				if p.Shift >= g.Size || ranks%(g.Size*g.Stride) != 0 {
					continue
				}
				m := n.On(n.Endpoint)
				m.Tracer = tracer
				got, err := m.countPattern(ctx, key{group: g, pattern: p})
				if err != nil {
					t.Fatal(err)
				}
				want, mean := byRank(t, n, g, p)
				if math.Abs(got.far-want) > 1e-9*want {
					t.Errorf("%s, %+v, %+v: %.9g of S, rank by rank %.9g", design, g, p, got.far, want)
				}
				if mean < want*(1-1e-9) {
					hidden++
				}
			}
		}
	}
	if hidden == 0 {
		t.Error("the mean over endpoints of the same switches hides nothing")
	}
}

// byRank is what a pattern takes of S where every message is followed by itself, and what it takes by the mean over endpoints of the same switches.
func byRank(t *testing.T, n *Network, g workload.Group, p pattern) (most, mean float64) {
	t.Helper()
	r, sets := n.Router, n.hangs()
	own, nic := float64(p.sends(g)), 0.0
	for i := range r.Net.LinkClasses {
		if r.Net.LinkClasses[i].Name == "nic" || i == 0 && nic == 0 {
			nic = routing.OwnCapacity(r.Net)(i)
		}
	}
	load := func(flows []routing.Flow) *routing.Loads {
		l, err := r.FlowLoads(context.Background(), flows, routing.LoadOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	out, in := make([][]float64, len(sets)), make([][]float64, len(sets))
	var all []routing.Flow
	for from := range sets {
		place := from / g.Stride % g.Size
		for k := 1; k < g.Size; k++ {
			if !p.All && k != p.Shift {
				continue
			}
			to := from + ((place+k)%g.Size-place)*g.Stride
			f := routing.Flow{Src: int(sets[from]), Dst: int(sets[to]), Rate: 1}
			all = append(all, f)
			l := load([]routing.Flow{f})
			for _, end := range []struct {
				sum       *[]float64
				of        []float64
				set, rank int
			}{{&out[from], l.In, f.Src, from}, {&in[to], l.Out, f.Dst, to}} {
				ports := end.of[l.PortStart[end.set]:l.PortStart[end.set+1]]
				if *end.sum == nil {
					*end.sum = make([]float64, len(ports))
				}
				for i, x := range ports {
					(*end.sum)[i] += x * float64(r.Sets[end.set].Endpoints)
				}
			}
		}
	}
	mean = max(own, 1/load(all).Throughput(r.Net).Throughput)
	most = mean
	for rank := range sets {
		for _, x := range append(out[rank], in[rank]...) {
			most = max(most, x/nic)
		}
	}
	return most, mean
}
