// Package gf computes in finite fields GF(p^m), for the topologies that are built from them.
//
// An element is a number in [0, q): its base-p digits are the coefficients of a polynomial of
// degree below m, lowest first. So 0 and 1 are zero and one, and in a prime field the elements
// are the residues.
package gf

import "fmt"

// MaxOrder bounds the fields that are made: tables take a few words per element.
const MaxOrder = 4096

// Field is a finite field. It is immutable and safe for concurrent use.
type Field struct {
	Q, P, M int   // order q = p^m
	exp     []int // exp[i] = xi^i for i in [0, 2(q-1)), xi primitive
	log     []int // log[x] for x > 0
}

// PrimePower factors q and reports whether q = p^m for a prime p and m >= 1.
func PrimePower(q int) (p, m int, ok bool) {
	if q < 2 {
		return 0, 0, false
	}
	p = q
	for d := 2; d*d <= q; d++ {
		if q%d == 0 {
			p = d
			break
		}
	}
	for q > 1 {
		if q%p != 0 {
			return 0, 0, false
		}
		q /= p
		m++
	}
	return p, m, true
}

// Nearest is the prime power nearest to q among those that keep accepts, the larger of two;
// 0 if there is none up to MaxOrder.
func Nearest(q int, keep func(int) bool) int {
	for d := 0; d <= MaxOrder; d++ {
		for _, x := range []int{q + d, q - d} {
			if _, _, ok := PrimePower(x); ok && x <= MaxOrder && keep(x) {
				return x
			}
		}
	}
	return 0
}

// New makes GF(q). The error says that q is not a prime power, or too large. The primitive
// element is the least primitive root, or x modulo the first primitive polynomial.
func New(q int) (*Field, error) {
	p, m, ok := PrimePower(q)
	if !ok || q > MaxOrder {
		return nil, fmt.Errorf("gf: %d is not a prime power up to %d", q, MaxOrder)
	}
	f := &Field{Q: q, P: p, M: m, exp: make([]int, 2*(q-1)), log: make([]int, q)}
	for c := 1; c < q; c++ {
		if f.generate(c) {
			return f, nil
		}
	}
	panic("gf: every finite field has a primitive element")
}

// generate fills the tables with the powers of c (prime field) or of x modulo x^m - c(x), and
// reports whether they are all elements but zero.
func (f *Field) generate(c int) bool {
	x := 1
	seen := make([]bool, f.Q)
	for i := range f.Q - 1 {
		if x == 0 || seen[x] {
			return false
		}
		seen[x] = true
		f.exp[i], f.exp[i+f.Q-1], f.log[x] = x, x, i
		if f.M == 1 {
			x = x * c % f.P
			continue
		}
		// Times x: shift the digits; the one that leaves stands for that many c(x).
		top := x * f.P / f.Q
		x = x * f.P % f.Q
		for range top {
			x = f.Add(x, c)
		}
	}
	return x == 1
}

// Add is a + b.
func (f *Field) Add(a, b int) int {
	if f.M == 1 {
		if a += b; a >= f.P {
			a -= f.P
		}
		return a
	}
	if f.P == 2 {
		return a ^ b
	}
	sum, place := 0, 1
	for a > 0 || b > 0 {
		sum += (a%f.P + b%f.P) % f.P * place
		a, b, place = a/f.P, b/f.P, place*f.P
	}
	return sum
}

// Neg is -a.
func (f *Field) Neg(a int) int {
	neg, place := 0, 1
	for a > 0 {
		neg += (f.P - a%f.P) % f.P * place
		a, place = a/f.P, place*f.P
	}
	return neg
}

// Mul is a * b.
func (f *Field) Mul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return f.exp[f.log[a]+f.log[b]]
}

// Inv is 1/a; a must not be zero.
func (f *Field) Inv(a int) int {
	if a == 0 {
		panic("gf: zero has no inverse")
	}
	return f.exp[(f.Q-1-f.log[a])%(f.Q-1)]
}

// Exp is the i-th power of the primitive element, i >= 0.
func (f *Field) Exp(i int) int { return f.exp[i%(f.Q-1)] }

// Dot is the inner product of two vectors of three elements.
func (f *Field) Dot(u, v [3]int) int {
	return f.Add(f.Add(f.Mul(u[0], v[0]), f.Mul(u[1], v[1])), f.Mul(u[2], v[2]))
}

// Points gives the q^2+q+1 points of the projective plane PG(2,q): (a,b,1) in order of a, b, then
// (a,1,0), then (1,0,0).
func (f *Field) Points() [][3]int {
	out := make([][3]int, 0, f.Q*f.Q+f.Q+1)
	for a := range f.Q {
		for b := range f.Q {
			out = append(out, [3]int{a, b, 1})
		}
	}
	for a := range f.Q {
		out = append(out, [3]int{a, 1, 0})
	}
	return append(out, [3]int{1, 0, 0})
}

// Point gives the index in Points of the point with these coordinates, not all zero.
func (f *Field) Point(v [3]int) int {
	switch {
	case v[2] != 0:
		s := f.Inv(v[2])
		return f.Mul(v[0], s)*f.Q + f.Mul(v[1], s)
	case v[1] != 0:
		return f.Q*f.Q + f.Mul(v[0], f.Inv(v[1]))
	}
	return f.Q*f.Q + f.Q
}

// Line gives the indices of the q+1 points whose inner product with v is zero, in a fixed order.
func (f *Field) Line(v [3]int) []int {
	out := make([]int, 0, f.Q+1)
	// Two different points of the line span it.
	a, b := [3]int{f.Neg(v[1]), v[0], 0}, [3]int{f.Neg(v[2]), 0, v[0]}
	if v[0] == 0 {
		a, b = [3]int{1, 0, 0}, [3]int{0, f.Neg(v[2]), v[1]}
	}
	out = append(out, f.Point(b))
	for s := range f.Q {
		var x [3]int
		for i := range x {
			x[i] = f.Add(a[i], f.Mul(s, b[i]))
		}
		out = append(out, f.Point(x))
	}
	return out
}
