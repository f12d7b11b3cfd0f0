package placed

import "toposearch/workload"

// each gives to f all shifts of a pattern.
func (p pattern) each(of workload.Group, f func(shift int)) {
	if !p.All {
		f(p.Shift)
		return
	}
	for shift := 1; shift < of.Size; shift++ {
		f(shift)
	}
}

// shifted is a message of 1 from each of the first endpoints to that of its group which is so many places further on.
type shifted struct {
	of    workload.Group
	shift int
}

// runs gives to f the messages of some endpoints, those in a row that are as far from their destinations at once; -shift has those which they receive.
func (x shifted) runs(first, end int, f func(from, to, n int)) {
	block := x.of.Stride * x.of.Size
	ahead := (x.of.Stride*x.shift + block) % block
	for at := first; at < end; {
		place := at % block
		n, to := min(end-at, block-ahead-place), at+ahead
		if place >= block-ahead {
			n, to = min(end-at, block-place), at+ahead-block
		}
		f(at, to, n)
		at += n
	}
}

// bySwitch gives to f a run by the switches of sources and destinations, each with so many endpoints in a row.
func bySwitch(per, from, to, n int, f func(from, to, n int)) {
	for n > 0 {
		some := min(n, per-from%per, per-to%per)
		f(from, to, some)
		from, to, n = from+some, to+some, n-some
	}
}

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
	c, shifts := &loaded{own: 1}, 1
	if k.All {
		c.own, shifts = float64(k.group.Size-1), k.group.Size-1
	}
	var l shapeLoads
	g, isGrid := n.Shape.(*Grid)
	if isGrid {
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
	once := !k.All || k.group.Size == 2 // else what all send to all is one traffic, which makes no detours (traffic.together)
	if c.levels = l.levels(); n.Detours != nil && once {
		c.ways = l.ways()
	}
	if isGrid {
		g.again(l.(*gridLoads))
	}
	return c
}
