package traffic

import (
	"fmt"
	"math"

	"toposearch/internal/stream"
	"toposearch/simcore"
)

func uniform(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	return &Pattern{n: n, uniform: 1, draw: func(src int, r *simcore.Rand) int { return other(n, src, r) }}, nil
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
	}, rest: func(src int, add func(int, float64)) {
		add(src%h+h, 0.5)
		add(src%h, 0.5)
	}}, nil
}

func diagonal(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		if r.IntN(3) == 0 {
			return (src + 1) % n
		}
		return src
	}, rest: func(src int, add func(int, float64)) {
		add((src+1)%n, 1.0/3)
		add(src, 2.0/3)
	}}, nil
}

func taper(o Options, _ []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	side := int(math.Sqrt(float64(n)))
	if side*side != n || side < 3 {
		return nil, fmt.Errorf("the network has %d endpoints; a square of at least 9 is needed", n)
	}
	near := func(src, row, column int) int { return (src + side*(row-1) + column - 1 + n) % n }
	return &Pattern{n: n, uniform: 0.5, draw: func(src int, r *simcore.Rand) int {
		if r.Coin() {
			return other(n, src, r)
		}
		return near(src, r.IntN(3), r.IntN(3))
	}, rest: func(src int, add func(int, float64)) {
		for k := range 9 {
			add(near(src, k/3, k%3), 0.5/9)
		}
	}}, nil
}
