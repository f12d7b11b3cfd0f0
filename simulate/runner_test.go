package simulate_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/survey"
)

// network builds a design by its name.
func network(t *testing.T, name string) (topology.Design, *topology.Network) {
	t.Helper()
	return familytest.Build(t, name)
}

// record notes what a Progress is told.
type record struct {
	mu      sync.Mutex
	done    []int
	reached simcore.Cycle // by a search or a closed loop
}

func (r *record) Load(int, simcore.Cycle) {}

func (r *record) LoadDone(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, i)
}

func (r *record) Cycle(now simcore.Cycle) { r.reached = max(r.reached, now) }

// stopped is a clock that stands still, so that wall times are 0.
func stopped() time.Time { return time.Time{} }

// flitSim is a small simulation of a design under uniform traffic.
func flitSim(t *testing.T, name string) *flit.Sim {
	t.Helper()
	d, n := network(t, name)
	c := &simulate.Choice{Routing: "natural", Traffic: "uniform", Want: 4, Seed: 1}
	r, tr, err := c.Build(t.Context(), d, n)
	if err != nil {
		t.Fatal(err)
	}
	cfg := flit.DefaultConfig()
	cfg.Warmup, cfg.Measure, cfg.Seed, cfg.SatTolerance = 200, 1000, 1, 0.2
	s, err := flit.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLoadsWorkers: one worker and three give the same points, in the order of the loads, and every load is
// said to be done.
func TestLoadsWorkers(t *testing.T) {
	loads := []float64{0.2, 0.4, 0.6, 0.8}
	var first []simulate.Point
	for _, workers := range []int{1, 3} {
		rec := &record{}
		r := &simulate.Runner{Workers: workers, Now: stopped, Progress: rec}
		points, err := r.Loads(t.Context(), flitSim(t, "hypercube(n=3)"), loads)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(rec.done)
		if !slices.Equal(rec.done, []int{0, 1, 2, 3}) {
			t.Errorf("%d workers: loads %v are done", workers, rec.done)
		}
		for i, p := range points {
			if p.Offered != loads[i] || p.WallS != 0 {
				t.Errorf("%d workers: point %d has load %g, %g s", workers, i, p.Offered, p.WallS)
			}
		}
		if first == nil {
			first = points
		} else if !reflect.DeepEqual(points, first) {
			t.Errorf("%d workers give other points than one", workers)
		}
	}
}

// TestLoadsCancelled: what was not reached has no cycles.
func TestLoadsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	points, err := new(simulate.Runner).Loads(ctx, flitSim(t, "hypercube(n=3)"), []float64{0.2, 0.4})
	if !errors.Is(err, context.Canceled) || len(points) != 2 || points[1].Cycles != 0 {
		t.Errorf("%v, points %+v", err, points)
	}
}

// TestDegrade: without a global link, a dragonfly's natural routing (local, global, local) leaves pairs without
// a route, and is refused; minimal routing goes round, and so do those of these pairs that may make detours, by which no other pair's ways change.
func TestDegrade(t *testing.T) {
	racing.Figures(t)
	d, n := network(t, "dragonfly(p=2,a=4,h=2)")
	first, end := n.Out(0)
	for n.To(first) != 31 {
		if first++; first == end {
			t.Fatal("switch 0 has no link to switch 31, in another group")
		}
	}
	left, failed, err := simulate.Degrade(n, &topology.Failures{Links: []topology.ChannelID{first}})
	if err != nil {
		t.Fatal(err)
	}
	if want := n.SwitchName(n.From(first)) + "-" + n.SwitchName(n.To(first)); !slices.Equal(failed.Links, []string{want}) || len(failed.Switches) != 0 {
		t.Errorf("failed %+v, want link %s", failed, want)
	}
	for name, fits := range map[string]bool{"natural": false, "minimal": true, "valiant": true, "ugal_l": true, "ugal_g": true, "par": true, "par_ph": true} {
		c := &simulate.Choice{Routing: name, Traffic: "worst", Seed: 1}
		r, _, err := c.Build(t.Context(), d, left)
		if err != nil {
			t.Fatal(err)
		}
		err = failed.CheckRouting(t.Context(), left, r, c.RouteOptions(d, left))
		var unfit *simulate.UnfitError
		if fits && err != nil || !fits && (!errors.As(err, &unfit) || len(unfit.Others) == 0 || unfit.Others[0].Routing != "minimal") {
			t.Errorf("%s: %v", name, err)
		}
		detours, _ := route.Detours(name)
		// Both directions of the pair of groups, of 4 switches with 2 endpoints each.
		if want := int64(2 * 8 * 8); failed.Shortest || (failed.Around == want) != detours || !detours && failed.Around != 0 {
			t.Errorf("%s: %d pairs by way of intermediates, all by shortest paths %t; want %d, false", name, failed.Around, failed.Shortest, want)
		}
		if detours {
			overloaded(t, left, name, r)
		}
	}
	if failed.Unreachable != nil {
		t.Errorf("all pairs are connected, but %+v", failed.Unreachable)
	}
}

// TestWholeKeepsRule: where nothing fails, routings with detours follow the family's rule, in every family.
func TestWholeKeepsRule(t *testing.T) {
	racing.Figures(t)
	for _, f := range family.All() {
		d := topology.Design{Family: f, V: survey.SmallInstance(f)}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		c := &simulate.Choice{Routing: "valiant", Traffic: "uniform", Seed: 1}
		opt := c.RouteOptions(d, n)
		if r, err := route.ByName(t.Context(), c.Routing, n, opt); err != nil || r.Rerouted() {
			t.Errorf("%s: by all shortest paths though nothing failed, or %v", d, err)
		}
	}
}

// overloaded offers what is left of a network everything: packets go on being delivered, to all.
func overloaded(t *testing.T, n *topology.Network, name string, r *route.Native) {
	t.Helper()
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	cfg := flit.SwitchConfig()
	cfg.VCs, cfg.PacketFlits, cfg.Warmup, cfg.Measure, cfg.DrainLimit = r.VCs(), 4, 1000, 2000, 1
	s, err := flit.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	// A group's 8 endpoints have 8 global links, of which a packet by way of an intermediate crosses two at most: half of everything fits.
	if p, err := s.Run(t.Context(), 1); err != nil || p.Deadlocked || p.Unreachable > 0 || p.Accepted < 0.3 {
		t.Errorf("%s: accepts %.3f, deadlocked: %t, %d packets without a route, %v", name, p.Accepted, p.Deadlocked, p.Unreachable, err)
	}
}

// TestChoiceWrong: both names that do not exist are said at once.
func TestChoiceWrong(t *testing.T) {
	d, n := network(t, "ring(n=4)")
	_, _, err := (&simulate.Choice{Routing: "natral", Traffic: "unform"}).Build(t.Context(), d, n)
	if err == nil || !strings.Contains(err.Error(), "natral") || !strings.Contains(err.Error(), "unform") {
		t.Errorf("error %v", err)
	}
}

// TestSettle: a warm-up that no packet survives is refused, an automatic one lasts five times as long as the
// slowest lone packet takes.
func TestSettle(t *testing.T) {
	d, n := network(t, "dragonfly(p=2,a=4,h=2)")
	cfg := cutthrough.DefaultConfig()
	if _, err := simulate.Wire(t.Context(), d, n, 0, &cfg); err != nil {
		t.Fatal(err)
	}
	if cfg.BandwidthGbps != 400 {
		t.Errorf("endpoints of %g Gb/s, want the evaluator's 400", cfg.BandwidthGbps)
	}
	cfg.WarmupNs, cfg.Seed = 300, 1
	c := &simulate.Choice{Routing: "natural", Traffic: "uniform", Seed: 1}
	r, tr, err := c.Build(t.Context(), d, n)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cutthrough.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var short *simulate.ShortWarmupError
	if _, err := simulate.Settle(sim, false); !errors.As(err, &short) || short.WarmupNs != 300 || short.LongestNs < 1000 {
		t.Fatalf("error %v", err)
	}
	mean, err := simulate.Settle(sim, true)
	if got := sim.Config().WarmupNs; err != nil || got != int(5*short.LongestNs) || mean > short.LongestNs {
		t.Errorf("warm-up of %d ns, mean %g, slowest %g: %v", got, mean, short.LongestNs, err)
	}
}
