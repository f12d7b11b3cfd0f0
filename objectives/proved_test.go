package objectives

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
)

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

// TestProvedFrom: by one reference a part of what is open holds a proof up no more than all of it. By hand, from (10, 10): the front
// (5, 5) has 25; with (4, 6), 1 x 4 more; with (6, 2), 3 x 4 more.
func TestProvedFrom(t *testing.T) {
	front, ref := []Vector{{5, 5}}, Vector{10, 10}
	for _, c := range []struct {
		corners []Vector
		want    float64
	}{{nil, 1}, {[]Vector{{4, 6}}, 25. / 29}, {[]Vector{{6, 2}}, 25. / 37}, {[]Vector{{4, 6}, {6, 2}, {7, 7}}, 25. / 41}} {
		if got := ProvedFrom(front, c.corners, ref); !(got > c.want-1e-9 && got < c.want+1e-9) {
			t.Errorf("%v: %v, want %v", c.corners, got, c.want)
		}
	}
}

// TestProvedOfMany: what is proved of a part of a large front and of corners taken together is no more than of all of them, and not nothing.
func TestProvedOfMany(t *testing.T) {
	for _, dims := range []int{4, 5, 6} {
		most := MostPoints(dims)
		front, ref := onSphere(stream.New(5, "front", uint64(dims)), 2*most, dims)
		corners, _ := onSphere(stream.New(6, "corners", uint64(dims)), 3*most/2, dims)
		for _, c := range corners {
			for i := range c {
				c[i] *= 1.02
			}
		}
		exact := Hypervolume(front, ref) / Hypervolume(slices.Concat(front, corners), ref)
		if got := ProvedFrom(front, corners, ref); !(got <= exact && got > exact/5) {
			t.Errorf("%d objectives: %.4f is proved of a part, %.4f of all", dims, got, exact)
		}
	}
}
