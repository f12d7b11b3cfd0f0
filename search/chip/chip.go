// Package chip compares what the bandwidth of a switch chip may be divided into: many slow ports or few fast ones. For
// each division and family it enumerates the designs with a number of endpoints (package branch) for the cheapest that
// carries so much uniform traffic, with the switches of a price list that hold such a chip: there is no model here beside
// the evaluator's.
//
// Ports slower than an endpoint need come several to an endpoint, each in a network of its own, its planes: equal
// networks, laid and priced one by one.
package chip

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/evolve"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// Question is what is compared.
type Question struct {
	ChipGbps   int64   // bandwidth of a switch, all ports together, each way
	SerdesGbps []int   // rates of its lanes that there may be, ascending; a port has a power of two of them, up to MostLanes
	Endpoints  int64   // at least, and at most Room times as many
	Uniform    float64 // the least uniform throughput, of all planes and as a fraction of an endpoint's bandwidth
	Families   []*topology.Family
	// Options are those of the evaluation: price list, bandwidth of an endpoint (BandwidthGbps, above 0), site.
	Options evaluator.Options
}

// MostLanes is how many lanes a port has at most: 8, as OSFP and QSFP-DD cages have.
const MostLanes = 8

// Division is one way to divide the chip, and what families are with it.
type Division struct {
	Ports, Gbps int
	Serdes      []int // the rates of lanes that allow it
	// Planes is the number of networks, in each of which an endpoint has a port; together they have at least the
	// bandwidth asked for.
	Planes int
	// Why says that no switch of the price list has such ports, "" if one has.
	Why  string
	Rows []Row // in the order of the families
}

// Row is a family's design.
type Row struct {
	Family   *topology.Family
	Result   *evaluator.Result // of a plane; nil if none was found
	Complete bool              // whether it is certain that no design of the family is cheaper
	// Whole holds the figures of all planes together, as far as Result has them.
	Whole map[metric.Key]metric.Figure
}

// Models are the switches of the price list that have a chip's bandwidth, by part number.
func (q *Question) Models() []string {
	var out []string
	for i := range q.Options.Catalog.Parts {
		if p := &q.Options.Catalog.Parts[i]; p.Approved && p.Kind == catalog.KindSwitch && int64(p.Ports)*int64(p.RateGbps) == q.ChipGbps {
			out = append(out, p.PartNo)
		}
	}
	return out
}

// divisions are the ways to divide the chip, the most ports first. A division of which the bandwidth is no whole number of
// ports is none.
func (q *Question) divisions() (out []Division) {
	for _, lane := range q.SerdesGbps {
		for lanes := 1; lanes <= MostLanes; lanes *= 2 {
			gbps := lane * lanes
			ports := q.ChipGbps / int64(gbps)
			if q.ChipGbps%int64(gbps) != 0 || ports < 2 {
				continue
			}
			i := slices.IndexFunc(out, func(d Division) bool { return d.Gbps == gbps })
			if i < 0 {
				i = len(out)
				out = append(out, Division{Ports: int(ports), Gbps: gbps, Planes: max(1, int(math.Ceil(q.Options.BandwidthGbps/float64(gbps)-1e-9)))})
			}
			out[i].Serdes = append(out[i].Serdes, lane)
		}
	}
	slices.SortFunc(out, func(a, b Division) int { return b.Ports - a.Ports })
	return out
}

// Sweep answers the question. The error is options that are no good, or cancellation.
func (q *Question) Sweep(ctx context.Context) ([]Division, error) {
	out, models := q.divisions(), q.Models()
	for i := range out {
		d := &out[i]
		opt := q.Options
		opt.CountNICs = false // an endpoint has one card for all planes, or a few
		opt.BandwidthGbps, opt.Site.SwitchModels = float64(d.Gbps), models
		if d.Why = q.unsold(d, models); d.Why != "" {
			continue
		}
		ev, err := evaluator.New(opt)
		if err != nil {
			return nil, err
		}
		cards, err := opt.Catalog.Within(opt.Site.LeadWeeks).Prepare(opt.Site.OnSwitches(), opt.Site.OnCables(), catalog.Currency{Code: opt.Currency, Rates: opt.Rates})
		if err != nil {
			return nil, err
		}
		for _, f := range q.Families {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row, err := q.row(ctx, ev, d, f, opt)
			if err != nil {
				return nil, err
			}
			q.oneCard(d, &row, cards)
			d.Rows = append(d.Rows, row)
		}
	}
	return out, nil
}

// Work is what the search of one family for one division may take, in ns by the fixed costs of an enumeration, so that
// results do not depend on the machine: a design is looked at in a second or two.
const Work = 1e9

// Room is by how much a design may have more endpoints than are asked for: constructions come in sizes.
const Room = 1.1

// tries bounds the designs of a family that a first guess evaluates; raise is by how much the bound of uniform traffic of the
// next is above that of the last: 20 tries reach the 32 times as many links that a dragonfly of two groups lacks.
const (
	tries = 20
	raise = 1.2
)

// polish is how many designs a local search from the best known evaluates, where an enumeration did not come to its end:
// about as long as that took.
const polish = 1000

// row searches a family for its cheapest design in the window that carries the traffic. A first guess, the closest designs
// by counts, bounds what the enumeration has to look at.
func (q *Question) row(ctx context.Context, ev *evaluator.Evaluator, d *Division, f *topology.Family, opt evaluator.Options) (row Row, err error) {
	row.Family = f
	p, err := q.problem(d, f, opt, ev)
	if err != nil {
		return row, err
	}
	guess, known, err := q.guess(ctx, p, d)
	if err != nil {
		return row, err
	}
	if known {
		p.Limits = append(p.Limits, constraints.Limit{Key: metric.Cost, Name: "cheaper", Max: true, Bound: guess.cost})
	}
	driver := search.NewDriver(p, nil, search.Options{})
	e := branch.NewEnumeration(p, driver.Workers(), nil)
	e.Limit[0] = Work
	if _, err := driver.Search(ctx, e, false); err != nil {
		return row, err
	}
	if row.Complete = !e.Abandoned[0]; !row.Complete {
		if known {
			c := search.Candidate{V: guess.v}
			s := driver.Front.Ordered()
			if len(s) == 0 {
				s = []search.Member{{Candidate: c, Vector: objectives.Vector{guess.cost}, Name: p.Name(c)}}
			}
			driver.Left = polish
			if _, err := driver.Search(ctx, evolve.NewLocal(p, []bool{true}, s, nil), true); err != nil {
				return row, err
			}
		}
	}
	best := driver.Front.Ordered()
	switch {
	case len(best) > 0:
		guess.v = best[0].V
	case !known:
		return row, nil
	}
	row.Result, err = ev.Evaluate(ctx, p.Design(0, guess.v), evaluator.Request{Level: 1, Keys: Keys})
	if err == nil {
		row.Whole = whole(row.Result, d, q.Options.BandwidthGbps)
	}
	return row, err
}

// problem is the search of a family: its cheapest design with so many endpoints that carries so much.
func (q *Question) problem(d *Division, f *topology.Family, opt evaluator.Options, ev *evaluator.Evaluator) (*search.Problem, error) {
	st := &study.Study{Name: f.Name, Seed: 1, MinEndpoints: q.Endpoints, MaxEndpoints: int64(Room * float64(q.Endpoints)), Options: opt,
		Search: study.Search{Strategy: study.Enumerate}, Space: []study.FamilySpace{{Family: f}}, Constraints: &constraints.Set{}}
	if q.Uniform > 0 {
		least := q.Uniform * q.Options.BandwidthGbps / (float64(d.Planes) * float64(d.Gbps))
		st.Constraints.Limits = []constraints.Limit{{Key: metric.UniformThroughput, Name: "uniform", Bound: least}}
	}
	cost, err := objectives.New(metric.Keys[metric.Cost].Name)
	if err != nil {
		return nil, err
	}
	st.Objectives = []objectives.Objective{cost}
	return search.NewProblem(st, ev)
}

type guessed struct {
	v    []int
	cost float64
}

// guess evaluates the closest designs of a family by counts, with ever more links, for the cheapest that is feasible.
func (q *Question) guess(ctx context.Context, p *search.Problem, d *Division) (best guessed, ok bool, err error) {
	f := p.Spaces[0].Fam
	want := branch.Wanted{Radix: d.Ports, Endpoints: q.Endpoints, Uniform: q.Uniform}
	for fit, n := branch.BestFit(f, want), 0; fit.V != nil && n < tries; n++ {
		e, err := p.Measure(ctx, topology.Design{Family: f, V: fit.V})
		if err != nil {
			return best, false, err
		}
		if s := p.ScoreEntry(e); s.Feasible() {
			if cost := p.Objectives[0].Value(s.V[0]); !ok || cost < best.cost {
				best, ok = guessed{fit.V, cost}, true
			}
			break
		}
		want.Uniform = max(want.Uniform, survey.UniformBound(&fit.Size)) * raise
		fit = branch.FindFit(f, want)
	}
	return best, ok, nil
}

// oneCard replaces the draw of network cards, which every plane counts for itself, by that of the cards that have a port
// for each plane.
func (q *Question) oneCard(d *Division, row *Row, cards *catalog.Index) {
	x, have := row.Whole[metric.Power]
	if !have || d.Planes == 1 || row.Family.LinkClasses[0].Name != topology.ClassNic {
		return
	}
	n := row.Whole[metric.Endpoints].Value
	ports := int(row.Result.Metrics[metric.EndpointPorts].Value)
	one, each, ok := cards.ChooseNIC(d.Gbps, ports)
	all, count, ok2 := cards.ChooseNIC(d.Gbps, ports*d.Planes)
	if !ok || !ok2 {
		return
	}
	less := float64(d.Planes)*float64(each)*one.PowerW - float64(count)*all.PowerW // of an endpoint
	words := fmt.Sprintf("; network cards together: %d of %s for %d ports", count, all.PartNo, ports*d.Planes)
	x.Value, x.Lo, x.Hi, x.Method = x.Value-n*less, x.Lo-n*less, x.Hi-n*less, x.Method+words
	row.Whole[metric.Power] = x
	if y, have := row.Whole[metric.PowerPerEndpoint]; have {
		y.Value, y.Lo, y.Hi, y.Method = y.Value-less, y.Lo-less, y.Hi-less, y.Method+words
		row.Whole[metric.PowerPerEndpoint] = y
	}
}

// unsold says why no switch of the chip has such ports, "" if one has.
func (q *Question) unsold(d *Division, models []string) string {
	for _, name := range models {
		p := q.Options.Catalog.Part(name)
		for _, b := range p.Breakouts {
			if b.Count == d.Ports && b.Gbps == d.Gbps {
				return ""
			}
		}
	}
	return fmt.Sprintf("the price list has no switch of %d ports of %d Gb/s with this chip", d.Ports, d.Gbps)
}

// Keys are the metrics of a comparison.
var Keys = []metric.Key{metric.Endpoints, metric.Switches, metric.SwitchLinks, metric.EndpointLinks, metric.MaxHops, metric.MeanHops, metric.Latency,
	metric.UniformThroughput, metric.CablesOptical, metric.CablesCopper, metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.Racks}

// whole are the figures of all planes: sums of those that add up, the throughput as a fraction of the bandwidth asked for,
// and what is the same in each. Racks of planes share their endpoints, and are left out where there are several.
func whole(r *evaluator.Result, d *Division, bandwidth float64) map[metric.Key]metric.Figure {
	out := map[metric.Key]metric.Figure{}
	for _, k := range Keys {
		if !r.Have[k] || k == metric.Racks && d.Planes > 1 {
			continue
		}
		x, times := r.Metrics[k], 1.0
		switch k {
		case metric.Switches, metric.SwitchLinks, metric.EndpointLinks, metric.CablesOptical, metric.CablesCopper, metric.Cost, metric.CostPerEndpoint,
			metric.Power, metric.PowerPerEndpoint:
			if times = float64(d.Planes); d.Planes > 1 {
				x.Method = fmt.Sprintf("%d planes, each: %s", d.Planes, x.Method)
			}
		case metric.UniformThroughput:
			if times = float64(d.Planes) * float64(d.Gbps) / bandwidth; times != 1 {
				x.Method += fmt.Sprintf("; of %g Gb/s, %d x %d Gb/s being bought", bandwidth, d.Planes, d.Gbps)
			}
		}
		x.Value, x.Lo, x.Hi = x.Value*times, x.Lo*times, x.Hi*times
		out[k] = x
	}
	return out
}
