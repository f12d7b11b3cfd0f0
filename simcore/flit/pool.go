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

// newPool makes a table for a number of packets at a time, taken by a number of parts.
func newPool(packets int64, parts int) *pool {
	n := packets>>pageBits + 2*int64(parts) + 1
	return &pool{pages: make([]*packetPage, n), more: make([]pageMore, n), owner: make([]uint16, n)}
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

// watchedSeq marks the packets of a watched pair in their sequence numbers, which no run reaches.
const watchedSeq = 1 << 31

// order is by which packets of an endpoint follow one another.
func (p *packet) order() uint32 { return p.seq &^ watchedSeq }
