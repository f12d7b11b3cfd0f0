package evaluator

import (
	"cmp"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// memo keeps what a function of keys has given lately, for several goroutines: each key has one place,
// from which the next that falls there drives it out. The zero value is ready for use.
type memo[K comparable, V any] struct {
	places int // smallMemo if 0; set before it is used
	once   sync.Once
	seed   maphash.Seed
	slots  []atomic.Pointer[memoEntry[K, V]]
}

type memoEntry[K comparable, V any] struct {
	key   K
	value V
}

// The places of a memo. A search comes back to some hundred thousand shapes; what takes 2 KiB each, like
// alikeCables, is kept for fewer of them, and what takes 10 for very few.
const (
	tinyMemo  = 1 << 10
	smallMemo = 1 << 16
	largeMemo = 1 << 18
)

// find gives the value of a key that is still kept. It does not allocate.
func (m *memo[K, V]) find(key K) (value V, ok bool) {
	if x := m.slot(key).Load(); x != nil && x.key == key {
		return x.value, true
	}
	return value, false
}

func (m *memo[K, V]) keep(key K, value V) { m.slot(key).Store(&memoEntry[K, V]{key, value}) }

func (m *memo[K, V]) slot(key K) *atomic.Pointer[memoEntry[K, V]] {
	m.once.Do(func() {
		m.seed = maphash.MakeSeed()
		m.slots = make([]atomic.Pointer[memoEntry[K, V]], cmp.Or(m.places, smallMemo))
	})
	return &m.slots[maphash.Comparable(m.seed, key)%uint64(len(m.slots))]
}
