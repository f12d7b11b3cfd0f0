package family

import (
	"math"

	"toposearch/topology"
)

// lineBounds bounds what tori and meshes have per endpoint, see topology.SearchSpace.PerEndpoint.
func lineBounds(wrap bool) func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
	return func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
		t := lineEndpoints(lo, hi, least, most)
		if out.Known = true; wrap {
			out.Uneven = 1
		}
		out.Switch[0], out.Link[0], out.LinkMost[0], out.Cross[0] = 1/t.hi, 1, 1, 2
		fixed, free, left := 0.0, 0, float64(least)/t.hi // switches that free dimensions multiply to at least
		for i := range torusDims {
			if hi[i] == 1 {
				continue
			}
			k := reals(lo, hi, i)
			out.Link[i+1], out.LinkMost[i+1] = (1-1/k.lo)/t.hi, (1-1/k.hi)/t.lo
			inner, around := ringHops(lo[i], hi[i], wrap)
			out.Cross[i+1], out.Flow[i+1] = inner, inner
			out.Load[i+1] = t.lo * ringLoad(lo[i], hi[i], wrap)
			if w := torusDims + 1 + i; wrap && hi[i] > 2 {
				if lo[i] > 2 {
					out.Link[w] = 1 / (k.hi * t.hi)
				}
				out.LinkMost[w] = 1 / (max(k.lo, 3) * t.lo)
				out.Cross[w], out.Flow[w] = around, around
			}
			if lo[i] > 3 && wrap {
				out.VCs = 2 // a dateline
			}
			if lo[i] == hi[i] {
				fixed += lineMean(k.lo, wrap)
				left /= k.lo
			} else {
				free++
			}
		}
		// Hops along a dimension are a convex function of the logarithm of its size: least where sizes are equal.
		if free > 0 && left > 1 {
			fixed += float64(free) * lineMean(math.Pow(left, 1/float64(free)), wrap)
		}
		out.Hops = fixed
	}
}

// lineEndpoints encloses the endpoints of a switch.
func lineEndpoints(lo, hi []int, least, most int64) real64 {
	t, few, many := reals(lo, hi, torusDims), 1.0, 1.0
	for i := range torusDims {
		few, many = few*float64(lo[i]), many*float64(hi[i])
	}
	return real64{max(t.lo, min(t.hi, float64(least)/many)), min(t.hi, max(t.lo, float64(most)/few))}
}

// lineMean is the mean of hops along a dimension of k switches, between all of them, themselves included; of an even
// ring a little less. With x = ln k it is sinh(x)/2 or 2 sinh(x)/3: convex, and growing.
func lineMean(k float64, wrap bool) float64 {
	if wrap {
		return (k - 1/k) / 4
	}
	return (k - 1/k) / 3
}

// ringHops is the least mean of hops along a dimension of lo to hi switches over inner and over wrap-around links, which
// share them in proportion to their numbers, since rings are even.
func ringHops(lo, hi int, wrap bool) (inner, around float64) {
	k := float64(lo)
	switch {
	case !wrap:
		return lineMean(k, false), 0
	case lo == 1:
		return 0, 0
	case lo == 2 && hi == 2:
		return 0.5, 0
	case lo == 2: // three have 2/3 hops, a third of them around
		return 4. / 9, 0
	case lo == 3:
		return 4. / 9, 2. / 9
	case lo%2 == 0: // the next odd ring is longer, and has 0.24 at least around
		return (k - 1) / 4, 0.24
	}
	return lineMean(k, true) * (k - 1) / k, 0.24
}

// ringLoad is the least load of the busiest channel of a dimension of lo to hi switches with an endpoint each.
func ringLoad(lo, hi int, wrap bool) float64 {
	switch k := float64(lo); {
	case lo == 1:
		return 0
	case !wrap:
		return float64(lo*lo/4) / k // the middle of a line
	case lo == 2 && hi == 2:
		return 0.5
	case lo <= 3:
		return 1. / 3
	default:
		return lineMean(k, true) / 2
	}
}

// lineWithin encloses a size of a torus or mesh by the sizes before it, see topology.SearchSpace.Within.
func lineWithin(v []int, i int, least, most int64) (lo, hi int64) {
	n := int64(1)
	for _, k := range v[:i] {
		if n *= int64(k); n > most {
			return 1, 0
		}
	}
	if i < torusDims {
		return 1, most / n
	}
	return (least + n - 1) / n, most / n
}
