package evaluator

import (
	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/route"
	"toposearch/topology"
	"toposearch/workload/jobs"
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
	// CountScaleup counts the switches and cables of scale-up domains in cost and power ([cost] scaleup); else they come
	// with the endpoints.
	CountScaleup bool `json:",omitempty"`

	Routing string // "" is natural
	// Algorithms are routings of which each design takes the one with the best throughput that fits MaxVCs, in place of
	// Routing, and of which worst_throughput is then; see ParseAlgorithm. None: Routing, of which it is if that is one of Alone, and
	// else of the best possible one.
	Algorithms []string `json:",omitempty"`
	// ByWorst: the best of Algorithms is the one with the best worst_throughput, which is computed for that.
	ByWorst bool `json:",omitempty"`
	// EncloseWorst: many designs are compared by worst_throughput, so that at level 1 closed bounds do where a search would take long
	// (worstSearchNs).
	EncloseWorst bool `json:",omitempty"`
	Latency      route.LatencyModel
	Site         floor.Site
	// Currency in which costs are stated; "" is USD. Rates convert from others.
	Currency string
	Rates    map[string]catalog.Rate
	// Spares is the share of each part to keep beside those in use, 0: by failure rates; market.NoSpares: none. No cost counts them.
	Spares float64 `json:"-"`
	// MaxVCs is the number of virtual channels of the switches, 0 if not limited.
	MaxVCs int
	// Training is what the network is for; nil: there are no times of steps and collectives.
	Training *Training
	// Jobs is the mix of jobs that share the network; nil: jobs_isolated is absent.
	Jobs *jobs.Mix `json:",omitempty"`
	// Cluster is what stands around the network: how it fails and what it costs.
	Cluster cluster.Options
	// BoundUptime and BoundMoney ask for enclosures of what fails and of what the cluster costs, too, BoundGraph for those of
	// what follows from the graph beside routes: a search needs them where it compares by it, and they take time.
	BoundUptime, BoundMoney, BoundGraph bool `json:"-"`
	// Growth is the network that runs today; nil: there are no metrics of growth.
	Growth *Growth `json:",omitempty"`
	// RejectUnfit rejects designs that none of Algorithms fits: no limit does.
	RejectUnfit bool `json:",omitempty"`
	// BoundTraining asks for those of the workload's times, BoundCollectives for those of its all-reduces and all-to-alls alone: a step, whose division may be
	// searched for each number of endpoints, takes a thousand times as long.
	BoundTraining, BoundCollectives bool `json:"-"`
	// MaxRouteHops is the number of hops that a source route can name, 0 if not limited.
	MaxRouteHops int `json:",omitempty"`
	// Workers is the number of goroutines of one evaluation, default 1: a search runs evaluations
	// side by side. Results do not depend on it.
	Workers int
	// MemoryBytes is what an evaluation may take, by prediction; what would take more is absent. Default
	// DefaultMemoryBytes.
	MemoryBytes int64

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

// DefaultMemoryBytes is what one evaluation may take where nothing is said: enough for floor plans of 50 million
// endpoints and networks of 20 million links, and there on every machine. It is the same everywhere because a
// search gives the same results everywhere: what needs more is absent, not what a machine happens to lack.
const DefaultMemoryBytes = 4 << 30

const defaultScaleupGbps = 3600

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Catalog == nil {
		o.Catalog = catalog.Builtin()
	}
	def(&o.PerServer, DefaultPerServer)
	def(&o.ScaleupGbps, defaultScaleupGbps)
	def(&o.Currency, "USD")
	def(&o.Workers, 1)
	def(&o.MemoryBytes, DefaultMemoryBytes)
	o.Latency.FillDefaults()
	o.Site.FillDefaults()
}

func def[T comparable](p *T, x T) {
	var zero T
	if *p == zero {
		*p = x
	}
}
