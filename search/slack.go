package search

import (
	"slices"

	"toposearch/objectives"
)

// Slacken is a vector as a front holds it: worse by the slack of each objective, so that what is not worse than a design by more than
// that is not dominated by it. Without slack it is v itself.
func (p *Problem) Slacken(v objectives.Vector) objectives.Vector {
	if p.Slack == nil {
		return v
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
