package topology

// queue is a plain breadth-first search.
type queue struct {
	p           *probe
	dist, dist2 []int32
	order       []SwitchID
}

func newQueue(p *probe) *queue {
	q := &queue{p: p, dist: make([]int32, p.nodes)}
	if p.bare {
		q.dist2 = make([]int32, p.nodes)
	}
	return q
}

func (q *queue) search(s source, t *tally) {
	p := q.p
	ports := p.entry[p.setStart[s.set]:p.setStart[s.set+1]]
	q.order = flood(p.start, p.to, ports, p.dead, q.dist, q.order)
	if p.bare {
		q.order = flood(p.start2, p.to2, ports, p.dead, q.dist2, q.order)
	}
	for i, c := range p.count {
		exit := p.exit[p.exitStart[i]:p.exitStart[i+1]]
		d := nearest(q.dist, exit)
		if d < 0 {
			continue
		}
		t.pairs = bump(t.pairs, int(d), c*s.weight)
		if p.bare && nearest(q.dist2, exit) == d {
			t.noNic = bump(t.noNic, int(d), c*s.weight)
		}
	}
}

func nearest(dist []int32, ports []SwitchID) int32 {
	best := int32(-1)
	for _, s := range ports {
		if d := dist[s]; d >= 0 && (best < 0 || d < best) {
			best = d
		}
	}
	return best
}

// flood fills dist with the distances to the nearest of the ports, -1 where there is no path. It
// counts paths from the ports, batch those to them: over all ordered pairs that is the same.
func flood(start []int32, to, ports []SwitchID, dead SwitchID, dist []int32, order []SwitchID) []SwitchID {
	for i := range dist {
		dist[i] = -1
	}
	order = order[:0]
	for _, s := range ports {
		if s != dead && dist[s] < 0 {
			dist[s] = 0
			order = append(order, s)
		}
	}
	for i := 0; i < len(order); i++ {
		s := order[i]
		d := dist[s] + 1
		for _, v := range to[start[s]:start[s+1]] {
			if dist[v] < 0 && v != dead {
				dist[v] = d
				order = append(order, v)
			}
		}
	}
	return order
}
