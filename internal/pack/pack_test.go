package pack

import (
	"math"
	"slices"
	"testing"
)

// TestPack: what was written is read, to the bit.
func TestPack(t *testing.T) {
	var w Writer
	floats := []float64{0, math.Copysign(0, -1), 1.5, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64}
	w.Int(math.MinInt64)
	w.Int(math.MaxInt64)
	w.Fixed(math.MaxUint64)
	w.Floats(floats)
	w.Floats(nil)
	w.Bool(true)
	w.Text("fat tree")
	w.Float(math.NaN())
	r := NewReader(w)
	if a, b, c := r.Int(), r.Int(), r.Fixed(); a != math.MinInt64 || b != math.MaxInt64 || c != math.MaxUint64 {
		t.Error(a, b, c)
	}
	if got := r.Floats(); !slices.EqualFunc(got, floats, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Error(got)
	}
	if a, b, c, d := r.Floats(), r.Bool(), r.Text(), r.Float(); a != nil || !b || c != "fat tree" || !math.IsNaN(d) {
		t.Error(a, b, c, d)
	}
	if err := r.End(); err != nil {
		t.Error(err)
	}
	for n := range w { // cut anywhere
		r := NewReader(w[:n])
		r.Int()
		r.Int()
		r.Fixed()
		r.Floats()
		r.Floats()
		r.Bool()
		r.Text()
		r.Float()
		if r.End() == nil {
			t.Errorf("%d bytes of %d pass", n, len(w))
		}
	}
}

// FuzzReader: no bytes bring a reader down or make it take much memory.
func FuzzReader(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 1})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(_ *testing.T, b []byte) {
		r := NewReader(b)
		r.Floats()
		r.Text()
		r.Within(-3, 3)
		r.Bool()
		_ = r.Count(2)
		_ = r.End()
	})
}
