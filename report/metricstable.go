package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
)

// MetricsTable explains what is known of a design for a terminal: every metric with its bounds and
// the method behind it, the bottleneck, what is missing and why.
func MetricsTable(w io.Writer, r *evaluator.Result) error {
	t := &textWriter{w: w, width: 80}
	t.line(r.Design.String())
	metricLines(t, &r.Metrics, &r.Have, r.Absent)
	if r.Chosen == "" && r.Routing != "" && r.Routing != evaluator.RoutingNatural {
		t.wrapped("routing: ", "routing: ", r.Routing+", as asked: throughput, paths and latency are of it")
	} else if text := routingText(r.Routing, r.Unfit); text != "" {
		t.wrapped("routing: ", "routing: ", text)
	}
	if r.Bottleneck != "" {
		t.wrapped("bottleneck: ", "bottleneck: ", r.Bottleneck)
	}
	if c := r.Reject.Constraint; c != "" {
		t.wrapped("rejected: ", "rejected: ", fmt.Sprintf("%s needs %s, there is %s%s", c, number.PageFigure(r.Reject.Got), number.PageFigure(r.Reject.Bound), r.Reject.Late()))
	}
	if len(r.Unpriced) > 0 {
		t.wrapped("unpriced: ", "unpriced: ", strings.Join(r.Unpriced, ", "))
	}
	for _, n := range r.Notes {
		t.wrapped("note: ", "note: ", n)
	}
	if t.err != nil {
		return fmt.Errorf("report: %w", t.err)
	}
	return nil
}

// routingText says what it means that a routing was chosen, "" where that is natural routes and nothing else was wanted.
func routingText(name, unfit string) string {
	if unfit != "" {
		unfit = "; " + unfit
	} else if name == "" || name == evaluator.RoutingNatural {
		return ""
	}
	return name + ": throughput is of it, and verification runs it" + unfit
}

// RecordTable is MetricsTable for a design on the front of a run, with what simulation said.
func RecordTable(w io.Writer, r *search.Record) error {
	p := pointOf(r)
	t := &textWriter{w: w, width: 80}
	t.line(r.Design)
	if p.Same != "" {
		t.wrapped("", "", p.Same)
	}
	metricLines(t, &p.Metrics, &p.Have, p.Absent)
	if text := routingText(r.Routing, r.Unfit); text != "" {
		t.wrapped("routing: ", "routing: ", text)
	}
	if d := r.Detour; d != nil {
		t.wrapped("detours: ", "detours: ", fmt.Sprintf("zero-load latency %s %s; latency is that of direct routes", number.Quantity(d.Value, d.Unit), number.Bounds(*d)))
	}
	if r.Bottleneck != "" {
		t.wrapped("bottleneck: ", "bottleneck: ", r.Bottleneck)
	}
	if s := p.Sim; s != nil {
		t.line("")
		head := "simulation " + check(&p).Text + ": "
		t.wrapped(head, head, fmt.Sprintf("%s routing, %s, %s", s.Routing,
			number.Count(s.VCs, "virtual channel", "virtual channels"), s.measured()))
		for _, x := range s.Traffic {
			head := "  " + terminal(x.Name) + ": "
			t.wrapped(head, head, fmt.Sprintf("saturation %s, expected of VCs and buffers %s, busiest channel full at %s; latency %s %s at half load, %s at zero load, predicted %s",
				number.PageFigure(x.Saturation), number.PageFigure(x.Expected), number.PageFigure(x.Predicted), number.PageFigure(x.LatencyHalf), s.unit(), number.PageFigure(x.ZeroLoad), number.PageFigure(x.PredictedZero)))
		}
		for _, n := range s.Notes {
			t.wrapped("  ", "  ", n)
		}
	}
	if t.err != nil {
		return fmt.Errorf("report: %w", t.err)
	}
	return nil
}

// metricLines prints the groups of metrics, methods beneath where they do not fit beside.
func metricLines(t *textWriter, metrics *[metric.Count]metric.Figure, have *[metric.Count]bool, absent map[metric.Key]string) {
	const nameW, valueW, boundW = 27, 12, 18
	printed := 0
	for _, g := range groups {
		first := true
		for _, k := range g.keys {
			if !have[k] {
				continue
			}
			if first && printed > 0 {
				t.line("")
			}
			first = false
			printed++
			m := metrics[k]
			head := pad(metric.Keys[k].Name, nameW) + left(number.Quantity(m.Value, m.Unit), valueW) + "  " + pad(number.Bounds(m), boundW) + "  "
			if utf8.RuneCountInString(head)+len(m.Method) <= t.width {
				t.line(head + m.Method)
				continue
			}
			t.line(head)
			t.wrapped("    ", "    ", m.Method)
		}
	}
	keys := make([]metric.Key, 0, len(absent))
	for k := range absent {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if len(keys) > 0 {
		t.line("")
	}
	for _, k := range keys {
		if !have[k] {
			t.wrapped(pad(metric.Keys[k].Name, nameW)+"absent: ", pad(metric.Keys[k].Name, nameW)+"absent: ", absent[k])
		}
	}
}

// groups of metrics as a reader thinks of them.
var groups = []struct {
	name string
	keys []metric.Key
}{
	{"Performance", []metric.Key{metric.UniformThroughput, metric.EffectiveBandwidth, metric.UniformThroughputOptimal, metric.WorstThroughput, metric.TUB,
		metric.Bisection, metric.NonblockingRegion, metric.Latency, metric.MeanHops, metric.MaxHops, metric.MeanPathLinks,
		metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.GraphDiameter, metric.SimSaturation,
		metric.SimLatencyHalfLoad, metric.AllreduceTime, metric.AlltoallTime, metric.StepTime, metric.Linearity, metric.JobsIsolated}},
	{"Cost and power", []metric.Key{metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.LeadTime,
		metric.Capex, metric.NetworkShare, metric.TCO, metric.CostEfficiency}},
	{"Growth", []metric.Key{metric.GrowthCost, metric.KeptSwitches, metric.KeptCables, metric.MovedCables}},
	{"Size and ports", []metric.Key{metric.Endpoints, metric.Switches, metric.EmbeddedSwitches, metric.SwitchLinks, metric.EndpointLinks,
		metric.Radix, metric.PhysicalPorts, metric.EndpointPorts, metric.PortsPerEndpoint, metric.PortsBoughtPerEndpoint, metric.MooreEfficiency}},
	{"Cables and floor", []metric.Key{metric.CableMax, metric.CableTotal, metric.CablesCopper, metric.CablesOptical, metric.Racks, metric.RackCables, metric.FloorArea}},
	{"Robustness and routing", []metric.Key{metric.MeanPathLinksFail, metric.UniformThroughputFail, metric.ShortestPaths, metric.DisjointPaths, metric.VCsMinimal,
		metric.VCsAdaptive, metric.VCsFixed, metric.VCsLASH, metric.VCsDFSSSP, metric.VCsAfterFailure, metric.TableEntries, metric.Availability, metric.MTBF, metric.Goodput}},
}
