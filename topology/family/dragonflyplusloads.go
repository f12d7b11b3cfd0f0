package family

// dragonflyplusMost bounds the values of dragonflyplus, for memory on the stack.
const dragonflyplusMost = 512

// dragonflyplusPeaks walks the global ports of one group, all groups being alike, in units of the
// traffic of a leaf with another group. It gives the load of the busiest channel between leaf and spine
// in the busier direction, that of all channels of a leaf in both directions, and the load of the
// busiest global link over their mean. It is exact and takes m*h steps. A group at rank k of
// the arrangement is reached by the ports k, k+g-1, k+2(g-1), ..., and perhaps by a spare one.
func dragonflyplusPeaks(v []int) [3]float64 {
	x := dragonflyplusGlobals(v)
	w := spineLoads{x: x, h: v[3]}
	if x.g-1 >= v[3] {
		w.apart()
	} else {
		w.together()
	}
	sum, busiest := 0.0, 0.0
	for t := range v[1] {
		sum += w.up[t] + w.down[t]
		busiest = max(busiest, w.up[t], w.down[t])
	}
	return [3]float64{busiest, sum, w.most / (float64(x.g-1) / float64(x.used()))}
}

// spineLoads are the loads of the spines of a group with h global ports each, from and to other groups,
// and that of the busiest port.
type spineLoads struct {
	x        globals
	h        int
	up, down [dragonflyplusMost]float64
	most     float64
}

// extra is the spare port to the group at rank r, -1 if there is none: spare ports lead to the groups
// at distances 1, 2, ... both ways, and perhaps to the opposite one.
func (w *spineLoads) extra(r int) int {
	g, spare := w.x.g, w.x.spare()
	full, d := w.x.rounds()*(g-1), g-1-r
	switch {
	case spare%2 == 1 && 2*d == g:
		return full + spare - 1
	case d <= spare/2:
		return full + 2*(d-1)
	case g-d <= spare/2:
		return full + 2*(g-d-1) + 1
	}
	return -1
}

// apart adds up loads where the ports of a spine lead to different groups, but for a spare one: ports of
// a rank are g-1 apart, and so are those at their far ends, which are the ports of the mirrored rank.
func (w *spineLoads) apart() {
	h, step, rounds := w.h, w.x.g-1, w.x.rounds() // at least 1, as g <= m*h+1
	ds, dr := step/h, step%h
	for rank := range step {
		extra := w.extra(rank)
		shared := extra >= 0 && extra/h == (rank+(rounds-1)*step)/h
		spines, alone := rounds, rounds
		switch {
		case shared:
			alone--
		case extra >= 0:
			spines++
		}
		load := 1 / float64(spines)
		if spines > 1 || !shared {
			w.most = max(w.most, load)
		}
		back := step - 1 - rank
		s, r, t, q := rank/h, rank%h, back/h, back%h
		for range alone {
			w.up[s] += load
			w.down[t] += load
			s, r, t, q = s+ds, r+dr, t+ds, q+dr
			if r >= h {
				s, r = s+1, r-h
			}
			if q >= h {
				t, q = t+1, q-h
			}
		}
		if shared {
			load /= 2
			w.most = max(w.most, load)
			w.up[s] += load
			w.down[t] += load
		}
		if extra >= 0 {
			_, to := w.x.peer(0, extra)
			w.up[extra/h] += load
			w.down[to/h] += load
		}
	}
}

// together is the same whatever the ports of a spine lead to.
func (w *spineLoads) together() {
	x, h, g := w.x, w.h, w.x.g
	full := x.rounds() * (g - 1)
	for rank := range g - 1 {
		extra := w.extra(rank)
		spines := 0
		dragonflyplusPorts(rank, g-1, full, extra, h, func(first, ports int) { spines++ })
		if spines == 0 {
			continue
		}
		dragonflyplusPorts(rank, g-1, full, extra, h, func(first, ports int) {
			load := 1 / float64(spines) / float64(ports)
			w.most = max(w.most, load)
			// A leaf sends its share of the load to the spine, and gets its share at the far end.
			for k := range ports {
				q := first + k*(g-1)
				if q >= full {
					q = extra
				}
				_, to := x.peer(0, q)
				w.up[q/h] += load
				w.down[to/h] += load
			}
		})
	}
}

// dragonflyplusPorts visits the ports first, first+step, ... below full and then extra, unless it is
// negative, spine by spine: those of a spine, of which each has h, follow one another.
func dragonflyplusPorts(first, step, full, extra, h int, spine func(first, ports int)) {
	from, n := first, 0
	for q := first; ; q += step {
		at := q
		if q >= full {
			at = extra
		}
		if n > 0 && (at < 0 || at/h != from/h) {
			spine(from, n)
			n = 0
		}
		if at < 0 {
			return
		}
		if n == 0 {
			from = q
		}
		n++
		if q >= full {
			spine(from, n)
			return
		}
	}
}
