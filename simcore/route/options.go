package route

import (
	"toposearch/routing"
	"toposearch/topology"
)

// Options is what a native routing needs to know besides the network.
type Options struct {
	// Natural is the family's rule; the zero Rule stands for all shortest paths.
	Natural topology.Rule
	// Blocks is the block (group, pod, sub-network) of each switch, -1 for none; nil if the
	// network has none. See routing.BlocksOf.
	Blocks []int32
	// VCs is the number of VCs that the simulator has. VC classes get equal shares of them, those of first hops by par mostly one each (dealt), layers of tables by their traffic. 0
	// means Want, or as many as the routing needs if those are more.
	VCs int
	// Want is the number of VCs if VCs is 0. A simulator that has more VCs than the routing knows
	// of leaves them empty.
	Want int
	// Tuning of adaptive routings; the zero value derives everything.
	Tuning Tuning
	// Hops is the least number of VC classes of a routing whose VCs follow hops: routings for one network in several
	// states need the same.
	Hops int
	// Direct, if not nil, gives the share of the packets of a pair that valiant sends on the direct way after all: a split that knows
	// the traffic, which others are measured by.
	Direct func(src, dst topology.EndpointID) float64
	// Tables are those of LayeredFor if they are there already.
	Tables *routing.Layered
	// Workers is the number of goroutines that fill the table.
	Workers int
	// anyMid, if not nil, is Native.anyMid as the family's rule has it, in whose place all shortest paths stand: what fails makes no groups of
	// blocks, and leaves those there that are, though shortest paths of a Dragonfly go by way of third groups, too.
	anyMid *bool
}
