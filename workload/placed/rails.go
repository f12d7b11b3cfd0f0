package placed

import (
	"slices"

	"toposearch/workload"
)

// Rails is a tree whose leaves are those of rails: endpoints in a row take turns to hang on them (Subtree.Across), as those of a server do.
type Rails struct{ Tree }

// byRuns counts who leaves a subtree, or, where groups do not lie alike, messages.
func (r Rails) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l := &loaded{own: float64(p.sends(of)), share: 1}
	for _, b := range r.Tree {
		leave, ok := b.leaving(of, p, ranks)
		if !ok {
			l.levels = r.counted(of, p, ranks)
			break
		}
		l.levels = append(l.levels, leave)
	}
	return l
}

// Alike tells whether all subtrees of a level that have any of so many ranks have as many of each group.
func (r Rails) Alike(g workload.Group, ranks int) bool {
	for _, b := range r.Tree {
		if _, groups := b.holds(g, ranks); g.Size > 1 && groups == 0 {
			return false
		}
	}
	return true
}

// counted is what the busiest subtree of each level carries, run by run.
func (r Rails) counted(of workload.Group, p pattern, ranks int) []float64 {
	most := make([]float64, len(r.Tree))
	for i, b := range r.Tree {
		turns := max(b.Across, 1)
		row := turns * b.Endpoints // of endpoints that hang on as many subtrees
		room := make([]int, 2*((ranks+row-1)/row)*turns)
		out, in := room[:len(room)/2], room[len(room)/2:]
		p.each(of, func(shift int) {
			shifted{of, shift}.runs(0, ranks, func(from, to, n int) {
				bySwitch(row, from, to, n, func(from, to, n int) {
					if b.number(from) != b.number(to) {
						b.pass(out, from, n)
						b.pass(in, to, n)
					}
				})
			})
		})
		most[i] = float64(slices.Max(room))
	}
	return most
}

// pass adds so many messages of endpoints in a row, which hang on as many subtrees as take turns.
func (b Subtree) pass(carried []int, endpoint, n int) {
	turns := max(b.Across, 1)
	first := endpoint / (turns * b.Endpoints) * turns
	for i := range min(n, turns) {
		carried[first+(endpoint+i)%turns] += (n - i + turns - 1) / turns
	}
}

// closed is left to byRuns, which knows how many ranks there are: the leaves of all rails may be filled in part.
func (r Rails) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }
