package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator"
	"toposearch/internal/crew"
	"toposearch/internal/memory"
	"toposearch/routing"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/study"
	"toposearch/topology"
)

// Simulate measures one design under one traffic. An error is a cancellation or a fault of ours;
// a network that cannot be simulated is a result that says why.
//
// It runs the routing that [verify] names, or else the one that was chosen for the design ("": natural).
func Simulate(ctx context.Context, p *search.Problem, d topology.Design, name, chosen string) (*Result, error) {
	return simulateTold(ctx, p, d, name, chosen, nil)
}

// simulateTold is Simulate; told, if not nil, hears now and then how much was simulated, in the unit of Cost.Work.
func simulateTold(ctx context.Context, p *search.Problem, d topology.Design, name, chosen string, told func(work float64)) (*Result, error) {
	defer crew.Doing(func() string { return fmt.Sprintf("verifying %s under %s", d, name) })
	line, sim, err := prepare(ctx, p, d, name, chosen)
	if err == nil {
		if told != nil {
			tellWork(sim, told)
		}
		err = line.measure(ctx, sim, p.Study.Verify.Loads)
		line.FlitHops = sim.Spent()
		if err == nil {
			err = line.expectShare(ctx)
		}
		if err == nil {
			err = line.try(ctx, p, sim)
		}
		var need *memory.Error
		if err != nil && ctx.Err() == nil && !errors.As(err, &need) {
			return nil, fmt.Errorf("simulate %s under %s: %w", line.Design, name, err)
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		line.Skipped = err.Error()
	}
	return line, nil
}

// prepare does what comes before the first load: network, routing, prediction, expectation. An error says why the design is not
// simulated, or is a cancellation; the line is there all the same.
func prepare(ctx context.Context, p *search.Problem, d topology.Design, name, chosen string) (line *Result, sim Simulator, err error) {
	line = &Result{Design: d.String(), Traffic: name, Model: p.Study.Verify.Model, Cycles: p.Study.Verify.Cycles}
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		return line, nil, err
	}
	if size.Endpoints > mostEnds {
		return line, nil, fmt.Errorf("%d endpoints are more than the %d that a simulation of a finalist takes", size.Endpoints, mostEnds)
	}
	cfg := flit.DefaultConfig()
	cfg.VCs = max(cfg.VCs, p.Study.Verify.VCs)
	if err := memory.Require("its simulation", flit.Bytes(simcore.CountsOfSize(&size), &cfg)); err != nil {
		return line, nil, err
	}
	n, gbps, err := Network(p, d)
	if err != nil {
		return line, nil, err
	}
	line.Gbps = gbps
	way, err := wayOf(ctx, p, d, n, chosen)
	if err != nil {
		return line, nil, err
	}
	line.Routing = way.Name
	if err := line.draw(ctx, p, d, n, way); err != nil {
		return line, nil, err
	}
	loads, err := Predict(ctx, n, way, name, line)
	if err != nil {
		return line, nil, err
	}
	if sim, err = Simulation(ctx, p, d, n, way, name, line); err != nil {
		return line, nil, err
	}
	line.Certified = way.certify(n, loads, line)
	line.again = func(p *search.Problem, of *Result) (Simulator, error) { return Simulation(ctx, p, d, n, way, name, of) }
	switch x := sim.(type) {
	case *flit.Sim:
		cfg := x.Config()
		err = line.expect(ctx, n, way, line.classes, &cfg)
	case cutModel:
		cfg := x.Config()
		err = line.expectDeep(ctx, n, way, &cfg)
	}
	return line, sim, err
}

// Simulation sets a simulator up within the limit on VCs and the budget of work.
func Simulation(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, w *Way, name string, line *Result) (Simulator, error) {
	r, t, err := parts(ctx, p, d, n, w, name, line)
	if err != nil {
		return nil, err
	}
	if p.Study.Verify.Model == study.CutThrough {
		return cutSimulation(ctx, p, d, n, w, r, t, line)
	}
	cfg := flit.SwitchConfig()
	cfg.Seed, cfg.PacketFlits, cfg.Workers, cfg.VCs = p.Seed, max(p.Study.Verify.Packet, 1), 1, line.VCs
	if line.buffer > 0 {
		cfg.BufferFlits = line.buffer
	}
	ports := float64(n.Channels()) + float64(n.Endpoints())*2*flitsPerCycle(n)
	trip := zeroLoad(&cfg, float64(line.longest), float64(cfg.PacketFlits-1))
	if err := line.window(&p.Study.Verify, flitsPerCycle(n)*float64(n.Endpoints())/cfg.MeanFlits(), trip, ports, leastCycles); err != nil {
		return nil, err
	}
	cfg.Measure, cfg.Warmup, cfg.Precision = line.Cycles, warmup(line.Cycles, trip), line.Precision
	cfg.MaxMeasure = line.probeMost(ports)
	if !math.IsNaN(line.hops) {
		lag, err := line.lagOf(ctx, n, &cfg, w.Direct)
		if err != nil {
			return nil, err
		}
		line.PredictedZ = zeroLoad(&cfg, line.hops, lag)
		if line.detour > 0 {
			line.DetourZ = zeroLoad(&cfg, line.detour, lag)
		}
	}
	return flit.New(n, r, t, cfg)
}

// parts makes routing and traffic, and settles the VCs.
func parts(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, w *Way, name string, line *Result) (*route.Native, simcore.Traffic, error) {
	rule := p.Study.Options.Natural(d)
	vcs := p.Study.Options.MaxVCs
	if p.Study.Verify.VCs > 0 {
		vcs = p.Study.Verify.VCs
	}
	legs := 1
	if detours, err := route.Detours(w.Name); w.Detours || err == nil && detours { // VCs for both are there, whether a packet makes a detour or not
		legs = 2
	}
	if vcs > 0 && legs*n.NetworkVCs(rule) <= vcs { // the limit is one of the network's switches
		vcs = max(vcs, legs*rule.VCs())
	}
	opt := route.Options{Natural: rule, VCs: vcs, Want: defaultVCs, Tables: w.Tables, Workers: loadWorkers}
	if d.Family.Place != nil {
		opt.Blocks = routing.BlocksOf(n, d.Family.Place(d.V))
	}
	r, err := route.ByName(ctx, w.Name, n, opt)
	if err != nil {
		return nil, nil, err
	}
	t := line.drawn
	if t == nil {
		t, err = pattern(ctx, p, d, n, name)
	}
	line.native, line.classes = r, r.VCs()
	if line.VCs = vcs; vcs == 0 {
		line.VCs = max(defaultVCs, r.VCs())
	}
	return r, t, err
}

// lagOf is the mean lag of the last flit of a packet behind the first where it arrives, cycles. A cycle is
// what the fastest link of the network needs for a flit.
func (l *Result) lagOf(ctx context.Context, n *topology.Network, c *flit.Config, r *routing.Router) (float64, error) {
	behind, unit := float64(c.PacketFlits-1), float64(simcore.UnitLanes(n))
	lag := routing.Lag{Least: behind, Catch: pipeline(c, c.RoutingDelay+c.VCAllocDelay) - pipeline(c, 0)}
	even := true
	for i := range n.LinkClasses {
		if n.LinkClasses[i].Name != topology.ClassInternal { // no link of its own
			lag.Link[i] = behind * max(1, unit/float64(max(n.Lanes[i], 1)))
			even = even && lag.Link[i] == behind
		}
	}
	if n.LinkClasses[0].Name == topology.ClassNic {
		lag.Least = lag.Link[0]
	}
	if even || !known(l.Traffic) { // of a part of uniform traffic with flows beside it there is no mean
		return lag.Least, nil
	}
	return r.MeanLag(ctx, &lag, l.flows)
}

// zeroLoad is the latency of a lone packet of the simulated router, cycles: source and sink links,
// the pipeline of every switch, the links between, and how far the last flit is behind the first
// (flit.TestZeroLoadFormula).
func zeroLoad(c *flit.Config, hops, lag float64) float64 {
	link := float64(c.LinkLatency)
	return 2*link + 1 + (hops+1)*pipeline(c, c.RoutingDelay+c.VCAllocDelay) + hops*link + lag
}

// measure finds the saturation load and then the curve below it. Loads tried on the way to
// saturation are points of the curve as well.
func (l *Result) measure(ctx context.Context, sim Simulator, loads int) error {
	sat, err := sim.Saturation(ctx)
	if err != nil {
		return err
	}
	l.Saturation, l.Above, l.Undecided, l.Deadlocked = sat.Load, sat.High(), sat.Undecided, sat.Deadlocked
	points := sat.Points
	if sat.Load > 0 {
		sim.SetMaxMeasure(simcore.MeasureTimes * l.Cycles)
		for _, x := range fractions(loads) {
			p, err := sim.Run(ctx, x*sat.Load)
			if err != nil {
				return err
			}
			if x == 0.5 {
				l.HalfLoad, l.HalfCI = p.Latency.Mean, search.JSONNumber(p.Latency.CI95)
			}
			if x == zeroLoadTop {
				l.ZeroLoad, l.ZeroErr = p.Latency.Mean, search.JSONNumber(p.Latency.StdErr)
			}
			points = append(points, p)
		}
	}
	slices.SortStableFunc(points, func(a, b simcore.Point) int { return cmp.Compare(a.Offered, b.Offered) })
	for _, p := range points {
		l.Curve = append(l.Curve, search.CurvePoint{Offered: p.Offered, Accepted: p.Accepted,
			Latency: search.JSONNumber(p.Latency.Mean), P99: float64(p.Latency.P99), Saturated: p.Saturated, Measured: p.Measured,
			LatencyCI95: search.JSONNumber(p.Latency.CI95), AcceptedCI95: search.JSONNumber(p.AcceptedCI95)})
	}
	l.HalfLoad, l.ZeroLoad = search.JSONNumber(l.HalfLoad), search.JSONNumber(l.ZeroLoad)
	return nil
}

// fractions of the saturation load at which a curve is measured: a tenth for the idle latency, a
// half for the latency that DESIGN names, and the rest spread between a tenth and nine tenths.
func fractions(loads int) []float64 {
	fs := []float64{0.1, 0.5}
	for i := 1; len(fs) < max(loads, 2); i++ {
		x := 0.1 + 0.8*float64(i)/float64(max(loads-1, 2))
		if x > 0.95 {
			break
		}
		if x < 0.49 || x > 0.51 {
			fs = append(fs, x)
		}
	}
	slices.Sort(fs)
	return fs
}

// Network makes the network that is simulated, with its scale-up domains where the study has them and with
// the rates that throughputs are computed with; load 1 is as many Gb/s.
func Network(p *search.Problem, d topology.Design) (n *topology.Network, gbps float64, err error) {
	if n, err = p.Study.Options.Network(d); err != nil {
		return nil, 0, err
	}
	e, err := evaluator.New(p.Study.Options)
	if err != nil {
		return nil, 0, err
	}
	return e.Rated(d, n)
}

// SkippedLine is the line of a simulation that was not done.
func SkippedLine(design, traffic, why string) ([]byte, error) {
	return json.Marshal(simNote{&Result{Design: design, Traffic: traffic, Skipped: why}})
}

// Line simulates a design as Simulate does and gives the line that a journal holds of it, without its seal.
func Line(ctx context.Context, p *search.Problem, d topology.Design, traffic, chosen string) ([]byte, error) {
	r, err := Simulate(ctx, p, d, traffic, chosen)
	if err != nil {
		return nil, err
	}
	return json.Marshal(simNote{r})
}
