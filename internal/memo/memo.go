// Package memo keeps what functions have given lately, in a place of bounded size.
package memo

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// Memo keeps what a function of keys has given lately, for several goroutines: each key has one place,
// from which the next that falls there drives it out. The zero value is ready for use.
type Memo[K comparable, V any] struct {
	Places int // 0: DefaultPlaces
	once   sync.Once
	seed   maphash.Seed
	slots  []atomic.Pointer[entry[K, V]]
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// DefaultPlaces bounds a memo: a search comes back to some ten thousand shapes of 2 KiB each.
const DefaultPlaces = 1 << 16

// Find gives the value of a key that is still kept. It does not allocate.
func (m *Memo[K, V]) Find(key K) (value V, ok bool) {
	if x := m.slot(key).Load(); x != nil && x.key == key {
		return x.value, true
	}
	return value, false
}

// Of gives the value of a key, which it makes and keeps where it is kept no more.
func (m *Memo[K, V]) Of(key K, makes func() V) V {
	value, ok := m.Find(key)
	if !ok {
		value = makes()
		m.Keep(key, value)
	}
	return value
}

// Keep keeps a value, in the place of what was there.
func (m *Memo[K, V]) Keep(key K, value V) { m.slot(key).Store(&entry[K, V]{key, value}) }

func (m *Memo[K, V]) slot(key K) *atomic.Pointer[entry[K, V]] {
	m.once.Do(func() {
		m.seed = maphash.MakeSeed()
		if m.Places == 0 {
			m.Places = DefaultPlaces
		}
		m.slots = make([]atomic.Pointer[entry[K, V]], m.Places)
	})
	return &m.slots[maphash.Comparable(m.seed, key)%uint64(len(m.slots))]
}
