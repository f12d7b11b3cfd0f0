package multicast

import (
	"fmt"
	"math/bits"
)

// Method is a way to send a message to a group.
type Method int

// Methods.
const (
	Unicast   Method = iota // a packet to each other member, one after the other
	Binomial                // unicast packets along a binomial tree of members: who has it helps to send
	MultiHead               // a packet with a head flit for each destination (MHWAR)
	Table                   // a packet that names the group (DMFTAR)
)

// Methods are all of them.
var Methods = []Method{Unicast, Binomial, MultiHead, Table}

func (m Method) String() string {
	return [...]string{"unicast", "unicast tree", "multi-head", "table"}[m]
}

// Create sends the create packets of a group, and then a notification to every other member. Both are single
// flits. The creator gets no answer (the source has none): a member that sends at once may find a switch to which
// a create packet is still on its way; its packet is then lost there, and counted as missed.
func (s *Sim) Create(g *Group) {
	for _, c := range g.Creates {
		s.queue(packet{kind: KindCreate, src: int32(g.Creator), dst: -1, size: 1, id: g.ID, route: c.Route, lists: c.Lists, message: -1})
	}
	s.notes[note{int32(g.Creator), g.ID}] = true
	for _, m := range g.Members[1:] {
		s.queue(packet{kind: KindNotify, src: int32(g.Creator), dst: int32(m), size: 1, id: g.ID, route: s.r.Route(nil, g.Creator, m), message: -1})
	}
}

// Delete sends a packet along the tree that lets every switch and member forget the group.
func (s *Sim) Delete(g *Group) {
	delete(s.notes, note{int32(g.Creator), g.ID})
	s.queue(packet{kind: KindDelete, src: int32(g.Creator), dst: -1, size: 1, id: g.ID, message: -1})
}

// Send lets a member send a message of one packet to all others and gives the message's number. then, if
// not nil, is called at every delivery. It is an error if the sender is no member, or has not been notified of a group that
// Table names, or if the packet does not fit a buffer.
func (s *Sim) Send(m Method, g *Group, from, flits int, then func(endpoint int)) (int, error) {
	place, ok := g.place[from]
	if !ok {
		return -1, fmt.Errorf("multicast: endpoint %d is not in the group of creator %d", from, g.Creator)
	}
	if m == Table && !s.notes[note{int32(from), g.ID}] {
		return -1, fmt.Errorf("multicast: member %d has not been notified of group %d of creator %d", from, g.Sequence, g.Creator)
	}
	if flits < 1 || flits > s.cfg.BufferFlits {
		return -1, fmt.Errorf("multicast: a packet of %d flits: buffers hold whole packets of 1 to %d", flits, s.cfg.BufferFlits)
	}
	n := s.begin(message{left: len(g.Members) - 1, group: g, got: make([]bool, len(g.Members)), then: then})
	switch m {
	case Unicast:
		for k := 1; k < len(g.Members); k++ {
			s.unicast(from, g.Members[(place+k)%len(g.Members)], flits, n)
		}
	case Binomial:
		s.messages[n].then = func(e int) {
			rank := (g.place[e] - place + len(g.Members)) % len(g.Members)
			s.after(func() { s.forward(g, place, rank, flits, n) })
			if then != nil {
				then(e)
			}
		}
		s.forward(g, place, 0, flits, n)
	case MultiHead:
		s.multiHead(g, place, flits, n)
	case Table:
		s.queue(packet{kind: KindGroup, src: int32(from), dst: -1, size: int32(flits), id: g.ID, message: int32(n)})
	}
	return n, nil
}

// begin begins a message.
func (s *Sim) begin(m message) int {
	m.sent = s.now
	s.messages = append(s.messages, m)
	s.open++
	return len(s.messages) - 1
}

func (s *Sim) unicast(from, to, flits, n int) {
	s.queue(packet{kind: KindUnicast, src: int32(from), dst: int32(to), size: int32(flits), route: s.r.Route(nil, from, to), message: int32(n)})
}

// forward sends a message from a member of a rank to those to whom it owes it: rank r gets it in round
// bitlen(r) and sends it in each later round k to rank r + 2^k.
func (s *Sim) forward(g *Group, place, rank, flits, n int) {
	size := len(g.Members)
	member := func(r int) int { return g.Members[(place+r)%size] }
	for k := bits.Len(uint(rank)); rank+1<<k < size; k++ {
		s.unicast(member(rank), member(rank+1<<k), flits, n)
	}
}

// multiHead sends packets with as many heads as fit a buffer beside the data: one packet, if it is large enough.
func (s *Sim) multiHead(g *Group, place, flits, n int) {
	from := g.Members[place]
	var heads []head
	for k := 1; k < len(g.Members); k++ {
		dst := g.Members[(place+k)%len(g.Members)]
		heads = append(heads, head{int32(dst), s.r.Route(nil, from, dst)})
	}
	data := flits - 1 // a head carries data, too
	for most := s.cfg.BufferFlits - data; len(heads) > 0; {
		k := min(most, len(heads))
		s.queue(packet{kind: KindHeads, src: int32(from), dst: -1, size: int32(data + k), heads: heads[:k], message: int32(n)})
		heads = heads[k:]
	}
}
