package flit

import "math/bits"

// scratch is the working memory of the allocators, for the largest switch.
type scratch struct {
	best    []best  // per output port or VC
	touched []int32 // outputs with a request
	freed   []int32 // output VCs that were full and have got a credit
	losers  []int32 // heads that asked for a VC in vain
}

// best is the best request of an output so far: its key, and the input VC.
type best struct {
	key uint64
	in  int32
}

func (c *scratch) init(ports, vcs int, vs uint) {
	n := ports << vs
	c.best = make([]best, n)
	for i := range c.best {
		c.best[i].key = noKey
	}
	c.touched, c.freed, c.losers = make([]int32, 0, n), nil, nil // a part has its own
}

// noKey is above every key. A key is the distance, upwards and around the end of all numbers, from
// where a round-robin pointer stands: first come those at or after it, then those before it.
const noKey = 1<<63 - 1

// rangeMask has the bits lo..hi.
func rangeMask(lo, hi uint8) uint32 { return uint32(2<<(hi&31)-1) &^ uint32(1<<(lo&31)-1) }

// dims are where a switch's ports and the words of its VCs are in the arrays.
type dims struct{ in0, out0, nIn, nOut, word, words int32 }

// afterVC is the first of a set of VCs at or after a pointer, the first of all if there is none or
// the pointer is not to a VC of this port (below vcs). Whether it is is a toss: no branches.
func afterVC(free uint32, ptr, vcs int32) int32 {
	after := free >> (ptr & 31) << (ptr & 31)
	if uint32(ptr) >= uint32(vcs) {
		after = 0
	}
	if after == 0 {
		after = free
	}
	return int32(bits.TrailingZeros32(after))
}

// b2i is 1 for true, without a branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
