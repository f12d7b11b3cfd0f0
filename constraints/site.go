package constraints

import (
	"math"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// building reads the [building] table: limits on power, racks and floor, and the geometry.
func (b *builder) building(t *tomlfile.Table) {
	// Of each building: the metric is that of the one that draws most.
	b.limit(t.Take("power"), "building.power", metric.BuildingPower, quantity(unit.KindPower), maxMin)
	b.limit(t.Take("network_power"), "building.network_power", metric.Power, quantity(unit.KindPower), maxMin)
	b.limit(t.Take("racks"), "building.racks", metric.Racks, count(1<<30), maxMin)
	b.limit(t.Take("floor_area"), "building.floor_area", metric.FloorArea, quantity(unit.KindArea), maxMin)

	watts := quantity(unit.KindPower)
	b.set(t.Take("endpoint_power"), "building.endpoint_power", watts, 0, func(o *evaluator.Options, x float64) { o.Site.EndpointPowerW = x })
	b.set(t.Take("endpoint_all_in"), "building.endpoint_all_in", watts, 0, func(o *evaluator.Options, x float64) { o.Site.EndpointAllInW = x })
	b.set(t.Take("pue"), "building.pue", func(v *tomlfile.Value) (float64, bool) { return v.Number(1, 10) }, 0,
		func(o *evaluator.Options, x float64) { o.Site.PUE = x })
	b.setMax(t.Take("buildings"), "building.buildings", atLeast1(count(1000)), func(o *evaluator.Options, x float64) { o.Site.Buildings = int(x) })
	b.setMax(t.Take("rack_power"), "building.rack_power", watts, func(o *evaluator.Options, x float64) { o.Site.RackPowerW = x })
	b.setMax(t.Take("rack_switches"), "building.rack_switches", atLeast1(count(1000)), func(o *evaluator.Options, x float64) { o.Site.RackSwitches = int(x) })
	b.setMax(t.Take("rack_servers"), "building.rack_servers", atLeast1(count(1000)), func(o *evaluator.Options, x float64) { o.Site.RackServers = int(x) })
	b.limit(t.Take("rack_cables"), "building.rack_cables", metric.RackCables, count(1<<30), onlyMax)
	b.set(t.Take("rows"), "building.rows", atLeast1(count(10_000)), 0, func(o *evaluator.Options, x float64) { o.Site.Rows = int(x) })
	b.geometry(t)
	t.Done(hintsIn("building"))
}

// geometry reads the lengths of the floor plan.
func (b *builder) geometry(t *tomlfile.Table) {
	metres := quantity(unit.KindLength)
	for _, g := range []struct {
		key   string
		field func(*evaluator.Site) *float64
	}{
		{"rack_pitch", func(s *evaluator.Site) *float64 { return &s.RackPitchM }},
		{"row_pitch", func(s *evaluator.Site) *float64 { return &s.RowPitchM }},
		{"rack_depth", func(s *evaluator.Site) *float64 { return &s.RackDepthM }},
		{"rise", func(s *evaluator.Site) *float64 { return &s.RiseM }},
		{"in_rack", func(s *evaluator.Site) *float64 { return &s.InRackM }},
		{"building_distance", func(s *evaluator.Site) *float64 { return &s.BuildingDistM }},
	} {
		v := t.Take(g.key)
		if v == nil {
			continue
		}
		if x, ok := metres(v); ok && x <= 0 {
			v.Errorf("%s must be above 0", g.key)
		} else if ok {
			b.setTo(v, "building."+g.key, x, 0, func(o *evaluator.Options, x float64) { *g.field(&o.Site) = x })
		}
	}
	b.set(t.Take("slack"), "building.slack", func(v *tomlfile.Value) (float64, bool) { return v.Number(0, 10) }, 0,
		func(o *evaluator.Options, x float64) {
			// 0 would mean the default to the evaluator.
			o.Site.Slack = max(x, math.SmallestNonzeroFloat64)
		})
}

// atLeast1 refuses 0 where it would mean "not limited" to the evaluator and "none" to a reader.
func atLeast1(p parser) parser {
	return func(v *tomlfile.Value) (float64, bool) {
		x, ok := p(v)
		if ok && x < 1 {
			v.Errorf("it must be at least 1")
			return 0, false
		}
		return x, ok
	}
}

func (b *builder) procurement(t *tomlfile.Table) {
	b.limit(t.Take("cost"), "procurement.cost", metric.Cost, b.money, onlyMax)
	b.limit(t.Take("cost_per_endpoint"), "procurement.cost_per_endpoint", metric.CostPerEndpoint, b.money, onlyMax)
	b.limit(t.Take("lead_time"), "procurement.lead_time", metric.LeadTime, quantity(unit.KindLead), onlyMax)
	t.Done(hintsIn("procurement"))
}

// notYet lists metrics that no evaluation before the finalists computes.
var notYet = map[metric.Key]string{
	metric.Availability: "its model comes later", metric.MTBF: "its model comes later",
	metric.AllreduceTime: "workloads come later", metric.AlltoallTime: "workloads come later", metric.StepTime: "workloads come later",
}

// Thresholds reads a table of bounds on metrics, such as [require] of a study: limits that are not
// part of a set. Every metric may stand there, simulated ones too.
func Thresholds(cur catalog.Currency, t *tomlfile.Table, section string, l *diag.List) []Limit {
	b := &builder{cur: cur, diags: l}
	var out []Limit
	b.metrics(t, section, &out)
	return out
}

// metrics reads limits on metrics by their JSON keys into out; section names the table.
func (b *builder) metrics(t *tomlfile.Table, section string, out *[]Limit) {
	var names []string
	for k := range metric.Count {
		info := &metric.Keys[k]
		names = append(names, info.Name)
		v := t.Take(info.Name)
		if v == nil {
			continue
		}
		name := section + "." + info.Name
		if why, ok := notYet[k]; ok && section == "limits" {
			b.bounds(v, b.parserOf(k), either, func(v *tomlfile.Value, _ float64, _ bool) { b.skip(v, name, why) })
			continue
		}
		b.bounds(v, b.parserOf(k), either, func(v *tomlfile.Value, x float64, max bool) {
			*out = append(*out, Limit{Key: k, Name: name, Max: max, Bound: x, Origin: origin(name, v)})
		})
	}
	words := hintsIn(section)
	if t != nil {
		for _, e := range t.Entries {
			if words[e.Key] == "" && !t.Taken(e.Key) && diag.Suggest(e.Key, names) == "" {
				t.Take(e.Key)
				e.Errorf("there is no metric %q\ntoposearch help metrics lists them", e.Key)
			}
		}
	}
	t.Done(words)
}

// parserOf reads a value of a metric in the unit of the metric.
func (b *builder) parserOf(k metric.Key) parser {
	in := func(kind unit.Kind, per float64) parser {
		return func(v *tomlfile.Value) (float64, bool) {
			x, ok := v.Quantity(kind)
			return x / per, ok
		}
	}
	switch metric.Keys[k].Unit {
	case "W":
		return in(unit.KindPower, 1)
	case "ns":
		return in(unit.KindLatency, 1)
	case "m":
		return in(unit.KindLength, 1)
	case "m2":
		return in(unit.KindArea, 1)
	case "weeks":
		return in(unit.KindLead, 1)
	case "s":
		return in(unit.KindLatency, 1e9)
	case "h":
		return in(unit.KindDuration, 3600)
	case "USD":
		return b.money
	}
	return plain
}

// format prints a bound in the unit of its metric.
func (l *Limit) format(x float64) string {
	switch metric.Keys[l.Key].Unit {
	case "W":
		return unit.Power{W: x}.String()
	case "ns":
		return unit.Latency{Ns: x}.String()
	case "m":
		return unit.Length{M: x}.String()
	case "m2":
		return unit.Area{M2: x}.String()
	case "weeks":
		return unit.Lead{Weeks: x}.String()
	case "1":
		return trim(x)
	}
	return trim(x) + " " + metric.Keys[l.Key].Unit
}

// trim prints a number with at most six digits behind the point.
func trim(x float64) string { return unit.Number(math.Round(x*1e6) / 1e6) }
