package memo

import "testing"

// Of keys that share two places the last is kept, and one of those before.
func TestMemo(t *testing.T) {
	m := Memo[int, int]{Places: 2}
	for key := range 100 {
		m.Keep(key, 2*key)
		kept := 0
		for k := range key + 1 {
			if x, ok := m.Find(k); ok {
				kept++
				if x != 2*k {
					t.Errorf("key %d has %d, want %d", k, x, 2*k)
				}
			} else if k == key {
				t.Errorf("key %d is not kept", k)
			}
		}
		if want := min(key+1, 2); kept != want {
			t.Errorf("%d of %d keys are kept, want %d", kept, key+1, want)
		}
	}
}

// A memo that was cleared has nothing, and as many places as it was told.
func TestClear(t *testing.T) {
	var m Memo[int, int]
	m.Keep(1, 2)
	m.Clear(4)
	if x, ok := m.Find(1); ok {
		t.Errorf("1 has %d", x)
	}
	for key := range 100 {
		m.Keep(key, key)
	}
	kept := 0
	for key := range 100 {
		if _, ok := m.Find(key); ok {
			kept++
		}
	}
	if kept == 0 || kept > 4 {
		t.Errorf("%d are kept in 4 places", kept)
	}
}
