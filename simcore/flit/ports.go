package flit

import "toposearch/simcore"

// route is an output port (by global index) and an inclusive VC range; choice two of them.
type route struct {
	op     int32
	lo, hi uint8
}

type choice struct {
	route
	alt route // op < 0: none
}

// inPort is an input port of a switch, or (behind the last of those) the sink of an endpoint.
type inPort struct {
	up     int32  // the output port that feeds it; credits go there. -1: none
	crLag  lag    // from the departure of a flit to its credit being usable upstream
	sw     int32  // its switch; of a sink, its endpoint
	out0   int32  // the first output port of its switch
	word   int32  // of Sim.readyW and waitW that has the bits of its VCs
	saPtr  int32  // switch allocation: the output after the last one granted
	ready  uint32 // lean cycle: VCs that can send a flit
	off    uint8  // switch allocation: the VC after the last one granted
	bit    uint8  // of the word: that of VC 0
	listed uint8  // lean cycle: 1 if it is in Sim.ports
}

// outPort is an output port of a switch, or (behind the last of those) the source of an endpoint.
type outPort struct {
	inUse  uint32 // VCs that belong to a packet
	full   uint32 // VCs without room in the next buffer
	down   int32  // the input port that it feeds, -1: none
	lag    lag    // from a grant to the arrival there
	saPtr  int32  // switch allocation: the input after the last one granted
	asleep int32  // first input VC whose head waits until a VC here is freed, -1: none; vcState.next chains them
	heads  int32  // lean cycle: first input VC whose head asks for a VC in the next cycle, chained likewise
	bid    int32  // lean cycle: the best bid for it in this cycle, an input VC; -1: none
}

// slowOut is the state of a port that carries less than a flit per cycle: time in units of
// 1/num cycle.
type slowOut struct {
	num, den int64
	free     int64
}

// ringFlits is the number of flits that stand beside the state of a VC: with them it is one cache
// line.
const ringFlits = 11

// vcState is an input VC. Its flits stand in a ring of Sim.depth slots: the first in the state
// itself, the others, which only a deep queue uses, in Sim.buf.
type vcState struct {
	head, n uint16
	state   uint8
	ovc     uint8 // output VC of the packet at the front
	lo, hi  uint8 // VCs allowed to it
	op      int32 // its output port
	vaPtr   int32 // VC allocation: after the output VC last granted to this input
	next    int32 // of a list of heads at an output, -1: none
	ring    [ringFlits]uint32
}

// ovState is an output VC. VC allocation begins after the input VC last granted.
type ovState struct {
	occ  int32 // flits sent whose credits have not come back
	last int32 // the input VC last granted, which holds it while owner says so; -1: none yet
}

// srcPort is a port of an endpoint: the packet that it sends, and a short queue behind it.
type srcPort struct {
	cur, head, tail int32 // packets, -1: none
	queued          int32
	sent, size      uint16 // flits of cur: sent, and all
	vc, last        int16  // VC of cur, -1: none yet; VC used before
	lo, hi          uint8
	port            uint8
}

// source is an endpoint's side of packet creation.
type source struct {
	next                 int64        // trial at which the next packet is created
	arrive, dest, packet simcore.Rand // streams: creation times and sizes, destinations, packets' own
	seq                  uint32       // of the next packet
	silent               uint32       // times that its traffic had no destination for it
	pend                 int32        // created, but its port's queue has no room; -1: none
	on                   bool         // on/off sources
	process              uint8        // of Sim.processes
	more                 uint16       // Poisson sources: packets of the same trial to come
}

// lag is how long something is on its way and the lane in which it arrives: cycles << 8 | lane.
type lag int32

// maxLanes: a lane is eight bits of a lag, and that of endpoints is one more.
const maxLanes = 255

func (l lag) delay() simcore.Cycle { return simcore.Cycle(l >> 8) }
