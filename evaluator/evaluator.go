package evaluator

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/memory"
	"toposearch/topology"
	"toposearch/workload"
)

// Version names the model: it changes whenever a figure can change, and with it the key under
// which a journal stores results.
const Version = "42"

// Request says what an evaluation must produce.
type Request struct {
	Level int          // compute all metrics up to this level
	Keys  []metric.Key // and these, at whatever level they need
	// Wished are metrics that are welcome where the budget holds them, whatever their level.
	Wished []metric.Key
	// BudgetNs bounds metrics above level 1 that were not asked for by key, by their cost model
	// (never by a clock, so that results repeat), each level by itself, so that what level 2 knows is known at
	// level 3; 0: 2e9.
	BudgetNs float64
	// Enclosed has plan and distances of a network that takes long to make enclosed by counts, if metrics of levels 0 and 1 alone are asked for:
	// for those who read bounds. Comparing designs by value does not go with it, as values within wide bounds are estimates.
	Enclosed bool `json:",omitempty"`
	// Trace runs each method, with what is modelled of it, for those who measure or plan; nil: it is just run. ErrSkipped, where it
	// does not, leaves the metrics of the method absent; the others are computed as if they were there.
	Trace func(step Step, run func() error) error `json:"-"`
}

// ErrSkipped is what Request.Trace returns for a method that it has not run.
var ErrSkipped = errors.New("evaluator: the method was not run")

// NotRun is why its metrics are absent then.
const NotRun = "not run"

// Step is a method that an evaluation runs.
type Step struct {
	Metric metric.Key // the first of those that it computes
	Method string
	Level  int     // of the method
	Ns     float64 // that it is modelled to take, making the network included if it is the first to need it
}

// Result is what is known of a design. Absent metrics carry a reason.
type Result struct {
	Design  topology.Design
	Size    topology.Size
	Metrics [metric.Count]metric.Figure
	Have    [metric.Count]bool
	Absent  map[metric.Key]string
	Reject  metric.Reject // no part for it: metrics that need the part are absent
	// Unpriced lists parts without a price; cost is then absent with the list as its reason.
	Unpriced []string
	// Bottleneck names the link class that limits uniform_throughput, in words.
	Bottleneck string
	// Routing is the one that throughput is of: natural, that of the options, or the best of their algorithms; "" where
	// nothing that was asked for decides which of several it is.
	Routing string
	// Chosen is Routing if it was chosen among algorithms, else "".
	Chosen string
	// Unfit says which of the algorithms the design cannot take, and why; "" if it can take all.
	Unfit string
	// Detour is the mean zero-load latency of packets that the chosen routing sends on detours, nil if it makes none;
	// Metrics[Latency] is that of its direct routes.
	Detour *metric.Figure
	// LaneThroughput is uniform_throughput if every link had just the rate of its lanes, as a
	// fraction of the rate of an endpoint's lanes, rounding up to rates on sale aside: what a
	// simulator of lanes measures. 0 if not computed.
	LaneThroughput float64
	// Notes are remarks that belong beside the figures: surplus bandwidth, derived prices, age
	// of prices, assumptions of the floor plan.
	Notes []string
	Plan  *Plan // floor layout, cabling and bill of materials; nil if rejected
}

// poolShare is the part of the memory of the process that evaluations side by side may take by prediction: the collector lets the heap grow to twice
// of what is alive before it frees the rest.
const poolShare = 0.5

// Evaluator scores designs under fixed options, and encloses metrics as its Model. It is safe for concurrent use.
type Evaluator struct {
	*bound.Model
	opt        Options
	algorithms []Algorithm // of the options, unless they are
	deployed   bool        // those of each family
	market     *market.Market
	cluster    *cluster.Model
	steps      steps        // of the workload
	memory     *memory.Pool // of all evaluations under way

	running running // of Growth

	single   bool // its designs have the scale-up domain of the options, whatever they name
	making   sync.Mutex
	byDomain map[topology.Domain]*Evaluator // under making
	byFamily sync.Map                       // []*Evaluator by *topology.Family
}

// New fills in defaults and prepares the catalogue. It fails if the catalogue has prices in a
// currency without a rate, if a switch model that the site names is not in it, or if the parallelism that is given divides nothing.
func New(opt Options) (*Evaluator, error) {
	opt.fill()
	if t := opt.Training; t != nil && t.Parallelism != nil {
		x := workload.Training{Model: t.Model, Sequence: t.Sequence, Batch: t.Batch, Parallelism: *t.Parallelism}
		if err := x.Check(0); err != nil {
			return nil, fmt.Errorf("evaluator: parallelism: %w", err)
		}
	}
	limit, _ := memory.Limit()
	e := &Evaluator{opt: opt, memory: memory.NewPool(poolShare * float64(limit))}
	e.steps.opt = &e.opt
	e.steps.forget()
	e.steps.adds = sync.OnceValue(e.steps.fastestAdder)
	e.deployed = slices.Equal(opt.Algorithms, []string{RoutingDeployed})
	for _, name := range opt.Algorithms {
		if e.deployed {
			break
		}
		a, err := ParseAlgorithm(name)
		if err != nil {
			return nil, err
		}
		e.algorithms = append(e.algorithms, a)
	}
	site := &e.opt.Site
	var err error
	e.market, err = market.New(market.Options{Catalog: opt.Catalog, Limits: site.Limits, Currency: opt.Currency, Rates: opt.Rates,
		BandwidthGbps: opt.BandwidthGbps, ScaleupGbps: opt.ScaleupGbps, CountNICs: opt.CountNICs, CountScaleup: opt.CountScaleup, Domain: opt.countedDomain(),
		SeveralBuildings: site.Buildings > 1, ShortestM: site.ShortestM(), Spares: opt.Spares})
	if err != nil {
		return nil, err
	}
	cur := catalog.Currency{Code: opt.Currency, Rates: opt.Rates}
	if e.cluster, err = cluster.New(opt.Cluster, opt.Catalog, cur, e.market.Minor(), opt.PerServer); err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	closed := opt.Routing
	if slices.ContainsFunc(e.algorithms, func(a Algorithm) bool { return a.Tables }) {
		closed = RoutingLASH // no closed form bounds what tables carry
	}
	e.Model = bound.New(bound.Options{Market: e.market, Site: site, PerServer: opt.PerServer, Latency: opt.Latency, Routing: closed, Phases: e.phases(),
		Hashed:  slices.ContainsFunc(e.algorithms, func(a Algorithm) bool { return a.Single }),
		Cluster: e.cluster, Uptime: opt.BoundUptime, Money: opt.BoundMoney, Graph: opt.BoundGraph, Training: e.steps.bounds(), JobsWithin: e.jobsWithin(), Left: e.leaves(),
		OwnRoutes: func(f *topology.Family) bool { return !e.scaled(f) && !e.opt.built }})
	return e, nil
}

// jobsWithin is Mix.Within for enclosures; nil: there is no mix.
func (e *Evaluator) jobsWithin() func(endpoints int64) float64 {
	if e.opt.Jobs == nil {
		return nil
	}
	return e.opt.Jobs.Within
}

// phases encloses how often traffic crosses the network, whichever routing is chosen: at most twice in Valiant's, see route.Crossings.
func (e *Evaluator) phases() metric.Interval {
	all := e.algorithms
	if len(all) == 0 {
		all = []Algorithm{e.opt.asked()}
	}
	p := metric.Interval{Lo: 2, Hi: 1}
	for i := range all {
		if all[i].Always {
			p.Hi = 2
		} else {
			p.Lo = 1
		}
	}
	return p
}

// Options are those that New was given, defaults filled in.
func (e *Evaluator) Options() Options { return e.opt }

// scaled tells whether servers of this design get a scale-up mesh that its family does not have.
func (e *Evaluator) scaled(f *topology.Family) bool { return e.opt.Scaled(f) }

// leftOf surveys the network that runs for the bounds. It takes an evaluation, which stands above what New needs, and is set there.
var leftOf func(*Evaluator) *bound.Left

// leaves gives what that network leaves, surveyed when it is first asked for; nil if there is none.
func (e *Evaluator) leaves() func() *bound.Left {
	if e.opt.Growth == nil {
		return nil
	}
	return sync.OnceValue(func() *bound.Left { return leftOf(e) })
}
