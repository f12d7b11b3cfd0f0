package flit

import (
	"sync/atomic"

	"toposearch/simcore"
)

// pool holds the packets of a simulation in pages of a table that is never moved, so that parts
// that run at the same time can each take new pages while the others use theirs. A packet's number
// is its place: page number, then place in the page. Numbers carry no meaning for results.
type pool struct {
	pages []*packetPage
	more  []pageMore
	owner []uint16     // by page: the part that took it, to whose free list its packets return
	used  atomic.Int32 // pages taken since Reset
}

// pageBits: 512 packets to a page, 32 KiB: little for a small network, and the table of a network
// of a million endpoints stays small.
const (
	pageBits = 9
	pageMask = 1<<pageBits - 1
)

// slabPages are allocated at a time when as many are in use, before that as many as are in use: 2 MiB,
// a huge page.
const slabPages = 64

type packetPage struct {
	packet [1 << pageBits]packet
}

// pageMore is what packets of a page have beside it in some configurations.
type pageMore struct {
	routed []choice  // look-ahead: the route at the next switch
	flitAt [][]int32 // where flits are timed: when each flit of a late packet was injected
}

// newPool makes a table for so many packets at a time, taken by so many parts.
func newPool(packets int64, parts int) *pool {
	n := packets>>pageBits + 2*int64(parts) + 1
	return &pool{pages: make([]*packetPage, n), more: make([]pageMore, n), owner: make([]uint16, n)}
}

// packet with a number.
func (s *Sim) packet(i int32) *packet {
	return &s.pages[uint32(i)>>pageBits].packet[i&pageMask]
}

// routedAt is where the route of a packet at its next switch stands.
func (s *Sim) routedAt(i int32) *choice {
	return &s.pool.more[uint32(i)>>pageBits].routed[i&pageMask]
}

// newPacket takes a packet from the free list.
func (s *Sim) newPacket() int32 {
	s.live++
	if i := s.free; i >= 0 {
		s.free = s.packet(i).next
		return i
	}
	if s.fresh == s.freshEnd {
		s.takePage()
	}
	s.fresh++
	return s.fresh - 1
}

// takePage provides fresh packets. Pages stay in the table over a Reset.
func (s *Sim) takePage() {
	k := s.pool.used.Add(1) - 1
	s.pool.owner[k] = s.me
	pg := s.pages[k]
	if pg == nil {
		if len(s.slab) == 0 {
			s.slab = inHugePages(make([]packetPage, min(k+1, slabPages)))
		}
		pg = &s.slab[0]
		s.slab = s.slab[1:]
		if s.cfg.RoutingDelay == 0 {
			s.pool.more[k].routed = make([]choice, 1<<pageBits)
		}
		s.pages[k] = pg
	}
	clear(pg.packet[:])
	s.fresh, s.freshEnd = k<<pageBits, (k+1)<<pageBits
}

// discard returns a packet to the part that it came from.
func (s *Sim) discard(i int32) {
	s.live--
	p := s.packet(i)
	p.size = 0
	if s.parts != nil {
		if o := s.pool.owner[i>>pageBits]; o != s.me {
			s.post(o).freed = append(s.post(o).freed, i)
			return
		}
	}
	p.next = s.free
	s.free = i
}

// mostPackets is a bound on the packets that exist at a time: every packet in the network has a
// flit in a buffer slot or on a line that leads to one; an endpoint holds one that has no room,
// and a port a queue and the packet that it sends. A packet delivered to another part counts
// until the next exchange: what its sinks can take by then is added.
func (s *Sim) mostPackets(window int) int64 {
	n := int64(s.endpoints) + int64(len(s.src))*int64(s.srcDepth+1)
	n += int64(len(s.ov)>>s.vs*s.vcs) * int64(s.depth)
	return n + int64(len(s.sinkOut))*int64(window)
}

// packet is a packet as the engine keeps it: a cache line.
type packet struct {
	simcore.Packet
	// Cycles in 32 bits (Config bounds the length of a run), so that a packet is one cache line.
	created, injected, headAt int32
	next                      int32 // in a source queue or in the free list
	seq                       uint32
	size                      uint16
	rec                       bool
	late                      bool   // timed, and not all its flits followed one upon the other
	lo, hi                    uint8  // VCs of the entry
	gone                      uint16 // flits delivered, where flits are timed one by one
}
