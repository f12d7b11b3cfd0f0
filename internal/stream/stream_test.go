package stream

import "testing"

// A stream depends on seed, purpose and every index, and on nothing else.
func TestStreams(t *testing.T) {
	first := func(seed uint64, purpose string, index ...uint64) uint64 {
		return New(seed, purpose, index...).Uint64()
	}
	again := first(1, "traffic", 7)
	if got := first(1, "traffic", 7); got != again {
		t.Errorf("the same stream begins with %d and with %d", got, again)
	}
	seen := map[uint64]string{}
	add := func(name string, x uint64) {
		if other, ok := seen[x]; ok {
			t.Errorf("%s and %s begin alike", name, other)
		}
		seen[x] = name
	}
	add("base", first(1, "traffic"))
	add("seed", first(2, "traffic"))
	add("purpose", first(1, "routing"))
	for i := range uint64(100) {
		add("index", first(1, "traffic", i))
		add("two indices", first(1, "traffic", i, 1))
	}
}

// The state of a source can be saved and goes on where it was.
func TestState(t *testing.T) {
	a := Source(1, "search", 3)
	a.Uint64()
	b, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	c := Source(9, "other")
	if err := c.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if a.Uint64() != c.Uint64() {
		t.Error("a restored source draws another number")
	}
}
