package simulate_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/simcore/cutthrough"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/workload/collective"
	"toposearch/workload/jobs"
)

// cutMachine is a design in the cut-through model on some workers, with its natural routes.
func cutMachine(t *testing.T, name string, workers int) (*simulate.Runner, *simulate.Machine, *routing.Router) {
	t.Helper()
	return cutMachineBy(t, name, "natural", workers)
}

// cutMachineBy is it with another routing, and the detours that this may make.
func cutMachineBy(t *testing.T, name, by string, workers int) (*simulate.Runner, *simulate.Machine, *routing.Router) {
	t.Helper()
	d, err := topology.ParseDesign(name, family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	e, err := evaluator.New(evaluator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rated, _, err := e.Rated(d, n)
	if err != nil {
		t.Fatal(err)
	}
	cfg := cutthrough.DefaultConfig()
	if _, err := simulate.Wire(context.Background(), d, n, 0, &cfg); err != nil {
		t.Fatal(err)
	}
	c := simulate.Choice{Routing: by, Traffic: "uniform", Seed: 1}
	r, tr, err := c.Build(context.Background(), d, n)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cutthrough.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	rule := topology.Minimal()
	if d.Family.Natural != nil {
		rule = d.Family.Natural(d.V)
	}
	router, err := routing.New(rated, rule)
	if err != nil {
		t.Fatal(err)
	}
	run := &simulate.Runner{Workers: workers}
	m := run.CutMachine(sim, rated, 0)
	if err := m.Detour(context.Background(), by, rule, router, workers); err != nil {
		t.Fatal(err)
	}
	return run, m, router
}

// Two groups of 16 on a tree that blocks nothing: the simulated time of each algorithm is within 15 % of the computed one, and the same
// for any number of workers.
func TestCollectives(t *testing.T) {
	groups := make([][]topology.EndpointID, 2)
	for e := range topology.EndpointID(32) {
		groups[e%2] = append(groups[e%2], e)
	}
	size := float64(1 << 18)
	if testing.Short() {
		size /= 4
	}
	for _, text := range []string{"allreduce:ring", "allreduce:tree=8", "alltoall", "barrier"} {
		k, algorithm, err := collective.ParseKind(text)
		if err != nil {
			t.Fatal(err)
		}
		var first *simulate.CollectiveDocument
		for _, workers := range []int{1, 3} {
			r, m, router := cutMachine(t, "fattree(k=8,l=2)", workers)
			doc, err := r.Collective(context.Background(), m, simulate.Head{}, &simulate.Collective{Kind: k, Algorithm: algorithm, Bytes: size, Groups: groups}, router)
			if err != nil {
				t.Fatal(err)
			}
			if !doc.Completed || math.Abs(doc.Ratio-1) > 0.15 {
				t.Errorf("%s: %.3f us, computed %.3f", text, doc.TimeUs, doc.Analytic.TimeUs)
			}
			if first == nil {
				first = doc
			} else if !reflect.DeepEqual(doc, first) {
				t.Errorf("%s: %d workers give %+v, one gives %+v", text, workers, doc, first)
			}
		}
	}
}

// Inside a server joined by a scale-up mesh endpoints send at the rate of its links, 3.6 Tb/s, not at the 400 Gb/s that they have on the network: an
// all-gather of 3 MB among three takes two steps of 1 MB, 4.44 us, or one over both links at once, 2.22 us; an all-reduce is two of these. Of all servers the ring is as slow
// as the network between them.
func TestCollectiveInScaleupDomain(t *testing.T) {
	r, m, router := cutMachine(t, "railonly(k=4,g=3)", 1)
	var all []topology.EndpointID
	for e := range topology.EndpointID(m.Net.Endpoints()) {
		all = append(all, e)
	}
	for _, c := range []struct {
		text  string
		ranks []topology.EndpointID
		us    float64 // what the busiest links need
	}{
		{"allgather:ring", all[:3], 2 * 1e6 / 450e9 * 1e6}, {"allgather:ring", all, 23. / 24 * 3e6 / 50e9 * 1e6},
		{"allgather:mesh", all[:3], 1e6 / 450e9 * 1e6}, {"allreduce:mesh", all[:3], 2 * 1e6 / 450e9 * 1e6},
		{"alltoall:mesh", all[:3], 1e6 / 450e9 * 1e6}, {"broadcast:mesh", all[:3], 2 * 1e6 / 450e9 * 1e6},
	} {
		k, algorithm, err := collective.ParseKind(c.text)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := r.Collective(context.Background(), m, simulate.Head{}, &simulate.Collective{Kind: k, Algorithm: algorithm, Bytes: 3e6, Groups: [][]topology.EndpointID{c.ranks}}, router)
		if err != nil {
			t.Fatal(err)
		}
		if doc.TimeUs < 0.999*c.us || doc.TimeUs > 1.05*c.us {
			t.Errorf("%s, %d ranks: simulated %.3f us, and the busiest links need %.3f", c.text, len(c.ranks), doc.TimeUs, c.us)
		}
		if x := doc.Analytic; math.Abs(doc.Ratio-1) > 0.15 || x.TransferUs > x.TimeUs {
			t.Errorf("%s, %d ranks: simulated %.3f us, computed %+v", c.text, len(c.ranks), doc.TimeUs, x)
		}
	}
}

// A multi-path all-to-all of groups plays as computed, to 15 %, and is faster than the direct one on the routes.
func TestMultiPath(t *testing.T) {
	for i, c := range []struct {
		design       string
		size, stride int
		bytes        float64
	}{
		{"hyperx(s1=8,t=8)", 16, 1, 1 << 20}, {"hyperx(s1=4,s2=4,t=4)", 8, 1, 1 << 20}, {"dragonfly(p=4,a=4,h=2)", 24, 1, 1 << 20}, {"slimfly(q=5)", 8, 1, 1 << 20},
		{"fullmesh(d1=8,d2=3)", 4, 1, 8 << 20}, {"polarfly(q=5)", 6, 1, 1 << 20},
	} {
		tolerance := 0.15
		if testing.Short() { // the first is played by several workers, too
			if i > 0 {
				break
			}
			c.bytes, tolerance = c.bytes/8, 0.3 // latency counts
		}
		play := func(by, algorithm string, workers int) *simulate.CollectiveDocument {
			r, m, router := cutMachineBy(t, c.design, by, workers)
			var groups [][]topology.EndpointID
			for first := 0; first+c.size*c.stride <= m.Net.Endpoints(); first += c.size * c.stride {
				for low := range c.stride {
					var g []topology.EndpointID
					for i := range c.size {
						g = append(g, topology.EndpointID(first+low+i*c.stride))
					}
					groups = append(groups, g)
				}
			}
			doc, err := r.Collective(context.Background(), m, simulate.Head{}, &simulate.Collective{Kind: collective.AllToAll, Algorithm: algorithm, Bytes: c.bytes, Groups: groups}, router)
			if err != nil {
				t.Fatal(err)
			}
			return doc
		}
		over, one := play("ugal_l", "multipath", 1), play("natural", "direct", 1)
		t.Logf("%s, groups of %d by %d: %s %.1f us, computed %.1f (%.3f), direct %.1f", c.design, c.size, c.stride, over.Algorithm, over.TimeUs, over.Analytic.TimeUs, over.Ratio, one.TimeUs)
		if !over.Completed || math.Abs(over.Ratio-1) > tolerance || over.TimeUs > one.TimeUs {
			t.Errorf("%s: %.3f us, computed %.3f, without detours %.3f", c.design, over.TimeUs, over.Analytic.TimeUs, one.TimeUs)
		}
		if i == 0 {
			if again := play("ugal_l", "multipath", 3); !reflect.DeepEqual(again, over) {
				t.Errorf("%s: 3 workers give %+v, one gives %+v", c.design, again, over)
			}
		}
	}
}

// A ring whose packets divide over all paths plays as computed, to 15 %: over direct routes alone it would take 2.4 times as long.
func TestAllPathCollective(t *testing.T) {
	racing.Figures(t)
	r, m, router := cutMachineBy(t, "ubmesh(x=2,y=2,z=2,w=2)", "apr_detour", 1)
	var all []topology.EndpointID
	for e := range m.Net.Endpoints() {
		all = append(all, topology.EndpointID(e))
	}
	doc, err := r.Collective(context.Background(), m, simulate.Head{}, &simulate.Collective{Kind: collective.AllGather, Algorithm: "ring", Bytes: 1 << 20, Groups: [][]topology.EndpointID{all}}, router)
	if err != nil {
		t.Fatal(err)
	}
	if !doc.Completed || math.Abs(doc.Ratio-1) > 0.15 {
		t.Errorf("%.3f us, computed %.3f", doc.TimeUs, doc.Analytic.TimeUs)
	}
}

// Rings whose messages are small, or of endpoints whose ports share their rate, play as computed where packets may make detours, to 15 %: a lone message of 64 KiB, which
// makes some and has one port, says little of what these take.
func TestSmallDetoured(t *testing.T) {
	racing.Figures(t)
	for design, by := range map[string]string{"bcube(n=4,l=2)": "ugal_l", "zcube(n=8,k=2)": "ugal_g", "dcell(n=4,l=1)": "ugal_l"} {
		r, m, router := cutMachineBy(t, design, by, 1)
		var all []topology.EndpointID
		for e := range m.Net.Endpoints() {
			all = append(all, topology.EndpointID(e))
		}
		doc, err := r.Collective(context.Background(), m, simulate.Head{}, &simulate.Collective{Kind: collective.AllGather, Algorithm: "ring", Bytes: 1 << 16, Groups: [][]topology.EndpointID{all}}, router)
		if err != nil {
			t.Fatal(err)
		}
		if !doc.Completed || math.Abs(doc.Ratio-1) > 0.15 {
			t.Errorf("%s, %s: %.3f us, computed %.3f", design, by, doc.TimeUs, doc.Analytic.TimeUs)
		}
	}
}

// What is wrong with groups and sizes is named.
func TestCollectiveFaults(t *testing.T) {
	r, m, router := cutMachine(t, "fattree(k=4,l=2)", 1)
	for _, c := range []struct {
		c    simulate.Collective
		want string
	}{
		{simulate.Collective{Algorithm: "ring"}, "0 bytes"},
		{simulate.Collective{Algorithm: "ring", Bytes: 8, Groups: [][]topology.EndpointID{{0, 99}}}, "--group: member 99 is outside the network, whose endpoints are 0 to 7"},
		{simulate.Collective{Algorithm: "ring", Bytes: 8, Groups: [][]topology.EndpointID{{0, 1}, {1, 2}}}, "endpoint 1 is in group 1 and in group 2"},
		{simulate.Collective{Algorithm: "ring", Bytes: 8, Groups: [][]topology.EndpointID{{0, 1, 1}}}, "endpoint 1 is in group 1 twice"},
		{simulate.Collective{Algorithm: "ring", Bytes: 8, Groups: [][]topology.EndpointID{{0, 1}, {2}}}, "groups at once have one size"},
		{simulate.Collective{Kind: collective.AllGather, Algorithm: "halving", Bytes: 8, Groups: [][]topology.EndpointID{{0, 1, 2}}}, "use ring or direct"},
		{simulate.Collective{Algorithm: "hierarchical=3", Bytes: 8}, "write a divisor"},
		{simulate.Collective{Kind: collective.AllToAll, Algorithm: "multipath", Bytes: 8}, "use valiant, or an adaptive routing"},
	} {
		if _, err := r.Collective(context.Background(), m, simulate.Head{}, &c.c, router); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.c, err, c.want)
		}
	}
}

// Jobs at random places whose bursts meet slow each other down as computed, to 15 % on the mean, where packets take all ways, one by their hash, or detours; channels are idle
// often enough for all of them.
func TestJobsMeet(t *testing.T) {
	racing.Figures(t)
	for _, x := range []struct {
		design, by string
		most       float64 // on the mean, what is simulated
	}{{"dragonfly(p=2,a=4,h=2)", "natural", 1.5}, {"fattree(k=8,l=2)", "natural+hash", 2}, {"slimfly(q=5)", "ugal_l", 2.5}} {
		r, m, router := cutMachineBy(t, x.design, x.by, 1)
		sizes := []int{16, 8, 8}
		groups, err := jobs.Place(sizes, m.Net.Endpoints(), jobs.Random, nil, stream.New(1, "test", 0))
		if err != nil {
			t.Fatal(err)
		}
		doc := new(simulate.JobsDocument)
		c := &simulate.Collective{Kind: collective.AllReduce, Algorithm: "halving", Bytes: 1 << 18, Groups: groups}
		if err := r.Jobs(context.Background(), m, doc, c, router); err != nil {
			t.Fatal(err)
		}
		if doc.Mean > x.most || math.Abs(doc.AnalyticMean/doc.Mean-1) > 0.15 || doc.AnalyticLeast {
			t.Errorf("%s, %s: slowdown %.3f, computed %.3f", x.design, x.by, doc.Mean, doc.AnalyticMean)
		}
		for i, j := range doc.Jobs {
			if math.Abs(j.AnalyticUs/j.AloneUs-1) > 0.25 {
				t.Errorf("%s, %s: job %d alone takes %.2f us, computed %.2f", x.design, x.by, i, j.AloneUs, j.AnalyticUs)
			}
		}
	}
}

// Jobs of different sizes, whose messages differ as much, share links packet by packet: each slows down as simulated, to 10 %, or 20 % on the
// Dragonfly, where ways meet at more links than one. A share by the size of messages has 1.31 and 1.15 for those on the mesh, simulated 1.14 and 1.47.
func TestJobsOfUnequal(t *testing.T) {
	racing.Figures(t)
	for _, x := range []struct {
		design, placement string
		sizes             []int
		least, within     float64 // of the largest slowdown, and of each
	}{{"mesh(k1=5,k2=4)", jobs.Compact, []int{13, 7}, 1.4, 0.1}, {"torus(k1=6,k2=6)", jobs.Random, []int{19, 10, 5}, 1.2, 0.1}, {"hyperx(s1=4,s2=4,t=2)", jobs.Random, []int{20, 6, 4}, 1.2, 0.1},
		{"fattree(k=8,l=2,d=6)", jobs.Random, []int{30, 12, 4}, 1.2, 0.1}, {"dragonfly(p=2,a=4,h=2)", jobs.Random, []int{40, 20, 8}, 1.2, 0.2}, {"zcube(n=4,k=2)", jobs.Random, []int{9, 4, 3}, 1.1, 0.1}} {
		r, m, router := cutMachine(t, x.design, 1)
		groups, err := jobs.Place(x.sizes, m.Net.Endpoints(), x.placement, nil, stream.New(1, "test", 0))
		if err != nil {
			t.Fatal(err)
		}
		doc := new(simulate.JobsDocument)
		if err := r.Jobs(context.Background(), m, doc, &simulate.Collective{Kind: collective.AllReduce, Algorithm: "ring", Bytes: 1 << 20, Groups: groups}, router); err != nil {
			t.Fatal(err)
		}
		if doc.Max < x.least || doc.AnalyticLeast {
			t.Errorf("%s: at most %.3f, want at least %.3f so that there is something to compute", x.design, doc.Max, x.least)
		}
		for i, j := range doc.Jobs {
			if math.Abs(j.AnalyticSlowdown/j.Slowdown-1) > x.within {
				t.Errorf("%s: job %d of %d is slowed down %.3f times, computed %.3f", x.design, i, j.Endpoints, j.Slowdown, j.AnalyticSlowdown)
			}
		}
	}
}

// Two jobs on the leaves of a tapered tree: those that stay on their own leaf do not slow each other down. Spread over all leaves, whose
// uplinks have a third of what endpoints send, all-to-alls of three jobs do, by as much as simulated and computed.
func TestJobs(t *testing.T) {
	racing.Figures(t)
	play := func(groups [][]topology.EndpointID) *simulate.JobsDocument {
		r, m, router := cutMachine(t, "fattree(k=8,l=2,d=6)", 1)
		doc := &simulate.JobsDocument{Region: 6, Regions: jobs.Blocks(m.Net.Endpoints(), 6)}
		c := &simulate.Collective{Kind: collective.AllToAll, Algorithm: "direct", Bytes: 1 << 18, Groups: groups}
		if err := r.Jobs(context.Background(), m, doc, c, router); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	near := play([][]topology.EndpointID{{0, 1, 2, 3}, {6, 7, 8, 9}})
	if near.Isolated != 1 || near.Max > 1.001 || near.AnalyticMax != 1 {
		t.Errorf("on leaves of their own: %+v", near)
	}
	far := make([][]topology.EndpointID, 3)
	for e := range topology.EndpointID(48) {
		far[e%6/2] = append(far[e%6/2], e)
	}
	apart := play(far)
	if apart.Isolated != 0 || apart.Mean < 1.5 || apart.AnalyticMean < 1.5 || math.Abs(apart.Mean/apart.AnalyticMean-1) > 0.25 {
		t.Errorf("spread: %+v", apart)
	}
}
