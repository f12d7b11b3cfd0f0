// Package flow computes flows on graphs: the largest multiple of a demand between many pairs that can be
// routed at once (a concurrent flow), and the number of link-disjoint paths between two sets of vertices.
//
// Graph.Throughput encloses a concurrent flow: its lower bound is carried by a flow that was found, its
// upper bound proven by lengths of the links (duality), which Quick gives, too. Demands are Sources; Uniform, Spread
// and Permutation make the usual ones. Unit counts link-disjoint paths, exactly, between two ends or in sum over all
// pairs of many. The same graph always gives the same values; ThroughputNs is a model of the time.
package flow
