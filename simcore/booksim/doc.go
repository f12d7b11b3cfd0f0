// Package booksim runs configuration files of BookSim2 (Jiang et al., A detailed and flexible
// cycle-accurate network-on-chip simulator, ISPASS 2013) on the engine of package simcore: its
// configuration language, topologies with their numbering and order of ports, routing functions,
// traffic patterns and measurement, built from a description of its behaviour.
//
// Where the effective behaviour of BookSim2 is a defect, this package reproduces the behaviour:
// route sets keep one element per priority, so that min_adapt and planar_adapt are not adaptive;
// ran_min of the flattened butterfly is dimension order; arb_type and alloc_iters have no effect;
// hotspot({a,b}) is one hot node a of weight b, as every outer brace lists values for traffic classes;
// stages of several cycles are not pipelined. The same names elsewhere in the program do what was
// published.
//
// Refused, because the description does not say enough of them to give the same figures: several
// classes or subnetworks, request-reply traffic, buffers shared between VCs, next-hop output queueing,
// the topology tree4, routings of a cmesh that use its express links, failed links, and batches with a
// limit of packets under way. Allocator delays above 1 are, because BookSim2 stops with them.
package booksim
