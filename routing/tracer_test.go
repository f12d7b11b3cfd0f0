package routing

import (
	"context"
	"math/rand/v2"
	"testing"

	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// eachTracer calls f for tracers of designs of all families, so many each of at most so many endpoints, by natural and by shortest routes.
func eachTracer(t *testing.T, seed uint64, designs int, most int64, f func(name string, rng *rand.Rand, r *Router, tr *Tracer)) {
	for _, x := range family.All() {
		rng := stream.New(seed, "tracer "+x.Name)
		for _, d := range topotest.Sample(x, rng, designs, most) {
			n, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			rules := []topology.Rule{topology.Minimal()}
			if x.Natural != nil {
				rules = append(rules, x.Natural(d.V))
			}
			for _, rule := range rules {
				r, err := New(n, rule)
				if err != nil {
					t.Fatal(err)
				}
				tr, err := r.NewTracer(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				f(d.String()+" by "+rule.Name, rng, r, tr)
			}
		}
	}
}

// TestTracer: random traffics, one after the other, load every channel and port as FlowLoads says, in designs of all
// families by natural and by shortest routes; by distances alone, too.
func TestTracer(t *testing.T) {
	racing.Figures(t)
	twins := 0
	eachTracer(t, 3, 2, 200, func(name string, rng *rand.Rand, r *Router, tr *Tracer) {
		if tr.short.times != nil {
			twins++
		}
		for again := range 3 {
			if again == 2 {
				tr.ways.on, tr.short.on = nil, nil // as if there were too many
			}
			var flows []Flow
			tr.Begin()
			for dst := range r.Sets {
				var to []Flow
				for range rng.IntN(4) {
					to = append(to, Flow{Src: rng.IntN(len(r.Sets)), Dst: dst, Rate: 1 + float64(rng.IntN(3))})
				}
				tr.Add(dst, to)
				flows = append(flows, to...)
			}
			want, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sameLoads(t, name, tr.Loads(), want)
		}
	})
	if twins < 10 {
		t.Errorf("only %d networks have switches that are alike", twins)
	}
}

func sameLoads(t *testing.T, name string, got, want *Loads) {
	t.Helper()
	for _, c := range []struct {
		of        string
		got, want []float64
	}{{"channel", got.Channel, want.Channel}, {"port in", got.In, want.In}, {"port out", got.Out, want.Out},
		{"figure", []float64{got.Pairs, got.UnreachablePairs, float64(got.MaxHops), got.maxPort}, []float64{want.Pairs, want.UnreachablePairs, float64(want.MaxHops), want.maxPort}}} {
		for i, x := range c.want {
			if !near(c.got[i], x) {
				t.Fatalf("%s: %s %d is %g, by FlowLoads %g", name, c.of, i, c.got[i], x)
			}
		}
	}
}

// TestToAll: traffics of all to all load every channel as FlowLoads says, in designs of all families whose endpoints have one port.
func TestToAll(t *testing.T) {
	racing.Figures(t)
	compared := 0
	eachTracer(t, 4, 2, 300, func(name string, rng *rand.Rand, r *Router, tr *Tracer) {
		for again := range 3 {
			if again == 2 { // hops are searched for again
				tr.ways.on, tr.live, tr.kept = nil, nil, 0
			}
			out, in := make([]float64, len(r.Sets)), make([]float64, len(r.Sets))
			for i := range out {
				out[i], in[i] = float64(rng.IntN(3)), float64(rng.IntN(2))
			}
			if !tr.ToAll(out, in) {
				continue
			}
			var flows []Flow
			for s := range out {
				for d := range in {
					if rate := out[s] + in[d]; s != d && rate > 0 {
						flows = append(flows, Flow{s, d, rate})
					}
				}
			}
			want, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := tr.Loads()
			for c, x := range want.Channel {
				if !near(got.Channel[c], x) {
					t.Fatalf("%s: channel %d carries %g, by FlowLoads %g", name, c, got.Channel[c], x)
				}
			}
			compared++
		}
	})
	if compared < 100 {
		t.Errorf("only %d traffics were compared", compared)
	}
}
