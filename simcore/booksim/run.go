package booksim

import (
	"context"
	"fmt"
	"math"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// Run is a configuration ready to be simulated.
type Run struct {
	Settings *Settings

	sim     *flit.Sim
	load    float64
	seed    uint64
	repeats int
	nodes   int
	measure measure
}

// measure is how long to run and when to stop (BookSim2: TrafficManager).
type measure struct {
	latency, batch                    bool // sim_type; otherwise throughput
	period, warmup, most              int
	latencyThres                      float64
	warmThres, accWarm, stop, accStop float64
}

// Result is what BookSim2 would print, with its meanings: latencies in cycles, rates in flits per
// cycle and node, Hops in routers passed.
type Result struct {
	Status    string          `json:"status"` // ok, unstable, not_warm or deadlocked
	Latency   simcore.Latency `json:"latency"`
	MinLat    float64         `json:"latency_min"` // of several runs the mean of their minima
	LatencySD float64         `json:"latency_sd"`  // standard deviation over packets
	Network   simcore.Latency `json:"network_latency"`
	MinNet    float64         `json:"network_latency_min"`
	Flit      simcore.Latency `json:"flit_latency"` // of all flits that arrived since the warm-up, each from its injection
	MinFlit   float64         `json:"flit_latency_min"`
	Fragment  float64         `json:"fragmentation"`
	Hops      float64         `json:"hops"`
	Injected  float64         `json:"injected"`
	Accepted  float64         `json:"accepted"`
	AcceptMin float64         `json:"accepted_min"`
	AcceptMax float64         `json:"accepted_max"`
	Packets   int64           `json:"packets"`
	Cycles    int64           `json:"cycles"`
	FlitHops  int64           `json:"flit_hops"`

	Deadlock *simcore.Deadlock `json:"deadlock,omitempty"`
}

// Statuses of a Result.
const (
	StatusOK         = "ok"
	StatusUnstable   = "unstable" // mean latency above latency_thres: BookSim2 prints no results
	StatusNotWarm    = "not_warm" // "too many sample periods needed to converge"
	StatusDeadlocked = "deadlocked"
	// StatusInterrupted: the context ended; the figures are of what had been measured.
	StatusInterrupted = "interrupted"
)

func newRun(s *Settings) *Run {
	f := s.build()
	var tr *pattern
	if f != nil {
		tr = s.traffic(f)
	}
	r := &Run{Settings: s, seed: uint64(s.integer("seed")), repeats: s.between("sim_count", 1, 1000)}
	cfg := s.config()
	r.readMeasure(s)
	r.load = s.num("injection_rate")
	size := meanSize(&cfg)
	if !s.flag("injection_rate_uses_flits") {
		r.load *= size
	}
	if r.measure.batch {
		r.load = 1 // of a source that sends as fast as it can
	} else if r.load < 0 || r.load/size > 1 {
		s.errorAt("injection_rate", "", "%g is %g packets per cycle and node; 0 to 1 are possible", s.num("injection_rate"), r.load/size)
	}
	s.validate(&cfg)
	if f == nil || tr == nil || s.diags.HasErrors() {
		return nil
	}
	sim, err := flit.NewPlant(f.plant, f.routing, tr, cfg)
	if err != nil {
		s.errorAt("topology", "", "%v", err)
		return nil
	}
	r.sim, r.nodes = sim, f.plant.Endpoints
	return r
}

func meanSize(c *flit.Config) float64 {
	if len(c.Sizes) == 0 {
		return float64(c.PacketFlits)
	}
	var s, w float64
	for i, n := range c.Sizes {
		s += float64(n * c.Weights[i])
		w += float64(c.Weights[i])
	}
	return s / w
}

// config translates the router's settings.
func (s *Settings) config() flit.Config {
	c := flit.DefaultConfig()
	c.VCs = s.vcs()
	c.BufferFlits = s.buffer(c.VCs)
	c.RoutingDelay = s.between("routing_delay", 0, 1<<15)
	c.VCAllocDelay, c.SwAllocDelay = s.allocDelay("vc_alloc_delay"), s.allocDelay("sw_alloc_delay")
	c.StPrepare, c.StFinal = s.between("st_prepare_delay", 0, 1<<15), s.between("st_final_delay", 1, 1<<15)
	c.CreditDelay = s.between("credit_delay", 0, 1<<15)
	c.RouteAtInjection = c.RoutingDelay == 0
	c.BatchStages = c.RoutingDelay > 1 || c.StPrepare+c.StFinal > 1
	c.VCAllocator, c.SwAllocator = s.str("vc_allocator"), s.str("sw_allocator")
	// More crossbar inputs than VCs stay unused: VC v has input v mod input_speedup to itself anyway.
	c.InputSpeedup = min(s.between("input_speedup", 1, 64), c.VCs)
	c.OutputSpeedup = s.between("output_speedup", 1, 64)
	c.InternalSpeedup, c.OutputBuffer = s.num("internal_speedup"), s.integer("output_buffer_size")
	c.Speculative, c.SpecCheckElig = s.flag("speculative"), s.flag("spec_check_elig")
	c.SpecCheckCred, c.SpecMaskByReqs = s.flag("spec_check_cred"), s.flag("spec_mask_by_reqs")
	c.SpecSwAllocator, c.HoldSwitch = s.str("spec_sw_allocator"), s.flag("hold_switch_for_packet")
	c.WaitForTailCredit, c.VCBusyWhenFull = s.flag("wait_for_tail_credit"), s.flag("vc_busy_when_full")
	c.VCPrioritizeEmpty, c.VCShuffleRequests = s.flag("vc_prioritize_empty"), s.flag("vc_shuffle_requests")
	c.Priority = s.str("priority")
	if c.Priority == "class" { // one class: all equal
		c.Priority = "none"
	}
	c.AtHead = !s.flag("include_queuing")
	if s.str("sim_type") == "batch" {
		c.PacketsEach = s.between("batch_size", 1, 1<<24)
		s.packetSizes(&c)
		return c
	}
	c.Injection = s.str("injection_process")
	if c.Injection != "bernoulli" && c.Injection != "on_off" {
		s.errorAt("injection_process", "BookSim2 has bernoulli and on_off; simulate --injection has others", "there is no injection process %q", c.Injection)
		c.Injection = "bernoulli"
	}
	c.Alpha, c.Beta, c.BurstRate = s.num("burst_alpha"), s.num("burst_beta"), s.num("burst_r1")
	s.packetSizes(&c)
	if c.Injection == "on_off" {
		s.completeBurst(&c)
	}
	return c
}

// allocDelay is the delay of an allocator: with more than 1 cycle BookSim2 stops at an assertion as
// soon as a second request arrives.
func (s *Settings) allocDelay(key string) int {
	if d := s.integer(key); d != 1 {
		s.errorAt(key, "leave it 1; routing_delay and st_prepare_delay make a longer pipeline",
			"%d cycles are not possible, BookSim2 aborts with them", d)
	}
	return 1
}

// buffer is the size of a VC's buffer: its own setting, or its share of buf_size.
func (s *Settings) buffer(vcs int) int {
	if all := s.integer("buf_size"); all > 0 {
		if all < vcs || all/vcs > 1<<15 {
			s.errorAt("buf_size", "", "%d flits are not 1 to 32768 for each of %d VCs", all, vcs)
			return 1
		}
		return all / vcs
	}
	return s.between("vc_buf_size", 1, 1<<15)
}

// completeBurst derives alpha or beta from the rate where burst_r1 and the other are given. What is
// above 1 always happens.
func (s *Settings) completeBurst(c *flit.Config) {
	rate, r1 := s.num("injection_rate"), c.BurstRate
	if s.flag("injection_rate_uses_flits") {
		rate /= meanSize(c)
	}
	switch {
	case r1 < 0:
		c.BurstRate = 0
	case c.Alpha < 0 && r1 > rate:
		c.Alpha = c.Beta * rate / (r1 - rate)
	case c.Alpha < 0:
		s.errorAt("burst_r1", "give a larger burst_r1, or burst_alpha", "with %g packets per cycle when on, the mean cannot be %g", r1, rate)
	case c.Beta < 0 && rate > 0:
		c.Beta = c.Alpha * (r1 - rate) / rate
	}
	c.Alpha, c.Beta, c.BurstRate = min(c.Alpha, 1), min(c.Beta, 1), min(c.BurstRate, 1)
}

func (s *Settings) packetSizes(c *flit.Config) {
	sizes, rates := s.list("packet_size"), s.list("packet_size_rate")
	c.Sizes, c.Weights = nil, nil
	if len(sizes) == 1 {
		c.PacketFlits = sizes[0]
		return
	}
	if len(rates) > 1 && len(rates) != len(sizes) {
		s.errorAt("packet_size_rate", "", "there are %d sizes and %d weights", len(sizes), len(rates))
		return
	}
	for i, n := range sizes {
		w := 1
		if len(rates) == len(sizes) {
			w = rates[i]
		}
		c.Sizes, c.Weights = append(c.Sizes, n), append(c.Weights, w)
	}
}

// keyOf are the keys of the engine's settings, for what it refuses.
var keyOf = []struct{ field, key string }{
	{"VCs", "num_vcs"}, {"BufferFlits", "vc_buf_size"}, {"RoutingDelay", "routing_delay"}, {"StPrepare", "st_prepare_delay"},
	{"StFinal", "st_final_delay"}, {"CreditDelay", "credit_delay"}, {"VCAllocator", "vc_allocator"}, {"SwAllocator", "sw_allocator"},
	{"SpecSwAllocator", "spec_sw_allocator"}, {"Priority", "priority"}, {"InputSpeedup", "input_speedup"},
	{"OutputSpeedup", "output_speedup"}, {"InternalSpeedup", "internal_speedup"}, {"OutputBuffer", "output_buffer_size"},
	{"PacketFlits", "packet_size"}, {"Sizes", "packet_size"}, {"Weights", "packet_size_rate"}, {"Injection", "injection_process"},
	{"Alpha", "burst_alpha"}, {"Beta", "burst_beta"}, {"BurstRate", "burst_r1"},
}

// validate reports what the engine refuses at the keys where it was set.
func (s *Settings) validate(c *flit.Config) {
	err := c.Validate()
	if err == nil {
		return
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		key, text := "topology", strings.TrimPrefix(line, "simcore: ")
		for _, k := range keyOf {
			if strings.HasPrefix(text, k.field) {
				key = k.key
				_, text, _ = strings.Cut(text, " = ")
			}
		}
		s.errorAt(key, "", "%s", strings.ReplaceAll(text, "Speculative", "speculative = 1"))
	}
}

// mostCycles bounds the sample periods of a run: the engine's clock has 32 bits, and as many cycles
// again are left for the drain.
const mostCycles = 1 << 30

func (r *Run) readMeasure(s *Settings) {
	m := &r.measure
	switch t := s.str("sim_type"); t {
	case "latency", "throughput":
		m.latency = t == "latency"
	case "batch":
		m.batch = true
		if s.integer("max_outstanding_requests") > 0 {
			s.errorAt("max_outstanding_requests", "leave it 0; for a window of packets run simulate --workload window",
				"a limit of packets under way is not modelled")
		}
	default:
		s.errorAt("sim_type", "there are latency, throughput and batch", "%q is not supported", t)
	}
	m.period, m.warmup = s.between("sample_period", 1, 1<<30), s.integer("warmup_periods")
	m.most = s.between("max_samples", 1, 1<<30)
	if m.period*m.most > mostCycles {
		s.errorAt("sample_period", "", "%d sample periods of %d cycles are more than %d cycles", m.most, m.period, mostCycles)
	}
	m.latencyThres = s.num("latency_thres")
	m.warmThres, m.accWarm = s.num("warmup_thres"), s.num("acc_warmup_thres")
	m.stop, m.accStop = s.num("stopping_thres"), s.num("acc_stopping_thres")
}

// Sim is the simulation behind the run.
func (r *Run) Sim() *flit.Sim { return r.sim }

// Load is what each node offers, in flits per cycle.
func (r *Run) Load() float64 { return r.load }

// Seed is the seed of the first run.
func (r *Run) Seed() uint64 { return r.seed }

// Nodes is the number of nodes.
func (r *Run) Nodes() int { return r.nodes }

// Length is how long a run of fixed length takes: the sample periods of the warm-up, then those up
// to max_samples (at least one), in cycles.
func (r *Run) Length() (warmup, measured int) {
	w := max(r.measure.warmup, 0)
	return w * r.measure.period, max(r.measure.most-w, 1) * r.measure.period
}

// Batch reports whether every source sends batch_size packets as fast as it can, and the result is the
// number of cycles until all have arrived.
func (r *Run) Batch() bool { return r.measure.batch }

// average is the mean of several runs: of means, minima, maxima (those of a histogram rounded to
// whole cycles) and percentiles; counts add up.
func average(all []Result) Result {
	out := all[0]
	if len(all) == 1 {
		return out
	}
	n := float64(len(all))
	mean := func(of func(*Result) *float64) {
		sum := 0.0
		for i := range all {
			sum += *of(&all[i])
		}
		*of(&out) = sum / n
	}
	for _, of := range []func(*Result) *float64{
		func(r *Result) *float64 { return &r.Latency.Mean }, func(r *Result) *float64 { return &r.Network.Mean },
		func(r *Result) *float64 { return &r.Flit.Mean }, func(r *Result) *float64 { return &r.MinFlit },
		func(r *Result) *float64 { return &r.MinLat }, func(r *Result) *float64 { return &r.MinNet },
		func(r *Result) *float64 { return &r.LatencySD }, func(r *Result) *float64 { return &r.Fragment },
		func(r *Result) *float64 { return &r.Hops }, func(r *Result) *float64 { return &r.Injected },
		func(r *Result) *float64 { return &r.Accepted }, func(r *Result) *float64 { return &r.AcceptMin },
		func(r *Result) *float64 { return &r.AcceptMax },
	} {
		mean(of)
	}
	for _, of := range []func(*Result) *simcore.Latency{func(r *Result) *simcore.Latency { return &r.Latency },
		func(r *Result) *simcore.Latency { return &r.Network }, func(r *Result) *simcore.Latency { return &r.Flit }} {
		for _, x := range []func(*simcore.Latency) *int64{
			func(l *simcore.Latency) *int64 { return &l.P50 }, func(l *simcore.Latency) *int64 { return &l.P95 },
			func(l *simcore.Latency) *int64 { return &l.P99 }, func(l *simcore.Latency) *int64 { return &l.P999 },
			func(l *simcore.Latency) *int64 { return &l.Max },
		} {
			sum := 0.0
			for i := range all {
				sum += float64(*x(of(&all[i])))
			}
			*x(of(&out)) = int64(math.Round(sum / n))
		}
	}
	for _, a := range all[1:] {
		out.Packets += a.Packets
		out.Cycles += a.Cycles
		out.FlitHops += a.FlitHops
	}
	return out
}

func (r *Run) wrap(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("booksim: %w", err)
	}
	return nil
}
