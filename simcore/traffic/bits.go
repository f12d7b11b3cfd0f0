package traffic

import (
	"fmt"
	mathbits "math/bits"
)

// bits makes a pattern of a permutation of b-bit numbers. The number of endpoints must be 2^b
// with b a multiple of step.
func bits(step int, f func(src, b int) int) func(Options, []string) (*Pattern, error) {
	return func(o Options, _ []string) (*Pattern, error) {
		n := o.Network.Endpoints()
		b := mathbits.Len(uint(n)) - 1
		if n != 1<<b || b%step != 0 {
			return nil, fmt.Errorf("the network has %d endpoints; the pattern needs a power of %d", n, 1<<step)
		}
		return table(n, func(s int) int { return f(s, b) }), nil
	}
}

func complement(s, b int) int { return s ^ (1<<b - 1) }

func reverse(s, b int) int { return int(mathbits.Reverse64(uint64(s)) >> (64 - b)) }

func rotate(s, b int) int { return s<<1&(1<<b-1) | s>>(b-1) }

func swapHalves(s, b int) int {
	h := b / 2
	return s>>h | s&(1<<h-1)<<h
}

// digits makes a pattern that adds shift(k) to every digit of the source in a mixed radix, the
// first argument being the lowest digit's. BookSim2's tornado and neighbor.
func digits(shift func(k int) int) func(Options, []string) (*Pattern, error) {
	return func(o Options, args []string) (*Pattern, error) {
		n := o.Network.Endpoints()
		radix := []int{n}
		if len(args) > 0 {
			var err error
			if radix, err = ints(args, 1, n); err != nil {
				return nil, err
			}
		}
		product := 1
		for _, k := range radix {
			if product *= k; product > n {
				break
			}
		}
		if product != n {
			return nil, fmt.Errorf("the network has %d endpoints; the product of the arguments must be that", n)
		}
		return table(n, func(s int) int {
			out, unit := 0, 1
			for _, k := range radix {
				out += (s/unit%k + shift(k)) % k * unit
				unit *= k
			}
			return out
		}), nil
	}
}
