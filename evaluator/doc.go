// Package evaluator scores a design analytically: counts, distances, throughput bounds,
// bisection, latency, virtual channels, floor layout and cabling, bill of materials, cost and
// power. Every figure is a Metric, with bounds and method.
package evaluator
