// Package simcore holds what the models of a simulated network share: what a routing and a traffic
// are and see (Routing, Traffic, Packet, View), how a run warms up and when its window is long enough
// (Settling, Point.Decide), what it reports (Point, Latency, Detail, Sample, LoopResult), closed loops
// (Workload), and the search for the saturation load.
//
// The models are packages of their own: flit moves flits through the switches of the literature,
// cutthrough packets through those of today, and booksim makes the networks and measures of BookSim2
// for the flit engine. Package route has the routings, traffic the patterns.
package simcore
