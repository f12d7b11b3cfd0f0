package family

// real64 is a range of a value of a box, for bounds per endpoint.
type real64 struct{ lo, hi float64 }

func reals(lo, hi []int, i int) real64 { return real64{float64(lo[i]), float64(hi[i])} }

// beyond is above the maximum of every parameter: there is no further value.
const beyond = 1 << 30

// nextDivisor is the least divisor of n that is at least x.
func nextDivisor(n, x int) int {
	for ; x <= n; x++ {
		if n%x == 0 {
			return x
		}
	}
	return beyond
}

// nearestDivisor is the divisor of n that is nearest to x, the smaller of two.
func nearestDivisor(n, x int) int {
	for i := range max(n, x) {
		if a := x - i; a >= 1 && a <= n && n%a == 0 {
			return a
		}
		if b := x + i; b <= n && n%b == 0 {
			return b
		}
	}
	return 1
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// pow is x to the n; n below 0 gives 1.
func pow(x int64, n int) int64 {
	p := int64(1)
	for range n {
		p *= x
	}
	return p
}

// ipow is n to the power k.
func ipow(n, k int) int64 {
	x := int64(1)
	for range k {
		x *= int64(n)
	}
	return x
}

// withinProduct is the range of the x for which x*unit lies between least and most.
func withinProduct(unit, least, most int64) (lo, hi int64) {
	unit = max(unit, 1)
	return (least + unit - 1) / unit, most / unit
}

// span encloses a number.
type span struct{ lo, hi int64 }

func (a span) mul(b span) span { return span{a.lo * b.lo, a.hi * b.hi} }

// spanOf is that of parameter i in a box.
func spanOf(lo, hi []int, i int) span { return span{int64(lo[i]), int64(hi[i])} }

// one tells whether the span is a single number.
func (a span) one() bool { return a.lo == a.hi }
