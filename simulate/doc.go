// Package simulate runs designs in the simulators and gives the results as documents: every load of a
// list, the saturation load, a closed loop, the speed of the simulator itself, and a proof that a
// routing cannot deadlock; of the flit model, of the cut-through model and of configurations of BookSim2,
// on a network as it was built or with parts of it failed.
//
// Choice makes the routing and the traffic from their names, Degrade takes out what fails, a Runner
// spreads the work over cores. The documents are what `toposearch simulate --json` prints; their keys are
// listed by `toposearch help json`. Nothing here reads a clock or prints: a Runner is given both.
package simulate
