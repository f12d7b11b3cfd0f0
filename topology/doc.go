// Package topology is the network model: switches, endpoints and channels, the parameterised
// Family that describes a network in closed form, and the Design that names one.
//
// A Family counts first (Size, under a microsecond, no allocation), and wires only on demand:
// Wire streams the switch links, Attach the endpoints, and Build turns both into an immutable
// Network in compressed sparse rows. Everything that a formula can say is said by the family
// (Paths, Rule, Placement, Symmetry), so that a search rarely has to build anything, and
// topotest checks every formula against the wiring.
//
// The package imports nothing else of this program.
package topology
