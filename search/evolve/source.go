package evolve

import (
	"math/rand"
	v2 "math/rand/v2"

	"toposearch/internal/stream"
)

// newRand is a seeded stream as the generator of math/rand that eaopt's interfaces ask for.
func newRand(seed uint64, purpose string, index uint64) *rand.Rand {
	return rand.New(source{stream.Source(seed, purpose, index)})
}

// source is a rand.Source64. The sources of math/rand itself know 2^31 seeds only.
type source struct{ *v2.PCG }

// Int63 is part of rand.Source.
func (s source) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed is part of rand.Source. A stream is seeded where it is made, and never again.
func (s source) Seed(int64) { panic("evolve: a stream cannot be seeded anew") }
