package flit

import (
	"errors"
	"fmt"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// Config holds every parameter of a simulation. DefaultConfig gives sensible values; Validate
// names every bad one. Times are cycles, sizes flits.
type Config struct {
	Seed uint64 `json:"seed"`

	// Switches.
	VCs         int `json:"vcs"`          // virtual channels per link; default 4, at most 32
	BufferFlits int `json:"buffer_flits"` // per VC; 0: the credit round trip of the longest link plus a packet, at least 8
	// SharedFlits are slots of each input port that its VCs share beside their own: a VC is full when
	// its own BufferFlits are taken and so are these. 0: private buffers.
	SharedFlits  int `json:"shared_flits"`
	RoutingDelay int `json:"routing_delay"`  // 0 is look-ahead routing: the route is computed one switch ahead; default 1
	VCAllocDelay int `json:"vc_alloc_delay"` // at least 1; default 1
	SwAllocDelay int `json:"sw_alloc_delay"` // at least 1; default 1
	StPrepare    int `json:"st_prepare"`     // switch traversal, first part; default 0
	StFinal      int `json:"st_final"`       // switch traversal, second part; default 1
	CreditDelay  int `json:"credit_delay"`   // processing of a credit at a switch; default 1
	// BatchStages: routing and switch traversal of more than a cycle are not pipelined. What waits when
	// the stage is free starts together, and what comes later waits until that is done, as in BookSim2.
	BatchStages bool `json:"batch_stages,omitempty"`
	// RouteAtInjection: with look-ahead the route at the first switch is computed when the head is
	// injected, before the credits of that cycle are known, as in BookSim2; otherwise at the end of the
	// cycle, like all others. Such a network runs in one part.
	RouteAtInjection bool `json:"route_at_injection,omitempty"`
	// Allocators: separable_input_first, separable_output_first, islip, pim, wavefront,
	// rr_wavefront, max_size; for VCs also piggyback, with Speculative; the separable ones take (matrix) or (round_robin), islip and pim a
	// number of iterations, as islip(2).
	VCAllocator       string  `json:"vc_allocator"`
	SwAllocator       string  `json:"sw_allocator"`
	InputSpeedup      int     `json:"input_speedup"`        // crossbar inputs per input port; default 1
	OutputSpeedup     int     `json:"output_speedup"`       // crossbar outputs per output port; default 1
	InternalSpeedup   float64 `json:"internal_speedup"`     // internal steps per cycle; default 1
	OutputBuffer      int     `json:"output_buffer"`        // flits of the queue behind each crossbar output; -1: not limited
	Speculative       bool    `json:"speculative"`          // heads bid for the switch while they wait for a VC
	SpecCheckElig     bool    `json:"spec_check_elig"`      // only if a VC of the range is free; default true
	SpecCheckCred     bool    `json:"spec_check_cred"`      // and not full; default true
	SpecSwAllocator   string  `json:"spec_sw_allocator"`    // "prio": in the same allocator, losing ties; or one of its own
	SpecMaskByReqs    bool    `json:"spec_mask_by_reqs"`    // a request, not only a grant, masks a speculative one
	HoldSwitch        bool    `json:"hold_switch"`          // a packet keeps its crossbar connection while it has flits
	WaitForTailCredit bool    `json:"wait_for_tail_credit"` // a VC is reused only after its tail has left the next buffer
	VCBusyWhenFull    bool    `json:"vc_busy_when_full"`    // a full VC is not allocated
	VCPrioritizeEmpty bool    `json:"vc_prioritize_empty"`  // empty VCs are allocated first
	VCShuffleRequests bool    `json:"vc_shuffle_requests"`  // VC allocator inputs ordered by VC, then port
	Priority          string  `json:"priority"`             // none, age, network_age, local_age, queue_length, hop_count, sequence

	// Links. ClassLatency is the latency of each link class by index (0 or missing: LinkLatency);
	// ChannelLatency, if not nil, gives that of a channel and wins.
	LinkLatency    int                            `json:"link_latency"` // default 1
	ClassLatency   []int                          `json:"class_latency,omitempty"`
	ChannelLatency func(c topology.ChannelID) int `json:"-"`

	// Traffic.
	PacketFlits int    `json:"packet_flits"`    // flits of a packet; default 1
	Sizes       []int  `json:"sizes,omitempty"` // mixed sizes instead, with Weights
	Weights     []int  `json:"weights,omitempty"`
	Injection   string `json:"injection"` // bernoulli, poisson, on_off or on_off(alpha,beta,rate), or several over sources, mixed(0.5*poisson,0.5*bernoulli); default bernoulli
	// On/off sources without numbers of their own: Alpha and Beta are the probabilities per trial of turning on and off;
	// BurstRate the probability of a packet when on, <= 0 to follow from the load.
	Alpha     float64 `json:"alpha"`
	Beta      float64 `json:"beta"`
	BurstRate float64 `json:"burst_rate"`
	// AtHead: a packet counts as created when it reaches the head of its source queue, so that
	// latency leaves out the time in it.
	AtHead bool `json:"at_head,omitempty"`
	// PacketsEach, if above 0, is the number of packets after which an endpoint makes no more.
	PacketsEach int `json:"packets_each,omitempty"`

	// Measurement.
	Warmup         int `json:"warmup"`          // cycles before the window; default 2,000
	Measure        int `json:"measure"`         // cycles of the window; default 10,000
	DrainLimit     int `json:"drain_limit"`     // cycles after the window in which its packets have to arrive; 0: as many as the window had, at least Measure, DeadlockCycles and the longest delay of a link
	DeadlockCycles int `json:"deadlock_cycles"` // without any flit moving, while there are some; default 2,000
	Batches        int `json:"batches"`         // for the standard error; default 20
	// WarmupRule is WarmupFixed or WarmupMSER5; WarmupLimit the most cycles that the latter takes,
	// 0: eight times Warmup.
	WarmupRule  string `json:"warmup_rule"`
	WarmupLimit int    `json:"warmup_limit"`
	// Precision, if above 0, goes on measuring until half the 95 % confidence interval of mean
	// latency and of accepted load is at most this fraction of them, or MaxMeasure cycles were
	// measured (0: 16 times Measure). In a search for saturation MaxMeasure bounds what decides whether a load is
	// accepted (0: 4 times Measure).
	Precision  float64 `json:"precision"`
	MaxMeasure int     `json:"max_measure"`
	// SatTolerance is the width of the bracket at which the search for the saturation load ends, as
	// a fraction of it; default 0.02.
	SatTolerance float64 `json:"saturation_tolerance"`
	Workers      int     `json:"-"` // cores for Curve: loads at a time, then parts of a network; 0 or 1: one

	// Observe asks for more than a Point has by itself.
	Observe simcore.Observe `json:"-"`

	// Failures, if not nil, says what fails in the window and returns. The first of its routings stands for that of New.
	// The network is then simulated on one core, by the general cycle.
	Failures simcore.FailurePlan `json:"-"`

	forceFull bool // for tests: the general cycle even where the plain one would do
	lanes     int  // for tests: the number of lanes of the lean cycle; 0: as many as suit the size
}

// DefaultConfig is BookSim2's router, and a window that suits networks of some thousand endpoints.
func DefaultConfig() Config {
	return Config{
		VCs: 4, RoutingDelay: 1, VCAllocDelay: 1, SwAllocDelay: 1, StFinal: 1, CreditDelay: 1,
		VCAllocator: "separable_input_first", SwAllocator: "separable_input_first",
		InputSpeedup: 1, OutputSpeedup: 1, InternalSpeedup: 1, OutputBuffer: -1,
		SpecCheckElig: true, SpecCheckCred: true, SpecSwAllocator: "prio", Priority: "none",
		LinkLatency: 1, PacketFlits: 1, Injection: "bernoulli",
		Warmup: 2000, Measure: 10000, DeadlockCycles: 2000, Batches: 20, Workers: 1,
		WarmupRule: simcore.WarmupFixed, SatTolerance: 0.02,
	}
}

// DefaultSpeedup is the internal speedup of the switch that is simulated where nothing else is said. Shipped switches are
// built not to lose throughput inside (their sheets state all ports at full rate); an input-queued crossbar
// without speedup loses a third or more (Karol, Hluchyj, Morgan, IEEE Trans. Commun. 35(12), 1987), one with 2
// about a tenth.
const DefaultSpeedup = 2

// SwitchConfig is DefaultConfig with DefaultSpeedup: what a search, eval and simulate take.
func SwitchConfig() Config {
	c := DefaultConfig()
	c.InternalSpeedup = DefaultSpeedup
	return c
}

// MaxVCs of a channel: masks of them are 32 bits wide.
const MaxVCs = 32

// MaxBuffer is the most flits of a VC.
const MaxBuffer = 1 << 15

// faults collects what is wrong with a Config.
type faults []error

func (f *faults) check(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf("simcore: "+format, args...))
	}
}

// Validate reports every bad setting at once, each with its name and value.
func (c *Config) Validate() error {
	var f faults
	f.check(c.VCs >= 1 && c.VCs <= MaxVCs, "VCs = %d is not in 1..32", c.VCs)
	f.check(c.BufferFlits >= 0 && c.BufferFlits <= MaxBuffer, "BufferFlits = %d is not in 0..32768", c.BufferFlits)
	f.check(c.SharedFlits >= 0 && c.BufferFlits+c.SharedFlits <= MaxBuffer, "SharedFlits = %d is negative, or above 32768 with BufferFlits", c.SharedFlits)
	c.validatePipeline(&f)
	c.validateAllocators(&f)
	c.validateTraffic(&f)
	f.check(c.Warmup >= 0, "Warmup = %d is negative", c.Warmup)
	f.check(c.Measure >= 1, "Measure = %d is below 1", c.Measure)
	f.check(c.Warmup+2*c.Measure+c.DrainLimit < 1<<31-1<<20, "Warmup + 2 Measure + DrainLimit = %d is not below 2^31 - 2^20", c.Warmup+2*c.Measure+c.DrainLimit)
	f.check(c.DrainLimit >= 0, "DrainLimit = %d is negative", c.DrainLimit)
	f.check(c.DeadlockCycles >= 1, "DeadlockCycles = %d is below 1", c.DeadlockCycles)
	f.check(c.Batches >= 2 && c.Batches <= 1000, "Batches = %d is not in 2..1000", c.Batches)
	c.validateSteady(&f)
	f.check(c.Observe.Series >= 0, "Observe.Series = %d is negative", c.Observe.Series)
	f.check(c.Workers >= 0, "Workers = %d is negative", c.Workers)
	return f.join()
}

func (f faults) join() error { return errors.Join(f...) }

func (c *Config) validateSteady(f *faults) {
	f.check(c.WarmupRule == "" || c.WarmupRule == simcore.WarmupFixed || c.WarmupRule == simcore.WarmupMSER5, "WarmupRule = %q is neither %s nor %s", c.WarmupRule, simcore.WarmupFixed, simcore.WarmupMSER5)
	f.check(c.WarmupRule != simcore.WarmupMSER5 || c.Warmup >= simcore.MSERIntervals, "Warmup = %d is below the %d cycles that the rule %s looks at first", c.Warmup, simcore.MSERIntervals, simcore.WarmupMSER5)
	f.check(c.WarmupLimit == 0 || c.WarmupLimit >= c.Warmup, "WarmupLimit = %d is below Warmup = %d", c.WarmupLimit, c.Warmup)
	f.check(c.Precision == 0 || c.Precision >= 1e-5 && c.Precision < 1, "Precision = %g is not in [0.00001, 1)", c.Precision)
	if c.Failures != nil {
		f.check(c.Precision == 0, "Precision = %g: a window in which something fails has one length", c.Precision)
		f.check(c.RoutingDelay > 0, "RoutingDelay = %d: look-ahead would have chosen routes before a failure is known", c.RoutingDelay)
		f.check(!c.BatchStages && !c.WaitForTailCredit, "BatchStages = %t, WaitForTailCredit = %t: what a failure cuts is not followed through these", c.BatchStages, c.WaitForTailCredit)
		f.check(c.Priority != "network_age", "Priority = %q: flits of packets that a failure cuts have no times", c.Priority)
	}
	f.check(c.Precision == 0 || c.Batches%2 == 0, "Batches = %d is odd; with Precision two become one when the window doubles", c.Batches)
	f.check(c.MaxMeasure == 0 || c.MaxMeasure >= c.Measure, "MaxMeasure = %d is below Measure = %d", c.MaxMeasure, c.Measure)
	f.check(c.SatTolerance == 0 || c.SatTolerance >= 1e-4 && c.SatTolerance <= 0.5, "SatTolerance = %g is not in [0.0001, 0.5]", c.SatTolerance)
}

func (c *Config) validatePipeline(f *faults) {
	for _, d := range []struct {
		name     string
		v, least int
	}{{"RoutingDelay", c.RoutingDelay, 0}, {"VCAllocDelay", c.VCAllocDelay, 1}, {"SwAllocDelay", c.SwAllocDelay, 1},
		{"StPrepare", c.StPrepare, 0}, {"StFinal", c.StFinal, 1}, {"CreditDelay", c.CreditDelay, 0}, {"LinkLatency", c.LinkLatency, 1}} {
		f.check(d.v >= d.least && d.v <= 1<<16, "%s = %d is not in %d..65536", d.name, d.v, d.least)
	}
	for i, l := range c.ClassLatency {
		f.check(l >= 0 && l <= 1<<16, "ClassLatency[%d] = %d is not in 0..65536", i, l)
	}
	f.check(c.InputSpeedup >= 1 && c.InputSpeedup <= max(1, c.VCs), "InputSpeedup = %d is not in 1..VCs", c.InputSpeedup)
	f.check(c.OutputSpeedup >= 1 && c.OutputSpeedup <= 64, "OutputSpeedup = %d is not in 1..64", c.OutputSpeedup)
	f.check(c.InternalSpeedup >= 1 && c.InternalSpeedup <= 64, "InternalSpeedup = %g is not in 1..64", c.InternalSpeedup)
	f.check(c.OutputBuffer == -1 || c.OutputBuffer >= 1, "OutputBuffer = %d is neither -1 nor positive", c.OutputBuffer)
}

func (c *Config) validateAllocators(f *faults) {
	if c.VCAllocator == piggyback {
		f.check(c.Speculative, "VCAllocator = %q needs Speculative: VCs go to heads that win the switch by speculation", piggyback)
	} else {
		_, err := parseAllocator(c.VCAllocator)
		f.check(err == nil, "VCAllocator = %q: %v", c.VCAllocator, err)
	}
	_, err := parseAllocator(c.SwAllocator)
	f.check(err == nil, "SwAllocator = %q: %v", c.SwAllocator, err)
	if c.SpecSwAllocator != "prio" {
		_, err = parseAllocator(c.SpecSwAllocator)
		f.check(err == nil, "SpecSwAllocator = %q: %v", c.SpecSwAllocator, err)
	}
	_, ok := priorities[c.Priority]
	f.check(ok, "Priority = %q is not none, age, network_age, local_age, queue_length, hop_count or sequence", c.Priority)
}

func (c *Config) validateTraffic(f *faults) {
	f.check(c.PacketFlits >= 1 && c.PacketFlits <= 1<<15, "PacketFlits = %d is not in 1..32768", c.PacketFlits)
	f.check(c.PacketsEach >= 0, "PacketsEach = %d is negative", c.PacketsEach)
	f.check(len(c.Sizes) == len(c.Weights), "there are %d Sizes and %d Weights", len(c.Sizes), len(c.Weights))
	for i, n := range c.Sizes {
		f.check(n >= 1 && n <= 1<<15, "Sizes[%d] = %d is not in 1..32768", i, n)
	}
	for i, w := range c.Weights {
		f.check(w >= 1, "Weights[%d] = %d is below 1", i, w)
	}
	for _, p := range c.processes(f) {
		if p.Kind == simcore.OnOff {
			f.check(p.Alpha > 0 && p.Alpha <= 1, "Alpha = %g is not in (0, 1]", p.Alpha)
			f.check(p.Beta >= 0 && p.Beta <= 1, "Beta = %g is not in [0, 1]", p.Beta)
			f.check(p.Rate <= 1, "BurstRate = %g is above 1", p.Rate)
		}
	}
}

// processes are those of the sources; f, if not nil, hears why there are none.
func (c *Config) processes(f *faults) []simcore.Process {
	all, err := simcore.ParseInjection(c.Injection, simcore.Bernoulli, simcore.OnOff, simcore.Poisson)
	if err != nil {
		if f != nil {
			f.check(false, "Injection = %q: %v", c.Injection, err)
		}
		return nil
	}
	for i := range all {
		if p := &all[i]; p.Kind == simcore.OnOff && p.Bare {
			p.Alpha, p.Beta, p.Rate = c.Alpha, c.Beta, c.BurstRate
		}
	}
	return all
}

// MeanFlits is the mean number of flits of a packet.
func (c *Config) MeanFlits() float64 {
	if len(c.Sizes) == 0 {
		return float64(c.PacketFlits)
	}
	var s, w float64
	for i, n := range c.Sizes {
		s += float64(n) * float64(c.Weights[i])
		w += float64(c.Weights[i])
	}
	return s / w
}

// pipeline is the number of cycles from a head flit's arrival at a switch to its departure, plus 1.
func (c *Config) pipeline() int {
	a := c.VCAllocDelay + c.SwAllocDelay
	if c.Speculative {
		a = max(c.VCAllocDelay, c.SwAllocDelay)
	}
	return c.RoutingDelay + a + c.StPrepare + c.StFinal
}

// autoBuffer is what one VC needs to keep a line busy on which a flit and its credit take roundTrip
// cycles: that, and a packet.
func (c *Config) autoBuffer(roundTrip int32) int {
	return max(8, int(roundTrip)+c.pipeline()+c.CreditDelay+c.largestPacket())
}

func (c *Config) largestPacket() int {
	if len(c.Sizes) > 0 {
		return max(c.PacketFlits, slices.Max(c.Sizes))
	}
	return c.PacketFlits
}

// plain reports whether the fast cycle does what the Config asks for.
func (c *Config) plain() bool { return c.InternalSpeedup == 1 && c.simple() }

// simple is plain but for InternalSpeedup.
func (c *Config) simple() bool {
	return !c.forceFull && c.Failures == nil && plainAllocator(c.VCAllocator) && plainAllocator(c.SwAllocator) &&
		c.InputSpeedup == 1 && c.OutputSpeedup == 1 && c.OutputBuffer == -1 &&
		!c.Speculative && !c.HoldSwitch && !c.BatchStages && c.Priority == "none" &&
		!c.VCPrioritizeEmpty && !c.VCShuffleRequests
}

// lean reports whether the lean cycle (lean.go) does what the Config asks for, lines of less than a flit per cycle aside.
func (c *Config) lean() bool {
	return c.simple() && c.RoutingDelay == 1 && c.VCAllocDelay == 1 && c.SharedFlits == 0 && !c.WaitForTailCredit && !c.VCBusyWhenFull &&
		(c.InternalSpeedup == 1 || c.SwAllocDelay+c.StPrepare+c.StFinal == 2)
}

// Priorities of flits: the higher goes first.
const (
	priNone = iota
	priAge
	priNetworkAge
	priLocalAge
	priQueueLength
	priHopCount
	priSequence
)

var priorities = map[string]int{"none": priNone, "age": priAge, "network_age": priNetworkAge,
	"local_age": priLocalAge, "queue_length": priQueueLength, "hop_count": priHopCount, "sequence": priSequence}
