package multicast

import (
	"fmt"
	"math/bits"
)

// Kind is what a head flit begins. The source tells packets apart and does not say by which bits; these
// four bits are ours.
type Kind uint8

// Kinds of head flits.
const (
	KindUnicast Kind = iota
	KindGroup        // data for a group: the switches know the way
	KindCreate       // group-create
	KindNotify       // tells a member of its group; unicast
	KindDelete       // forgets the group on its way along the tree
	KindHeads        // a head of a multi-head packet that another head follows
	KindHead         // its last head
)

// Fields of the head flit, in bits. The source gives the three parts (48, 20, 188) and 4 bits for each
// of up to 9 hops; everything else is ours: their order, the fields of the header, and that a port list is
// a bit for each of 16 ports. Nine lists and an ID take 176 of the 188 bits, so that any create packet is one flit;
// as lists of 4-bit ports those of a full tree would not fit.
const (
	FlitBits    = 256
	headerBits  = 48
	linkBits    = 20 // written by each link; zero here
	payloadBits = FlitBits - headerBits - linkBits
	kindBits    = 4
	hopsBits    = 4
	passedBits  = 4 // hops made so far
	portBits    = 4
	payloadAt   = headerBits + linkBits
	idBits      = 16 // of the creator's number (TH-1A needs 13), and of the sequence number
	listBits    = 16
)

// Flit is a head flit, its first bit the highest of its first byte.
type Flit [FlitBits / 8]byte

// put writes the low bits of a value.
func (f *Flit) put(at, width int, value uint64) {
	for i := range width {
		bit := byte(value >> (width - 1 - i) & 1)
		f[(at+i)/8] |= bit << (7 - (at+i)%8)
	}
}

func (f *Flit) get(at, width int) (value uint64) {
	for i := range width {
		value = value<<1 | uint64(f[(at+i)/8]>>(7-(at+i)%8)&1)
	}
	return value
}

// header writes kind and route.
func (f *Flit) header(k Kind, route []uint8) error {
	if len(route) > MaxHops {
		return fmt.Errorf("multicast: a route of %d hops: a head flit has room for %d", len(route), MaxHops)
	}
	f.put(0, kindBits, uint64(k))
	f.put(kindBits, hopsBits, uint64(len(route)))
	for i, p := range route {
		if p >= 1<<portBits {
			return fmt.Errorf("multicast: port %d of a route: a head flit has %d bits for it", p, portBits)
		}
		f.put(kindBits+hopsBits+passedBits+i*portBits, portBits, uint64(p))
	}
	return nil
}

// id writes the group's ID into the first bits of the payload.
func (f *Flit) id(id ID) error {
	if id.Creator < 0 || id.Creator >= 1<<idBits || id.Sequence < 0 || id.Sequence >= 1<<idBits {
		return fmt.Errorf("multicast: group %d of creator %d: both numbers must be below %d to fit a head flit", id.Sequence, id.Creator, 1<<idBits)
	}
	f.put(payloadAt, idBits, uint64(id.Creator))
	f.put(payloadAt+idBits, idBits, uint64(id.Sequence))
	return nil
}

// Flit puts a create packet into bits. It is an error if the route, a port or the ID is too large.
func (c *Create) Flit(id ID) (f Flit, err error) {
	if len(c.Lists) != len(c.Route)+1 || len(c.Lists) > MaxHops {
		return f, fmt.Errorf("multicast: a create packet with %d lists for %d hops: there is one for each of at most %d switches", len(c.Lists), len(c.Route), MaxHops)
	}
	if err := f.header(KindCreate, c.Route); err != nil {
		return f, err
	}
	if err := f.id(id); err != nil {
		return f, err
	}
	for i, l := range c.Lists {
		if bits.Len64(uint64(l)) > listBits {
			return f, fmt.Errorf("multicast: a port list with port %d: a create packet has a bit for each of %d ports", bits.Len64(uint64(l))-1, listBits)
		}
		// Port 0 is the first bit.
		f.put(payloadAt+2*idBits+i*listBits, listBits, uint64(bits.Reverse16(uint16(l))))
	}
	return f, nil
}

// ParseCreate reads what Create.Flit writes.
func ParseCreate(f Flit) (id ID, c Create, err error) {
	if k := Kind(f.get(0, kindBits)); k != KindCreate {
		return id, c, fmt.Errorf("multicast: a head flit of kind %d is no create packet", k)
	}
	hops := int(f.get(kindBits, hopsBits))
	if hops >= MaxHops {
		return id, c, fmt.Errorf("multicast: a create packet of %d hops: its lists have room for %d", hops, MaxHops-1)
	}
	for i := range hops {
		c.Route = append(c.Route, uint8(f.get(kindBits+hopsBits+passedBits+i*portBits, portBits)))
	}
	id = ID{int(f.get(payloadAt, idBits)), int(f.get(payloadAt+idBits, idBits))}
	for i := range hops + 1 {
		l := bits.Reverse16(uint16(f.get(payloadAt+2*idBits+i*listBits, listBits)))
		c.Lists = append(c.Lists, Ports(l))
	}
	return id, c, nil
}

// Data is the head flit of a packet of a kind along a route; KindGroup, KindNotify and KindDelete name
// the group. It is an error if something is too large.
func Data(k Kind, route []uint8, id ID) (f Flit, err error) {
	if err = f.header(k, route); err == nil && (k == KindGroup || k == KindNotify || k == KindDelete) {
		err = f.id(id)
	}
	return f, err
}
