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
// first argument being the lowest digit's. BookSim2's tornado and neighbor. Without arguments the
// digits are the coordinates of the source's switch, in a network that is a grid.
func digits(shift func(k int) int) func(Options, []string) (*Pattern, error) {
	return func(o Options, args []string) (*Pattern, error) {
		n := o.Network.Endpoints()
		radix, unit := []int{n}, 1
		if len(args) > 0 {
			var err error
			if radix, err = ints(args, 1, n); err != nil {
				return nil, err
			}
		} else if dims, each := gridDims(o.Dims, n); each > 0 && moves(dims, shift) {
			radix, unit = dims, each
		}
		product := 1
		for _, k := range radix {
			if product *= k; product > n {
				break
			}
		}
		if product*unit != n {
			return nil, fmt.Errorf("the network has %d endpoints; the product of the arguments must be that", n)
		}
		return table(n, func(s int) int {
			out, unit := s%unit, unit
			for _, k := range radix {
				out += (s/unit%k + shift(k)) % k * unit
				unit *= k
			}
			return out
		}), nil
	}
}

// gridDims are the dimensions of a grid, and how many of n endpoints each of its switches has; 0 if
// it is none.
func gridDims(dims []int, n int) (of []int, each int) {
	switches := 1
	for _, k := range dims {
		if k < 1 || switches > n/k {
			return nil, 0
		}
		switches *= k
	}
	if len(dims) == 0 || n%switches != 0 {
		return nil, 0
	}
	return dims, n / switches
}

// moves reports whether some digit changes: tornado leaves rings of two switches as they are.
func moves(radix []int, shift func(k int) int) bool {
	for _, k := range radix {
		if shift(k)%k != 0 {
			return true
		}
	}
	return false
}
