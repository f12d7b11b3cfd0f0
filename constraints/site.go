package constraints

import (
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
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
		field func(*floor.Site) *float64
	}{
		{"rack_pitch", func(s *floor.Site) *float64 { return &s.RackPitchM }},
		{"row_pitch", func(s *floor.Site) *float64 { return &s.RowPitchM }},
		{"rack_depth", func(s *floor.Site) *float64 { return &s.RackDepthM }},
		{"rise", func(s *floor.Site) *float64 { return &s.RiseM }},
		{"in_rack", func(s *floor.Site) *float64 { return &s.InRackM }},
		{"building_distance", func(s *floor.Site) *float64 { return &s.BuildingDistM }},
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

// share reads a part of a whole.
func share(v *tomlfile.Value) (float64, bool) { return v.Number(0, 1) }

func (b *builder) procurement(t *tomlfile.Table) {
	b.limit(t.Take("cost"), "procurement.cost", metric.Cost, b.money, onlyMax)
	b.limit(t.Take("cost_per_endpoint"), "procurement.cost_per_endpoint", metric.CostPerEndpoint, b.money, onlyMax)
	b.limitSets(t.Take("lead_time"), NameLead, metric.LeadTime, quantity(unit.KindLead), onlyMax, func(o *evaluator.Options, x float64) { o.Site.LeadWeeks = x })
	b.set(t.Take("spares"), "procurement.spares", share, +1, func(o *evaluator.Options, x float64) {
		if o.Spares = x; x == 0 {
			o.Spares = market.NoSpares
		}
	})
	t.Done(hintsIn("procurement"))
}
