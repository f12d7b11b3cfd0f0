package routing

import (
	"encoding/binary"
	"math"
)

// line is the distances of a node to wideBits destinations, eight to a word.
type line [wideBits / 8]uint64

const (
	lowBits  = 0x0101010101010101 // the lowest bit of every byte
	highBits = lowBits << 7
	// gather times the lowest bits of eight bytes has them in its highest byte: bit 8i is moved to bit 56+i.
	gather = 0x0102040810204080
)

// nearer gives the distances that are one hop less than those of a node, and the destinations that the node is
// not at and has a route to; those of others are of no meaning.
func nearer(at *[wideBits]uint8) (n line, on uint64) {
	for i := range n {
		d := binary.LittleEndian.Uint64(at[8*i:])
		if d == math.MaxUint64 {
			continue // Far, all of them
		}
		on |= nonZeroBytes(d) & nonZeroBytes(^d) << (8 * i)
		n[i] = (d | highBits) - lowBits ^ (^d)&highBits // byte by byte, without borrows
	}
	return n, on
}

// equal gives the bytes in which a line has what another node's distances are.
func (n *line) equal(at *[wideBits]uint8) (same uint64) {
	for i, d := range n {
		same |= (^nonZeroBytes(d^binary.LittleEndian.Uint64(at[8*i:])) & 0xff) << (8 * i)
	}
	return same
}

// nonZeroBytes has a bit for each byte of a word that is not 0, the lowest for the lowest.
func nonZeroBytes(x uint64) uint64 {
	x = (x&^highBits + ^uint64(highBits) | x) & highBits
	return x >> 7 * gather >> 56
}
