package routing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
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
			sameTraffic(t, name, rng, r, tr)
		}
	})
	if twins < 10 {
		t.Errorf("only %d networks have switches that are alike", twins)
	}
}

// sameTraffic compares a random traffic.
func sameTraffic(t *testing.T, name string, rng *rand.Rand, r *Router, tr *Tracer) {
	t.Helper()
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

// TestTwins: of the middle switches of a leaf-spine network those are alike that have as many links to each leaf, of whatever class where routes are shortest, and of the same classes where
// routing goes by them; links are lacking, doubled or of another class, and neighbours in the middle are linked.
func TestTwins(t *testing.T) {
	rng := stream.New(8, "twins")
	classes := []topology.LinkClass{{Name: topology.ClassNic}, {Name: "plain"}, {Name: "other"}}
	byClass := topology.Rule{Name: "other last", States: 2, Steps: []topology.Step{{From: 0, Kind: topology.Kind{Link: 1, From: topology.Any, To: topology.Any}, To: 0},
		{From: 0, Kind: topology.Kind{Link: 2, From: topology.Any, To: topology.Any}, To: 1}, {From: 1, Kind: topology.Kind{Link: 2, From: topology.Any, To: topology.Any}, To: 1}}}
	merged, apart := 0, 0
	for trial := range 300 {
		b := topology.NewBuilder(oneSwitch, classes)
		leaves, middle := 2+rng.IntN(6), 2+rng.IntN(8)
		b.Switch(0, leaves+middle)
		links := make(map[[2]int][3]int) // by leaf and middle switch, those of each class
		for l := range leaves {
			for m := range middle {
				links[[2]int{l, m}] = [3]int{1: 1}
			}
			b.Endpoints(1+rng.IntN(2), []topology.SwitchID{topology.SwitchID(l)})
		}
		for range rng.IntN(4) {
			at := [2]int{rng.IntN(leaves), rng.IntN(middle)}
			links[at] = [][3]int{{}, {1: 2}, {2: 1}, {1: 1, 2: 1}}[rng.IntN(4)]
		}
		keys := make([]string, middle)
		rule, shortest := byClass, trial%2 == 0
		if shortest {
			rule = topology.Minimal()
		}
		for m := range middle {
			for l := range leaves {
				n := links[[2]int{l, m}]
				for class := 1; class <= 2; class++ {
					for range n[class] {
						b.Link(class, topology.SwitchID(l), topology.SwitchID(leaves+m))
					}
				}
				if shortest {
					n = [3]int{n[1] + n[2]}
				}
				keys[m] += fmt.Sprint(n)
			}
		}
		if middle > 2 && rng.IntN(3) == 0 {
			b.Link(1, topology.SwitchID(leaves), topology.SwitchID(leaves+1))
			keys[0], keys[1] = keys[0]+" to 1", keys[1]+" to 0"
		}
		n, err := b.Build("twins")
		if err != nil {
			continue // in pieces
		}
		r, err := New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := r.NewTracer(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("trial %d by %s", trial, rule.Name)
		for m, key := range keys {
			alike := 0
			if first := slices.Index(keys, key); first == m {
				for _, other := range keys {
					if other == key {
						alike++
					}
				}
			}
			got := 1
			if tr.short.times != nil {
				got = int(tr.short.alike[(leaves+m)*tr.ways.rows.n()])
			}
			if got != alike {
				t.Fatalf("%s: middle switch %d stands for %d, not %d of %q", name, m, got, alike, keys)
			}
			if alike > 1 {
				merged++
			} else {
				apart++
			}
		}
		for range 3 {
			sameTraffic(t, name, rng, r, tr)
		}
	}
	if merged < 50 || apart < 50 {
		t.Errorf("%d middle switches stand for others, %d do not", merged, apart)
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

// TestTwinsLastDigit: links of alike middle switches carry what they do where each is traced by itself, to the last digit, so that equal times of collectives stay equal.
func TestTwinsLastDigit(t *testing.T) {
	rng := stream.New(9, "twins")
	for middle := 2; middle < 50; middle++ {
		b := topology.NewBuilder(oneSwitch, twoLinks)
		const leaves = 5
		b.Switch(0, leaves+middle)
		for l := range topology.SwitchID(leaves) {
			for m := range topology.SwitchID(middle) {
				b.Link(1, l, leaves+m)
			}
			b.Endpoints(1, []topology.SwitchID{l})
		}
		r, err := New(built(t, b, "twins"), topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		tr, err := r.NewTracer(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		tr.Begin()
		one := tr.Beside()
		one.short, one.loads = &twinned{ways: tr.ways}, nil
		for dst := range leaves {
			var flows []Flow
			for i := 1; i < leaves; i++ {
				flows = append(flows, Flow{Src: (dst + i) % leaves, Dst: dst, Rate: rng.Float64()})
			}
			tr.Add(dst, flows)
			one.Add(dst, flows)
		}
		if tr.short.times == nil || !slices.Equal(tr.Loads().Channel, one.Loads().Channel) {
			t.Errorf("%d middle switches carry %v, one by one %v", middle, tr.Loads().Channel, one.Loads().Channel)
		}
	}
}
