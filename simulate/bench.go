package simulate

import (
	"context"
	"runtime"

	"toposearch/simcore/booksim"
	"toposearch/simcore/flit"
)

// BenchPoint is the speed of the flit simulator at one load.
type BenchPoint struct {
	Offered          float64 `json:"offered"`
	Accepted         float64 `json:"accepted"` // in the timed cycles, as a load: of endpoints that send
	Cycles           int64   `json:"cycles"`   // timed, after the warm-up
	FlitHops         int64   `json:"flit_hops"`
	WallS            float64 `json:"wall_s"`
	CyclesPerS       float64 `json:"cycles_per_s"`
	SwitchCyclesPerS float64 `json:"switch_cycles_per_s"`
	FlitHopsPerS     float64 `json:"flit_hops_per_s"`
	NsPerFlitHop     float64 `json:"ns_per_flit_hop"`
	// BytesPerPort is the heap that the state takes after the timed cycles, for each port of a
	// switch, without what the network, the routing and the traffic are made of.
	BytesPerPort float64 `json:"bytes_per_port"`
}

// BenchDocument holds the speed at several loads.
type BenchDocument struct {
	Schema   string       `json:"schema"`
	Design   string       `json:"design"`
	Switches int          `json:"switches"`
	Ports    int          `json:"ports"` // of switches
	Cores    int          `json:"cores"` // used at the most; a small network takes one
	Points   []BenchPoint `json:"points"`
}

// Benchmark is what is timed.
type Benchmark struct {
	Design         string
	Sim            *flit.Sim
	Loads          []float64
	Seed           uint64
	Warmup, Cycles int
}

// BookSimBenchmark times a configuration of BookSim2: its warm-up periods, then the rest of
// max_samples.
func BookSimBenchmark(file string, r *booksim.Run) *Benchmark {
	warmup, cycles := r.Length()
	return &Benchmark{Design: "booksim:" + file, Sim: r.Sim(), Loads: []float64{r.Load()}, Seed: r.Seed(), Warmup: warmup, Cycles: cycles}
}

// Bench times the cycles of each load in turn, on a state of its own. It needs a clock.
func (r *Runner) Bench(ctx context.Context, b *Benchmark) (*BenchDocument, error) {
	doc := &BenchDocument{Schema: BenchSchema, Design: b.Design}
	doc.Switches, doc.Ports = b.Sim.Size()
	for _, load := range b.Loads {
		before := HeapInUse()
		s, err := b.Sim.Clone()
		if err != nil {
			return nil, err
		}
		doc.Cores = s.Split(r.workers())
		p, err := r.benchLoad(ctx, s, load, b)
		if err != nil {
			return nil, err
		}
		if after := HeapInUse(); after > before {
			p.BytesPerPort = float64(after-before) / float64(doc.Ports)
		}
		runtime.KeepAlive(s)
		p.SwitchCyclesPerS = p.CyclesPerS * float64(doc.Switches)
		doc.Points = append(doc.Points, p)
	}
	return doc, nil
}

func (r *Runner) benchLoad(ctx context.Context, s *flit.Sim, load float64, b *Benchmark) (BenchPoint, error) {
	s.Reset(load, b.Seed)
	if err := step(ctx, s, b.Warmup); err != nil {
		return BenchPoint{}, err
	}
	c := s.Counts()
	hops, accepted := c.FlitHops, c.Accepted
	wall := r.stopwatch()
	if err := step(ctx, s, b.Cycles); err != nil {
		return BenchPoint{}, err
	}
	seconds := max(wall(), 1e-9)
	c = s.Counts()
	n := float64(b.Cycles)
	p := BenchPoint{Offered: load, Cycles: int64(b.Cycles), FlitHops: c.FlitHops - hops, WallS: seconds, CyclesPerS: n / seconds,
		Accepted: float64(c.Accepted-accepted) / n / s.FullLoad()}
	p.FlitHopsPerS = float64(p.FlitHops) / seconds
	if p.FlitHops > 0 {
		p.NsPerFlitHop = 1e9 / p.FlitHopsPerS
	}
	return p, nil
}

// benchSlice is the number of cycles after which the context is asked again.
const benchSlice = 64

// step simulates n cycles.
func step(ctx context.Context, s *flit.Sim, n int) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(n, benchSlice)
		s.Step(k)
		n -= k
	}
	return nil
}
