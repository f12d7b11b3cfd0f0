package booksim

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"toposearch/simcore"
)

// patternOf makes a pattern for a network and tells its nodes.
func patternOf(t *testing.T, text string) (*pattern, int) {
	t.Helper()
	r, diags := Parse("x.cfg", text, nil)
	if r == nil {
		t.Fatalf("%s: %v", text, diags)
	}
	f := r.Settings.build()
	return r.Settings.traffic(f), f.plant.Endpoints
}

// numberOf reads digits, the lowest first, in a base.
func numberOf(digits []int, base int) int {
	x := 0
	for i := len(digits) - 1; i >= 0; i-- {
		x = x*base + digits[i]
	}
	return x
}

func digitsOf(x, base, n int) []int {
	var d []int
	for range n {
		d, x = append(d, x%base), x/base
	}
	return d
}

// Permutations as reference/simcore.md 1.11 defines them, digit by digit or bit by bit.
func TestPermutationPatterns(t *testing.T) {
	mesh := func(k, n int) string {
		return fmt.Sprintf("topology=mesh;k=%d;n=%d;routing_function=dor;num_vcs=4;", k, n)
	}
	shift := func(base, n int, by func(base int) int) func(src, nodes int) int {
		return func(src, _ int) int {
			d := digitsOf(src, base, n)
			for i := range d {
				d[i] = (d[i] + by(base)) % base
			}
			return numberOf(d, base)
		}
	}
	tornado := func(b int) int { return int(math.Floor(float64(b+1)/2)) - 1 }
	one := func(int) int { return 1 }
	bits := func(nodes int) int { return int(math.Round(math.Log2(float64(nodes)))) }
	flat := "topology=flatfly;k=4;n=2;c=4;x=4;y=4;xr=2;yr=2;routing_function=ran_min;num_vcs=4;"
	dragon := "topology=dragonflynew;k=3;n=1;routing_function=min;num_vcs=2;"
	for _, c := range []struct {
		net, traffic string
		want         func(src, nodes int) int
	}{
		{mesh(4, 3), "tornado", shift(4, 3, tornado)}, {mesh(5, 2), "tornado", shift(5, 2, tornado)}, {mesh(7, 1), "tornado", shift(7, 1, tornado)},
		{mesh(3, 3), "neighbor", shift(3, 3, one)}, {flat, "tornado", shift(8, 2, tornado)}, {flat, "neighbor", shift(8, 2, one)},
		{dragon, "tornado", shift(3, 1, tornado)}, // two of three nodes send to a third of the first router's
		{mesh(4, 3), "bitcomp", func(s, n int) int { return n - 1 - s }},
		{mesh(2, 5), "bitrev", func(s, n int) int {
			d := digitsOf(s, 2, bits(n))
			slices.Reverse(d)
			return numberOf(d, 2)
		}},
		{mesh(2, 5), "shuffle", func(s, n int) int {
			d := digitsOf(s, 2, bits(n))
			return numberOf(append(d[len(d)-1:], d[:len(d)-1]...), 2)
		}},
		{mesh(4, 3), "transpose", func(s, n int) int {
			d := digitsOf(s, 2, bits(n))
			return numberOf(append(slices.Clone(d[len(d)/2:]), d[:len(d)/2]...), 2)
		}},
	} {
		p, nodes := patternOf(t, c.net+"traffic="+c.traffic+";")
		for src := range nodes {
			if got, want := p.dest(src, nil), c.want(src, nodes); got != want {
				t.Errorf("%s %s: node %d sends to %d, want %d", c.net, c.traffic, src, got, want)
				break
			}
		}
	}
}

// Random patterns: the share of each destination of a source as 1.11 gives it, within five standard
// deviations.
func TestRandomPatterns(t *testing.T) {
	mesh8, dragon := "topology=mesh;k=8;n=2;routing_function=dor;num_vcs=4;", "topology=dragonflynew;k=2;n=1;routing_function=min;num_vcs=2;"
	flat := "topology=flatfly;k=4;n=2;c=4;x=4;y=4;xr=2;yr=2;routing_function=ran_min;num_vcs=4;"
	const draws = 20000
	for _, c := range []struct {
		net, traffic string
		want         func(src, dst, nodes int) float64
	}{
		{mesh8, "uniform", func(_, _, n int) float64 { return 1 / float64(n) }},
		{mesh8, "diagonal", func(s, d, n int) float64 {
			return map[int]float64{s: 2. / 3, (s + 1) % n: 1. / 3}[d]
		}},
		{mesh8, "asymmetric", func(s, d, n int) float64 {
			if d%(n/2) == s%(n/2) {
				return 0.5
			}
			return 0
		}},
		{mesh8, "taper64", func(s, d, n int) float64 {
			x := 0.5 / 64
			for u := -1; u <= 1; u++ {
				for v := -1; v <= 1; v++ {
					if (s+8*u+v+64)%64 == d {
						x += 0.5 / 9
					}
				}
			}
			return x
		}},
		{mesh8, "hotspot({{9,27,36}})", func(_, d, _ int) float64 { return map[int]float64{9: 1. / 3, 27: 1. / 3, 36: 1. / 3}[d] }},
		{mesh8, "hotspot({{9,27},{1,3}})", func(_, d, _ int) float64 { return map[int]float64{9: 0.25, 27: 0.75}[d] }},
		{mesh8, "hotspot({9,27})", func(_, d, _ int) float64 { return map[int]float64{9: 1}[d] }},
		{mesh8, "background({{0,63}})", func(_, d, n int) float64 {
			if d == 0 || d == 63 {
				return 0
			}
			return 1. / 62
		}},
		{dragon, "bad_dragon", func(s, d, n int) float64 {
			if d/8 == (s/8+1)%9 {
				return 1. / 8
			}
			return 0
		}},
		{flat, "badperm_yarc", func(s, d, _ int) float64 {
			if d%8 == s/8 {
				return 1. / 8
			}
			return 0
		}},
	} {
		p, nodes := patternOf(t, c.net+"traffic="+c.traffic+";")
		r := simcore.NewRand(1, 1)
		for _, src := range []int{0, 9, nodes - 1} {
			count := make([]int, nodes)
			for range draws {
				count[p.dest(src, &r)]++
			}
			for dst, k := range count {
				want := c.want(src, dst, nodes)
				if sd := math.Sqrt(want * (1 - want) / draws); math.Abs(float64(k)/draws-want) > 5*sd {
					t.Errorf("%s: node %d sends %.4f of its packets to %d, want %.4f", c.traffic, src, float64(k)/draws, dst, want)
				}
			}
		}
	}
}
