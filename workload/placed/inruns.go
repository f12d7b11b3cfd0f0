package placed

// inRow is how many endpoints in a row, from a multiple of it, load the links of a shape alike if they send to the same; 0 where that is not known. (Of Blocks those of a
// block do not: its links count.)
func inRow(s Shape) int {
	switch x := s.(type) {
	case *Grid:
		return x.PerSwitch
	case Tree:
		if len(x) > 0 {
			return x[0].Endpoints
		}
	}
	return 0
}

// inRuns is loaded of a pattern of ranks in order without domains: what so many endpoints in a row (inRow) send to as many is one message.
func (n *Network) inRuns(k key, per int) *loaded {
	c := &loaded{own: float64(k.sends(k.group))}
	if t, ok := n.Shape.(Tree); ok {
		c.levels = t.inRows(k.group, k.pattern, len(n.Endpoint))
		return c
	}
	l := n.runs(k, per)
	if c.levels = l.levels(); n.Detours != nil && !k.together(k.group) {
		c.ways = l.ways()
	}
	if g, ok := n.Shape.(*Grid); ok {
		g.again(l.(*gridLoads))
	}
	return c
}

// runs are the loads.
func (n *Network) runs(k key, per int) (l shapeLoads) {
	g, isGrid := n.Shape.(*Grid)
	if isGrid {
		shifts := 1
		if k.All {
			shifts = k.group.Size - 1
		}
		l = g.loadsOf(shifts * min(len(n.Endpoint), 2*(len(n.Endpoint)/per+1)))
	} else {
		l = n.Shape.loads()
	}
	k.each(k.group, func(shift int) {
		shifted{k.group, shift}.runs(0, len(n.Endpoint), func(from, to, some int) {
			if isGrid {
				l.(*gridLoads).run(from, to, some)
			} else {
				bySwitch(per, from, to, some, func(from, to, some int) { l.add(from, to, float64(some)) })
			}
		})
	})
	return l
}

// waysInRuns are the ways of a pattern of ranks in order without domains on a shape of which it is known how they are best divided.
func (n *Network) waysInRuns(k key) []busiest {
	switch x := n.Shape.(type) {
	case *Groups:
		l := x.sent(k.group, k.pattern, len(n.Endpoint))
		return l.ways()
	case *Grid:
		l := n.runs(k, x.PerSwitch)
		defer x.again(l.(*gridLoads))
		return l.ways()
	}
	return nil
}
