package main

import (
	"context"
	"fmt"
	"runtime"

	"toposearch/simcore/booksim"
	"toposearch/simcore/flit"
)

// benchPoint is the speed of the simulator at one load, on one core unless --workers says more.
type benchPoint struct {
	Offered          float64 `json:"offered"`
	Accepted         float64 `json:"accepted"` // in the timed cycles, per endpoint
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

type benchDoc struct {
	Schema   string       `json:"schema"`
	Design   string       `json:"design"`
	Switches int          `json:"switches"`
	Ports    int          `json:"ports"` // of switches
	Cores    int          `json:"cores"` // used at the most; a small network takes one
	Points   []benchPoint `json:"points"`
}

// benchTarget is what is timed.
type benchTarget struct {
	design         string
	sim            *flit.Sim
	loads          []float64
	seed           uint64
	endpoints      int
	warmup, cycles int
}

// heap is the memory in use, garbage collected.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// benchSlice is the number of cycles between looks at the context.
const benchSlice = 64

// bench times the cycles of each load in turn, on a state of its own.
func (a *app) bench(ctx context.Context, t *benchTarget) error {
	doc := &benchDoc{Schema: "toposearch.simulate-bench/1", Design: t.design}
	doc.Switches, doc.Ports = t.sim.Size()
	for _, load := range t.loads {
		before := heap()
		s, err := t.sim.Clone()
		if err != nil {
			return err
		}
		doc.Cores = s.Split(max(1, a.workers))
		p, err := a.benchLoad(ctx, s, load, t)
		if err != nil {
			return err
		}
		if after := heap(); after > before {
			p.BytesPerPort = float64(after-before) / float64(doc.Ports)
		}
		runtime.KeepAlive(s)
		p.SwitchCyclesPerS = p.CyclesPerS * float64(doc.Switches)
		doc.Points = append(doc.Points, p)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	fmt.Fprintf(a.out, "%s\n  %d switches with %d ports, cores: %d, %d cycles timed after %d\n\n%8s %8s %11s %15s %13s %12s %10s\n", doc.Design,
		doc.Switches, doc.Ports, doc.Cores, t.cycles, t.warmup, "offered", "accepted", "cycles/s", "switch-cycles/s", "flit-hops/s", "ns/flit-hop", "bytes/port")
	for _, p := range doc.Points {
		fmt.Fprintf(a.out, "%8.4f %8.4f %11.5g %15.5g %13.5g %12.1f %10.0f\n", p.Offered, p.Accepted, p.CyclesPerS, p.SwitchCyclesPerS,
			p.FlitHopsPerS, p.NsPerFlitHop, p.BytesPerPort)
	}
	return nil
}

func (a *app) benchLoad(ctx context.Context, s *flit.Sim, load float64, t *benchTarget) (benchPoint, error) {
	s.Reset(load, t.seed)
	if err := stepAll(ctx, s, t.warmup); err != nil {
		return benchPoint{}, err
	}
	c := s.Counts()
	hops, accepted := c.FlitHops, c.Accepted
	begun := a.now()
	if err := stepAll(ctx, s, t.cycles); err != nil {
		return benchPoint{}, err
	}
	wall := max(a.now().Sub(begun).Seconds(), 1e-9)
	c = s.Counts()
	n := float64(t.cycles)
	p := benchPoint{Offered: load, Cycles: int64(t.cycles), FlitHops: c.FlitHops - hops, WallS: wall, CyclesPerS: n / wall,
		Accepted: float64(c.Accepted-accepted) / n / float64(t.endpoints)}
	p.FlitHopsPerS = float64(p.FlitHops) / wall
	if p.FlitHops > 0 {
		p.NsPerFlitHop = 1e9 / p.FlitHopsPerS
	}
	return p, nil
}

func stepAll(ctx context.Context, s *flit.Sim, n int) error {
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

// benchBooksim times a configuration of BookSim2: its warm-up periods, then the rest of
// max_samples.
func (a *app) benchBooksim(ctx context.Context, file string, r *booksim.Run) error {
	warmup, cycles := r.Length()
	return a.bench(ctx, &benchTarget{design: "booksim:" + file, sim: r.Sim(), loads: []float64{r.Load()}, seed: r.Seed(),
		endpoints: r.Nodes(), warmup: warmup, cycles: cycles})
}
