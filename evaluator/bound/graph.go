package bound

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// What holds of networks of any construction, from counts alone: how many endpoints are how near at most (Moore's
// bound), what all links carry together, and what crosses a cut into random halves.

// OfGraph tells whether a metric is enclosed by what holds of any network only where Options.Graph asks for it.
func OfGraph(k metric.Key) bool {
	const keys = 1<<metric.Bisection | 1<<metric.UniformThroughputOptimal | 1<<metric.WorstThroughput | 1<<metric.TUB |
		1<<metric.GraphDiameter | 1<<metric.VCsMinimal | 1<<metric.VCsAdaptive
	return metric.KeySet(keys).Has(k)
}

// reach bounds the endpoints of a box by how far they are from one of them, in channels between switches, embedded
// ones included.
type reach struct {
	mean float64 // channels that the shortest route between two distinct endpoints crosses at least, on average
	most float64 // that the longest of them crosses at least
}

// mostReach is how many rounds of neighbours are counted: what is farther counts as that far, which is a bound, and
// only rings and meshes are so long.
const mostReach = 64

// reaches is Moore's bound of the box: an endpoint hangs on as many switches as it has ports, a switch has as many
// neighbours as the fullest has ports to switches, and of those within h hops each has as many endpoints as any can
// have. It grows with endpoints and falls with ports: the corner holds for all designs. Nothing is known where counts
// do not say which ports a switch has.
func (e *enclosure) reaches() (r reach) {
	r.mean, r.most = Reach(e.b.Lo, e.b.Hi)
	return r
}

// Reach is Moore's bound of networks between two sizes: how many channels between switches, embedded ones included, the shortest routes from
// an endpoint to all others cross at least in the mean, and the longest of them; 0 where counts do not tell.
func Reach(lo, hi *topology.Size) (mean, most float64) {
	if lo.Endpoints < 2 {
		return 0, 0
	}
	hang, first, degree := 0.0, 0.0, 0.0
	for i := range hi.Family.SwitchClasses {
		c := &hi.Switch[i]
		if c.Count == 0 {
			continue
		}
		if c.Also != 0 {
			return 0, 0
		}
		ports := 0.0
		for k := 1; k < len(hi.Family.LinkClasses); k++ {
			ports += float64(c.Ports[k])
		}
		degree = max(degree, ports)
		if t := float64(c.Ports[0]); t > 0 {
			hang, first = max(hang, t), max(first, ports)
		}
	}
	others := float64(lo.Endpoints - 1)
	at := float64(max(hi.EndpointPorts, 1)) // switches of the last round
	if hi.Family.LinkClasses[0].Name == topology.ClassInternal {
		at = 1
	}
	within, grows := at, first
	for range mostReach {
		far := others - (within*hang - 1)
		if far <= 0 || at == 0 {
			break
		}
		mean += far / others
		most++
		at *= grows
		within += at
		grows = max(degree-1, 0)
	}
	mean *= metric.Below
	return mean, most
}

// capacity bounds what all channels between switches carry together, in bandwidths of an endpoint; false where that
// bandwidth is not stated, so that each design has its own.
func (e *enclosure) capacity() (float64, bool) {
	asked, stated := e.m.market.AskedGbps()
	if !stated {
		return 0, false
	}
	sum, ways := 0.0, 2.0
	f := e.b.Hi.Family
	if f.Unidirectional {
		ways = 1
	}
	for c := 1; c < len(f.LinkClasses); c++ {
		sum += ways * float64(e.b.Hi.Link[c]) * e.fastest(c)
	}
	return sum / asked, true
}

// byCapacity bounds throughputs by all capacity over all hops: whatever the routing, uniform traffic crosses the mean of
// hops at least, and a permutation of the longest routes (tub) no fewer than a random one. Shortest is the least mean
// of hops of shortest routes, taken that of the routes that are taken.
func (e *enclosure) byCapacity(shortest, taken float64) {
	all, ok := e.capacity()
	if !ok || shortest <= 0 {
		return
	}
	n := float64(e.b.Lo.Endpoints)
	uniform := all / (n * shortest)
	e.atMost(metric.UniformThroughputOptimal, uniform)
	// A random permutation, which may leave endpoints to themselves, makes N-1 times the mean of hops.
	hose := all / ((n - 1) * shortest)
	e.atMost(metric.TUB, hose)
	e.atMost(metric.WorstThroughput, hose)
	if phases, ok := e.m.closedRouting(e.b.Lo, e.b.Hi); ok {
		uniform = all / (n * max(taken, shortest)) / phases.Lo
	}
	e.atMost(metric.UniformThroughput, uniform)
}

// byHalves bounds the least balanced cut, and with it what any traffic is carried of, by the mean of cuts at random:
// of s switches that have as many endpoints each, half stand on each side, so that a link joins both with a
// probability of s/(2(s-1)) at most, or of 1/2 where one of its ends has no endpoints. Of an odd number the
// endpoints of one switch may be parted from it, half of them at most.
func (e *enclosure) byHalves() {
	lo, hi := e.b.Lo, e.b.Hi
	all, ok := e.capacity()
	if !ok || lo.Endpoints < 2 {
		return
	}
	at := -1 // the class of switches with endpoints
	for i := range lo.Family.SwitchClasses {
		if hi.Switch[i].Count > 0 && hi.Switch[i].Ports[0] > 0 {
			if at >= 0 {
				return
			}
			at = i
		}
	}
	if at < 0 || lo.Switch[at].Count < 2 {
		return
	}
	s, hang := float64(lo.Switch[at].Count), float64(hi.Switch[at].Ports[0])
	alone := hang == 1 // one endpoint each: the halves are as equal as endpoints allow
	if !alone && !(e.b.Single() && hi.EndpointPorts == 1 && lo.Switch[at].Count*int64(lo.Switch[at].Ports[0]) == lo.Endpoints) {
		return
	}
	crossing := all / 2 * s / (2 * (s - 1))
	if !alone && lo.Switch[at].Count%2 == 1 {
		asked, _ := e.m.market.AskedGbps()
		crossing += math.Floor(hang/2) * e.fastest(0) / asked
	}
	x := crossing / math.Floor(float64(lo.Endpoints)/2)
	e.atMost(metric.Bisection, x)
	e.atMost(metric.WorstThroughput, x)
}

// atMost lowers the upper bound of a metric that is never negative.
func (e *enclosure) atMost(k metric.Key, x float64) {
	x *= above
	if !e.out.Have[k] {
		e.out.Set(k, 0, x)
	} else if known := &e.out.At[k]; x < known.Hi {
		known.Hi = max(x, known.Lo)
	}
}
