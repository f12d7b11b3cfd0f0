package topotest

import (
	"math/rand/v2"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// tries is how many tuples are tried when a family's grid of small values is larger.
const tries = 40_000

// draws is the same for families that draw their tuples, which takes longer.
const draws = 500

// linksPerSwitch bounds the links of a tested design relative to the most switches.
const linksPerSwitch = 30

// grid gives the values of a parameter worth testing: all small ones, then ever sparser.
func grid(p topology.Param) []int {
	if p.Divides != "" {
		return []int{p.Min} // others are drawn, see draw
	}
	if p.Choices != nil {
		out := make([]int, len(p.Choices))
		for i := range out {
			out[i] = i
		}
		return out
	}
	var out []int
	for d := 0; p.Min+d <= p.Max && d <= 48; {
		out = append(out, p.Min+d)
		switch {
		case d < 9:
			d++
		case d < 16:
			d += 2
		default:
			d += 8
		}
	}
	return out
}

// valid gives the tuples of the grid that make networks of at most the given numbers of switches
// and endpoints: all of them if the grid is small, else a seeded sample in which defaults, taken
// half of the time, are over-represented.
func valid(f *topology.Family, opt Options, switches, endpoints int64) [][]int {
	doms := make([][]int, len(f.Params))
	product := 1
	for i, p := range f.Params {
		doms[i] = grid(p)
		if product <= tries {
			product *= len(doms[i])
		}
		if p.Divides != "" { // any of many
			product = tries + 1
		}
	}
	rng := stream.New(opt.Seed, "topotest", uint64(switches))
	seen := map[string]bool{}
	var out [][]int
	var s topology.Size
	keep := func(v []int) {
		if f.Size(v, &s) != nil || s.AllSwitches() > switches || s.Endpoints > endpoints ||
			s.SwitchLinks() > linksPerSwitch*switches {
			return
		}
		if key := (topology.Design{Family: f, V: v}).String(); !seen[key] {
			seen[key] = true
			out = append(out, append([]int(nil), v...))
		}
	}
	v := make([]int, len(f.Params))
	if product <= tries {
		walk(doms, v, 0, keep)
		return out
	}
	if f.Draws != nil {
		for i := range draws {
			survey.Tuple(f, rng, min(int(endpoints), 8<<(i%8)), v) // of every magnitude
			keep(v)
		}
		return out
	}
	for range tries {
		draw(f, doms, v, rng)
		keep(v)
	}
	return out
}

func walk(doms [][]int, v []int, i int, keep func([]int)) {
	if i == len(v) {
		keep(v)
		return
	}
	for _, x := range doms[i] {
		v[i] = x
		walk(doms, v, i+1, keep)
	}
}

func draw(f *topology.Family, doms [][]int, v []int, rng *rand.Rand) {
	for i, p := range f.Params {
		if p.Divides != "" && rng.IntN(4) == 0 {
			v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
			continue
		}
		if p.Divides != "" || p.Default != nil && rng.IntN(2) == 0 {
			v[i] = p.Default(v)
			continue
		}
		// The smaller of two draws: large values in all places at once are too large to build.
		a, b := rng.IntN(len(doms[i])), rng.IntN(len(doms[i]))
		v[i] = doms[i][min(a, b)]
	}
}

// subset takes at most n of the points, seeded, in their order.
func subset(points [][]int, n int, seed uint64) [][]int {
	if len(points) <= n {
		return points
	}
	idx := stream.New(seed, "topotest subset").Perm(len(points))[:n]
	take := make([]bool, len(points))
	for _, i := range idx {
		take[i] = true
	}
	var out [][]int
	for i, p := range points {
		if take[i] {
			out = append(out, p)
		}
	}
	return out
}
