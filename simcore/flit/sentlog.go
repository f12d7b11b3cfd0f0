package flit

import (
	"math/bits"

	"toposearch/simcore"
)

// sentLog has a bit for each of the last cycles of each output port in which a flit was sent, in blocks of 64
// cycles.
type sentLog struct {
	blocks int32    // kept of each port, a power of two
	last   []int32  // by port: the block written last
	bits   []uint64 // by port and block mod blocks
}

// newSentLog keeps at least a number of cycles.
func newSentLog(ports, cycles int) *sentLog {
	n := 1 << bits.Len(uint(cycles/64+1)) // a window that begins within a block touches one more
	return &sentLog{int32(n), make([]int32, ports), make([]uint64, ports*n)}
}

func (l *sentLog) reset() {
	clear(l.last)
	clear(l.bits)
}

// note a flit that is sent in a cycle; ports of sources have none.
func (l *sentLog) note(op int32, now simcore.Cycle) {
	if int(op) >= len(l.last) {
		return
	}
	b, row := int32(now>>6), op*l.blocks
	for k := max(l.last[op]+1, b-l.blocks+1); k <= b; k++ {
		l.bits[row+k&(l.blocks-1)] = 0
	}
	l.last[op] = b
	l.bits[row+b&(l.blocks-1)] |= 1 << (now & 63)
}

// within counts the flits sent in a number of cycles before now.
func (l *sentLog) within(op int32, now, cycles simcore.Cycle) int {
	from := max(0, now-cycles)
	n, row := 0, op*l.blocks
	for k := max(int32(from>>6), l.last[op]-l.blocks+1); k <= min(int32(now>>6), l.last[op]); k++ {
		w := l.bits[row+k&(l.blocks-1)]
		if k == int32(from>>6) {
			w &= ^uint64(0) << (from & 63)
		}
		if k == int32(now>>6) {
			w &= 1<<(now&63) - 1
		}
		n += bits.OnesCount64(w)
	}
	return n
}
