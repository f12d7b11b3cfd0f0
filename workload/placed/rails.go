package placed

import "toposearch/workload"

// Rails is a tree whose leaves are those of rails: endpoints in a row take turns to hang on them (Subtree.Across), as those of a server do.
type Rails struct{ Tree }

// byRuns counts who leaves a subtree, or, where groups do not lie alike, messages.
func (r Rails) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l := &loaded{own: float64(p.sends(of))}
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

// counted is what the busiest subtree of each level carries, message by message.
func (r Rails) counted(of workload.Group, p pattern, ranks int) []float64 {
	l := r.loads()
	p.each(of, func(shift int) {
		shifted{of, shift}.runs(0, ranks, func(from, to, n int) {
			for i := range n {
				l.add(from+i, to+i, 1)
			}
		})
	})
	return l.levels()
}

// closed is left to byRuns, which knows how many ranks there are: the leaves of all rails may be filled in part.
func (r Rails) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }
