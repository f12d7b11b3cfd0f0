package cutthrough

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// Queueing of a switch.
const (
	VOQ    = "voq"    // packets wait at their input, sorted by output; the crossbar reads an input at Speedup times its rate
	Output = "output" // packets wait at their output, in a memory that all inputs write at full rate
)

// Flow control of links.
const (
	Credit = "credit" // buffer space per input and VC, granted in advance (InfiniBand)
	PFC    = "pfc"    // shared buffer, pause and resume per input and priority (IEEE 802.1Qbb)
)

// Config holds every parameter of a simulation. DefaultConfig gives those of today's switches;
// the rates and cables of the network have to be added. Validate names every bad one.
type Config struct {
	Seed uint64 `json:"seed"`

	// The network, by link class.
	ClassGbps     []float64 `json:"class_gbps"`     // rate of a link; of internal links ignored
	ClassCableNs  []float64 `json:"class_cable_ns"` // one way
	BandwidthGbps float64   `json:"bandwidth_gbps"` // load 1: of an endpoint, all its ports

	// Switches.
	SwitchNs    float64 `json:"switch_ns"`    // head in to head out; default 400 (DESIGN section 5)
	RelayNs     float64 `json:"relay_ns"`     // the same of an endpoint that relays; default 1000
	NICNs       float64 `json:"nic_ns"`       // both NICs and their FEC together; default 0
	ControlNs   float64 `json:"control_ns"`   // sending and obeying a credit or a pause, cable aside; default 100: RS(544,514) FEC and PHY of 400G Ethernet
	VCs         int     `json:"vcs"`          // virtual channels: InfiniBand's VLs, Ethernet's lossless priorities; default those of the routing
	Queueing    string  `json:"queueing"`     // voq (default) or output
	Speedup     float64 `json:"speedup"`      // of the crossbar over each input port under voq; default 2, with which it rarely holds an output up
	FlowControl string  `json:"flow_control"` // credit (default) or pfc
	BufferBytes int64   `json:"buffer_bytes"` // of a switch or a relay, for all ports; default 64 MB
	PFCAlpha    float64 `json:"pfc_alpha"`    // pause above this share of the free shared buffer (Choudhury and Hahne, ToN 6(2), 1998); default 1/8
	ECNBytes    int     `json:"ecn_bytes"`    // a packet with which more waits at its output is marked, what is being sent aside; 0: 3 kB per Gb/s of the port

	// Traffic.
	MTUBytes  int    `json:"mtu_bytes"`  // of a packet, headers included; default 4096
	CellBytes int    `json:"cell_bytes"` // unit of congestion for adaptive routing, and of flit_hops; default 256
	Sizes     []int  `json:"sizes,omitempty"`
	Weights   []int  `json:"weights,omitempty"` // Sizes in bytes instead of the MTU, with these weights
	Arrivals  string `json:"arrivals"`          // poisson (default), constant: equal gaps, random phase, on_off(alpha,beta), turning on and off with these chances per ns, or some sources of each: mixed(1*poisson,1*constant)

	// Measurement, in ns. The rules are those of flit.Config.
	WarmupNs      int     `json:"warmup_ns"`           // before the window; default 20,000
	WarmupRule    string  `json:"warmup_rule"`         // simcore.WarmupFixed (default) or simcore.WarmupMSER5, which looks first after WarmupNs
	WarmupLimitNs int     `json:"warmup_limit_ns"`     // the most that MSER-5 takes; 0: simcore.WarmupTimes WarmupNs
	MeasureNs     int     `json:"measure_ns"`          // the window; default 50,000
	Precision     float64 `json:"precision,omitempty"` // longer windows until half the 95 % confidence intervals of latency and throughput are this part of them; 0: one window
	MaxMeasureNs  int     `json:"max_measure_ns"`      // with Precision, the longest window; 0: simcore.MeasureTimes MeasureNs
	DrainNs       int     `json:"drain_ns"`            // after it, for its packets to arrive; 0: as long as the window was, at least MeasureNs, DeadlockNs and the longest delay of a link
	DeadlockNs    int     `json:"deadlock_ns"`         // without any packet moving while there are some, beyond the longest delay of the network; default 20,000
	Batches       int     `json:"batches"`             // for standard errors; default 20
	Workers       int     `json:"-"`                   // of one run; 0 or 1: one. Results do not depend on it.
	// Failures, if not nil, says what fails in the window and returns. The first of its routings stands for that of New.
	Failures simcore.FailurePlan `json:"-"`
	Observe  simcore.Observe     `json:"-"` // what to measure beside the point; cycles are ns
}

// ecnPerGbps is the marking threshold of DCTCP that Li et al. (HPCC, SIGCOMM 2019, section 5.1)
// use: 30 kB per 10 Gb/s.
const ecnPerGbps = 3000

// DefaultConfig has no rates and cables.
func DefaultConfig() Config {
	return Config{
		SwitchNs: 400, RelayNs: 1000, ControlNs: 100, Queueing: VOQ, Speedup: 2, FlowControl: Credit,
		BufferBytes: 64e6, PFCAlpha: 1.0 / 8, MTUBytes: 4096, CellBytes: 256, Arrivals: "poisson",
		WarmupRule: simcore.WarmupFixed, WarmupNs: 20000, MeasureNs: 50000, DeadlockNs: 20000, Batches: 20, Workers: 1,
	}
}

// Limits. Times are 44 bits of ps in an event's key, so a run ends before 17 s; delays below a
// nanosecond would make windows too short to be of use, and are not known of any switch.
const (
	maxVCs     = 31         // a VC has five bits in a packet, a mask of them is signed nowhere
	maxBytes   = 1<<16 - 1  // of a packet
	maxBuffer  = 1<<31 - 1  // credits are int32
	maxDelayNs = 10_000_000 // 2,000 km of cable
	maxRunNs   = 10_000_000_000
	maxSizes   = 255
)

type faults []error

func (f *faults) check(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf("cutthrough: "+format, args...))
	}
}

// Validate reports every bad setting at once, each with its name and value.
func (c *Config) Validate() error {
	var f faults
	for _, d := range []struct {
		name     string
		v, least float64
	}{{"SwitchNs", c.SwitchNs, 1}, {"RelayNs", c.RelayNs, 1}, {"NICNs", c.NICNs, 0}, {"ControlNs", c.ControlNs, 1}} {
		f.check(d.v >= d.least && d.v <= maxDelayNs, "%s = %g is not in %g..%d", d.name, d.v, d.least, maxDelayNs)
	}
	f.check(c.VCs >= 0 && c.VCs <= maxVCs, "VCs = %d is not in 0..%d", c.VCs, maxVCs)
	f.check(c.Queueing == VOQ || c.Queueing == Output, "Queueing = %q is neither %s nor %s", c.Queueing, VOQ, Output)
	f.check(c.Speedup >= 1 && c.Speedup <= 64, "Speedup = %g is not in 1..64", c.Speedup)
	f.check(c.FlowControl == Credit || c.FlowControl == PFC, "FlowControl = %q is neither %s nor %s", c.FlowControl, Credit, PFC)
	f.check(c.FlowControl != PFC || c.VCs <= 8, "VCs = %d: Ethernet has 8 priorities for FlowControl = %s", c.VCs, PFC)
	f.check(c.BufferBytes >= 1 && c.BufferBytes <= maxBuffer, "BufferBytes = %d is not in 1..%d", c.BufferBytes, maxBuffer)
	f.check(c.PFCAlpha > 0 && c.PFCAlpha <= 1, "PFCAlpha = %g is not in (0, 1]; above 1 the buffer could overflow", c.PFCAlpha)
	f.check(c.ECNBytes >= 0, "ECNBytes = %d is negative", c.ECNBytes)
	c.validateTraffic(&f)
	c.validateTimes(&f)
	f.check(c.Workers >= 0 && c.Workers <= maxWorkers, "Workers = %d is not in 0..%d", c.Workers, maxWorkers)
	return errors.Join(f...)
}

func (c *Config) validateTimes(f *faults) {
	for _, t := range []struct {
		name     string
		v, least int
	}{{"WarmupNs", c.WarmupNs, 0}, {"WarmupLimitNs", c.WarmupLimitNs, 0}, {"MeasureNs", c.MeasureNs, 1}, {"MaxMeasureNs", c.MaxMeasureNs, 0},
		{"DrainNs", c.DrainNs, 0}, {"DeadlockNs", c.DeadlockNs, 1}, {"Observe.Series", c.Observe.Series, 0}} {
		f.check(t.v >= t.least && t.v <= maxRunNs, "%s = %d is not in %d..%d", t.name, t.v, t.least, maxRunNs)
	}
	warm, most := c.WarmupNs, c.MeasureNs
	if c.WarmupRule == simcore.WarmupMSER5 {
		warm = c.warmupLimit()
		f.check(c.WarmupLimitNs == 0 || c.WarmupLimitNs >= c.WarmupNs, "WarmupLimitNs = %d is below WarmupNs = %d", c.WarmupLimitNs, c.WarmupNs)
		f.check(c.WarmupNs >= 1, "WarmupNs = %d is too short for WarmupRule = %s", c.WarmupNs, c.WarmupRule)
	}
	if c.Precision > 0 {
		most = c.Budget()
		f.check(c.MaxMeasureNs == 0 || c.MaxMeasureNs >= c.MeasureNs, "MaxMeasureNs = %d is below MeasureNs = %d", c.MaxMeasureNs, c.MeasureNs)
	}
	f.check(warm+2*most+c.DrainNs <= maxRunNs, "warm-up, twice the window and drain take %d ns, more than %d", warm+2*most+c.DrainNs, maxRunNs)
	f.check(c.WarmupRule == simcore.WarmupFixed || c.WarmupRule == simcore.WarmupMSER5, "WarmupRule = %q is neither %s nor %s", c.WarmupRule, simcore.WarmupFixed, simcore.WarmupMSER5)
	f.check(c.Precision == 0 || c.Failures == nil, "Precision = %g: a window in which something fails has one length", c.Precision)
	f.check(c.Precision >= 0 && c.Precision < 1, "Precision = %g is not in 0..1", c.Precision)
	f.check(c.Batches >= 2 && c.Batches <= 1000, "Batches = %d is not in 2..1000", c.Batches)
	f.check(c.Precision == 0 || c.Batches%2 == 0, "Batches = %d is odd; with Precision two become one when the window doubles", c.Batches)
}

func (c *Config) warmupLimit() int { return cmp.Or(c.WarmupLimitNs, simcore.WarmupTimes*c.WarmupNs) }

// Budget is the length of the longest window with Precision, ns.
func (c *Config) Budget() int { return cmp.Or(c.MaxMeasureNs, simcore.MeasureTimes*c.MeasureNs) }

// arrivals are the processes of sources.
var arrivals = []string{simcore.Constant, simcore.OnOff, simcore.Poisson}

func (c *Config) validateTraffic(f *faults) {
	f.check(c.MTUBytes >= 1 && c.MTUBytes <= maxBytes, "MTUBytes = %d is not in 1..%d", c.MTUBytes, maxBytes)
	f.check(c.CellBytes >= 1 && c.CellBytes <= maxBytes, "CellBytes = %d is not in 1..%d", c.CellBytes, maxBytes)
	f.check(len(c.Sizes) == len(c.Weights) && len(c.Sizes) <= maxSizes, "there are %d Sizes and %d Weights; as many of both, at most %d", len(c.Sizes), len(c.Weights), maxSizes)
	for i, n := range c.Sizes {
		f.check(n >= 1 && n <= c.MTUBytes, "Sizes[%d] = %d is not in 1..MTUBytes = %d", i, n, c.MTUBytes)
	}
	for i, w := range c.Weights {
		f.check(w >= 1, "Weights[%d] = %d is below 1", i, w)
	}
	all, err := simcore.ParseInjection(c.Arrivals, arrivals...)
	f.check(err == nil, "Arrivals = %q: %v", c.Arrivals, err)
	for i := range all {
		f.check(err != nil || all[i].Kind != simcore.OnOff || !all[i].Bare, "Arrivals = %q: write on_off(alpha,beta), the chances per ns to turn on and off", c.Arrivals)
	}
}

// validateFor checks what depends on the network.
func (c *Config) validateFor(n *topology.Network) error {
	var f faults
	f.check(c.BandwidthGbps > 0 && !math.IsInf(c.BandwidthGbps, 0), "BandwidthGbps = %g is not positive", c.BandwidthGbps)
	if w := c.Observe.Watch; w != nil {
		f = append(f, w.Check(n.Endpoints(), func(e topology.EndpointID) bool {
			_, _, ports := n.Group(n.GroupOf(e))
			return len(ports) > 0
		}))
	}
	used := usedClasses(n)
	for i, class := range n.LinkClasses {
		if !used[i] {
			continue
		}
		internal := class.Name == topology.ClassInternal
		if !internal {
			f.check(i < len(c.ClassGbps) && c.ClassGbps[i] >= 0.001 && c.ClassGbps[i] <= 1e6, "ClassGbps[%d] of %s links is missing or not in 0.001..1000000", i, class.Name)
		}
		f.check(internal || i < len(c.ClassCableNs) && c.ClassCableNs[i] >= 0 && c.ClassCableNs[i] <= maxDelayNs,
			"ClassCableNs[%d] of %s links is missing or not in 0..%d", i, class.Name, maxDelayNs)
	}
	return errors.Join(f...)
}

func usedClasses(n *topology.Network) (used [topology.MaxClasses]bool) {
	used[0] = true // that of endpoints
	for c := range topology.ChannelID(n.Channels()) {
		used[n.LinkClass(c)] = true
	}
	return used
}

// sizes lists the packet sizes and the running sums of their weights.
func (c *Config) sizes() (bytes []int32, sums []int, mean float64) {
	if len(c.Sizes) == 0 {
		return []int32{int32(c.MTUBytes)}, []int{1}, float64(c.MTUBytes)
	}
	total, weight := 0.0, 0
	for i, n := range c.Sizes {
		weight += c.Weights[i]
		total += float64(n) * float64(c.Weights[i])
		bytes, sums = append(bytes, int32(n)), append(sums, weight)
	}
	return bytes, sums, total / float64(weight)
}

// maxWorkers: owner is a byte; more would have more lists than work.
const maxWorkers = 64
