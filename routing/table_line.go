package routing

import (
	"encoding/binary"
	"math"
	"math/bits"
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

// isFar reports whether a node has no route to any destination of a line.
func isFar(at *[wideBits]uint8) bool {
	for i := 0; i < wideBits; i += 8 {
		if binary.LittleEndian.Uint64(at[i:]) != math.MaxUint64 {
			return false
		}
	}
	return true
}

// equal gives those of some bytes in which a line has what another node's distances are. A node has routes to few
// destinations of a line where its state says most of the way: words without any are not looked at.
func (n *line) equal(at *[wideBits]uint8, on uint64) (same uint64) {
	for left := on; left != 0; {
		i := uint(bits.TrailingZeros64(left)) / 8
		left = left >> (8*i + 8) << (8*i + 8)
		d := binary.LittleEndian.Uint64(at[8*i:])
		same |= (^nonZeroBytes(d^n[i]) & 0xff) << (8 * i)
	}
	return same & on
}

// nonZeroBytes has a bit for each byte of a word that is not 0, the lowest for the lowest.
func nonZeroBytes(x uint64) uint64 {
	x = (x&^highBits + ^uint64(highBits) | x) & highBits
	return x >> 7 * gather >> 56
}
