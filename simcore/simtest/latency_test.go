package simtest_test

import (
	"context"
	"math"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/topotest"
)

// sampled lists small designs of every family: some by name, whose natural routes are longer than shortest paths, or
// which have found an error in a formula once, and some drawn at random.
func sampled(t *testing.T, each int, most int64) (out []topology.Design) {
	t.Helper()
	for _, text := range []string{
		"dragonfly(p=2,a=2,h=2,arrangement=circulant)", "dragonfly(p=1,a=4,h=2)", "dragonfly(p=1,a=3,h=3,g=7,arrangement=absolute)",
		"dragonfly(p=1,a=3,h=3,g=6)", "zcube(n=3,k=4)", "tpuocs(x=1,y=1,z=1)", "ubmesh(x=2,y=2,z=2,w=2)", "railonly(k=8,g=4)",
	} {
		d := familytest.Parse(t, text)
		out = append(out, d)
	}
	for i, f := range family.All() {
		if testing.Short() && i%3 != 0 || racing.On && i%9 != 0 {
			continue
		}
		out = append(out, topotest.Sample(f, stream.New(1, "lone "+f.Name), each, most)...)
	}
	return out
}

// The latency of lone packets in the cut-through simulation, each measured by sending it, is the evaluator's
// latency: over all pairs of endpoints and the routes of the natural routing, with the rates of the design and the
// mean lengths of its cables as bought. Both are exact to the rounding to a picosecond a hop; where the natural
// routes of a pair cross different classes, each pair is sent some times, and the mean of what was drawn may be off by five
// of its standard errors.
func TestLatencyOfCutThrough(t *testing.T) {
	e, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]bool{}
	for _, d := range sampled(t, 2, 64) {
		r, err := e.Evaluate(context.Background(), d, evaluator.Request{Level: 1, Keys: []metric.Key{metric.Latency}})
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		want := r.Metrics[metric.Latency]
		if r.Plan == nil || !r.Have[metric.Latency] {
			continue // not everything has a floor plan, nor reaches everything
		}
		got, se := loneLatency(t, e, r)
		if math.Abs(got-want.Value) > 0.01+5*se {
			t.Errorf("%s: lone packets take %.4f ns on average (standard error %.4f), the evaluator says %.4f [%.4f, %.4f] (%s)", d, got, se, want.Value, want.Lo, want.Hi, want.Method)
		}
		compared[d.Family.Name] = true
	}
	if least := len(family.All()) / 4; len(compared) < least && !racing.On {
		t.Errorf("only %d families were compared, want %d", len(compared), least)
	}
}

// loneLatency sends packets from every endpoint to every other, and gives the mean and its standard error.
func loneLatency(t *testing.T, e *evaluator.Evaluator, r *evaluator.Result) (mean, se float64) {
	t.Helper()
	n, opt := naturally(t, r.Design)
	cfg := cutthrough.DefaultConfig()
	var err error
	if cfg.ClassGbps, cfg.ClassCableNs, err = e.LinkTimes(r, n); err != nil {
		t.Fatal(err)
	}
	cfg.BandwidthGbps, cfg.BufferBytes, cfg.VCs = r.Plan.BandwidthGbps, 1<<30, opt.VCs
	rt, err := route.ByName(context.Background(), "natural", n, opt)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	s, err := cutthrough.New(n, rt, tr, cfg)
	if err != nil {
		t.Fatalf("%s: %v", r.Design, err)
	}
	const draws = 4
	sum, variance, pairs := 0.0, 0.0, 0.0
	for a := range n.Endpoints() {
		for b := range n.Endpoints() {
			if a == b {
				continue
			}
			x, y := 0.0, 0.0
			for k := range draws {
				ns := s.Lone(a, b, uint64(k*n.Endpoints()+a))
				x, y = x+ns, y+ns*ns
			}
			x /= draws
			sum, pairs = sum+x, pairs+1
			variance += math.Max(0, y/draws-x*x) / (draws - 1)
		}
	}
	return sum / pairs, math.Sqrt(variance) / pairs
}

// naturally builds a design, with the options of its natural routing.
func naturally(t *testing.T, d topology.Design) (*topology.Network, route.Options) {
	t.Helper()
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	opt := route.Options{VCs: 16}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	return n, opt
}

// What packets take in hops at next to no load is mean_hops, and no packet takes more than max_hops: in the flit
// simulation, over the routes of the natural routing.
func TestHopsOfFlits(t *testing.T) {
	e, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, d := range sampled(t, 2, 48) {
		r, err := e.Evaluate(ctx, d, evaluator.Request{Keys: []metric.Key{metric.MeanHops}})
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		if !r.Have[metric.MeanHops] {
			continue
		}
		n, opt := naturally(t, d)
		rt, err := route.ByName(ctx, "natural", n, opt)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		cfg := flit.DefaultConfig()
		cfg.VCs, cfg.Warmup, cfg.Measure = 16, 500, 400_000/n.Endpoints()
		s, err := flit.New(n, rt, tr, cfg)
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		p, err := s.Run(ctx, 0.02)
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		// Hops lie between 0 and the most, so that their standard deviation is at most half of that; five
		// standard errors.
		want, most := r.Metrics[metric.MeanHops], r.Metrics[metric.MaxHops].Value
		if slack := 5 * most / 2 / math.Sqrt(float64(p.Packets)); p.Packets < 1000 || math.Abs(p.Hops.Mean-want.Value) > slack {
			t.Errorf("%s: %d packets took %.4f hops, mean_hops is %.4f (%s)", d, p.Packets, p.Hops.Mean, want.Value, want.Method)
		}
	}
}
