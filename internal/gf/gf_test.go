package gf

import (
	"slices"
	"testing"
)

// TestFieldAxioms checks every field up to 64 elements against the definition.
func TestFieldAxioms(t *testing.T) {
	orders := []int{}
	for q := 0; q <= 64; q++ {
		f, err := New(q)
		if err != nil {
			continue
		}
		orders = append(orders, q)
		powers := map[int]bool{}
		for i := range q - 1 {
			powers[f.Exp(i)] = true
		}
		if len(powers) != q-1 || powers[0] {
			t.Errorf("GF(%d): the primitive element has %d powers, want %d", q, len(powers), q-1)
		}
		for a := range q {
			if f.Add(a, 0) != a || f.Mul(a, 1) != a || f.Add(a, f.Neg(a)) != 0 || a > 0 && f.Mul(a, f.Inv(a)) != 1 {
				t.Fatalf("GF(%d): identities or inverses of %d are wrong", q, a)
			}
			for b := range q {
				if f.Add(a, b) != f.Add(b, a) || f.Mul(a, b) != f.Mul(b, a) || f.Add(a, b) >= q || f.Mul(a, b) >= q {
					t.Fatalf("GF(%d): %d and %d do not commute", q, a, b)
				}
				c := (a*7 + b*3 + 1) % q
				if f.Mul(a, f.Add(b, c)) != f.Add(f.Mul(a, b), f.Mul(a, c)) || f.Mul(a, f.Mul(b, c)) != f.Mul(f.Mul(a, b), c) ||
					f.Add(a, f.Add(b, c)) != f.Add(f.Add(a, b), c) {
					t.Fatalf("GF(%d): %d, %d, %d are not associative or distributive", q, a, b, c)
				}
			}
		}
	}
	// The prime powers up to 64.
	want := []int{2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49, 53, 59, 61, 64}
	if !slices.Equal(orders, want) {
		t.Errorf("fields exist of orders %v, want %v", orders, want)
	}
}

// TestPlane: any two points are on one line, any two lines meet in one point.
func TestPlane(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 8, 9} {
		f, err := New(q)
		if err != nil {
			t.Fatal(err)
		}
		pts := f.Points()
		n := q*q + q + 1
		if len(pts) != n {
			t.Fatalf("PG(2,%d) has %d points, want %d", q, len(pts), n)
		}
		meet := make([]int, n*n)
		for i, v := range pts {
			if f.Point(v) != i {
				t.Errorf("PG(2,%d): point %v has index %d, want %d", q, v, f.Point(v), i)
			}
			line := f.Line(v)
			var want []int
			for j, w := range pts {
				if f.Dot(v, w) == 0 {
					want = append(want, j)
				}
			}
			slices.Sort(line)
			if !slices.Equal(line, want) {
				t.Fatalf("PG(2,%d): line %v is %v, want %v", q, v, line, want)
			}
			for _, a := range line {
				for _, b := range line {
					meet[a*n+b]++
				}
			}
		}
		for a := range n {
			for b := range n {
				want := 1
				if a == b {
					want = q + 1
				}
				if meet[a*n+b] != want {
					t.Fatalf("PG(2,%d): points %d and %d share %d lines, want %d", q, a, b, meet[a*n+b], want)
				}
			}
		}
	}
}

func TestPrimePower(t *testing.T) {
	for _, c := range []struct{ q, p, m int }{{1024, 2, 10}, {729, 3, 6}, {361, 19, 2}, {997, 997, 1}, {6, 0, 0}, {1, 0, 0}, {0, 0, 0}, {-4, 0, 0}, {1000, 0, 0}} {
		p, m, ok := PrimePower(c.q)
		if ok != (c.p > 0) || ok && (p != c.p || m != c.m) {
			t.Errorf("PrimePower(%d) = %d, %d, %v, want %d, %d", c.q, p, m, ok, c.p, c.m)
		}
	}
	if got := Nearest(6, func(int) bool { return true }); got != 7 {
		t.Errorf("nearest prime power to 6 = %d, want 7", got)
	}
	if got := Nearest(2, func(q int) bool { return q%4 != 2 }); got != 3 {
		t.Errorf("nearest prime power to 2 that is not 2 mod 4 = %d, want 3", got)
	}
}
