package fidelity

import (
	"cmp"
	"slices"

	"toposearch/internal/stream"
	"toposearch/objectives"
)

// layers is how many standard deviations better than its corrected value a design may be in every measured objective for it to be looked at: of
// the designs beyond, 1 in 740 would be, were one objective measured.
const layers = 3

// settled is the expected improvement of a design, as a part of the range of the front, below which it is not worth a simulation where
// the front stays: a thousandth is less than any measurement tells apart.
const settled = 0.001

// Ask gives the places of what is to be simulated next, in order; nil once the front stays or the budget is spent.
//
// The first round takes the front by the model: what the correction is learnt from. Each later one takes the front by corrected values,
// then its epsilon layers, by how much they are expected to improve the front, as long as its share of the budget lasts; and always a
// share of designs at random from all families, so that none is judged by the others alone.
func (l *Loop) Ask() []int {
	left := min(l.opt.Most-l.spent, len(l.points)-l.spent)
	if left <= 0 {
		return nil
	}
	candidates := l.candidates()
	if l.stays && (len(candidates) == 0 || candidates[0].gain < settled) {
		return nil
	}
	most := left
	if rounds := l.opt.Rounds - l.round; rounds > 1 {
		most = (left + rounds - 1) / rounds
	}
	out := l.random(int(l.opt.Explore * float64(most)))
	for _, i := range out {
		l.asked[i] = true
	}
	for _, i := range l.first(candidates, most-len(out)) {
		l.asked[i] = true
		out = append(out, i)
	}
	if len(out) == 0 {
		return nil
	}
	l.spent, l.round = l.spent+len(out), l.round+1
	slices.Sort(out)
	return out
}

// candidate is a point that may belong to the front.
type candidate struct {
	place int
	on    bool    // it is on the front by its corrected value
	gain  float64 // by how much it is expected to improve the front
}

// candidates are the points within the layers that were not asked for, the best first.
func (l *Loop) candidates() []candidate {
	var f objectives.Front
	values := make([]objectives.Vector, len(l.points))
	for i := range l.points {
		if values[i] = l.at(i, 0, -1); l.out[i] {
			continue
		}
		f.Add(&objectives.Point{Name: l.points[i].Name, V: values[i]})
	}
	front := f.Points()
	ideal, nadir := objectives.Corners(front)
	var out []candidate
	for i := range l.points {
		if l.asked[i] || l.high[i] != nil {
			continue
		}
		on := !f.Covered(values[i])
		if !on && (l.round == 0 || f.Covered(l.at(i, layers, -1))) {
			continue
		}
		c := candidate{place: i, on: on}
		if l.round > 0 {
			c.gain = l.gain(i, front, ideal, nadir)
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		if a.on != b.on {
			if a.on {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.gain, a.gain)
	})
	return out
}

// draws are how much better than its corrected value a design may turn out, in standard deviations, with the chance of about that.
var draws = []struct{ sd, chance float64 }{{1, 0.2417}, {2, 0.0606}, {3, 0.0060}}

// gain is the expected improvement of the front by a design, as a part of its range: in each measured objective alone, and in all together. By
// how much a vector improves a front is the least by which some point of it would have to move to be as good: expected maximin improvement
// (Svenson, Santner, "Multiobjective optimization of expensive-to-evaluate deterministic computer simulator models", Computational Statistics
// and Data Analysis 94, 2016), by a rule of three points instead of an integral.
func (l *Loop) gain(i int, front []*objectives.Point, ideal, nadir objectives.Vector) float64 {
	sum := 0.0
	for _, d := range draws {
		for j, c := range l.fits {
			if c != nil {
				sum += d.chance * improvement(l.at(i, d.sd, j), front, ideal, nadir)
			}
		}
		sum += d.chance * d.chance * improvement(l.at(i, d.sd, -1), front, ideal, nadir)
	}
	return sum
}

// improvement is the least over the points of a front of the most by which v is better in an objective, as a part of its range; 0 where
// v is dominated.
func improvement(v objectives.Vector, front []*objectives.Point, ideal, nadir objectives.Vector) float64 {
	least := 1.0
	for _, p := range front {
		most := 0.0
		for j, x := range p.V {
			if span := nadir[j] - ideal[j]; span > 0 && x > v[j] {
				most = max(most, (x-v[j])/span)
			}
		}
		if least = min(least, most); least == 0 {
			break
		}
	}
	return least
}

// first takes the first of the candidates that were not asked for, at most so many. Of those on the front, if not all fit, it takes some that are
// evenly spread over it.
func (l *Loop) first(cs []candidate, most int) []int {
	cs = slices.DeleteFunc(cs, func(c candidate) bool { return l.asked[c.place] })
	on := 0
	for on < len(cs) && cs[on].on {
		on++
	}
	if on > most {
		slices.SortStableFunc(cs[:on], func(a, b candidate) int {
			return slices.Compare(l.points[a.place].Low, l.points[b.place].Low)
		})
		for k := range most {
			cs[k] = cs[k*(on-1)/max(most-1, 1)]
		}
	}
	var out []int
	for _, c := range cs[:min(most, len(cs))] {
		if c.on || c.gain > 0 {
			out = append(out, c.place)
		}
	}
	return out
}

// random draws n points that were not asked for, from all families alike.
func (l *Loop) random(n int) []int {
	byFamily := make([][]int, l.opt.Families)
	for i := range l.points {
		if !l.asked[i] {
			f := l.points[i].Family
			byFamily[f] = append(byFamily[f], i)
		}
	}
	rng := stream.New(l.opt.Seed, "fidelity", uint64(l.round))
	var out []int
	for len(out) < n {
		before := len(out)
		for f := range byFamily {
			if m := len(byFamily[f]); m > 0 && len(out) < n {
				k := rng.IntN(m)
				out = append(out, byFamily[f][k])
				byFamily[f][k] = byFamily[f][m-1]
				byFamily[f] = byFamily[f][:m-1]
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}
