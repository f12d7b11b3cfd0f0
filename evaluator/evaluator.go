package evaluator

import (
	"context"
	"fmt"
	"sync"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Version names the model: it changes whenever a figure can change, and with it the key under
// which a journal stores results.
const Version = "7"

// Request says what an evaluation must produce.
type Request struct {
	Level int          // compute all metrics up to this level
	Keys  []metric.Key // and these, at whatever level they need
	// BudgetNs bounds metrics above level 1 that were not asked for by key, by their cost model
	// (never by a clock, so that results repeat); 0: 2e9.
	BudgetNs float64
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
	// LaneThroughput is uniform_throughput if every link had just the rate of its lanes, as a
	// fraction of the rate of an endpoint's lanes, rounding up to rates on sale aside: what a
	// simulator of lanes measures. 0 if not computed.
	LaneThroughput float64
	// Notes are remarks that belong beside the figures: surplus bandwidth, derived prices, age
	// of prices, assumptions of the floor plan.
	Notes []string
	Plan  *Plan // floor layout, cabling and bill of materials; nil if rejected
}

// Evaluator scores designs under fixed options. It is safe for concurrent use.
type Evaluator struct {
	opt     Options
	index   *catalog.Index
	between *catalog.Index // single-mode only, for links between buildings; nil with one building
	speeds  []speed        // rates on sale, ascending
	far     []speed        // the same between buildings
	fastest float64
	models  []modelPrice // switches and NICs: bounds of the price of one
	// cablesPriced tells that the longest cables of all rates, and so all, have a price.
	cablesPriced             bool
	nicBreaks, circuitBreaks bool         // and some network card, and some circuit switch
	breaks                   bool         // some switch costs less, or only more, by the dozen
	wires                    []modelPrice // the same of cables, transceivers and fibres
	wireDen                  int64        // a multiple of the links that any of them serves
	wireBreaks               bool         // one of them costs less, or only more, by the dozen
	// leastSwitchW is the least draw of any switch that may be bought.
	leastSwitchW float64
	leastM       float64       // no cable is laid shorter
	tooHot       metric.Reject // a rack cannot even feed one server, whatever the design
	rackServers  int64         // most servers of a rack
	rings        []ring        // racks around one, nearest first
	noNICs       bool          // the price list has no network cards: they come with the endpoints
	minor        float64       // minor units of the currency in a major one
	fans         fans          // what cables need at least that spread widely
	alike        memo[alikeKey, *alikeCables]
	boards       sync.Map // classes without cables, by family
	proofs       sync.Map // deadlock checks of small siblings, by family and rule
}

// Scratch is the memory of one worker for Level0 and Box, so that they do not allocate.
type Scratch struct {
	Paths topology.Paths

	family *topology.Family
	boards uint32
	walk   bool // the design's routes are only bounded, by per: Exact walks them
	per    topology.PerEndpoint
	lay    leastLay // what Laid leaves for Exact, and floor, rates and buys
	floor  floorPlan
	rates  rates
	buys   purchase
	lines  []billLine
	far    farness
}

// New fills in defaults and prepares the catalogue. It fails if the catalogue has prices in a
// currency without a rate, or if a switch model that the site names is not in it.
func New(opt Options) (*Evaluator, error) {
	opt.fill()
	e := &Evaluator{opt: opt}
	lim := catalog.SwitchLimits{Models: opt.Site.SwitchModels, MaxPorts: opt.Site.MaxSwitchPorts,
		PortGbps: opt.Site.SwitchPortGbps, NoBreakout: opt.Site.NoBreakout, MaxBuffer: opt.Site.BufferBytes}
	reach := catalog.Reach{MaxM: opt.Site.ReachM, MediumM: opt.Site.MediumReachM}
	cur := catalog.Currency{Code: opt.Currency, Rates: opt.Rates}
	x, err := opt.Catalog.Prepare(lim, reach, cur)
	if err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	e.index = x
	e.rings = ringsAround(&e.opt.Site)
	e.leastM = shortestM(&e.opt.Site)
	e.heat()
	e.learnWires()
	e.learn()
	e.learnModels()
	e.learnNICs()
	if opt.Site.Buildings > 1 {
		reach.SingleMode = true
		if e.between, err = opt.Catalog.Prepare(lim, reach, cur); err != nil {
			return nil, fmt.Errorf("evaluator: %w", err)
		}
		for i := range e.speeds {
			p := speed{gbps: e.speeds[i].gbps}
			p.take(e.cablingsOf(e.between, p.gbps))
			e.far = append(e.far, p)
		}
		e.widen()
	}
	if e.wireBreaks {
		for i := range e.speeds {
			e.learnOptions(&e.speeds[i])
		}
		for i := range e.far {
			e.learnOptions(&e.far[i])
		}
	}
	e.learnFaster()
	e.learnPriced()
	return e, nil
}

// Options are those that New was given, defaults filled in.
func (e *Evaluator) Options() Options { return e.opt }

// Evaluate computes the metrics that req asks for. The error is for designs that do not exist
// (topology.ErrInfeasible) and for cancellation; everything else is in the result.
func (e *Evaluator) Evaluate(ctx context.Context, d topology.Design, req Request) (res *Result, err error) {
	defer topology.Finish(&err)
	w := &work{e: e, ctx: ctx, d: d, req: req, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
	if err := d.Family.Size(d.V, &w.res.Size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	w.size = &w.res.Size
	if err := w.climb(); err != nil {
		return nil, err
	}
	return w.res, nil
}
