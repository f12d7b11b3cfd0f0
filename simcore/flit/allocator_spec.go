package flit

import (
	"fmt"
	"strconv"
	"strings"
)

// Kinds of allocators. All follow BookSim2's behaviour (Jiang et al., ISPASS 2013); the algorithms
// are in Dally and Towles 2004, chapter 19, iSLIP in McKeown, IEEE/ACM ToN 7(2), 1999.
const (
	allocInputFirst = iota
	allocOutputFirst
	allocISLIP
	allocPIM
	allocWavefront
	allocRRWavefront
	allocMaxSize
)

// allocSpec is a parsed allocator name.
type allocSpec struct {
	kind   int
	matrix bool // arbiters of a separable allocator; otherwise round robin
	iters  int
}

var allocKinds = map[string]int{
	"separable_input_first": allocInputFirst, "separable_output_first": allocOutputFirst,
	"islip": allocISLIP, "pim": allocPIM, "wavefront": allocWavefront,
	"rr_wavefront": allocRRWavefront, "max_size": allocMaxSize,
}

// parseAllocator reads a name with an optional argument, as islip(2).
func parseAllocator(name string) (allocSpec, error) {
	a := allocSpec{iters: 1}
	base, arg, has := strings.Cut(name, "(")
	kind, ok := allocKinds[base]
	if !ok {
		return a, fmt.Errorf("there is no allocator %q; there are separable_input_first, separable_output_first, "+
			"islip, pim, wavefront, rr_wavefront and max_size", base)
	}
	a.kind = kind
	if !has {
		return a, nil
	}
	arg, ok = strings.CutSuffix(arg, ")")
	if !ok {
		return a, fmt.Errorf("%q does not end in a parenthesis", name)
	}
	switch kind {
	case allocInputFirst, allocOutputFirst:
		if arg != "matrix" && arg != "round_robin" {
			return a, fmt.Errorf("there is no arbiter %q; there are round_robin and matrix", arg)
		}
		a.matrix = arg == "matrix"
	case allocISLIP, allocPIM:
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 || n > 64 {
			return a, fmt.Errorf("%q is not a number of iterations in 1..64", arg)
		}
		a.iters = n
	default:
		return a, fmt.Errorf("%s takes no argument", base)
	}
	return a, nil
}

// piggyback as VC allocator: there is none; a head that wins the switch speculatively takes a free VC
// of its output at once.
const piggyback = "piggyback"

// plainAllocator reports whether the plain cycle has this allocator built in.
func plainAllocator(name string) bool {
	a, err := parseAllocator(name)
	return err == nil && a.kind == allocInputFirst && !a.matrix
}
