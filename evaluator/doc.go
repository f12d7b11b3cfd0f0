// Package evaluator scores a design analytically: counts, distances, throughput bounds,
// bisection, latency, virtual channels, floor layout and cabling, bill of materials, cost and
// power. Every figure is a metric.Figure, with bounds and method.
//
// It is the facade of packages that import one way: metric (keys, figures, intervals), market (parts and
// prices), floor (racks and cables) and route (closed forms of routes), bound (enclosures of designs that
// are not evaluated yet, which an Evaluator offers as its Model).
//
// A metric is computed by the first of a list of methods that applies and fits the level and the
// budget (ladder.go, work.go): closed forms of the family first, then search from one representative of
// each symmetry class, then the whole network. Costs are models of the sizes, never clocks, so
// that results repeat. The groups of methods, in the order in which they run:
//
//	counts.go      what the construction counts, ports of the models bought, Moore bound
//	bill.go        floor plan, cables, bill of materials, cost, power; rackcables.go
//	uptime.go, needs.go  which failures stop a job, how often, what it has of the time (package cluster)
//	paths.go       distances of the routes that the routing takes (routes.go)
//	vcs.go, vcsfixed.go, tables.go  virtual channels, forwarding tables
//	latency.go     zero-load latency; span.go, usage.go: cables that routes need not cross equally
//	throughput.go  uniform traffic under a routing (routes.go); loads.go
//	optimal.go, worst.go  uniform traffic and the longest matching under the best routing, by a
//	               concurrent flow (package flow; flowgraph.go hands it the network)
//	bisect.go      cuts, exact or from above and below (package cut; cutgraph.go)
//	fail.go, disjoint.go, tub.go  failed switches, numbers of routes, link-disjoint paths (package
//	               flow), the longest matching
//	training.go    collectives and steps of training, linearity; trainingcost.go: on what their loads are counted
//	money.go       capex, tco, performance per tco, effective bandwidth; failthroughput.go: after single failures
//
// EachCable and EachRack (schedule.go) stream what a plan sums up.
package evaluator
