// Package placed times the collectives of a training step on a network: where its ranks are, all groups of a
// collective at once as flows over the network's routing, and what then takes longest, a link or what an endpoint
// sends. Ranks of one scale-up domain talk over it, and over nothing else.
//
// Steps of a schedule wait for each other, except an all-to-all's, which are taken as one traffic. Other
// collectives that run at the same time on the same links are not counted. ByAlgorithm follows messages instead of steps, with
// the latency of each, and Together those of several jobs at once (Slowest what channels need at least, of too many messages); both are what simulations are set beside.
package placed
