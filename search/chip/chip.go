// Package chip compares what the bandwidth of a switch chip may be divided into: many slow ports or few fast ones. For
// each division and family it takes the design closest to a number of endpoints (branch.BestFit) that carries so much uniform
// traffic, and evaluates it as
// any other design, with the switches of a price list that hold such a chip: there is no model here beside the
// evaluator's.
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
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search/branch"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// Question is what is compared.
type Question struct {
	ChipGbps   int64   // bandwidth of a switch, all ports together, each way
	SerdesGbps []int   // rates of its lanes that there may be, ascending; a port has a power of two of them, up to MostLanes
	Endpoints  int64   // at least
	Uniform    float64 // the least share of uniform traffic that links may bound, see branch.Wanted
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
	Result   *evaluator.Result // of a plane; nil if there is no design
	Complete bool              // whether all designs of the family were looked at
	Carries  bool              // it has the uniform throughput wanted
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
		opt.BandwidthGbps, opt.Site.SwitchModels = float64(d.Gbps), models
		if d.Why = q.unsold(d, models); d.Why != "" {
			continue
		}
		ev, err := evaluator.New(opt)
		if err != nil {
			return nil, err
		}
		for _, f := range q.Families {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row, err := q.row(ctx, ev, d, f)
			if err != nil {
				return nil, err
			}
			d.Rows = append(d.Rows, row)
		}
	}
	return out, nil
}

// tries bounds the designs of a family that are evaluated for a division; raise is by how much the bound of the next is above
// that of the last: 20 tries reach the 32 times as many links that a dragonfly of two groups lacks.
const (
	tries = 20
	raise = 1.2
)

// row takes the closest design whose links allow the uniform traffic wanted by a bound and, if by its routing they do not,
// further ones whose bound is higher: the first that carries it, else the one that carries most.
func (q *Question) row(ctx context.Context, ev *evaluator.Evaluator, d *Division, f *topology.Family) (row Row, err error) {
	want := branch.Wanted{Radix: d.Ports, Endpoints: q.Endpoints, Uniform: q.Uniform}
	best, most := branch.BestFit(f, want), -1.0
	row = Row{Family: f, Complete: best.Complete}
	for range tries {
		if best.V == nil {
			break
		}
		r, err := ev.Evaluate(ctx, topology.Design{Family: f, V: best.V}, evaluator.Request{Level: 1, Keys: Keys})
		if err != nil {
			return row, err
		}
		all := whole(r, d, q.Options.BandwidthGbps)
		x, have := all[metric.UniformThroughput]
		if x.Value > most {
			row.Result, row.Whole, row.Complete, most = r, all, best.Complete, x.Value
		}
		if row.Carries = x.Value >= q.Uniform; row.Carries || !have {
			break
		}
		want.Uniform = max(want.Uniform, survey.UniformBound(&best.Size)) * raise
		best = branch.FindFit(f, want)
	}
	return row, nil
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
