package search

import (
	"encoding/binary"
	"testing"
)

// What was evaluated stays, what bounds decided is forgotten in the end, and longer remembered as asked for: in bounded memory.
func TestRecall(t *testing.T) {
	r := newRecall()
	const mostDecided, mostSeen = 1 << 4, 1 << 8
	r.mostDecided, r.mostSeen = mostDecided, mostSeen
	key := func(i int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(i))) }
	r.put(key(0), Score{Evaluated: true})
	n := 2*mostSeen + 1
	for i := 1; i < n; i++ {
		if r.asked(hashOf(key(i))) {
			t.Fatalf("candidate %d is new", i)
		}
		r.put(key(i), dominated(nil))
	}
	for _, x := range []struct {
		i                int
		asked, remembers bool
	}{{0, false, true}, {1, false, false}, {n - mostSeen, true, false}, {n - mostDecided, true, true}, {n - 1, true, true}} {
		if asked := r.asked(hashOf(key(x.i))); asked != x.asked {
			t.Errorf("candidate %d of %d: asked %v, want %v", x.i, n, asked, x.asked)
		}
		if s, ok := r.score(key(x.i)); ok != x.remembers || ok && s.Evaluated != (x.i == 0) {
			t.Errorf("candidate %d of %d: %v %v, want %v", x.i, n, s, ok, x.remembers)
		}
	}
	if a, b := len(r.decided)+len(r.older), len(r.seen)+len(r.former); a > 2*mostDecided || b > 2*mostSeen {
		t.Errorf("%d scores and %d hashes are remembered", a, b)
	}
}
