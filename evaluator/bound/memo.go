package bound

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// memo keeps what a function of keys has given lately, for several goroutines: each key has one place,
// from which the next that falls there drives it out. The zero value is ready for use.
type memo[K comparable, V any] struct {
	places int // 0: memoPlaces
	once   sync.Once
	seed   maphash.Seed
	slots  []atomic.Pointer[memoEntry[K, V]]
}

type memoEntry[K comparable, V any] struct {
	key   K
	value V
}

// memoPlaces bounds a memo: a search comes back to some ten thousand shapes of 2 KiB each.
const memoPlaces = 1 << 16

// find gives the value of a key that is still kept. It does not allocate.
func (m *memo[K, V]) find(key K) (value V, ok bool) {
	if x := m.slot(key).Load(); x != nil && x.key == key {
		return x.value, true
	}
	return value, false
}

// of gives the value of a key, which it makes and keeps where it is kept no more.
func (m *memo[K, V]) of(key K, makes func() V) V {
	value, ok := m.find(key)
	if !ok {
		value = makes()
		m.keep(key, value)
	}
	return value
}

func (m *memo[K, V]) keep(key K, value V) { m.slot(key).Store(&memoEntry[K, V]{key, value}) }

func (m *memo[K, V]) slot(key K) *atomic.Pointer[memoEntry[K, V]] {
	m.once.Do(func() {
		m.seed = maphash.MakeSeed()
		if m.places == 0 {
			m.places = memoPlaces
		}
		m.slots = make([]atomic.Pointer[memoEntry[K, V]], m.places)
	})
	return &m.slots[maphash.Comparable(m.seed, key)%uint64(len(m.slots))]
}
