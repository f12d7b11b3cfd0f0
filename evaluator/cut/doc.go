// Package cut encloses the least balanced cut of a graph: the least capacity from one half of its endpoints
// to the other half.
//
// A Graph has weighted vertices, the weight being a number of endpoints, and links with capacities in
// bandwidths of an endpoint, or channels that lead one way. Halves differ by as few endpoints as whole vertices
// allow, by one where endpoints can be divided one by one and their number is odd. A cut is what all channels
// from one half to the other carry, in the direction in which that is less, as a fraction of what the smaller
// half can send or take: all that any traffic may want to send that way.
//
// Exact values come from ByCounts, where vertices are interchangeable, and from BySides, where they are few.
// Otherwise Search finds a cut, an upper bound, by local search from many starts; SpectralBound proves a lower
// bound from the least eigenvalue of a pencil; and Fabric.HoseThroughput proves one from a routing that carries any
// permutation.
//
// The same graph always gives the same values. SpectralNs, SearchNs and SidesNs are models of the time that
// calls take.
package cut
