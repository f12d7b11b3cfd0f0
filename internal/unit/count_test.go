package unit

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 switches", 1: "1 switch", 2: "2 switches", 1000: "1000 switches", -1: "-1 switches"} {
		if got := Count(n, "switch", "switches"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
