package family

import "sync/atomic"

// globalsMemo holds what the global links of groups have told lately, by hash: of 16,384 endpoints a search asks for 8,000 and three times for each,
// 100 bytes. What is computed again is the same.
type globalsMemo[T any] [1 << 14]atomic.Pointer[globalsKnown[T]]

type globalsKnown[T any] struct {
	x    globals
	h    int
	what T
}

// of gives what make finds of links between switches of h ports each.
func (m *globalsMemo[T]) of(x globals, h int, make func() T) T {
	k := uint64(0)
	for _, v := range [...]int{x.g, x.n, x.arrangement, h} { // x.h is 0 or h
		k = (k ^ uint64(v)) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio spreads small numbers
		k ^= k >> 29
	}
	slot := &m[k%uint64(len(m))]
	if f := slot.Load(); f != nil && f.x == x && f.h == h {
		return f.what
	}
	f := &globalsKnown[T]{x, h, make()}
	slot.Store(f)
	return f.what
}
