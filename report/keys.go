package report

import (
	"math"
	"strings"

	"toposearch/evaluator/metric"
)

// column collects a metric over the front.
func column(points []Point, k metric.Key) []float64 {
	out := make([]float64, len(points))
	for i := range points {
		out[i] = points[i].Value(k)
	}
	return out
}

// unitOf is the unit in which a metric is printed: costs are in the currency of the run.
func (d *Data) unitOf(k metric.Key) string {
	return k.UnitIn(d.Currency)
}

// metric is a metric with the unit in which it is printed.
func (d *Data) metric(p *Point, k metric.Key) metric.Figure {
	m := p.Metrics[k]
	m.Unit = d.unitOf(k)
	return m
}

func (d *Data) has(k metric.Key) bool { return len(d.present([]metric.Key{k})) > 0 }

// present keeps the metrics that at least one design has.
func (d *Data) present(keys []metric.Key) []metric.Key { return d.had(keys, 1) }

// had keeps the metrics that at least n designs have.
func (d *Data) had(keys []metric.Key, n int) []metric.Key {
	var out []metric.Key
	for _, k := range keys {
		have := 0
		for i := range d.Points {
			if d.Points[i].Have[k] {
				have++
			}
		}
		if have >= max(n, 1) {
			out = append(out, k)
		}
	}
	return out
}

// allKeys are the metrics that some design has, in the order in which they are printed.
func (d *Data) allKeys() []metric.Key {
	var out []metric.Key
	for k := range metric.Count {
		if d.has(k) {
			out = append(out, k)
		}
	}
	return out
}

func appendNew(keys []metric.Key, k metric.Key) []metric.Key {
	for _, have := range keys {
		if have == k {
			return keys
		}
	}
	return append(keys, k)
}

// mentioned lists the metrics that a short view of a design shows: what the search improved, and
// cost, latency and throughput in any case.
func (d *Data) mentioned() []metric.Key {
	var keys []metric.Key
	for _, k := range []metric.Key{metric.Cost, metric.Latency, metric.UniformThroughput} {
		keys = appendNew(keys, k)
	}
	for _, o := range d.Objectives {
		keys = appendNew(keys, o.Key)
	}
	return keys
}

// tableKeys are the metrics of the table: objectives first, then what a buyer asks about, without
// those that few designs have.
func (d *Data) tableKeys() []metric.Key {
	var want []metric.Key
	for _, o := range d.Objectives {
		want = appendNew(want, o.Key)
	}
	for _, k := range []metric.Key{metric.Cost, metric.Latency, metric.UniformThroughput,
		metric.Power, metric.Endpoints, metric.Switches, metric.CostPerEndpoint,
		metric.MeanHops, metric.Bisection, metric.CableMax} {
		want = appendNew(want, k)
	}
	return d.had(want, len(d.Points)/2)
}

// parallelKeys are the axes of the parallel coordinates: the objectives, and power, hops and
// longest cable where they differ among the designs; seven at most can be read.
func (d *Data) parallelKeys() []metric.Key {
	var keys []metric.Key
	for _, o := range d.Objectives {
		keys = appendNew(keys, o.Key)
	}
	for _, k := range []metric.Key{metric.Power, metric.MeanHops, metric.Bisection, metric.CableMax, metric.Switches} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range column(d.Points, k) {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if lo < hi {
			keys = appendNew(keys, k)
		}
	}
	keys = d.had(keys, len(d.Points)/2)
	return keys[:min(len(keys), 7)]
}

// scatterKeys are the two metrics that the scatter chart starts with: cost across where it is
// known, and the first other objective.
func (d *Data) scatterKeys() (x, y metric.Key) {
	keys := d.present(d.mentioned())
	x, y = metric.Endpoints, metric.Switches
	if len(keys) > 0 {
		x = keys[0]
	}
	if len(keys) > 1 {
		y = keys[1]
	}
	for _, o := range d.Objectives {
		if o.Key != x && d.has(o.Key) {
			return x, o.Key
		}
	}
	return x, y
}

// Title is the name of a metric for people: "Uniform throughput".
func Title(k metric.Key) string {
	if t, ok := titles[k]; ok {
		return t
	}
	s := strings.ReplaceAll(metric.Keys[k].Name, "_", " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

var titles = map[metric.Key]string{
	metric.Endpoints: "Endpoints", metric.TUB: "Throughput upper bound",
	metric.MeanPathLinksFail: "Mean path links, one switch failed",
	metric.VCsMinimal:        "VCs, minimal routing", metric.VCsAdaptive: "VCs, adaptive routing", metric.VCsFixed: "VCs, kept all the way",
	metric.VCsLASH: "VCs, LASH", metric.VCsDFSSSP: "VCs, DFSSSP", metric.VCsAfterFailure: "VCs, after a failure",
	metric.CableMax: "Longest cable", metric.CableTotal: "Cable in all",
	metric.CablesCopper: "Copper cables", metric.CablesOptical: "Optical cables",
	metric.MTBF: "Mean time between failures", metric.UniformThroughputFail: "Uniform throughput, one failure", metric.TCO: "Total cost of ownership",
	metric.Capex: "Cost of the cluster", metric.NetworkShare: "Share of the network", metric.CostEfficiency: "Performance per cost", metric.AllreduceTime: "All-reduce time",
	metric.AlltoallTime: "All-to-all time", metric.Bisection: "Bisection",
	metric.UniformThroughputOptimal: "Uniform throughput, best routing",
	metric.NonblockingRegion:        "Non-blocking region", metric.MooreEfficiency: "Moore efficiency",
	metric.SimSaturation: "Simulated saturation", metric.SimLatencyHalfLoad: "Simulated latency at half load",
}
