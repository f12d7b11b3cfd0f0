// Package stream makes seeded random sources: one per purpose, so that a new draw in one place
// moves nothing elsewhere.
package stream

import (
	"hash/fnv"
	"math/rand/v2"
)

// New returns the stream of a purpose and any number of indices (an endpoint, a generation)
// under a seed. The same arguments always give the same stream.
func New(seed uint64, purpose string, index ...uint64) *rand.Rand {
	return rand.New(Source(seed, purpose, index...))
}

// Source is New's generator, whose state can be saved with MarshalBinary.
func Source(seed uint64, purpose string, index ...uint64) *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	x := h.Sum64()
	for _, i := range index {
		x = Mix(x ^ Mix(i+0x9e3779b97f4a7c15))
	}
	return rand.NewPCG(Mix(seed), x)
}

// Mix is the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): it spreads consecutive
// integers over the whole range.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
