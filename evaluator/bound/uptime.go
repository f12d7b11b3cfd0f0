package bound

import (
	"math"

	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// uptime encloses how often failures stop a job on all endpoints: at least those of what an endpoint hangs on alone, at
// most those of everything. runs are the cables, nil if they are not known yet.
func (e *enclosure) uptime(runs []market.Run) {
	m, c, s := e.m, e.m.opt.Cluster, e.b.Lo
	if e.b.Hi.Endpoints < 2 {
		return
	}
	least, most := cluster.Job{Endpoints: s.Endpoints}, cluster.Job{Endpoints: e.b.Hi.Endpoints}
	least.Shared, most.Shared = c.Hosts(s.Endpoints), c.Hosts(e.b.Hi.Endpoints)
	certain := s.Family.LinkClasses[0].Name == topology.ClassNic && s.EndpointPorts == 1 && e.b.Hi.EndpointPorts == 1 && e.l.ownRoutes
	e.linksFail(certain, runs, &least, &most)
	e.switchesFail(certain, &least, &most)
	e.cardsFail(certain, &least, &most)
	if c.RacksFail() || len(s.Family.Media) > 0 || m.market.CountsScaleup() { // as many racks, circuit and scale-up switches as there may be
		most.Shared = cluster.Fails{PerHour: inf, Log: inf, Odds: inf}
	}
	worst, best := c.Uptime(&most), c.Uptime(&least)
	// What an evaluation adds up are the same terms in the same order and others between them, so that designs of which nothing else stops the
	// job reach the bound to the last bit, and others do not exceed it.
	slack := 1.0
	if _, spares := c.Spares(); !certain || spares > 0 {
		slack = above
	}
	if e.b.Hi.Spares() > 0 { // at worst they are of no use, at best nothing of an endpoint ever fails
		least.Endpoints = 0
		worst, best = c.WithSpares(0, 0).Uptime(&most), c.Uptime(&least)
		slack = above
	}
	e.out.Set(metric.MTBF, worst.MTBFh*metric.Below, best.MTBFh*slack)
	e.out.Set(metric.Availability, worst.Available*metric.Below, math.Min(1, best.Available*slack))
	if c.Checkpoints() {
		lo, hi := 0.0, best.Available*c.Goodput(best.PerHour).Share
		if !math.IsInf(worst.PerHour, 1) {
			lo = worst.Available * c.Goodput(worst.PerHour).Share
		}
		e.out.Set(metric.Goodput, lo*metric.Below, math.Min(1, hi*slack))
	}
}

// linksFail adds the links of all classes.
func (e *enclosure) linksFail(certain bool, runs []market.Run, least, most *cluster.Job) {
	for i := range e.b.Lo.Family.LinkClasses {
		each := float64(e.r.Cables(i))
		lo, hi := each*float64(e.b.Lo.Link[i]), each*float64(e.b.Hi.Link[i])
		if e.r.Kind[i] != market.Cable || hi == 0 {
			continue
		}
		f := failing{Most: cluster.Fails{PerHour: inf, Log: inf, Odds: inf}}
		if p := e.r.Speed[i]; e.known && p != nil {
			f = e.m.uptime.links[p.Rank]
		} else if p := e.slowest(i); !e.known && p != nil {
			f = e.m.uptime.faster[p.Rank]
		}
		switch {
		case i > 0 || !certain || math.IsInf(f.Most.PerHour, 1):
			most.Shared.Plus(hi, &f.Most)
		case lo == 0: // no design has none
			most.Own.Plus(each, &f.Most)
		case runs != nil:
			own, _ := LinksFail(e.m.opt.Cluster, e.m.market, e.r, runs, i, float64(e.b.Lo.Endpoints))
			least.Own.Plus(1, &own)
			most.Own.Plus(each, &f.Most)
		default: // one link of each endpoint
			least.Own.Plus(1, &f.Least)
			most.Own.Plus(each, &f.Most)
		}
	}
}

// switchesFail adds the switches: at least as many as it takes to hold the endpoints.
func (e *enclosure) switchesFail(certain bool, least, most *cluster.Job) {
	ports, shared, first := int32(0), false, true
	var part failing // of those that hold endpoints
	for i := range e.b.Lo.Family.SwitchClasses {
		class := &e.b.Lo.Family.SwitchClasses[i]
		if class.Embedded {
			continue
		}
		f := e.m.uptime.models
		if p := e.l.buys.Switches[i].Part; e.b.Single() && p != nil {
			one := e.m.opt.Cluster.Part(p)
			f = failing{one, one}
		}
		most.Shared.Plus(float64(e.b.Hi.Switch[i].Count), &f.Most)
		if n := e.b.Hi.Switch[i].Ports[0]; n > 0 {
			if ports = max(ports, n); first {
				part, first = f, false
			}
			part.Least = part.Least.Least(&f.Least)
		}
		shared = shared || class.SharesBox
	}
	if certain && ports > 0 && !shared {
		least.Shared.Plus(math.Ceil(float64(e.b.Lo.Link[0])/float64(ports)), &part.Least)
	}
}

// cardsFail adds the network cards: where endpoints hang on one link each, the card behind it stops the job as well.
func (e *enclosure) cardsFail(certain bool, least, most *cluster.Job) {
	f, n := e.m.uptime.cards, 0.0
	if e.b.Single() {
		n = float64(e.l.buys.NICs)
		if nic := e.l.buys.NIC; nic != nil {
			one := e.m.opt.Cluster.Part(nic)
			f = failing{one, one}
		}
	} else if !e.m.market.NoNICs() {
		n = float64(e.b.Hi.Endpoints) * float64(e.b.Hi.EndpointPorts)
	}
	switch {
	case n == 0:
	case certain && e.b.Single():
		least.Own.Plus(n/float64(e.b.Lo.Endpoints), &f.Least)
		most.Own.Plus(n/float64(e.b.Lo.Endpoints), &f.Most)
	default:
		if x, ok := e.eachCard(); certain && ok {
			least.Own.Plus(1, &x)
		}
		most.Shared.Plus(n, &f.Most)
	}
}

// eachCard is the least that fails of the card of an endpoint with one port, of several designs; false if they need not have one.
func (e *enclosure) eachCard() (least cluster.Fails, ok bool) {
	if e.b.Single() || e.b.Lo.EndpointLanes != e.b.Hi.EndpointLanes || e.b.Lo.Lanes[0] != e.b.Hi.Lanes[0] {
		return least, false
	}
	var c market.Cards
	if e.m.market.BuyCards(e.b.Lo, e.r, &c); c.NIC == nil {
		return least, false
	}
	least = e.m.opt.Cluster.Part(c.NIC)
	for _, p := range c.Rivals { // which of them is bought depends on how many are
		one := e.m.opt.Cluster.Part(p)
		least = least.Least(&one)
	}
	return least, true
}
