package family

import (
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// skywalkParams are the parameters of skywalk by name.
type skywalkParams []int

func (v skywalkParams) rows() int  { return v[0] }
func (v skywalkParams) cols() int  { return v[1] }
func (v skywalkParams) m() int     { return v[2] }
func (v skywalkParams) l() int     { return v[3] }
func (v skywalkParams) s() int     { return v[4] }
func (v skywalkParams) d() int     { return v[5] }
func (v skywalkParams) p() int     { return v[6] }
func (v skywalkParams) tries() int { return v[7] }
func (v skywalkParams) seed() int  { return v[8] }

// Steps between cabinets in decimetres: the rack and row pitch that a study has by default.
const (
	colStep = 6
	rowStep = 30
)

// swapsPerLink is how many exchanges of ends are tried per link: ten times the number of links is
// past where the statistics of such chains stop changing (Milo et al., arXiv cond-mat/0312028).
const swapsPerLink = 10

// room is the grid of cabinets; switch (row r, column c, slot i) has the number (r*cols + c)*m + i.
type room struct{ rows, cols, m int }

func (g room) switches() int { return g.rows * g.cols * g.m }

func (g room) at(s int32) (row, col int) {
	cabinet := int(s) / g.m
	return cabinet / g.cols, cabinet % g.cols
}

// class is that of a link between two switches: 1 in a cabinet, 2 in a row or column, 3 across.
func (g room) class(a, b int32) int {
	r, c := g.at(a)
	x, y := g.at(b)
	switch {
	case r == x && c == y:
		return 1
	case r == x || c == y:
		return 2
	}
	return 3
}

func (g room) length(a, b int32) int64 {
	r, c := g.at(a)
	x, y := g.at(b)
	return int64(rowStep*max(r-x, x-r) + colStep*max(c-y, y-c))
}

// step is a displacement on the grid of cabinets and slots, taken around its ends.
type step struct{ row, col, slot int }

// across is the switch to which a step leads.
func (g room) across(s int32, d step) int32 {
	r, c := g.at(s)
	return int32(((r+d.row)%g.rows*g.cols+(c+d.col)%g.cols)*g.m + (int(s)%g.m+d.slot)%g.m)
}

func (g room) inverse(d step) step {
	return step{(g.rows - d.row) % g.rows, (g.cols - d.col) % g.cols, (g.m - d.slot) % g.m}
}

// steps chooses as many displacements of a class as a switch has links of it, each with its
// inverse, so that every switch sees the same: those asked for first, then pairs, then
// displacements that are their own inverse.
func (g room) steps(class, links int, first ...step) []step {
	var out []step
	seen := map[step]bool{}
	take := func(d step) {
		if i := g.inverse(d); !seen[d] {
			seen[d], seen[i] = true, true
			if out = append(out, d); i != d {
				out = append(out, i)
			}
		}
	}
	for _, d := range first {
		take(d)
	}
	for pass := range 2 {
		for slot := range g.m {
			for row := range g.rows {
				for col := range g.cols {
					d := step{row, col, slot}
					if d == (step{}) || g.class(0, g.across(0, d)) != class || (g.inverse(d) == d) != (pass == 1) {
						continue
					}
					if len(out)+2-pass <= links {
						take(d)
					}
				}
			}
		}
	}
	return out[:links]
}

// along are the displacements that join the cabinets of a row and of a column: to the next one, or
// by two ways to the only other.
func (g room) along() []step {
	var out []step
	for _, d := range []struct {
		n    int
		step step
	}{{g.cols, step{col: 1}}, {g.rows, step{row: 1}}} {
		switch {
		case d.n > 2:
			out = append(out, d.step)
		case d.n == 2:
			// Two switches of a cabinet: slots 0 and 1 are each their own inverse. Else +1 and -1.
			with := d.step
			with.slot = 1
			if g.m == 2 {
				out = append(out, d.step)
			}
			out = append(out, with)
		}
	}
	return out
}

// pattern is the regular wiring: a ring and more in every cabinet, the same steps everywhere.
func (g room) pattern(v []int) [3][][2]int32 {
	x := skywalkParams(v)
	var out [3][][2]int32
	chosen := [3][]step{
		g.steps(1, x.l(), step{slot: 1}), g.steps(2, x.s(), g.along()...), g.steps(3, x.d()),
	}
	for class, steps := range chosen {
		for s := range int32(g.switches()) {
			for _, d := range steps {
				if t := g.across(s, d); s < t {
					out[class] = append(out[class], [2]int32{s, t})
				}
			}
		}
	}
	return out
}

func wireSkywalk(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	d := skywalkParams(v)
	g := room{d.rows(), d.cols(), d.m()}
	base := g.pattern(v)
	best, least := base, int64(-1)
	for try := range d.tries() {
		rng := stream.New(uint64(d.seed()), "skywalk", uint64(try))
		links, cable := [3][][2]int32{}, int64(0)
		for class := range base {
			links[class] = g.shuffle(base[class], rng)
			for _, l := range links[class] {
				cable += g.length(l[0], l[1])
			}
		}
		if (least < 0 || cable < least) && g.whole(&links) {
			best, least = links, cable
		}
	}
	for class := range best {
		for _, l := range best[class] {
			emit(1+class, topology.SwitchID(min(l[0], l[1])), topology.SwitchID(max(l[0], l[1])))
		}
	}
}

// shuffle exchanges ends of random pairs of links, as long as that keeps their class and makes no
// link twice: every switch keeps its number of links.
func (g room) shuffle(links [][2]int32, rng *rand.Rand) [][2]int32 {
	out := slices.Clone(links)
	if len(out) < 2 {
		return out
	}
	near := make([][]int32, g.switches())
	for _, l := range out {
		near[l[0]], near[l[1]] = append(near[l[0]], l[1]), append(near[l[1]], l[0])
	}
	move := func(s, from, to int32) { near[s][slices.Index(near[s], from)] = to }
	class := g.class(out[0][0], out[0][1])
	fits := func(a, b int32) bool { return a != b && g.class(a, b) == class && !slices.Contains(near[a], b) }
	for range swapsPerLink * len(out) {
		i, j := rng.IntN(len(out)), rng.IntN(len(out))
		a, b, c, d := out[i][0], out[i][1], out[j][0], out[j][1]
		if rng.IntN(2) == 1 {
			c, d = d, c
		}
		// a-b and c-d become a-c and b-d.
		if i == j || a == c || b == d || !fits(a, c) || !fits(b, d) {
			continue
		}
		move(a, b, c)
		move(c, d, a)
		move(b, a, d)
		move(d, c, b)
		out[i], out[j] = [2]int32{a, c}, [2]int32{b, d}
	}
	return out
}

// whole tells whether the links join all switches.
func (g room) whole(links *[3][][2]int32) bool {
	near := make([][]int32, g.switches())
	for _, class := range links {
		for _, l := range class {
			near[l[0]], near[l[1]] = append(near[l[0]], l[1]), append(near[l[1]], l[0])
		}
	}
	return connected(len(near), func(s int32) []int32 { return near[s] })
}
