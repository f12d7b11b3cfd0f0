// Package topology is the network model: switches, endpoints and channels, the parameterised
// Family that describes a network in closed form, and the Design that names one.
//
// A Family counts first (Size, under a microsecond, no allocation), and wires only on demand:
// Wire streams the switch links, Attach the endpoints, and Build turns both into an immutable
// Network in compressed sparse rows. What every family has is in Family itself; what formulas
// say beyond that is in its optional parts (SearchSpace, Routes, Layout, Figures), so that a search
// rarely has to build anything. Package topotest checks every formula against the wiring.
//
// A Network answers for itself: distances and diameter by breadth-first search, failures, and
// scale-up domains that join neighbouring endpoints. Constructions are in package family, networks
// from files in netfile. Of this program only diag, for suggestions of names, is imported.
package topology
