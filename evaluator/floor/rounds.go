package floor

import (
	"math"

	"toposearch/topology"
)

// Blocks all of whose switches stand on several racks in order, linked by rounds of ports (topology.RoundsOf), have cables at least as long as between the
// racks of these rounds, whatever port of a round leads to which block.

// span gives the least cables from the racks a of every block to the racks b of all others, whichever of these each leads to.
func (x *Turned) span(a, b spanned) cableSum {
	if a.first < b.first || a.first == b.first && a.last < b.last {
		a, b = b, a
	}
	return x.spans.Of(spanPair{a, b}, func() cableSum {
		sum := x.everywhere(a, b)
		return cableSum{sum.m, sum.price, sum.watts, sum.longestM}
	})
}

// spanBefore gives these sums of pairs that seldom change from one to the next.
type spanBefore struct {
	pair spanPair
	sum  reached
}

func (s *spanBefore) between(x *Turned, a, b spanned) reached {
	if pair := (spanPair{a, b}); s.sum.m == 0 || s.pair != pair {
		sum := x.span(a, b)
		s.pair, s.sum = pair, reached{m: sum.m, price: sum.price, watts: sum.watts}
	}
	return s.sum
}

// least is the mean of cables of rounds and of the links that fill none.
func (x *Turned) least(whole reached, links int, like topology.BlockPairs, pairs *Pairs) Least {
	rest, more := pairs.sum(topology.BlockPairs{Next: like.Next, Opposite: like.Opposite})
	n := float64(links + more)
	return Least{Price: (whole.price + rest.price) / n, Watts: (whole.watts + rest.watts) / n, MeanM: (whole.m + rest.m) / n}
}

// AtLeast bounds the mean of the cables between blocks of so many switches each, all of which stand on these racks in order, with so many ports each for RoundsOf
// at least and at most; false where that is not known.
func (x *Turned) AtLeast(switches int, ports [2]int, pairs *Pairs) (least Least, ok bool) {
	if len(pairs.upTo) == 0 {
		return Least{}, false
	}
	if ports[0] < ports[1] {
		return x.ofRange(switches, ports, pairs)
	}
	rounds, like := topology.RoundsOf(x.blocks, switches*ports[0], ports[0])
	sum := x.cable
	stand := func(round int) spanned {
		from := round * (x.blocks - 1)
		rack := func(port int) int32 { return int32(port / rounds.Ports * x.racks / switches) }
		return spanned{rack(from), rack(from + x.blocks - 2)}
	}
	for r := range rounds.Count {
		to := rounds.Across(r)
		if to < r {
			continue
		}
		a, b := stand(r), stand(to)
		if a.first != a.last || b.first != b.last || !x.round(&sum, int(a.first), int(b.first), r == to) {
			all := x.span(a, b)
			x.takeRound(&sum, r == to, &leastSum{m: all.m, price: all.price, watts: all.watts, longestM: all.longest})
		}
	}
	return x.least(reached{m: sum.m, price: sum.price, watts: sum.watts}, int(sum.count), like, pairs), true
}

// ofRange bounds it for any number of ports in a range. A round is so many switches of a block long, one port of each or several, and stands wherever
// the number of ports says: of each place of a block, in switches from its first on, the racks of any round that covers it and of any round that that may be linked to bound
// the cables of the round, and so the mean over all places those of all rounds (upTo).
func (x *Turned) ofRange(switches int, ports [2]int, pairs *Pairs) (least Least, ok bool) {
	around := x.blocks - 1
	least = Least{Price: math.Inf(1), Watts: math.Inf(1), MeanM: math.Inf(1)}
	for from := ports[0]; from <= ports[1]; {
		to := ports[1]
		if from <= around {
			to = min(to, around) // a round touches one switch or more, and is linked to itself
		}
		upTo := x.upToSwitch(switches, [2]int{from, to})
		if upTo == nil {
			return Least{}, false
		}
		for ; from <= to; from++ {
			rounds, like := topology.RoundsOf(x.blocks, switches*from, from)
			length := float64(around) / float64(from)
			end := float64(rounds.Count) * length
			k := min(int(end), switches-1)
			whole, part := upTo[k], end-float64(k)
			whole.add(part, reached{m: upTo[k+1].m - upTo[k].m, price: upTo[k+1].price - upTo[k].price, watts: upTo[k+1].watts - upTo[k].watts})
			var half reached // each link is one of two rounds, or of both blocks
			half.add(0.5/length, whole)
			one := x.least(half, rounds.Count*x.blocks*around/2, like, pairs)
			least.Price, least.Watts, least.MeanM = min(least.Price, one.Price), min(least.Watts, one.Watts), min(least.MeanM, one.MeanM)
		}
	}
	const below = 1 - 1e-9 // sums of thousands of cables in another order
	return Least{Price: below * least.Price, Watts: below * least.Watts, MeanM: below * least.MeanM}, true
}

// mostStands is into how many parts of as many racks a block is divided for ranges at most: so sums are shared by blocks of other switches and ranges of other
// ports.
const mostStands = 16

// upToSwitch gives, by switch of a block, the sum over the places before it of the least cables of a round that covers the place, from every block to all
// others; nil where that is not known. Either no switch has more ports than a round, or each has.
func (x *Turned) upToSwitch(switches int, ports [2]int) []reached {
	const off = 1e-9 // of sums of a few quotients
	coarse := (x.racks + mostStands - 1) / mostStands
	stand := func(from, to float64) spanned {
		rack := func(at float64) int {
			return min(max(int(math.Floor(at)), 0), switches-1) * x.racks / switches / coarse * coarse
		}
		return spanned{int32(rack(from - off)), int32(min(rack(to+off)+coarse, x.racks) - 1)}
	}
	add := func(out []reached, sum reached) []reached {
		sum.add(1, out[len(out)-1])
		return append(out, sum)
	}
	out := make([]reached, 1, switches+1)
	longest := float64(x.blocks-1) / float64(ports[0])
	var first, last spanBefore
	if ports[1] < x.blocks { // rounds are linked to themselves
		for k := range switches {
			near := stand(float64(k)-longest, float64(k)+1+longest)
			out = add(out, first.between(x, near, near))
		}
		return out
	}
	// Round t of the s-th Touch ones begins at (s*Touch+t)*length and so the two ends of its links at places whose sum is t*(Touch+2)*length, or that and all
	// Touch rounds, which leave less than a switch and a round over; the first is so only for the first of them, s <= t, and what is left over is linked to itself.
	early, sum := 0.0, 0.0
	for h := ports[0]; h <= ports[1]; h++ {
		r, _ := topology.RoundsOf(x.blocks, switches*h, h)
		if r.Touch > r.Count/r.Touch {
			return nil
		}
		t, length := float64(r.Touch), float64(x.blocks-1)/float64(h)
		early, sum = max(early, (t-1)*(t+1)*length), max(sum, (t-1)*(t+2)*length)
	}
	n := float64(switches)
	for k := range switches {
		k := float64(k)
		near := stand(k-longest, k+1+longest)
		if k+1 >= n-1-longest {
			out = add(out, first.between(x, stand(0, n), stand(0, n)))
			continue
		}
		least := first.between(x, near, stand(n-2-longest-k, n-k+sum+2*longest))
		if k <= early+longest {
			other := last.between(x, near, stand(0, sum-k+2*longest))
			least = reached{m: min(least.m, other.m), price: min(least.price, other.price), watts: min(least.watts, other.watts)}
		}
		out = add(out, least)
	}
	return out
}
