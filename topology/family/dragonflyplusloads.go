package family

import "math"

// dragonflyplusParams are the parameters of dragonflyplus by name.
type dragonflyplusParams []int

func (v dragonflyplusParams) l() int { return v[0] }
func (v dragonflyplusParams) m() int { return v[1] }
func (v dragonflyplusParams) p() int { return v[2] }
func (v dragonflyplusParams) h() int { return v[3] }
func (v dragonflyplusParams) g() int { return v[4] }

func dragonflyplusGlobals(v []int) globals {
	d := dragonflyplusParams(v)
	return globals{g: d.g(), n: d.m() * d.h(), arrangement: palmtree}
}

// dragonflyplusMost bounds the values of dragonflyplus, for memory on the stack.
const dragonflyplusMost = 512

// dragonflyplusPeaks walks the global ports of one group, all groups being alike, in units of the
// traffic of a leaf with another group. It gives the load of the busiest channel between leaf and spine
// in the busier direction, that of all channels of a leaf in both directions, and the load of the
// busiest global link over their mean. It is exact and takes m*h steps. A group at rank k of
// the arrangement is reached by the ports k, k+g-1, k+2(g-1), ..., and perhaps by a spare one.
func dragonflyplusPeaks(v []int) [3]float64 {
	d := dragonflyplusParams(v)
	x := dragonflyplusGlobals(v)
	w := spineLoads{x: x, h: d.h()}
	w.walk()
	sum, busiest := 0.0, 0.0
	for t := range d.m() {
		sum += w.up[t] + w.down[t]
		busiest = max(busiest, w.up[t], w.down[t])
	}
	return [3]float64{busiest, sum, w.most / (float64(x.g-1) / float64(x.used()))}
}

// mostBusiest bounds the rounds of ports that dragonflyplusBusiest looks at, over all numbers of groups: some hundred
// take a microsecond, and with many rounds loads differ little.
const mostBusiest = 256

// dragonflyplusBusiest bounds from below the load of the busiest channel between leaf and spine, as a fraction of an
// endpoint's rate, over so many groups with all other parameters as in v; 0 if it says nothing. Of the
// groups to which no spare port leads, each is reached by one spine a round at most, and some spine has its
// global ports to such groups, or most of them.
func dragonflyplusBusiest(v []int, groups [2]int64) float64 {
	l, m, p, h := v[0], v[1], v[2], v[3]
	g := int(groups[0])
	if rounds := m*h/max(g-1, 1) + 1; rounds*int(groups[1]-groups[0]+1) > mostBusiest {
		return 0
	}
	least := math.Inf(1)
	for ; g <= int(groups[1]); g++ {
		x := globals{g: g, n: m * h, arrangement: palmtree}
		if g < 2 || h > g-1 || g > m*h+1 {
			return 0
		}
		r := x.rounds()
		from, to := x.spare()/2, g-1-x.spare()/2 // ranks in a round without spare ports,
		odd := x.spare() % 2                     // but for the opposite group, perhaps
		most := 0
		for k := range r {
			first := (k*(g-1) + from) / h // the spine at which they begin, and the next
			for t := first; t <= first+1 && (t+1)*h <= r*(g-1); t++ {
				most = max(most, min(k*(g-1)+to, (t+1)*h)-max(k*(g-1)+from, t*h)-odd)
			}
		}
		up := float64(most)/float64(r) + float64(h-most)/float64(r+1)
		if most == 0 {
			up = 0
		}
		// Of what a leaf sends, so much goes to each group, and evenly over the spines to its own.
		least = min(least, float64(p)/float64(g)*(up+float64(l-1)/float64(l*m)))
	}
	return least
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

// walk adds up the loads. Ports of a rank are g-1 apart, and so are those at their far ends, which are
// the ports of the mirrored rank: both are followed by additions, spine by spine.
func (w *spineLoads) walk() {
	h, step, rounds := w.h, w.x.g-1, w.x.rounds() // at least 1, as g <= m*h+1
	ds, dr := step/h, step%h
	for rank := range step {
		extra := w.extra(rank)
		last := (rank + (rounds-1)*step) / h // spine of the last port that is not spare
		spines := rounds
		if step < h { // the ports miss no spine
			spines = last - rank/h + 1
		}
		if extra >= 0 && extra/h != last {
			spines++
		}
		back := step - 1 - rank
		t, r := back/h, back%h
		for k, q := 0, rank; k < rounds; {
			s, n := q/h, 1
			if step < h {
				n = min(((s+1)*h-1-q)/step+1, rounds-k)
			}
			ports := n
			if k += n; k == rounds && extra >= 0 && extra/h == s {
				ports++
			}
			load := w.load(spines, ports)
			for range n {
				w.up[s] += load
				w.down[t] += load
				if t, r = t+ds, r+dr; r >= h {
					t, r = t+1, r-h
				}
			}
			if ports > n {
				w.spare(extra, load)
			}
			q += n * step
		}
		if extra >= 0 && extra/h != last {
			w.spare(extra, w.load(spines, 1))
		}
	}
}

// load is that of each port, if the given number of spines share what goes to a group, and the given number of
// ports what a spine has of it.
func (w *spineLoads) load(spines, ports int) float64 {
	x := 1 / float64(spines) / float64(ports)
	w.most = max(w.most, x)
	return x
}

func (w *spineLoads) spare(q int, load float64) {
	_, to := w.x.peer(0, q)
	w.up[q/w.h] += load
	w.down[to/w.h] += load
}
