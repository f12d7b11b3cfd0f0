package simulate_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"toposearch/internal/crew"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
)

// faulty is a traffic that panics at one draw of all; the others go on as before.
type faulty struct {
	simcore.Traffic
	left *atomic.Int32
}

func (f faulty) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	if f.left.Add(-1) == 0 {
		panic("a fault of the traffic")
	}
	return f.Traffic.Dest(src, r)
}

// TestPanicInWorker: a panic of either engine, on one part or several, under one load or many at a time,
// is an error that names the design, the routing, the load, the seed and the time; nobody waits for the
// worker that ended.
func TestPanicInWorker(t *testing.T) {
	const name = "dragonfly(p=4,a=8,h=4)" // some 4,000 ports: parts pay
	d, n := network(t, name)
	c := &simulate.Choice{Routing: "natural", Traffic: "uniform", Seed: 5}
	r, uniform, err := c.Build(t.Context(), d, n)
	if err != nil {
		t.Fatal(err)
	}
	traffic := func() simcore.Traffic {
		left := new(atomic.Int32)
		left.Store(3000)
		return faulty{uniform, left}
	}
	check := func(engine string, workers, loads int, run func() error) {
		t.Helper()
		ended := make(chan error, 1)
		crew.Detach(func() {
			var err error
			defer func() { ended <- err }()
			defer crew.Catch(&err)
			err = run()
		}, func(error) {})
		select {
		case <-time.After(time.Minute):
			t.Fatalf("%s, %d workers: it hangs", engine, workers)
		case err := <-ended:
			var p *crew.Panic
			if !errors.As(err, &p) || p.Value != "a fault of the traffic" {
				t.Fatalf("%s, %d workers: %v", engine, workers, err)
			}
			for _, want := range []string{name, "routing natural", "load 0.3", "seed 5", map[string]string{"flit": "cycle ", "cut-through": " us"}[engine]} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %d workers, %d loads: no %q in %s", engine, workers, loads, want, err)
				}
			}
		}
	}
	for _, workers := range []int{1, 3} {
		for _, loads := range [][]float64{{0.3}, {0.3, 0.3, 0.3}} {
			run := &simulate.Runner{Workers: workers}
			check("flit", workers, len(loads), func() error {
				cfg := flit.DefaultConfig()
				cfg.Seed = 5
				sim, err := flit.New(n, r, traffic(), cfg)
				if err == nil {
					_, err = run.Loads(t.Context(), sim, loads)
				}
				return err
			})
			check("cut-through", workers, len(loads), func() error {
				cfg := cutthrough.DefaultConfig()
				cfg.Seed = 5
				if _, err := simulate.Wire(t.Context(), d, n, 400, &cfg); err != nil {
					return err
				}
				sim, err := cutthrough.New(n, r, traffic(), cfg)
				if err == nil {
					_, err = run.CutLoads(t.Context(), sim, loads)
				}
				return err
			})
		}
	}
}
