package fidelity

import (
	"math"
	"slices"

	"toposearch/objectives"
)

// Options of a loop.
type Options struct {
	Families int
	// Measured are the objectives that a simulation measures; the others are exact by the model. A modelled value of 0 is not corrected.
	Measured []bool
	Most     int     // simulations in all; at least 1
	Explore  float64 // the share of them that is chosen at random, in [0, 1)
	Rounds   int     // between which Most is divided while the front moves; at least 1
	Seed     uint64
}

// Loop chooses what to simulate, round by round. It belongs to one goroutine.
type Loop struct {
	points []Point
	opt    Options
	layout *layout
	sums   []*sums // by objective; nil where it is not measured
	fits   []*Correction

	high   []objectives.Vector // measured, by place; nil: not yet
	asked  []bool
	out    []bool // not admitted to the front
	spent  int
	round  int
	stays  bool
	before []int // the front at the end of the last round
}

// New begins a loop over points, which it keeps.
func New(points []Point, opt Options) *Loop {
	l := &Loop{points: points, opt: opt, layout: newLayout(points, opt.Families), high: make([]objectives.Vector, len(points)),
		asked: make([]bool, len(points)), out: make([]bool, len(points)), sums: make([]*sums, len(opt.Measured)), fits: make([]*Correction, len(opt.Measured))}
	for j, m := range opt.Measured {
		if m {
			l.sums[j] = newSums(l.layout)
			l.fits[j] = l.sums[j].fit(l.layout)
		}
	}
	return l
}

// Tell takes what was measured at places that Ask gave, in their order: whole vectors, of which those entries count that are measured; nil
// for a design that cannot be simulated, which keeps its corrected value.
func (l *Loop) Tell(places []int, high []objectives.Vector) {
	for k, i := range places {
		p := &l.points[i]
		if high[k] == nil {
			continue
		}
		v := slices.Clone(p.Low)
		for j, m := range l.opt.Measured {
			if !m {
				continue
			}
			v[j] = high[k][j]
			if y := math.Log(v[j] / p.Low[j]); !math.IsNaN(y) && !math.IsInf(y, 0) {
				l.sums[j].add(l.layout, p, y)
			}
		}
		l.high[i] = v
	}
	for j, s := range l.sums {
		if s != nil {
			l.fits[j] = s.fit(l.layout)
		}
	}
	front := l.Front()
	measured := !slices.ContainsFunc(front, func(i int) bool { return l.high[i] == nil && !l.asked[i] })
	l.stays = measured && slices.Equal(front, l.before)
	l.before = front
}

// Exclude keeps a point off the front: by what was measured of it, it is not admitted.
func (l *Loop) Exclude(i int) { l.out[i] = true }

// Ratio is by what the model's value of a point is corrected in a measured objective, with where a measurement is expected with 95 %.
func (l *Loop) Ratio(i, j int) Ratio { return l.fits[j].Of(&l.points[i]) }

// Stays tells whether the front of corrected values has stayed over the last round, all of it measured or found not to be measurable.
func (l *Loop) Stays() bool { return l.stays }

// Spent is the number of simulations asked for.
func (l *Loop) Spent() int { return l.spent }

// Round is the number of rounds asked for.
func (l *Loop) Round() int { return l.round }

// Measured is what was measured of a point, nil if nothing was.
func (l *Loop) Measured(i int) objectives.Vector { return l.high[i] }

// Correction is that of an objective; nil where the model is exact.
func (l *Loop) Correction(j int) *Correction { return l.fits[j] }

// Value is what a point is taken for: its measurement, or else the model's value, corrected.
func (l *Loop) Value(i int) objectives.Vector { return l.at(i, 0, -1) }

// at is a point's value where a corrected objective, or each of them (-1), is better by so many standard deviations.
func (l *Loop) at(i int, better float64, only int) objectives.Vector {
	if l.high[i] != nil {
		return l.high[i]
	}
	v := slices.Clone(l.points[i].Low)
	for j, c := range l.fits {
		if c == nil || v[j] == 0 {
			continue
		}
		m, s := c.Predict(&l.points[i])
		if only >= 0 && j != only {
			s = 0
		}
		if v[j] < 0 { // more is better
			v[j] *= math.Exp(m + better*s)
		} else {
			v[j] *= math.Exp(m - better*s)
		}
	}
	return v
}

// Front are the places of the points whose Value no other's dominates, in order.
func (l *Loop) Front() []int {
	var f objectives.Front
	at := map[string]int{}
	for i := range l.points {
		if !l.out[i] && f.Add(&objectives.Point{Name: l.points[i].Name, V: l.Value(i)}) {
			at[l.points[i].Name] = i
		}
	}
	return placesOf(&f, at)
}

func placesOf(f *objectives.Front, at map[string]int) []int {
	var out []int
	for _, p := range f.Points() {
		out = append(out, at[p.Name])
	}
	slices.Sort(out)
	return out
}
