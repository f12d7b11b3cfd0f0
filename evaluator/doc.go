// Package evaluator scores a design analytically: counts, distances, throughput bounds,
// bisection, latency, virtual channels, floor layout and cabling, bill of materials, cost and
// power. Every figure is a Metric, with bounds and method.
//
// A metric is computed by the first of a list of methods that applies and fits the level and the
// budget (ladder.go): closed forms of the family first, then search from one representative of
// each symmetry class, then the whole network. Costs are models of the sizes, never clocks, so
// that results repeat. The groups of methods, in the order in which they run:
//
//	counts.go      what the construction counts, ports of the models bought, Moore bound
//	rates.go       rates of links, rounded up to what is sold; tables of switches and cables
//	buy.go         bill of materials, cost, power, floor figures; from floor.go (where racks
//	               stand), lay.go (lengths of all cables), bom.go, cages.go, lead.go (parts),
//	               buildings.go; rackcables.go
//	paths.go       distances
//	vcs.go, vcsfixed.go, tables.go  virtual channels, forwarding tables
//	latency.go     zero-load latency
//	throughput.go  uniform traffic under a routing
//	optimal.go, worst.go  uniform traffic and the longest matching under the best routing, by a
//	               concurrent flow (package flow; flowgraph.go hands it the network)
//	bisect.go      cuts, exact or from above and below (package cut; cutgraph.go)
//	fail.go, disjoint.go, tub.go  failed switches, numbers of routes, link-disjoint paths (package
//	               flow), the longest matching
//
// Level0 and Box (level0.go, box.go) enclose the same metrics from counts alone, for searches.
// EachCable and EachRack (schedule.go) stream what the plan sums up.
package evaluator
