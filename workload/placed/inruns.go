package placed

// inRuns is loaded of a pattern of endpoints without domains, of a shape of which it is known what endpoints in a row load that send to as many; nil of others. (Those of a
// block of Blocks do not load links alike: its own count.)
func (n *Network) inRuns(k key) *loaded {
	c := &loaded{own: float64(k.sends(k.group)), share: 1}
	switch x := n.Shape.(type) {
	case *Grid:
		if x.known(c, k, len(n.Endpoint), n.Detours != nil && !k.together(k.group)) {
			return c
		}
		l := n.runs(x, k)
		if c.levels = l.levels(); n.Detours != nil && !k.together(k.group) {
			c.ways = l.ways()
		}
		x.again(l)
	case Tree:
		c.levels = x.inRows(k.group, k.pattern, len(n.Endpoint))
	default:
		return nil
	}
	return c
}

// known is loaded, with ways if it is asked for them, of links that are alike counted once; false: of none that is known. What all send to all has many moves, and is faster counted by rows.
func (g *Grid) known(c *loaded, k key, ranks int, ways bool) (ok bool) {
	if !k.All {
		if c.levels, c.ways, ok = g.byLines(k.group, k.pattern, ranks, ways); ok {
			return true
		}
	}
	if c.levels, c.ways, ok = g.byRows(k.group, k.pattern, ranks, ways); !ok && k.All {
		c.levels, c.ways, ok = g.byLines(k.group, k.pattern, ranks, ways)
	}
	return ok
}

// runs are the loads of a grid: what the endpoints of a switch send to those of another is one message.
func (n *Network) runs(g *Grid, k key) *gridLoads {
	shifts := 1
	if k.All {
		shifts = k.group.Size - 1
	}
	l := g.loadsOf(shifts * min(len(n.Endpoint), 2*(len(n.Endpoint)/g.PerSwitch+1)))
	k.each(k.group, func(shift int) { shifted{k.group, shift}.runs(0, len(n.Endpoint), l.run) })
	return l
}

// waysInRuns are the ways of a pattern of endpoints without domains on a shape of which it is known how they are best divided.
func (n *Network) waysInRuns(k key) []busiest {
	switch x := n.Shape.(type) {
	case *Groups:
		l := x.sent(k.group, k.pattern, len(n.Endpoint))
		return l.ways()
	case *Grid:
		if c := new(loaded); x.known(c, k, len(n.Endpoint), true) {
			return c.ways
		}
		l := n.runs(x, k)
		defer x.again(l)
		return l.ways()
	}
	return nil
}
