// Package metric names the figures by which designs are judged, and holds what is known of them: a
// Figure is a value with bounds and method, Intervals are enclosures of all figures of a design or of a
// box of designs, a Reject says that there is no part for a design.
package metric

import (
	"cmp"
	"strings"
)

// Figure is a figure with its bounds and the method that produced it. Lo = Hi = Value when
// exact; a bound is never printed as the figure it bounds.
type Figure struct {
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Unit   string  `json:"unit"`
	Method string  `json:"method"`
}

// Direction tells which way a metric is better.
type Direction int8

const (
	Neither Direction = 0
	Lower   Direction = -1 // smaller is better
	Higher  Direction = +1 // larger is better
)

// Key names a metric of DESIGN.md section 5.
type Key uint8

// Info is what a reader and a search must know of a metric.
type Info struct {
	Name   string // JSON key
	Level  int    // of the ladder at which it is computed
	Unit   string
	Better Direction
	Doc    string
}

// The metrics, in the order in which they are printed.
const (
	Endpoints Key = iota
	Switches
	EmbeddedSwitches
	SwitchLinks
	EndpointLinks
	Radix
	PhysicalPorts
	EndpointPorts
	PortsPerEndpoint
	PortsBoughtPerEndpoint
	MeanPathLinks
	MaxPathLinks
	MeanPathSwitches
	MaxPathSwitches
	MeanHops
	MaxHops
	GraphDiameter
	MeanPathLinksFail
	Bisection
	UniformThroughput
	UniformThroughputOptimal
	EffectiveBandwidth
	UniformThroughputFail
	WorstThroughput
	TUB
	ShortestPaths
	DisjointPaths
	NonblockingRegion
	MooreEfficiency
	VCsMinimal
	VCsAdaptive
	VCsFixed
	VCsLASH
	VCsDFSSSP
	VCsAfterFailure
	TableEntries
	Latency
	Cost
	CostPerEndpoint
	Power
	PowerPerEndpoint
	BuildingPower
	CableMax
	CableTotal
	CablesCopper
	CablesOptical
	Racks
	RackCables
	FloorArea
	LeadTime
	Capex
	NetworkShare
	TCO
	CostEfficiency
	Availability
	MTBF
	Goodput
	AllreduceTime
	AlltoallTime
	StepTime
	Linearity
	JobsIsolated
	SimSaturation
	SimLatencyHalfLoad
	GrowthCost
	KeptSwitches
	KeptCables
	MovedCables
	Count // not a metric: how many there are
)

// Keys describes every metric, by Key.
var Keys = [Count]Info{
	Endpoints:                {"endpoints", 0, "1", Neither, "endpoints of the network"},
	Switches:                 {"switches", 0, "1", Lower, "switches that are not embedded"},
	EmbeddedSwitches:         {"embedded_switches", 0, "1", Neither, "forwarding parts of endpoints"},
	SwitchLinks:              {"switch_links", 0, "1", Lower, "links between switches of either kind"},
	EndpointLinks:            {"endpoint_links", 0, "1", Lower, "links of class nic"},
	Radix:                    {"radix", 0, "1", Lower, "most ports in use on a switch, at link rate, embedded ones aside"},
	PhysicalPorts:            {"physical_ports", 0, "1", Lower, "the same in physical ports of the chosen switch model"},
	EndpointPorts:            {"endpoint_ports", 0, "1", Lower, "network ports of an endpoint, embedded ones included"},
	PortsPerEndpoint:         {"ports_per_endpoint", 0, "1", Lower, "switch ports in use per endpoint"},
	PortsBoughtPerEndpoint:   {"ports_bought_per_endpoint", 0, "1", Lower, "the same counting whole switches"},
	MeanPathLinks:            {"mean_path_links", 1, "1", Lower, "mean links from endpoint to endpoint on the routes of a named routing, endpoint links included (ATOP's APL)"},
	MaxPathLinks:             {"max_path_links", 1, "1", Lower, "the largest number of those links"},
	MeanPathSwitches:         {"mean_path_switches", 1, "1", Lower, "mean switches passed on those routes, relaying endpoints included"},
	MaxPathSwitches:          {"max_path_switches", 1, "1", Lower, "the largest number of switches passed (ATOP's diameter)"},
	MeanHops:                 {"mean_hops", 1, "1", Lower, "mean links of those routes without the first and the last nic link"},
	MaxHops:                  {"max_hops", 1, "1", Lower, "the largest number of those (the survey's D)"},
	GraphDiameter:            {"graph_diameter", 1, "1", Lower, "largest distance between any two switches, whatever the routing"},
	MeanPathLinksFail:        {"mean_path_links_fail", 2, "1", Lower, "mean links of shortest paths, averaged over every single failed switch"},
	Bisection:                {"bisection", 2, "1", Higher, "what one half of the endpoints can send the other at least, over the bandwidth of the smaller half; at most 1"},
	UniformThroughput:        {"uniform_throughput", 2, "1", Higher, "largest uniform load, as a fraction of the bandwidth, under a named routing"},
	UniformThroughputOptimal: {"uniform_throughput_optimal", 3, "1", Higher, "the same for the best possible routing"},
	EffectiveBandwidth:       {"effective_bandwidth", 2, "Gb/s", Higher, "what all endpoints together get of uniform traffic: the least of injection, network and reception (Hennessy and Patterson, Appendix F)"},
	UniformThroughputFail:    {"uniform_throughput_fail", 2, "1", Higher, "uniform_throughput after the worst single failure of a switch or a link between switches that leaves all endpoints connected"},
	WorstThroughput:          {"worst_throughput", 3, "1", Higher, "least that the best routing, or the one that was chosen, carries of any traffic"},
	TUB:                      {"tub", 2, "1", Higher, "throughput upper bound over all hose traffic"},
	ShortestPaths:            {"shortest_paths", 2, "1", Higher, "mean number of shortest paths per pair"},
	DisjointPaths:            {"disjoint_paths", 2, "1", Higher, "mean number of link-disjoint paths per pair: link failures that cannot part it, and one"},
	NonblockingRegion:        {"nonblocking_region", 0, "1", Higher, "endpoints of the largest block with full bisection inside by the middle cut"},
	MooreEfficiency:          {"moore_efficiency", 0, "1", Higher, "endpoints against the Moore bound of the longest shortest path"},
	VCsMinimal:               {"vcs_minimal", 1, "1", Lower, "VCs that make the natural routing deadlock-free"},
	VCsAdaptive:              {"vcs_adaptive", 1, "1", Lower, "VCs that make routing through a random intermediate deadlock-free (Valiant, UGAL)"},
	VCsFixed:                 {"vcs_fixed", 2, "1", Lower, "VCs that make the natural routing deadlock-free when a packet keeps its VC all the way"},
	VCsLASH:                  {"vcs_lash", 2, "1", Lower, "layers, a VC each, of LASH: a path for each pair of switches; asked for by name"},
	VCsDFSSSP:                {"vcs_dfsssp", 2, "1", Lower, "layers, a VC each, of DFSSSP: a path for each switch and endpoint; asked for by name"},
	VCsAfterFailure:          {"vcs_after_failure", 2, "1", Lower, "VCs that still make routing deadlock-free after any single failure of a link or a switch; asked for by name"},
	TableEntries:             {"table_entries", 2, "1", Lower, "entries of the largest forwarding table, one for each endpoint port that the switch may forward to"},
	Latency:                  {"latency", 1, "ns", Lower, "mean zero-load latency of one MTU packet between distinct endpoints on the routes of a named routing"},
	Cost:                     {"cost", 1, "USD", Lower, "switches, cables, modules; NICs too if asked"},
	CostPerEndpoint:          {"cost_per_endpoint", 1, "USD", Lower, "cost per endpoint"},
	Power:                    {"power", 1, "W", Lower, "switches, modules, NICs"},
	PowerPerEndpoint:         {"power_per_endpoint", 1, "W", Lower, "power per endpoint"},
	BuildingPower:            {"building_power", 1, "W", Lower, "(power + endpoints x endpoint_power) x pue, of the building that draws most; without endpoint_power in [building] endpoints count 0"},
	CableMax:                 {"cable_max", 1, "m", Lower, "longest cable as bought"},
	CableTotal:               {"cable_total", 1, "m", Lower, "all cables as bought"},
	CablesCopper:             {"cables_copper", 1, "1", Neither, "copper cables"},
	CablesOptical:            {"cables_optical", 1, "1", Lower, "optical cables"},
	Racks:                    {"racks", 1, "1", Lower, "racks on the floor plan"},
	RackCables:               {"rack_cables", 2, "1", Lower, "cables that leave the rack from which most do"},
	FloorArea:                {"floor_area", 1, "m2", Lower, "area of the floor plan, aisles included"},
	LeadTime:                 {"lead_time", 1, "weeks", Lower, "longest lead time of a part in the bill of materials"},
	Capex:                    {"capex", 1, "USD", Lower, "the whole cluster: cost, accelerators with their spares, processors of the servers, racks"},
	NetworkShare:             {"network_share", 1, "1", Lower, "cost / capex"},
	TCO:                      {"tco", 2, "USD", Lower, "capex, energy and maintenance over the years of [tco]"},
	CostEfficiency:           {"cost_efficiency", 2, "1/USD", Higher, "performance / tco: steps a second of the [workload]; without one, endpoints x uniform_throughput, at most 1"},
	Availability:             {"availability", 1, "1", Higher, "share of time in which a job on all endpoints can run: no part is out of service without which two of them are apart, spares aside"},
	MTBF:                     {"mtbf", 1, "h", Higher, "mean time in which it can run between failures that stop it until a part is repaired"},
	Goodput:                  {"goodput", 1, "1", Higher, "share of time in work that counts: availability less checkpoints, restarts and work that failures undo"},
	AllreduceTime:            {"allreduce_time", 2, "s", Lower, "for the workload in the study"},
	AlltoallTime:             {"alltoall_time", 2, "s", Lower, "for the workload in the study"},
	StepTime:                 {"step_time", 2, "s", Lower, "for the workload in the study"},
	Linearity:                {"linearity", 2, "1", Higher, "sequences a second on all endpoints / (those on the first base endpoints of [workload] x the ratio of sizes)"},
	JobsIsolated:             {"jobs_isolated", 1, "1", Higher, "share of the jobs of [workload] that fit into the non-blocking region"},
	SimSaturation:            {"sim_saturation", 4, "1", Higher, "simulated saturation load"},
	SimLatencyHalfLoad:       {"sim_latency_half_load", 4, "cycles", Lower, "simulated latency at half the saturation load"},
	GrowthCost:               {"growth_cost", 2, "USD", Lower, "what has to be bought beside what the network of [growth] leaves, and the labour of moving its cables and endpoints"},
	KeptSwitches:             {"kept_switches", 2, "1", Higher, "switches of the network of [growth] that are used again"},
	KeptCables:               {"kept_cables", 2, "1", Higher, "cables of it that stay plugged at both ends"},
	MovedCables:              {"moved_cables", 2, "1", Lower, "cables of it that are used again between other ports"},
}

// UnitIn is the unit of a metric, with money in a currency; "": USD.
func (k Key) UnitIn(currency string) string {
	return strings.Replace(Keys[k].Unit, "USD", cmp.Or(currency, "USD"), 1)
}

// Share tells whether a metric is a part of a whole, from 0 to 1, whatever the network.
func (k Key) Share() bool {
	switch k {
	case Bisection, NetworkShare, Availability, Goodput, JobsIsolated, SimSaturation:
		return true
	}
	return false
}

// KeyOf finds a metric by its JSON key.
func KeyOf(name string) (Key, bool) {
	for k := range Keys {
		if Keys[k].Name == name {
			return Key(k), true
		}
	}
	return 0, false
}
