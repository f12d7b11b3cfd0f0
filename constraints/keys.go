package constraints

import (
	"fmt"
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// Keys describes the tables of a constraint file.
func Keys() []tomlfile.Section {
	out := []tomlfile.Section{{Doc: "A constraint file: what may be bought and what the building carries. Several combine, the strictest limit wins; what is left out is not limited.",
		Keys: []tomlfile.Key{
			{Name: "name", Form: tomlfile.Words(), Example: `"hall 3"`, Doc: "for people"},
			{Name: "schema", Form: tomlfile.Whole(format, format), Default: "1", Doc: "of this format"},
		}}}
	out = append(out, hardwareKeys()...)
	out = append(out, buildingKeys())
	return append(out,
		tomlfile.Section{Name: "procurement", Doc: "What may be spent, and how long it may take.", Keys: []tomlfile.Key{
			{Name: "cost", Form: tomlfile.AtMost(tomlfile.Amount(), false), Example: `{ max = "12 MUSD" }`, Doc: "of the network, as [cost] of the study counts it; converted by [cost] rates"},
			{Name: "cost_per_endpoint", Form: tomlfile.AtMost(tomlfile.Amount(), false), Example: `{ max = "9 kUSD" }`, Doc: "the same, divided by the endpoints"},
			{Name: "lead_time", Form: tomlfile.AtMost(tomlfile.Quantity(unit.KindLead), false), Example: `{ max = "26 weeks" }`, Doc: "of the part that comes last; a part that takes longer and is not in stock is not bought, so that a dearer one that comes in time is"},
			{Name: "spares", Form: tomlfile.Real(0, 1), Else: "as many of each part as last, at 95 %, until replacements come: its failures in its lead time, or in two weeks", Example: "0.02", Doc: "share of each part to keep beside those in use; ordered, and in no cost"},
		}},
		Metrics("limits", "Bounds on any metric: toposearch help metrics. Which side is meant has to be said."))
}

// Metrics describes a table of bounds on metrics.
func Metrics(name, doc string) tomlfile.Section {
	s := tomlfile.Section{Name: name, Doc: doc, Few: 3}
	for k := range metric.Count {
		form, example := metricForm(k)
		side := "max"
		if metric.Keys[k].Better == metric.Higher {
			side = "min"
		}
		s.Keys = append(s.Keys, tomlfile.Key{Name: metric.Keys[k].Name, Form: tomlfile.Range(form), Example: fmt.Sprintf("{ %s = %s }", side, example), Doc: metric.Keys[k].Doc})
	}
	return s
}

// metricForm is how values of a metric are written, as parserOf reads them.
func metricForm(key metric.Key) (f tomlfile.Form, example string) {
	of := metric.Keys[key].Unit
	if key.Share() {
		return tomlfile.Real(0, 1), "0.9"
	}
	if of == "USD" {
		return tomlfile.Amount(), `"12 MUSD"`
	}
	if k, _, ok := unit.Of(of); ok {
		return tomlfile.Quantity(k), k.Example()
	}
	return tomlfile.Real(math.Inf(-1), math.Inf(1)), "2"
}

// hardwareKeys are those of endpoints, switches, routing and cables.
func hardwareKeys() []tomlfile.Section {
	whole := tomlfile.Whole(0, 1<<20)
	metres := tomlfile.Quantity(unit.KindLength)
	media := []tomlfile.Key{
		{Name: "copper", Form: tomlfile.AtMost(metres, false), Example: `"3 m"`, Doc: "of copper cables; \"0 m\" forbids them"},
		{Name: "optical", Form: tomlfile.AtMost(metres, false), Example: `"500 m"`, Doc: "of all that are optical"},
	}
	for _, m := range catalog.Media() {
		media = append(media, tomlfile.Key{Name: m, Form: tomlfile.AtMost(metres, false), Example: `"30 m"`, Doc: "of cables of this medium"})
	}
	return []tomlfile.Section{
		{Name: "endpoint", Doc: "What an accelerator has.", Keys: []tomlfile.Key{
			{Name: "ports", Form: tomlfile.AtMost(whole, true), Example: "{ max = 8 }", Doc: "network ports of an endpoint"},
		}},
		{Name: "switch", Doc: "What switches may be.", Keys: []tomlfile.Key{
			{Name: "ports", Form: tomlfile.AtMost(whole, true), Example: `{ max = 64 }`, Doc: "physical ports, before they are split; with rate those of that rate"},
			{Name: "models", Form: tomlfile.Items(tomlfile.Words()), Else: "every switch on the price list", Example: `["SW-64x400"]`, Doc: "part numbers that may be bought"},
			{Name: "breakout", Form: tomlfile.Flag(), Default: "true", Doc: "ports may be split into several of a lower rate where the list says so"},
			{Name: "buffer", Form: tomlfile.AtMost(tomlfile.Quantity(unit.KindBytes), false), Example: `{ max = "64 MB" }`, Doc: "packet buffer of a switch"},
		}},
		{Name: "switch.ports", Doc: "ports as a table.", Keys: []tomlfile.Key{
			{Name: "min", Form: whole, Example: "32", Doc: "the fullest switch of a design has so many in use at least, whatever its model has (models says which may be bought)"},
			{Name: "max", Form: whole, Example: "64", Doc: "at most so many"},
			{Name: "rate", Form: tomlfile.Quantity(unit.KindBandwidth), Example: `"400 Gb/s"`, Doc: "of a physical port; a whole number of Gb/s"},
		}},
		{Name: "routing", Doc: "What switches and packet headers can do; which routings may be taken stands in the study.", Keys: []tomlfile.Key{
			{Name: "vcs", Form: tomlfile.AtMost(tomlfile.Whole(0, 1<<10), false), Example: "{ max = 4 }", Doc: "virtual channels of a link; the best of the study's routings that fits is taken"},
			{Name: "source_route_hops", Form: tomlfile.AtMost(tomlfile.Whole(0, 1<<10), false), Example: "{ max = 8 }", Doc: "hops that a packet's header can name"},
			{Name: "vc_change", Form: tomlfile.Flag(), Default: "true", Doc: "packets may change their virtual channel on the way; false, as on InfiniBand, limits vcs_fixed to vcs, or to 15"},
			{Name: "table_entries", Form: tomlfile.AtMost(tomlfile.Whole(0, 1<<40), false), Example: "{ max = 16384 }", Doc: "forwarding entries of a switch, one for each port of an endpoint"},
		}},
		{Name: "cable", Few: 5, Doc: "How long cables may be.", Keys: append([]tomlfile.Key{
			{Name: "reach", Form: metres, Example: `"50 m"`, Doc: "of any cable, as bought"}}, media...)},
		{Name: "cable.reach", Few: 2, Doc: "reach as a table, by medium.", Keys: append([]tomlfile.Key{
			{Name: "max", Form: metres, Example: `"50 m"`, Doc: "of any cable"}}, media...)},
	}
}

// buildingKeys are those of [building]: limits, what endpoints draw, and the geometry of the floor plan. Defaults of the
// geometry are those of floor.Site.
func buildingKeys() tomlfile.Section {
	watts, metres := tomlfile.Quantity(unit.KindPower), tomlfile.Quantity(unit.KindLength)
	some := tomlfile.Whole(1, 1000)
	return tomlfile.Section{Name: "building", Doc: "What a building carries, and how racks stand in it. Cables are as long as this floor plan makes them.", Keys: []tomlfile.Key{
		{Name: "power", Form: tomlfile.AtMost(watts, true), Example: `{ max = "2 MW" }`, Doc: "of each building: its network and its endpoints, times pue"},
		{Name: "network_power", Form: tomlfile.AtMost(watts, true), Example: `{ max = "300 kW" }`, Doc: "of the network alone: switches, modules, network cards"},
		{Name: "racks", Form: tomlfile.AtMost(tomlfile.Whole(0, 1<<30), true), Example: "{ max = 120 }", Doc: "of all buildings"},
		{Name: "floor_area", Form: tomlfile.AtMost(tomlfile.Quantity(unit.KindArea), true), Example: `{ max = "800 m2" }`, Doc: "of the racks with their aisles"},
		{Name: "endpoint_power", Form: watts, Default: `"0 W"`, Example: `"1.0 kW"`, Doc: "draw of an endpoint without network and cooling"},
		{Name: "endpoint_all_in", Form: watts, Example: `"1.3 kW"`, Doc: "instead: draw of an endpoint with its share of network and cooling, as vendors quote it"},
		{Name: "pue", Form: tomlfile.Real(1, 10), Default: "1.0", Doc: "power usage effectiveness: what the building draws for each watt of its machines"},
		{Name: "buildings", Form: tomlfile.AtMost(some, false), Default: "1", Doc: "among which the cluster may be divided"},
		{Name: "building_distance", Form: metres, Default: `"300 m"`, Doc: "what a cable between two buildings is longer"},
		{Name: "rack_power", Form: tomlfile.AtMost(watts, false), Example: `{ max = "40 kW" }`, Doc: "of the servers and switches in a rack; modules of links come on top"},
		{Name: "rack_switches", Form: tomlfile.AtMost(some, false), Else: "16, or what the construction says", Example: "16", Doc: "switches in a rack"},
		{Name: "rack_servers", Form: tomlfile.AtMost(some, false), Else: "4, or what the construction says", Example: "4", Doc: "servers in a rack"},
		{Name: "rack_cables", Form: tomlfile.AtMost(tomlfile.Whole(0, 1<<30), false), Example: "{ max = 2000 }", Doc: "cables that leave a rack"},
		{Name: "rows", Form: tomlfile.Whole(1, 10_000), Else: "as many as make the hall as square as the pitches allow", Example: "6", Doc: "rows of racks"},
		{Name: "rack_pitch", Form: metres, Default: `"0.6 m"`, Doc: "from a rack to the next in its row"},
		{Name: "row_pitch", Form: metres, Default: `"3 m"`, Doc: "from a row to the next, aisle included"},
		{Name: "rack_depth", Form: metres, Default: `"1.2 m"`, Doc: "of a rack, for the floor area"},
		{Name: "rise", Form: metres, Default: `"1 m"`, Doc: "from a port to the cable tray, at each end"},
		{Name: "in_rack", Form: metres, Default: `"2 m"`, Doc: "length of a cable within a rack"},
		{Name: "slack", Form: tomlfile.Real(0, 10), Default: "0.1", Doc: "what cables are longer than they are laid, as a part of it"},
	}}
}
