package branch

import (
	"context"

	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/topology"
)

// nearest judges a design by each of the problems of Loosened, and returns that by which it misses least, of all parts if none has those that it needs. What misses
// nothing but ports with a switch misses no less with a larger one. done is false if one judgement was not.
func nearest(loose []*search.Problem, judge func(*search.Problem) (j Judged, done bool, err error)) (best Judged, by *search.Problem, done bool, err error) {
	for _, p := range loose {
		j, done, err := judge(p)
		if err != nil || !done {
			return j, p, done, err
		}
		if by == nil || best.NoPart || !j.NoPart && violationOf(j.Misses) < violationOf(best.Misses) {
			best, by = j, p
		}
		if !j.NoPart && len(j.Misses) == 1 && j.Misses[0].Constraint == metric.RejectPorts {
			break
		}
	}
	return best, by, true, nil
}

// Nearest is the one of the problems of Loosened by which a design misses least, as in the search for the closest design.
func Nearest(ctx context.Context, loose []*search.Problem, d topology.Design) (*search.Problem, error) {
	_, by, _, err := nearest(loose, func(p *search.Problem) (Judged, bool, error) {
		j, err := JudgeDesign(ctx, p, d)
		return j, true, err
	})
	return by, err
}
