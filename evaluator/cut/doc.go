// Package cut encloses the least balanced cut of a graph: the least capacity that separates half of
// its endpoints from the other half.
//
// A Graph has weighted vertices, the weight being a number of endpoints, and undirected links with
// capacities in bandwidths of an endpoint. Every cut is given as a fraction of half of the endpoints'
// bandwidth. Exact values come from ByCounts, where vertices are interchangeable, and from BySides,
// where they are few. Otherwise Search finds a cut, an upper bound, by local search from many starts;
// SpectralBound proves a lower bound from the least eigenvalue of a pencil; and Fabric.HoseThroughput
// proves one from a routing that carries any permutation.
//
// The same graph always gives the same values. SpectralNs, SearchNs and SidesNs are models of the time that
// calls take.
package cut
