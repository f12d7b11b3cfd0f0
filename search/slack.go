package search

import (
	"slices"

	"toposearch/objectives"
)

// Held is where a front holds a design that was evaluated: worse than its vector by the slack of each objective, or better by the tolerance of the study, so
// that it excludes also what is better by less than that. Both keep the order of values, so that members of a front do not
// dominate one another there if they do not by themselves. nil: at its vector.
func (p *Problem) Held(v objectives.Vector) objectives.Vector {
	if p.Slack != nil || p.Tolerance == 0 {
		return p.Slackened(v)
	}
	w := slices.Clone(v)
	for j, o := range p.Objectives {
		w[j] = o.Improved(w[j], p.Tolerance)
	}
	return w
}

// Slackened is where a front holds a design of which only the worst that it can be is known: worse by the slack. nil: at its vector.
func (p *Problem) Slackened(v objectives.Vector) objectives.Vector {
	if p.Slack == nil {
		return nil
	}
	w := slices.Clone(v)
	for j, s := range p.Slack {
		if w[j] < 0 { // more is better
			w[j] *= 1 - s
		} else {
			w[j] *= 1 + s
		}
	}
	return w
}
