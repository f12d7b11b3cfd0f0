// Package booksim runs configuration files of BookSim2 (Jiang et al., A detailed and flexible
// cycle-accurate network-on-chip simulator, ISPASS 2013) on the engine of package simcore: its
// configuration language, topologies with their numbering and order of ports, routing functions,
// traffic patterns and measurement, built from a description of its behaviour.
//
// Where the effective behaviour of BookSim2 is a defect, this package reproduces the behaviour:
// route sets keep one element per priority, so that min_adapt and planar_adapt are not adaptive;
// ran_min of the flattened butterfly is dimension order; arb_type and alloc_iters have no effect;
// hotspot({a,b}) is one hot node a of weight b. The same names elsewhere in the program do what
// was published.
package booksim
