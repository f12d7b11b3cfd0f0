package constraints

import (
	"fmt"

	"toposearch/evaluator/metric"
)

// hints gives the key for words that other tools and sheets use.
var hints = map[string]string{
	"virtual_channels": "vcs", "num_vcs": "vcs", "vc": "vcs", "radix": "ports", "port_count": "ports", "model": "models",
	"cable_reach": "reach", "max_length": "reach", "length": "reach", "budget": "cost", "capex": "cost", "price": "cost",
	"leadtime": "lead_time", "delivery": "lead_time", "rack_count": "racks", "max_racks": "racks", "power_budget": "power",
	"area": "floor_area", "host_power": "endpoint_power", "gpu_power": "endpoint_power", "nodes": "endpoints", "hops": "mean_hops",
}

// homes tells in which table a key stands that stands in one only.
var homes = map[string]string{
	"models": "switch", "breakout": "switch", "buffer": "switch", "vcs": "routing", "vc_change": "routing", "table_entries": "routing", "source_route_hops": "routing",
	"reach": "cable", "copper": "cable", "optical": "cable", "power": "building", "network_power": "building", "endpoint_power": "building",
	"endpoint_all_in": "building", "pue": "building", "buildings": "building", "racks": "building", "rack_power": "building", "rack_switches": "building",
	"rack_servers": "building", "rack_cables": "building", "rows": "building", "floor_area": "building", "rack_pitch": "building", "row_pitch": "building",
	"rack_depth": "building", "rise": "building", "in_rack": "building", "building_distance": "building", "slack": "building", "cost": "procurement",
	"cost_per_endpoint": "procurement", "lead_time": "procurement", "spares": "procurement",
}

// hintsIn gives the remedies for keys that a table does not have: the key that a word stands for, or the
// table in which it stands.
func hintsIn(table string) map[string]string {
	out := make(map[string]string, len(hints)+len(homes))
	for key, home := range homes {
		if home != table {
			out[key] = fmt.Sprintf("it stands in [%s]", home)
		}
	}
	for word, key := range hints {
		out[word] = key
		if home, ok := homes[key]; ok && home != table && !(table == "limits" && isMetric(key)) {
			out[word] = fmt.Sprintf("it is %s in [%s]", key, home)
		}
	}
	return out
}

func isMetric(name string) bool {
	for k := range metric.Count {
		if metric.Keys[k].Name == name {
			return true
		}
	}
	return false
}
