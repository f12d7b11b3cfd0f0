package evaluator

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// Options is what an evaluation depends on besides the design. The zero value of a number means
// its default, which DefaultOptions fills in.
type Options struct {
	Catalog *catalog.Catalogue

	// BandwidthGbps is what the study asks for an endpoint, all its network ports together. 0:
	// the sum of its port rates, each an equal share of 400 Gb/s rounded up to a rate on sale.
	BandwidthGbps float64
	PerServer     int  // endpoints in a server; default 8
	Scaleup       bool // endpoints have a scale-up domain over which they relay
	// ScaleupGbps is the rate each way of a link of a full mesh, or of all scale-up links of an endpoint
	// where there are scale-up switches; default 3600 (NVLink 4: 18 links of 25 GB/s, 450 GB/s).
	ScaleupGbps float64
	// Domain is how a domain is joined; the zero value is a full mesh of PerServer endpoints.
	Domain    topology.Domain
	CountNICs bool // [cost] nics = true

	Routing string // "" is natural
	Latency LatencyModel
	Site    Site
	// Currency in which costs are stated; "" is USD. Rates convert from others.
	Currency string
	Rates    map[string]catalog.Rate
	// MaxVCs is the number of virtual channels of the switches, 0 if not limited.
	MaxVCs int
	// Workers is the number of goroutines of one evaluation, default 1: a search runs evaluations
	// side by side. Results do not depend on it.
	Workers int

	built bool // never use closed forms: for tests
}

// DefaultOptions is the built-in catalogue with every default filled in.
func DefaultOptions() Options {
	var o Options
	o.fill()
	return o
}

// DefaultPerServer is the number of accelerators in a server where nothing is said.
const DefaultPerServer = 8

// Servers and racks as built today: 8 accelerators in a server, 4 of those in a rack of 40 kW.
const (
	defaultRackServers = 4
	defaultScaleupGbps = 3600
	// defaultEndpointGbps stands for the bandwidth of an endpoint where no study states it.
	defaultEndpointGbps = 400
)

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Catalog == nil {
		o.Catalog = catalog.Builtin()
	}
	def(&o.PerServer, DefaultPerServer)
	def(&o.ScaleupGbps, defaultScaleupGbps)
	def(&o.Currency, "USD")
	def(&o.Workers, 1)
	l := &o.Latency
	def(&l.SwitchNs, 400)
	def(&l.RelayNs, 1000)
	def(&l.CableNsPerM, 5)
	def(&l.MTUBytes, 4096)
	s := &o.Site
	def(&s.RackPitchM, 0.6)
	def(&s.RowPitchM, 3.0)
	def(&s.RackDepthM, 1.2)
	def(&s.RiseM, 1.0)
	def(&s.Slack, 0.10)
	def(&s.InRackM, 2.0)
	def(&s.RackSwitches, 16)
	def(&s.RackServers, defaultRackServers)
	def(&s.Buildings, 1)
	def(&s.BuildingDistM, 300)
	def(&s.PUE, 1)
}

func def[T comparable](p *T, x T) {
	var zero T
	if *p == zero {
		*p = x
	}
}

// LatencyModel holds the constants of the zero-load model (DESIGN.md section 5).
type LatencyModel struct {
	SwitchNs    float64 // default 400
	RelayNs     float64 // a relaying endpoint; default 1000
	NICNs       float64 // both NICs and FEC together; default 0
	CableNsPerM float64 // default 5
	MTUBytes    int     // serialised once, at the slowest link; default 4096
}

// Site is what the building and procurement allow and what the geometry needs. Limits that are
// metrics (power, racks, cable_max) are judged by package constraints, not here; what is here
// changes what the evaluator builds.
type Site struct {
	RackPitchM    float64 // default 0.6
	RowPitchM     float64 // aisle included; default 3.0
	RackDepthM    float64 // default 1.2
	RiseM         float64 // from a port to the cable tray, each end; default 1.0
	Slack         float64 // fraction added to the laid length; default 0.10
	InRackM       float64 // a cable inside one rack; default 2.0
	Rows          int     // 0: as square as the pitches allow
	RackPowerW    float64 // 0: not limited
	RackSwitches  int     // default 16
	RackServers   int     // default 4 (4 x 8 accelerators of about 1.2 kW are 40 kW)
	Buildings     int     // default 1
	BuildingDistM float64 // default 300

	EndpointPowerW float64
	EndpointAllInW float64 // replaces EndpointPowerW and the network's share where it is quoted
	PUE            float64 // default 1

	SwitchModels   []string // part numbers that may be used; nil: any
	MaxSwitchPorts int      // physical ports; 0: not limited
	SwitchPortGbps int      // rate of the physical ports that limit counts; 0: any
	NoBreakout     bool
	BufferBytes    int64              // largest packet buffer of a switch, 0 not limited
	ReachM         float64            // longest cable of any medium; 0: what the catalogue sells
	MediumReachM   map[string]float64 // per medium: "copper", "optical", or a catalogue medium
}
