package traffic

import (
	"context"
	"fmt"
	"strconv"

	"toposearch/topology"
)

// Options is what a traffic may need to know.
type Options struct {
	Network *topology.Network
	// Blocks is the number of equal blocks of consecutive endpoints (groups, pods); 0 or 1: none.
	Blocks int
	// Dims are the sizes of a grid of switches, see topology.Family; nil: there is none.
	Dims []int
	Seed uint64 // of random permutations without a seed of their own
	// Context ends the search for the worst permutation; nil: nothing does.
	Context context.Context
}

// ints reads whole numbers in [lo, hi].
func ints(args []string, lo, hi int) ([]int, error) {
	out := make([]int, len(args))
	for i, a := range args {
		x, err := strconv.Atoi(a)
		if err != nil || x < lo || x > hi {
			return nil, fmt.Errorf("argument %q is not a whole number from %d to %d", a, lo, hi)
		}
		out[i] = x
	}
	return out, nil
}
