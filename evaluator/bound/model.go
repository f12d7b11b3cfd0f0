// Package bound encloses the metrics of designs without building them: of every design between two corners of
// a box of parameters at once, or of one design, which is a box with equal corners.
//
// Model.Enclose is the one statement of what designs cost, draw and carry, over intervals of their counts
// (enclose.go): sums of counts times units of switches, network cards and media (units.go) and of cables
// (links.go), and what follows from routes, in closed form (closed.go) or bounded (routes.go). How long the
// cables of a box are at least is known from how many racks their far ends occupy (packing.go), or from a
// design of the same shape (shape.go).
//
// A Ladder then narrows the enclosure of one design step by step (climb.go), each step dearer than the one
// before: ByFloorPlan (plan.go), then ByCables, which lays and prices them, and ByRoutes, where routes are not known yet
// (cables.go). What is left is evaluated, which is package evaluator.
package bound

import (
	"sync"

	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/internal/memo"
	"toposearch/internal/memory"
	"toposearch/topology"
)

// Left is what the network that runs today leaves to a new one.
type Left struct {
	Switches, Cables int64
	// SwitchWorth and OtherWorth are the most that its switches and all its other parts save: of each part the highest price of one times the
	// number there, as ordered, in major units of the currency.
	SwitchWorth, OtherWorth float64
}

// Options is what a model is made from.
type Options struct {
	Market    *market.Market
	Site      *floor.Site
	PerServer int
	Latency   route.LatencyModel
	Routing   string // "" is natural
	// Phases encloses how many times traffic crosses the network under the routing of a design, natural or Valiant's.
	Phases metric.Interval
	// Hashed: flows may keep to one path each, picked by a hash, so that less is carried than closed forms say of even splits.
	Hashed bool
	// OwnRoutes tells whether a family's closed forms of routes hold of its designs: they do not where
	// scale-up domains are added. nil: they always do.
	OwnRoutes func(*topology.Family) bool
	// Cluster is what stands around the networks. Uptime encloses how it fails, too.
	Cluster *cluster.Model
	Uptime  bool
	// JobsWithin is the share of jobs that have at most so many endpoints; nil: there is no mix of jobs.
	JobsWithin func(endpoints int64) float64
	// Training encloses the times of a workload, too; nil: there is none, or nobody compares by it.
	Training *Training
	// Money encloses what a cluster costs and what it does for that, too.
	Money bool
	// Left is what the network that runs today leaves, nil if that cannot be said; a nil function: there is none.
	Left func() *Left
	// Graph encloses what OfGraph names, too.
	Graph bool
}

// Model encloses metrics under fixed options. It is safe for concurrent use.
type Model struct {
	opt         Options
	market      *market.Market
	site        *floor.Site
	shortestM   float64       // no cable is laid shorter
	tooHot      metric.Reject // a rack cannot even feed one server, whatever the design
	rackServers int64         // most servers of a rack
	reaches     bool          // cables may be only so long
	rings       *floor.Rings
	packings    packings
	shapes      shapes
	plans       plans
	boards      sync.Map // classes without cables, by family
	uptime      uptime   // if Options.Uptime
}

// New prepares a model.
func New(opt Options) *Model {
	rings := floor.RingsAround(opt.Site)
	most, _ := memory.Limit()
	m := &Model{opt: opt, market: opt.Market, site: opt.Site, shortestM: opt.Site.ShortestM(), rings: rings,
		packings: packings{site: opt.Site, market: opt.Market, perServer: opt.PerServer},
		shapes:   shapes{site: opt.Site, market: opt.Market, perServer: opt.PerServer, memo: memo.Memo[shapeKey, shape]{Places: placesOfShapes(opt.Market.Speeds(), most)}},
		plans: plans{site: opt.Site, market: opt.Market, perServer: opt.PerServer, rings: rings,
			memo: memo.Memo[planKey, *planned]{Places: planPlaces}, pairs: memo.Memo[ringKey, *floor.Pairs]{Places: ringPlaces}, turned: memo.Memo[turnKey, *floor.Turned]{Places: turnPlaces}}}
	m.reaches = opt.Site.ReachM > 0 || len(opt.Site.MediumReachM) > 0
	m.heat()
	if opt.Uptime {
		m.uptime = uptimeOf(opt.Market, opt.Cluster)
	}
	return m
}

// heat works out how many servers a rack can feed at most, network cards and switches aside.
func (m *Model) heat() {
	s := m.site
	m.rackServers = int64(max(s.RackServers, 1))
	each := s.ServerW(m.opt.PerServer, 0)
	if s.RackPowerW <= 0 || each <= 0 {
		return
	}
	if each > s.RackPowerW {
		m.tooHot = metric.Reject{Constraint: metric.RejectRack, Got: each, Bound: s.RackPowerW}
	}
	m.rackServers = max(1, min(m.rackServers, int64(s.RackPowerW/each*(1+1e-12))))
}

// ownRoutes tells whether closed forms of routes hold.
func (m *Model) ownRoutes(f *topology.Family) bool {
	return m.opt.OwnRoutes == nil || m.opt.OwnRoutes(f)
}

// closedRouting tells whether throughput under the routing asked for follows from natural routes in the designs between two sizes, and how
// many times traffic crosses the network then.
func (m *Model) closedRouting(lo, hi *topology.Size) (phases metric.Interval, ok bool) {
	switch m.opt.Routing {
	case "", "natural", "valiant":
	default:
		return phases, false
	}
	if phases = m.opt.Phases; phases.Hi == 1 {
		return phases, true
	}
	least := 0.0 // some take detours
	if lo == hi {
		phases.Hi, ok = route.Crossings(hi)
		least = phases.Hi
	} else {
		least, ok = route.CrossingsAtLeast(lo, hi)
	}
	if phases.Lo > 1 {
		phases.Lo = least
	}
	return phases, ok
}

// boardsOf are the link classes of a family that need no cable, from the placement of any of its
// designs: they must not depend on its values.
func (m *Model) boardsOf(f *topology.Family) uint32 {
	if b, ok := m.boards.Load(f); ok {
		return b.(uint32)
	}
	b := uint32(0)
	if v, ok := anyDesign(f); ok && f.Place != nil {
		b = market.BoardSet(f.Place(v).Boards)
	}
	m.boards.Store(f, b)
	return b
}

// anyDesign finds valid values near the least ones.
func anyDesign(f *topology.Family) ([]int, bool) {
	v := make([]int, len(f.Params))
	var s topology.Size
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(v) {
			return f.Size(v, &s) == nil
		}
		p := &f.Params[i]
		if p.Default != nil {
			v[i] = p.Default(v)
			return try(i + 1)
		}
		for x := p.Min; x <= min(p.Max, p.Min+16); x++ {
			v[i] = x
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return v, try(0)
}
