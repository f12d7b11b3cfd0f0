package traffic

import (
	"fmt"
	"math"
	"strconv"

	"toposearch/internal/stream"
	"toposearch/simcore"
)

func uniform(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int { return other(n, src, r) }}, nil
}

// randperm shuffles (Fisher and Yates) and exchanges each fixed point with its successor.
func randperm(o Options, args []string) (*Pattern, error) {
	seed := o.Seed
	if len(args) > 0 {
		v, err := ints(args, 0, math.MaxInt)
		if err != nil {
			return nil, err
		}
		if len(v) > 1 {
			return nil, fmt.Errorf("one seed is enough, got %d", len(v))
		}
		seed = uint64(v[0])
	}
	n := o.Network.Endpoints()
	to := stream.New(seed, "traffic randperm").Perm(n)
	for s := range to {
		if to[s] == s {
			next := (s + 1) % n
			to[s], to[next] = to[next], to[s]
		}
	}
	return table(n, func(s int) int { return to[s] }), nil
}

func hotspot(o Options, args []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	share, hot := 0.2, []int{0}
	if len(args) > 0 {
		var err error
		if share, err = strconv.ParseFloat(args[0], 64); err != nil || !(share > 0 && share <= 1) {
			return nil, fmt.Errorf("the share %q is not a number in (0, 1]", args[0])
		}
	}
	if len(args) > 1 {
		var err error
		if hot, err = ints(args[1:], 0, n-1); err != nil {
			return nil, err
		}
	}
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		if r.Float64() < share {
			// A hot endpoint does not send to itself: it sends like the rest.
			if d := hot[r.IntN(len(hot))]; d != src {
				return d
			}
		}
		return other(n, src, r)
	}}, nil
}

func asymmetric(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	if n%2 != 0 {
		return nil, fmt.Errorf("the network has %d endpoints; an even number is needed", n)
	}
	h := n / 2
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		if r.Coin() {
			return src%h + h
		}
		return src % h
	}}, nil
}

func diagonal(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		if r.IntN(3) == 0 {
			return (src + 1) % n
		}
		return src
	}}, nil
}

func taper(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	side := int(math.Sqrt(float64(n)))
	if side*side != n || side < 3 {
		return nil, fmt.Errorf("the network has %d endpoints; a square of at least 9 is needed", n)
	}
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		if r.Coin() {
			return other(n, src, r)
		}
		return (src + side*(r.IntN(3)-1) + r.IntN(3) - 1 + n) % n
	}}, nil
}
