package traffic

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
)

func design(t testing.TB, text string) (topology.Design, *topology.Network) {
	t.Helper()
	d, err := topology.ParseDesign(text, family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return d, n
}

// TestLoadTwin: the loads of every traffic are those of a flow for each pair of endpoints, sent one by one.
func TestLoadTwin(t *testing.T) {
	ctx := context.Background()
	for _, text := range []string{"torus(k1=4,k2=4)", "fattree(k=4,l=3)", "dragonfly(p=2,a=4,h=1,g=2)", "bcube(n=4,l=2)", "zcube(n=4,k=2)"} {
		d, n := design(t, text)
		r, err := routing.New(n, d.Family.Natural(d.V))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"uniform", "worst", "hotspot(0.3,1,3*2)", "hotspot(1,5)", "local(2,0.75)", "local(2,1)", "fft(4,4,1)", "fft(2,8,both,random)",
			"asymmetric", "diagonal", "taper", "group_adversarial", "mixed(1*hotspot(0.5,3),2*fft(4,4,2),1*uniform)"} {
			o := For(d, n)
			o.Blocks = 4
			p := must(t, name, o)
			l, err := p.Load(ctx, r, 1)
			if err != nil {
				t.Fatalf("%s on %s: %v", name, text, err)
			}
			var flows []routing.Flow
			in := make([]float64, n.Endpoints())
			for src := range topology.EndpointID(n.Endpoints()) {
				to := make([]float64, n.Endpoints())
				for dst := range to {
					if dst != int(src) {
						to[dst] = p.Uniform() / float64(n.Endpoints()-1)
					}
				}
				p.Shares(src, func(dst int, part float64) { to[dst] += part })
				for dst, rate := range to {
					in[dst] += rate
					if rate > 1e-12 {
						flows = append(flows, routing.Flow{Src: int(r.SetOf[n.GroupOf(src)]), Dst: int(r.SetOf[n.GroupOf(topology.EndpointID(dst))]), Rate: rate})
					}
				}
			}
			want, err := r.FlowLoads(ctx, flows, routing.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for c, x := range want.Channel {
				if math.Abs(l.Channel[c]-x) > 1e-9 {
					t.Fatalf("%s on %s: channel %d has load %v, want %v", name, text, c, l.Channel[c], x)
				}
			}
			for e, x := range in {
				if math.Abs(l.In[e]-x) > 1e-9 {
					t.Errorf("%s on %s: endpoint %d takes %v, want %v", name, text, e, l.In[e], x)
				}
			}
			if name != "uniform" && math.Abs(l.MeanHops-want.MeanHops) > 1e-9 { // of uniform traffic pairs are counted
				t.Errorf("%s on %s: %v hops, want %v", name, text, l.MeanHops, want.MeanHops)
			}
		}
	}
}

// Known throughputs. A hot spot that gets a share f of what the N - 1 others send, and nothing else, is full at 1 / (f (N-1)).
// An 8 x 8 torus under uniform traffic carries min(1, 8/k * (N-1)/N) of its endpoints' bandwidth: 4 of 63 hops more than 2 each
// way; with all traffic to direct neighbours every link carries a quarter of an endpoint's, so that endpoints limit.
// The rows of an FFT on an 8 x 8 grid, row by row, are its first rings: 8 processes that each send to 7 others alike load
// the links of a ring with 1/7 (1 + 2 + 3 + 4/2) = 8/7 of an endpoint's traffic each way.
func TestThroughput(t *testing.T) {
	for _, c := range []struct {
		design, traffic string
		want            float64
	}{
		{"torus(k1=8,k2=8)", "hotspot(0.25,9)", 1 / (0.25 * 63)},
		{"fattree(k=4,l=3)", "hotspot(0.5,3)", 1 / (0.5 * 15)},
		{"torus(k1=8,k2=8)", "local(1,1)", 1},
		{"torus(k1=8,k2=8)", "fft(8,8,1)", 7.0 / 8},
		{"torus(k1=8,k2=8)", "fft(8,8,2)", 7.0 / 8},
		{"fattree(k=4,l=3)", "fft(4,4,1)", 1},
	} {
		d, n := design(t, c.design)
		r, err := routing.New(n, d.Family.Natural(d.V))
		if err != nil {
			t.Fatal(err)
		}
		l, err := must(t, c.traffic, For(d, n)).Load(context.Background(), r, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, by := l.Throughput(n); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s on %s: throughput %v by %s, want %v", c.traffic, c.design, got, by, c.want)
		}
	}
}

// The subtree of height 1 of a fat tree is a leaf switch, of height 2 a pod, of height 3 all.
func TestLocalInTree(t *testing.T) {
	d, n := design(t, "fattree(k=4,l=3)") // 2 endpoints a leaf, 4 a pod, 16 in all
	for height, want := range map[string]int{"local(1,1)": 1, "local(2,1)": 3, "local(3,1)": 15} {
		p := must(t, height, For(d, n))
		got := 0
		p.Shares(5, func(int, float64) { got++ })
		if got != want {
			t.Errorf("%s: %d neighbours, want %d", height, got, want)
		}
	}
	if _, err := ByName("local(0,1)", For(d, n)); err == nil {
		t.Error("a subtree of height 0: no error")
	}
}
