package objectives

import "testing"

// TestProved: the part that is certain, also where an objective is the same everywhere, and 0.
func TestProved(t *testing.T) {
	for _, c := range []struct {
		front, corners []Vector
		want           float64
	}{
		{nil, []Vector{{1, 1}}, 0},
		{[]Vector{{0, 0}}, nil, 1},
		{[]Vector{{3, 0}, {4, 0}}, nil, 1},
		{[]Vector{{0, 1}}, []Vector{{0, 2}}, 1},
		{[]Vector{{1, 1}}, []Vector{{0, 1}}, 0.1 * 0.1 / (1.1 * 0.1)}, // ref 1 + 0.1 and 1 + 0.1
	} {
		if got, _ := Proved(c.front, c.corners); !(got > c.want-1e-9 && got < c.want+1e-9) {
			t.Errorf("%v, open %v: %g, want %g", c.front, c.corners, got, c.want)
		}
	}
}
