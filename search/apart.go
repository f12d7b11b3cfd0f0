package search

import (
	"slices"

	"toposearch/objectives"
)

// Allow runs f with at most so many evaluations, of those that the budget has left. stop is "" where f ended at these and the budget has more.
func (d *Driver) Allow(most int64, f func() (stop string, err error)) (stop string, err error) {
	left := d.Left
	if left < 0 || left > most {
		d.Left = most
	}
	given := d.Left
	d.aside = max(left-given, 0)
	stop, err = f()
	d.aside = 0
	if left >= 0 {
		left -= given - d.Left
	}
	if d.Left = left; left != 0 && stop == StopEvaluations {
		stop = ""
	}
	return stop, err
}

// Apart runs f with another problem over the same spaces, a front of its own and at most so many evaluations, of those that the budget has left.
// What was evaluated stays known, also afterwards; what bounds or the front decided is forgotten. Counts are those before, but for Prog.Evaluated.
func (d *Driver) Apart(p *Problem, most int64, f func() error) error {
	was := *d
	d.P, d.Front, d.results, d.best, d.recall = p, Archive{}, nil, nil, was.recall.apart()
	d.Tally, d.PerFam, d.Met = make([]Tally, len(p.Spaces)), slices.Clone(d.PerFam), slices.Clone(d.Met)
	_, err := d.Allow(most, func() (string, error) { return "", f() })
	was.recall.join(&d.recall)
	d.P, d.Front, d.results, d.best, d.recall = was.P, was.Front, was.results, was.best, was.recall
	d.Tally, d.PerFam, d.Met = was.Tally, was.PerFam, was.Met
	return err
}

// Evaluated gives the feasible designs of a space that were evaluated, ordered by objectives, then by name.
func (d *Driver) Evaluated(space int) []Member {
	var out []Member
	for k, s := range d.recall.evaluated {
		c := ofKey(k)
		if c.Space == space && s.Feasible() {
			out = append(out, Member{Candidate: c, Vector: s.V, Name: d.P.Name(c)})
		}
	}
	slices.SortFunc(out, func(a, b Member) int {
		return objectives.Order(&objectives.Point{V: a.Vector, Name: a.Name}, &objectives.Point{V: b.Vector, Name: b.Name})
	})
	return slices.CompactFunc(out, func(a, b Member) bool { return a.Name == b.Name })
}

// ofKey is the candidate of a Key.
func ofKey(k string) Candidate {
	c := Candidate{Space: int(k[0]) | int(k[1])<<8}
	for b := k[2:]; len(b) > 0; b = b[4:] {
		c.V = append(c.V, int(int32(uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24)))
	}
	return c
}
