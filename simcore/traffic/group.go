package traffic

import (
	"fmt"

	"toposearch/simcore"
)

// blocks gives the size of a block and the shift in blocks.
func blocks(o Options, args []string) (size, shift int, err error) {
	n := o.Network.Endpoints()
	if o.Blocks < 2 || n%o.Blocks != 0 {
		return 0, 0, fmt.Errorf("the network has no blocks of equal size (%d endpoints, %d blocks)", n, max(1, o.Blocks))
	}
	shift = 1
	if len(args) > 0 {
		v, err := ints(args, 1, o.Blocks-1)
		if err != nil {
			return 0, 0, err
		}
		if len(v) > 1 {
			return 0, 0, fmt.Errorf("one number of blocks is enough, got %d", len(v))
		}
		shift = v[0]
	}
	return n / o.Blocks, shift, nil
}

func groupShift(o Options, args []string) (*Pattern, error) {
	size, shift, err := blocks(o, args)
	if err != nil {
		return nil, err
	}
	n := o.Network.Endpoints()
	return table(n, func(s int) int { return (s + shift*size) % n }), nil
}

// groupAdversarial is BookSim2's bad_dragon for any blocks.
func groupAdversarial(o Options, args []string) (*Pattern, error) {
	size, shift, err := blocks(o, args)
	if err != nil {
		return nil, err
	}
	n := o.Network.Endpoints()
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		return (src/size+shift)*size%n + r.IntN(size)
	}, rest: func(src int, add func(int, float64)) {
		for k := range size {
			add((src/size+shift)*size%n+k, 1/float64(size))
		}
	}}, nil
}
