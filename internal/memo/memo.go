// Package memo keeps what functions have given lately, in a place of bounded size.
package memo

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// Memo keeps what a function of keys has given lately, for several goroutines: each key has two places that it shares with others, of which the last two
// are kept. The zero value is ready for use.
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
	at := m.slot(key)
	for _, i := range [2]int{at, at ^ 1} {
		if x := m.slots[i].Load(); x != nil && x.key == key {
			return x.value, true
		}
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

// Keep keeps a value, and what was in its first place in the second.
func (m *Memo[K, V]) Keep(key K, value V) {
	at := m.slot(key)
	if x := m.slots[at].Load(); x != nil && x.key != key {
		m.slots[at^1].Store(x)
	}
	m.slots[at].Store(&entry[K, V]{key, value})
}

// Clear forgets all, and has so many places from then on, 0: DefaultPlaces. No other goroutine may use the memo meanwhile.
func (m *Memo[K, V]) Clear(places int) {
	m.Places, m.once, m.slots = places, sync.Once{}, nil
}

// slot is the first place of a key; the second is its neighbour.
func (m *Memo[K, V]) slot(key K) int {
	m.once.Do(func() {
		m.seed = maphash.MakeSeed()
		if m.Places == 0 {
			m.Places = DefaultPlaces
		}
		m.slots = make([]atomic.Pointer[entry[K, V]], (m.Places+1)&^1)
	})
	return int(maphash.Comparable(m.seed, key) % uint64(len(m.slots)))
}
