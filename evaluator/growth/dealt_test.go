package growth

import (
	"math/rand/v2"
	"testing"
)

// hung draws boxes joined at random with servers of per endpoints, each with a cable to one box or another.
func hung(rng *rand.Rand, boxes, cables, ends, per int) *Network {
	n := random(rng, boxes, cables)
	n.Endpoints, n.PerServer = ends, per
	for e := range ends {
		n.Cables = append(n.Cables, Cable{A: int32(boxes + e), B: int32(rng.IntN(boxes)), LaidM: float64(1 + rng.IntN(2)), StockM: 2, Part: cable})
	}
	n.place = make([]Place, n.vertices())
	n.index()
	return n
}

// most is what the best of all matches of two tiny networks keeps: boxes with any part or none, servers and their endpoints with any places.
func most(old, to *Network) (best int) {
	x := (&matcher{old: old, to: to}).none()
	per := old.PerServer
	first, firstTo := int32(len(old.Boxes)), int32(len(to.Boxes))
	var place func(u int32)
	place = func(u int32) {
		if int(u) == old.vertices() {
			best = max(best, Kept(old, to, x, all))
			return
		}
		from, end := int32(0), firstTo
		if u >= first {
			from, end = firstTo, int32(to.vertices())
			if s := (u - first) % int32(per); s > 0 { // in the server of the one before
				from = firstTo + (x.New[u-1]-firstTo)/int32(per)*int32(per)
				end = min(end, from+int32(per))
			}
		}
		for v := from; v < end; v++ {
			if x.Old[v] >= 0 {
				continue
			}
			if t := firstTo + (v-firstTo)/int32(per)*int32(per); u >= first && (u-first)%int32(per) == 0 { // a server that holds nobody yet
				held := false
				for w := t; w < min(t+int32(per), int32(to.vertices())); w++ {
					held = held || x.Old[w] >= 0
				}
				if held {
					continue
				}
			}
			x.pair(u, v)
			place(u + 1)
			x.New[u], x.Old[v] = -1, -1
		}
		if u < first {
			place(u + 1)
		}
	}
	place(0)
	return best
}

// No plan keeps more cables than the best of all matches, and most keep as many: tiny networks with endpoints alone and in servers of 2 and 3, growing into more boxes and into fewer.
func TestAgainstAllServers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	equal, found, best, cases := 0, 0, 0, 100
	for i := range cases {
		per := 1 + i%3
		old := hung(rng, 2+rng.IntN(3), 2+rng.IntN(3), per*(1+rng.IntN(2))+rng.IntN(2)*(2-per%2), per)
		to := hung(rng, 2+rng.IntN(3), 2+rng.IntN(4), (old.Endpoints+per-1)/per*per+rng.IntN(2)*per, per)
		m := &matcher{old: old, to: to, rules: all}
		p := planOf(t, old, to)
		if per > 1 && !m.intact(p.Match) {
			t.Errorf("case %d: a server comes apart", i)
		}
		want := most(old, to)
		if p.CablesKept > want || p.MostKept < want {
			t.Errorf("case %d: found %d, best %d, bound %d", i, p.CablesKept, want, p.MostKept)
		}
		if p.CablesKept == want {
			equal++
		}
		found, best = found+p.CablesKept, best+want
	}
	t.Logf("%d of %d are best, %d of %d cables", equal, cases, found, best)
	if equal < 90 {
		t.Errorf("%d of %d keep as many as the best, %d of %d cables", equal, cases, found, best)
	}
}
