// Package flit simulates a network flit by flit: input-queued virtual-channel switches with
// credits, pipelined, with the allocators and options of BookSim2 (Jiang et al., ISPASS 2013;
// Dally and Towles, Principles and Practices of Interconnection Networks, 2004).
//
// A Sim is built once from a topology.Network (or, below that, a Plant of numbered ports), a
// Routing and a Traffic, and is then reset in place for each load. Nothing is an object inside:
// ports, virtual channels and packets are flat slices with int32 indices; flits and credits in
// flight stand in a time wheel, so that an idle link costs nothing; only switches with work are
// visited, in ascending order. Randomness comes from one stream per endpoint and purpose and one
// per packet, so that no result depends on the order of visits.
//
// A cycle: credits that arrive; creation and injection; routes of heads that came to the front;
// flits that arrive, and routes of their heads; then for each active switch allocation of VCs and
// of the crossbar, whose grants go into the wheel; last, what was decided takes effect for the next
// cycle. Switches meet only through arrivals of later cycles.
//
// Memory: 24 bytes per input port and 32 per output port; 64 for each input VC, with room for 12
// flits, and 4 for each slot beyond; 12 for each output VC, 64 per packet under way, 64 per
// endpoint. The plain cycle (alloc.go, and lean.go for its commonest form, with internal speedup or without) does the default router
// by sets of bits; the general one (full.go) every option, by lists of requests.
//
// Cores: Split lets one network run on several (parallel.go), with the same result.
//
// Time. A cycle is the time of one flit on the fastest link between switches or to an endpoint;
// a link of half as many lanes carries one flit every second cycle. Load 1 is the bandwidth of an
// endpoint, the sum of its port rates: with one port per endpoint and equal links that is one
// flit per cycle per endpoint.
package flit
