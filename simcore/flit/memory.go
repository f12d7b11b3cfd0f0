package flit

import (
	"unsafe"

	"toposearch/internal/memory"
	"toposearch/simcore"
)

// Bytes predicts the memory of a simulation before it is taken: its state, for a network of so many parts,
// and the plant that it is made from. What grows with the load, packets and lists of what is under way,
// comes on top of it: about as much again at half the load that saturates. Run ends a simulation for which
// that is too much.
func Bytes(n simcore.Counts, c *Config) float64 {
	depth := c.BufferFlits
	if depth == 0 {
		longest := int32(c.LinkLatency)
		for _, l := range c.ClassLatency {
			longest = max(longest, int32(l))
		}
		depth = c.autoBuffer(2 * longest)
	}
	depth += c.SharedFlits
	stride := 1 // of VCs in arrays
	for stride < c.VCs {
		stride *= 2
	}
	channels, ties := float64(n.Channels), float64(n.UnitTies)
	ports := channels + 2*ties // of switches in one direction, and the sources or sinks behind them
	vc := float64(unsafe.Sizeof(vcState{})) + 4*float64(max(0, depth-ringFlits))
	b := float64(stride) * ((channels+ties)*vc + ports*float64(unsafe.Sizeof(ovState{})))
	b += ports * float64(unsafe.Sizeof(inPort{})+unsafe.Sizeof(outPort{})+unsafe.Sizeof(slowOut{}))
	b += ties * float64(unsafe.Sizeof(srcPort{})+2*unsafe.Sizeof(int32(0)))
	const perEndpoint = unsafe.Sizeof(source{}) + 4*unsafe.Sizeof(int32(0)) + 2*unsafe.Sizeof(int64(0)) // starts, calendar, counters
	b += float64(n.Endpoints) * float64(perEndpoint)
	b += float64(n.Switches) * float64(unsafe.Sizeof(dims{})+2*unsafe.Sizeof(int32(0)))
	packets := ties*2 + float64(n.Endpoints) + ports*float64(c.VCs*depth)
	b += packets / (1 << pageBits) * float64(unsafe.Sizeof((*packetPage)(nil))+unsafe.Sizeof(pageMore{})+2)
	if c.lean() {
		if c.InternalSpeedup > 1 {
			b += 2 * ports * float64(unsafe.Sizeof(simcore.Cycle(0)))
		}
	} else if !c.plain() {
		// Of the general cycle: queues, holders, credits and arbiters of a port.
		const perPort = 96
		b += ports * perPort
		if priorities[c.Priority] == priLocalAge {
			b += (channels + ties) * float64(stride*depth*8)
		}
	}
	const copies = 2 // ties are sorted into a second list
	return b + channels*float64(unsafe.Sizeof(Line{})) + 2*copies*ties*float64(unsafe.Sizeof(Tie{}))
}

// Bytes is what the state of this simulation takes, and that of a Clone.
func (s *Sim) Bytes() float64 { return s.state }

// counts are the parts of a plant.
func (p *Plant) counts() simcore.Counts {
	return simcore.Counts{Switches: int64(p.Switches), Endpoints: int64(p.Endpoints), Channels: int64(len(p.Lines)), UnitTies: int64(len(p.Inject))}
}

// pageBytes is what a page of packets takes, with the lists of their flits and credits under way: 12 bytes
// for each, which stand in lists that are up to twice as long.
const pageBytes = float64(unsafe.Sizeof(packetPage{})) + 2*12<<pageBits

// makeRoom notes how many pages of packets there is memory for beside the state of the simulation; less
// than none is refused.
func (s *Sim) makeRoom(p *Plant) error {
	state := Bytes(p.counts(), &s.cfg)
	if err := memory.Require("a simulation of "+s.design(), state); err != nil {
		return err
	}
	limit, _ := memory.Limit()
	s.state, s.mostPages = state, int32(min((float64(limit)-state)/pageBytes, 1<<31>>pageBits-1))
	return nil
}

// outOfPages ends a simulation that has as many packets under way as there is memory for.
func (s *Sim) outOfPages(k int32) {
	limit, source := memory.Limit()
	panic(&memory.Error{What: "a simulation of " + s.design() + " at this load", Limit: limit, Source: source,
		Bytes: s.state + float64(k+1)*pageBytes})
}
