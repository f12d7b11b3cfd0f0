package family

import (
	"math"

	"toposearch/topology"
)

// perRails bounds multirail per endpoint, where the levels are fixed.
func perRails(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
	low, high := multirailParams(lo), multirailParams(hi)
	if low.l() != high.l() {
		return
	}
	k, r, f, planes, d := reals(lo, hi, 0), reals(lo, hi, multirailR), reals(lo, hi, multirailF), reals(lo, hi, multirailPlanes), reals(lo, hi, multirailD)
	l := low.l()
	d.hi = min(d.hi, k.hi)
	if l > 1 { // the endpoints of the leaves that there may be
		m := real64{1, 1}
		for h := 2; h < l; h++ {
			x := downPorts(lo, hi, h)
			m.lo, m.hi = m.lo*x.lo, m.hi*x.hi
		}
		d.lo = max(d.lo, math.Floor(k.lo/2), float64(least)*r.lo/(float64(high.pods())*m.hi*planes.hi)*(1-1e-12))
		d.hi = max(d.lo, min(d.hi, k.hi-1, float64(most)*r.hi/(float64(low.pods())*m.lo*planes.lo)*(1+1e-12)))
	}
	out.Known, out.Uneven = true, 1
	out.Link[treeNic], out.LinkMost[treeNic] = r.lo, r.hi
	out.Cross[treeNic] = 2
	out.Switch[treeLeaf] = r.lo / d.hi
	if r.lo > 1 {
		out.Load[treeNic] = 1 / r.hi
	}
	w := max(1, r.hi/(planes.lo*f.lo)) // most ports of an endpoint on a leaf
	out.Fan[treeNic] = topology.Fan{Ends: max(1, d.lo/w), Every: 1}
	if l == 1 {
		return
	}
	fanRails(lo, hi, least, d, w, out)
	// u/d of a leaf: k-d ports up. in is the largest number of endpoints that meet below a level.
	up := real64{max(0, k.lo/d.hi-1), min(1, max(0, k.hi/d.lo-1))}
	in := d.hi * planes.hi / r.lo
	near := in * f.hi
	if high.mix() > 1 {
		near *= f.hi // those on any of the leaves of one
	}
	for h := 2; h <= l; h++ {
		c := (&tree{l: l}).class(h)
		out.Link[c], out.LinkMost[c] = up.lo*r.lo, up.hi*r.hi
		far := max(0, 1-near/float64(least))
		out.Cross[c], out.Flow[c] = 2*far, 2*far
		if up.hi > 0 {
			out.Load[c] = far / (up.hi * r.hi)
		}
		if h < l {
			// Shares are exact; ports are whole.
			least, most := topology.RatioShare(lo[h], hi[h])
			in *= k.hi * most
			up.lo, up.hi = up.lo*(1-most)/most, up.hi*(1-least)/least
		}
		if near = in; high.spread() > 0 {
			near = in * f.hi // pods share endpoints
		}
	}
}

// nextRails skips what breaks the rules of multirail on ports and leaves whatever follows.
func nextRails(v []int, i, x int) int {
	of := multirailParams(v)
	k, l := of.k(), of.l()
	var buf [multirailMix + 1]int
	switch i {
	case 0: // k
		return x + x%2
	case 2, 3, 4, 5: // the tapers
		return nextTaper(k, l, i, x)
	case multirailF: // divides r
		if l > 1 { // of two levels, or with leaves in several pods, any number may do
			return nextDivisor(of.r(), x)
		}
		return nextDivisor(1, x)
	case multirailPlanes: // divides r/f
		return nextDivisor(of.r()/of.f(), x)
	case multirailPods:
		return nextPods(k, l, of.f(), x)
	case multirailD:
		w := max(1, of.r()/(of.f()*of.planes()))
		most := k
		if l > 1 {
			x, most = max(x, k/2), k-1
		}
		if x = (x + w - 1) / w * w; x > most {
			return beyond
		}
	case multirailSpread:
		f, pods := of.f(), of.pods()
		if x == 0 && l > 2 && topology.RatioPart(v[treeTapers], k)%f != 0 {
			x = 1
		}
		if x == 1 && (l < 3 || f < 2 || pods%f != 0 || pods < 2*f) {
			return beyond
		}
	case multirailMix:
		if x <= 1 {
			return x
		}
		v = append(buf[:0], v[:multirailMix]...)
		t := railsOf(append(v, 1))
		for ; x <= t.d; x++ {
			if t.mixes(x) {
				return x
			}
		}
		return beyond
	}
	return x
}

func nextPods(k, l, f, x int) int {
	switch {
	case l == 1 && x > 1 || x > k:
		return beyond
	case l == 2:
		return max((x+f-1)/f*f, 2*f)
	case l > 2:
		return max(x, 2)
	}
	return x
}

// fanRails fills how far the cables of a tree of at least two levels spread.
func fanRails(lo, hi []int, least int64, d real64, w float64, out *topology.PerEndpoint) {
	low, high := multirailParams(lo), multirailParams(hi)
	r, f, planes := reals(lo, hi, multirailR), reals(lo, hi, multirailF), reals(lo, hi, multirailPlanes)
	l := low.l()
	if l == 2 { // a top switch is linked to all leaves of its plane
		out.Fan[treeTop] = topology.Fan{Ends: float64(least) * r.lo / (planes.hi * d.hi), Every: d.lo / r.hi, Apart: true, Switches: true}
		if f.hi == 1 { // each leaf of a plane has endpoints of its own
			out.Fan[treeTop].Every, out.Fan[treeTop].Step, out.Fan[treeTop].With = d.lo/w, 1, planes.hi
		}
		return
	}
	out.Fan[1] = topology.Fan{Ends: downPorts(lo, hi, 2).lo, Every: d.lo / r.hi, Switches: true}
	pod := d.lo * planes.lo / r.hi // its endpoints
	for h := 2; h < l; h++ {
		pod *= downPorts(lo, hi, h).lo
	}
	near := 1.0
	if high.spread() > 0 { // as many pods as leaves of an endpoint share their endpoints
		near = f.hi
	}
	if low.spread() > 0 {
		pod *= f.lo
	}
	out.Fan[treeTop] = topology.Fan{Ends: float64(low.pods()), Every: pod, Step: 1, Near: near, With: math.Inf(1), Apart: true}
}

// downPorts is how many ports of a switch of level h, between leaves and top, face down.
func downPorts(lo, hi []int, h int) real64 {
	return real64{float64(topology.RatioPart(lo[h], lo[0]/2*2)), float64(topology.RatioPart(hi[h], hi[0]/2*2))}
}

// railsWithin narrows the pods and d of multirail: a plane has as many leaves as pods times the ports down of each level
// in between, and d endpoint ports on each of them, at least k/2 and below k where l > 1.
func railsWithin(v []int, i int, least, most int64) (lo, hi int64) {
	d := multirailParams(v)
	if i != multirailPods && i != multirailD {
		return 0, beyond
	}
	per := int64(max(1, d.r()/d.planes())) // ports of an endpoint in a plane
	least, most = least*per, most*per+per-1
	k, l := int64(d.k()), d.l()
	leaves := int64(1) // of a pod
	for h := 2; h < l; h++ {
		leaves *= int64(topology.RatioPart(v[h], d.k()))
	}
	if i == multirailD {
		return withinProduct(int64(d.pods())*leaves, least, most)
	}
	if l == 1 {
		return 0, beyond
	}
	lo, _ = withinProduct(leaves*max(k-1, 1), least, most)
	_, hi = withinProduct(leaves*max(k/2, 1), least, most)
	return lo, hi
}
