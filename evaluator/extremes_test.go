package evaluator

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// extremeTuple fills v with values from all over the ranges that a family advertises: ends and their
// neighbours, every power of two as likely as the next, and defaults, which fit the values before them.
func extremeTuple(f *topology.Family, rng *rand.Rand, v []int) {
	for i := range f.Params {
		p := &f.Params[i]
		if p.Divides != "" { // of all values few are a ratio of the ports that there are
			v[i] = p.Default(v)
			if rng.IntN(4) == 0 {
				v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
			}
			continue
		}
		width := p.Max - p.Min
		switch k := rng.IntN(16); {
		case k == 0:
			v[i] = p.Min + rng.IntN(min(width, 2)+1)
		case k == 1:
			v[i] = p.Max - rng.IntN(min(width, 2)+1)
		case k < 7 && p.Default != nil:
			v[i] = p.Default(v)
		case k < 9:
			v[i] = p.Min + rng.IntN(width+1)
		default:
			v[i] = p.Min + rng.IntN(min(width, 1<<rng.IntN(bits.Len(uint(width))+1))+1)
		}
		if f.Next != nil && rng.IntN(4) > 0 { // where rules leave few values
			if x := f.Next(v, i, v[i]); x <= p.Max {
				v[i] = x
			}
		}
	}
}

// mayBeZero are the metrics of level 0 that are 0 of real networks: a full mesh has no switch, a single switch
// no link, a bus has no part that costs.
var mayBeZero = func() (zero [metric.Count]bool) {
	for _, k := range []metric.Key{metric.Switches, metric.EmbeddedSwitches, metric.SwitchLinks, metric.EndpointLinks, metric.Radix, metric.PhysicalPorts,
		metric.PortsPerEndpoint, metric.PortsBoughtPerEndpoint, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.MeanHops, metric.MaxHops, metric.Cost, metric.CostPerEndpoint,
		metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.LeadTime,
		metric.CableMax, metric.CableTotal, metric.CablesCopper, metric.CablesOptical} {
		zero[k] = true
	}
	return zero
}()

// upperOnly are those of which level 0 may have an upper bound only.
var upperOnly = map[metric.Key]bool{metric.Bisection: true, metric.UniformThroughput: true, metric.UniformThroughputOptimal: true, metric.WorstThroughput: true,
	metric.TUB: true}

// TestExtremes: over a million tuples of the full ranges of all families, whatever level 0 says of a design or of
// a box around it is a number, not negative, in order, and not 0 where it cannot be; the box holds the design,
// and sums over routes are what the same types say in floating point, which does not wrap around.
func TestExtremes(t *testing.T) {
	tuples := 1_000_000 / len(families())
	if testing.Short() {
		tuples = 500
	}
	for _, f := range families() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			rng := stream.New(1, "extremes "+f.Name)
			x := extremes{e: newEvaluator(t, Options{BandwidthGbps: 400}), f: f, v: make([]int, len(f.Params))}
			for range tuples {
				extremeTuple(f, rng, x.v)
				if f.Canonical != nil {
					f.Canonical(x.v)
				}
				if f.Size(x.v, &x.size) != nil {
					continue
				}
				x.valid++
				if x.big = max(x.big, x.size.Endpoints); x.size.Endpoints > 1e8 {
					x.large++
				}
				if x.check(t, rng); x.faults > 5 {
					break
				}
			}
			t.Logf("%d valid of %d, %d above 1e8 endpoints, largest %d, %d laid", x.valid, tuples, x.large, x.big, x.climbed)
			if x.valid == 0 {
				t.Errorf("none of %d tuples is valid", tuples)
			}
		})
	}
}

// extremes is the tuples of a family under way.
type extremes struct {
	e            *Evaluator
	f            *topology.Family
	v            []int
	valid, large int
	climbed      int
	faults       int
	big          int64

	size, lo, hi topology.Size
	ladder       bound.Ladder
	one, box     metric.Intervals
	paths        topology.Paths
	per          topology.PerEndpoint
}

func (x *extremes) check(t *testing.T, rng *rand.Rand) {
	x.one, x.box = metric.Intervals{}, metric.Intervals{}
	x.e.Enclose(bound.One(x.v, &x.size), &x.ladder, &x.one)
	x.inOrder(t, &x.one, "")
	x.routes(t)
	if x.one.Reject.Constraint != "" {
		return
	}
	low, high := x.around(rng)
	x.f.SizeBounds(low, high, &x.lo, &x.hi)
	x.f.BoundPerEndpoint(low, high, x.size.Endpoints, x.size.Endpoints, &x.per)
	x.lo.Endpoints, x.hi.Endpoints = max(x.lo.Endpoints, x.size.Endpoints), min(x.hi.Endpoints, x.size.Endpoints)
	x.per.Tighten(&x.lo, &x.hi)
	x.e.Enclose(bound.Between(&x.lo, &x.hi, &x.per), &x.ladder, &x.box)
	if x.box.Reject.Constraint != "" && !x.refused(x.box.Reject.Constraint) {
		x.fault(t, "%s%v: a box around it is rejected: %s", x.f.Name, x.v, x.box.Reject.Words())
	}
	if x.box.Reject.Constraint != "" {
		return
	}
	x.inOrder(t, &x.box, "in a box, ")
	for k := range metric.Count {
		a, b := x.one.At[k], x.box.At[k]
		if x.one.Have[k] && x.box.Have[k] && (b.Lo > a.Hi*(1+1e-9) || b.Hi < a.Lo*(1-1e-9)) {
			x.fault(t, "%s%v: %s is in [%g, %g], of a box %v..%v around it in [%g, %g]", x.f.Name, x.v, metric.Keys[k].Name, a.Lo, a.Hi, low, high, b.Lo, b.Hi)
		}
	}
}

// mostClimbed bounds the blocks of tuples whose cables are laid between all pairs of these: 2,000 take up to two seconds, thousands more up to fifteen.
const mostClimbed = 2000

// refused tells whether a refinement rejects the tuple itself for a limit, or with more blocks than mostClimbed, whether a box of nothing else is rejected.
func (x *extremes) refused(limit string) bool {
	if x.f.Place(x.v).Blocks > mostClimbed {
		var per topology.PerEndpoint
		var alone metric.Intervals
		x.f.BoundPerEndpoint(x.v, x.v, x.size.Endpoints, x.size.Endpoints, &per)
		x.e.Enclose(bound.Between(&x.size, &x.size, &per), &x.ladder, &alone)
		return alone.Reject.Constraint == limit
	}
	x.climbed++
	one := x.one
	x.e.Enclose(bound.One(x.v, &x.size), &x.ladder, &one)
	for one.Reject.Constraint == "" && x.ladder.Next() != nil {
		x.ladder.Climb(&one)
	}
	return one.Reject.Constraint == limit
}

// fault reports what is wrong with the tuple.
func (x *extremes) fault(t *testing.T, format string, args ...any) {
	t.Helper()
	x.faults++
	t.Errorf(format, args...)
}

// around draws a box that holds the tuple.
func (x *extremes) around(rng *rand.Rand) (low, high []int) {
	low, high = append([]int(nil), x.v...), append([]int(nil), x.v...)
	for i := range x.f.Params {
		p := &x.f.Params[i]
		switch rng.IntN(4) {
		case 0:
			low[i] = p.Min
		case 1:
			high[i] = p.Max
		}
	}
	if x.f.Hull != nil {
		x.f.Hull(low, high)
	}
	return low, high
}

// inOrder: every interval is of numbers, none negative, the lower end not above the upper one.
func (x *extremes) inOrder(t *testing.T, iv *metric.Intervals, where string) {
	for k := range metric.Count {
		if !iv.Have[k] {
			continue
		}
		a := iv.At[k]
		if !(a.Lo >= 0) || !(a.Lo <= a.Hi) || math.IsInf(a.Lo, 0) || a.Hi == 0 && !mayBeZero[k] || where == "" && a.Lo == 0 && !mayBeZero[k] && !upperOnly[metric.Key(k)] {
			x.fault(t, "%s%v: %s%s is in [%g, %g]", x.f.Name, x.v, where, metric.Keys[k].Name, a.Lo, a.Hi)
		}
	}
}

// routes compares the sums of a closed form of routes with those of its types in floating point, and pairs with
// multiples of what one source has.
func (x *extremes) routes(t *testing.T) {
	p := &x.paths
	if slow := x.f.Walks != nil && x.f.Walks(x.v) || x.f.SlowPaths; slow && x.size.Endpoints > 300 || !route.Natural(x.f, x.v, p) {
		return
	}
	s := p.Sums
	others := x.size.Endpoints - 1
	if s.Pairs <= 0 || s.Pairs%others != 0 {
		x.fault(t, "%s%v: the routes are of %d pairs, no multiple of the %d of a source", x.f.Name, x.v, s.Pairs, others)
	}
	links, hops := float64(s.Links)/float64(s.Pairs), float64(s.Hops)/float64(s.Pairs)
	if !(links >= 1) || links > float64(s.MaxLinks) || !(hops >= 0) || hops > float64(s.MaxHops) {
		x.fault(t, "%s%v: %g links and %g hops on average, at most %d and %d", x.f.Name, x.v, links, hops, s.MaxLinks, s.MaxHops)
	}
	pairs, all := 0.0, 0.0
	var cross [topology.MaxClasses]float64
	for i := range p.Types {
		y := &p.Types[i]
		if y.Weight < 0 {
			x.fault(t, "%s%v: a weight of %d", x.f.Name, x.v, y.Weight)
		}
		pairs += float64(y.Weight)
		for c := range x.f.LinkClasses {
			cross[c] += float64(y.Weight) * float64(y.Cross[c])
		}
	}
	for c := range x.f.LinkClasses {
		if s.Cross[c] < 0 {
			x.fault(t, "%s%v: routes cross %d links of class %d", x.f.Name, x.v, s.Cross[c], c)
		}
		if s.Cross[c] != 0 {
			all += float64(s.Cross[c])
			if pairs > 0 && math.Abs(cross[c]-float64(s.Cross[c])) > 1e-9*cross[c] {
				x.fault(t, "%s%v: routes cross %d links of class %d, in floating point %g", x.f.Name, x.v, s.Cross[c], c, cross[c])
			}
		}
	}
	if math.Abs(all-float64(s.Links)) > 1e-9*all || pairs > 0 && math.Abs(pairs-float64(s.Pairs)) > 1e-9*pairs {
		x.fault(t, "%s%v: %d links of %d pairs, in floating point %g of %g", x.f.Name, x.v, s.Links, s.Pairs, all, pairs)
	}
}
