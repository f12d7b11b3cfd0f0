package adversary

import (
	"fmt"
	"math"
	"math/bits"
)

// patterns are permutations of lots made without a look at the network, count of them at most: the mirror image, bit
// permutations, and shifts: by divisors of the number of lots, which are those by groups and by their parts, by powers
// of two, and then by anything. A shift the other way round gets the same.
func (h *hunt) patterns(count int) (all []traffic) {
	n := len(h.lots)
	add := func(name string, partner func(i int) int) {
		if len(all) >= count {
			return
		}
		t := traffic{name: name, root: name, hi: math.Inf(1)}
		for i, from := range h.lots {
			t.add(h.sites[from], h.sites[h.lots[partner(i)]], float64(h.each))
		}
		if len(t.demands) > 0 {
			all = append(all, t)
		}
	}
	add("mirror image (bit complement)", func(i int) int { return n - 1 - i })
	if k := int(math.Round(math.Sqrt(float64(n)))); k*k == n {
		add("transpose", func(i int) int { return i%k*k + i/k })
	}
	if b := bits.Len(uint(n)) - 1; n == 1<<b {
		add("bit reversal", func(i int) int { return int(bits.Reverse64(uint64(i)) >> (64 - b)) })
		add("shuffle", func(i int) int { return i<<1&(n-1) | i>>(b-1) })
	}
	of := "endpoints"
	if !h.inOrder {
		of = "endpoints in the order of their switches"
	}
	for _, k := range shifts(n) {
		add(fmt.Sprintf("shift by %d %s", k*int(h.each), of), func(i int) int { return (i + k) % n })
	}
	return all
}

// shifts are the distances of shifts of n lots, those likeliest to be bad first.
func shifts(n int) (out []int) {
	seen := make([]bool, n/2+1)
	add := func(k int) {
		if !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	for k := n / 2; k > 0; k-- {
		if n%k == 0 {
			add(k)
		}
	}
	for k := 1; k <= n/2; k *= 2 {
		add(k)
	}
	for k := n / 2; k > 0; k-- {
		add(k)
	}
	return out
}
