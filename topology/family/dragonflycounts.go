package family

import (
	"math"

	"toposearch/topology"
)

// dragonflyParams are the parameters of dragonfly by name.
type dragonflyParams []int

func (v dragonflyParams) p() int           { return v[0] }
func (v dragonflyParams) a() int           { return v[1] }
func (v dragonflyParams) h() int           { return v[2] }
func (v dragonflyParams) g() int           { return v[3] }
func (v dragonflyParams) arrangement() int { return v[4] }

func dragonflyGlobals(v []int) globals {
	d := dragonflyParams(v)
	return globals{d.g(), d.a() * d.h(), d.arrangement(), d.h()}
}

// dragonflyCount fills everything but the global links.
func dragonflyCount(v []int, s *topology.Size) {
	d := dragonflyParams(v)
	p, a, g := int64(d.p()), int64(d.a()), int64(d.g())
	s.Endpoints = p * a * g
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0], s.Link[1] = s.Endpoints, g*a*(a-1)/2
	s.Switch[0].Count = a * g
	s.Switch[0].Ports = ports(int32(p), int32(a-1), int32(d.h()))
}

// dragonflyBounds: of the a*h global ports of a group all but at most one are used; and one switch
// always has all h in use, since only the last port can be empty, unless it is the only one.
func dragonflyBounds(lo, hi []int, bl, bh *topology.Size) {
	low, high := dragonflyParams(lo), dragonflyParams(hi)
	dragonflyCount(lo, bl)
	dragonflyCount(hi, bh)
	bl.Link[2] = int64(low.g()) * int64(low.a()*low.h()-1) / 2
	bh.Link[2] = int64(high.g()) * int64(high.a()) * int64(high.h()) / 2
	if low.a() == 1 {
		bl.Switch[0].Ports[2]--
	}
}

// dragonflyWalks: groups of which not every pair has exactly one link are walked port by port.
func dragonflyWalks(v []int) bool {
	x := dragonflyGlobals(v)
	return !x.even()
}

// dragonflyPer bounds (p, a, h, g, arrangement) per endpoint. A switch reaches h others over one global
// link, h*h at most over two, and 2(a-1)h at most over one and one local link: all other switches of
// other groups are two local links away at least, and none of a group is less than one. Natural routes
// never take two global links.
func dragonflyPer(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
	low, high := dragonflyParams(lo), dragonflyParams(hi)
	p, a, h := reals(lo, hi, 0), reals(lo, hi, 1), reals(lo, hi, 2)
	out.Known = true
	out.Switch[0], out.Link[0], out.LinkMost[0] = 1/p.hi, 1, 1
	out.Link[1], out.LinkMost[1] = (a.lo-1)/(2*p.hi), (a.hi-1)/(2*p.lo)
	out.Link[2], out.LinkMost[2] = (h.lo-1/a.lo)/(2*p.hi), h.hi/(2*p.lo)
	n, m := float64(least), float64(most)
	groups := max(float64(low.g()), n/(a.hi*p.hi)) // as few as there can be
	out.Cross[0], out.Cross[2] = 2, 1-1/groups
	out.Cross[1] = dragonflyLocals(p, a, h, n, m, h.hi*h.hi)
	out.Flow[1], out.Flow[2] = max(dragonflyLocals(p, a, h, n, m, h.hi), dragonflyDetours(p, a, h, n, m, groups)), out.Cross[2]
	out.Load[2] = (1 - 1/groups) * p.lo / h.hi
	// Some pair of groups has no more links than every pair has, and its traffic shares them.
	if rounds := high.a() * high.h() / max(int(math.Ceil(groups*(1-1e-12)))-1, 1); rounds > 0 {
		out.Load[2] = max(out.Load[2], a.lo*p.lo*a.lo*p.lo/(m*float64(rounds)))
	}
	out.Hops = max(0, 1-p.hi/n) // other switches are a hop away at least
	out.Fan[0] = topology.Fan{Ends: p.lo, Every: 1}
	out.Fan[1] = topology.Fan{Ends: a.lo - 1, Every: p.lo, Switches: true}
	if groups > 1 {
		// In each round of ports, and among the spare ones, those of a switch lead to different groups, a switch may have ports
		// of both, and one of its ports may be empty.
		same, ends := math.Ceil(h.hi/(math.Ceil(groups*(1-1e-12))-1)), h.lo-1
		if groups == a.lo*h.lo+1 && a.lo == a.hi && h.lo == h.hi {
			ends = h.lo // one link to each group
		} else {
			same++
		}
		out.Fan[2] = topology.Fan{Ends: ends / same, Every: a.lo * p.lo, Step: 1, With: a.hi, OtherBlocks: true, Anywhere: true, Switches: true,
			Around: math.Ceil(groups*(1-1e-12)) - 1,
			Each:   max(1, low.a()*low.h()/(high.g()-1)),
			Share:  globalShare([2]int{low.a(), high.a()}, [2]int{low.h(), high.h()}, [2]int{low.g(), high.g()})}
		if low.a() == high.a() && low.g() == high.g() && low.g() <= low.a()*low.h()+1 {
			out.Fan[2].Spread = [2]int{low.h(), high.h()}
		}
	}
	if a.lo > 1 {
		out.VCs = 2
		out.Load[1] = out.Flow[1] * p.lo / (a.hi - 1)
	}
}

// dragonflyLocals bounds the local links of a route between two of n to m endpoints, if free switches of
// other groups are reached without any.
func dragonflyLocals(p, a, h real64, n, m, free float64) float64 {
	other := n - a.hi*p.hi // endpoints of other groups, at least
	x := max(0, other-free*p.hi) + max(0, other-(free+2*(a.hi-1)*h.hi)*p.hi)
	return min(x/n, 2) + p.lo*(a.lo-1)/m
}

// dragonflyDetours bounds the local links of a natural route between two of n to m endpoints in so many groups at least. With L
// links between two groups of a switches, at most L of either have one, and at most L of the a^2 pairs of switches lie at its ends: these routes have
// no local link, those between switches without a link two, all others one. That is a^2 + (a-L)^2 - L in all, or a^2 - L for L > a,
// convex in L, of which it lets a mean over all pairs of groups stand for each.
func dragonflyDetours(p, a, h real64, n, m, groups float64) float64 {
	if groups <= 1 {
		return 0
	}
	links := a.hi * h.hi / (groups - 1)
	each := 1 + sq(max(0, 1-h.hi/(groups-1))) - min(1, h.hi/((groups-1)*a.lo))
	if a.lo == a.hi && links < a.lo { // a pair has a whole number of links: between two of them the mean lies on the chord
		whole := math.Floor(links)
		part := links - whole
		each = 1 + ((1-part)*(sq(a.lo-whole)-whole)+part*(sq(a.lo-whole-1)-whole-1))/sq(a.lo)
	}
	return max(0, 1-a.hi*p.hi/n)*each + p.lo*(a.lo-1)/m
}

func sq(x float64) float64 { return x * x }

// dragonflyMostH is the most global links of a switch.
const dragonflyMostH = 512

// dragonflyWithin narrows (p, a, g, h), in this order: there are p*a*g endpoints, and 2 <= g <= a*h + 1.
func dragonflyWithin(v []int, i int, least, most int64) (lo, hi int64) {
	d := dragonflyParams(v)
	switch i {
	case 0: // p
		return 1, most / 2
	case 1: // a
		return 1, most / (2 * int64(d.p()))
	case 2: // h
		return int64((d.g() - 1 + d.a() - 1) / d.a()), beyond
	case 3: // g
		return withinProduct(int64(d.p())*int64(d.a()), least, most)
	}
	return 0, beyond
}
