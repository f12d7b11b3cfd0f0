package cut

import (
	"math"
	"slices"

	"toposearch/internal/stream"
)

// HoseThroughput certifies that any traffic in which no endpoint sends or receives more than a
// fraction of its bandwidth can be routed, by a routing that spreads everything over the top of
// a tree: from its source a packet goes up over every upward channel in proportion to its capacity to a
// switch without any, and down the mirror image of the way that its destination would go up. If
// all endpoints reach the tops in the same proportions, the two halves fit together, the load of
// a channel depends on its own end only, and the fraction is the least capacity over that load.
// Folded Clos networks are like that, tapered ones too; for anything else it is false.
//
// Up is away from the endpoints: from distance d to d+1 of the nearest switch with endpoints.
// Endpoints with several ports spread over them evenly. Packets may turn at any one distance: the
// best of all is taken, since what lies above may be thin. The endpoints of a unit count as one that
// has all their ports: the fraction then holds for traffic between units, and for cuts that keep them
// whole.
//
// Where endpoints hang on several levels, up is also tried as towards the switches of a class, from
// all ports or from those at the largest distance from it alone: in a ZCube with a level above its pods,
// the ports on level 0 reach all of that level, and those on level 1 do not.
//
// Where channels lead one way, the way up and the way down are ascents of their own, the second one against the
// channels; they must lead to the tops in the same proportions and share no channel.
func (f *Fabric) HoseThroughput() (float64, bool) {
	if f.OneWay {
		return f.hoseOneWay()
	}
	best, ok := 0.0, false
	try := func(l levels, turn int32, lowest bool) {
		if f.uneven(l, turn, lowest) {
			return
		}
		a := f.ascend(l, turn, lowest)
		if _, even := a.means(); even {
			best, ok = math.Max(best, a.least()), true
		}
	}
	up := f.fromEndpoints()
	for turn := int32(1); turn <= max(up.highest(), 1); turn++ {
		try(up, turn, false)
	}
	for _, class := range f.Tops {
		if l, turn := f.towards(class); turn > 0 {
			try(l, turn, false)
			try(l, turn, true)
		}
	}
	return best, ok
}

// hoseOneWay is HoseThroughput where channels lead one way.
func (f *Fabric) hoseOneWay() (best float64, ok bool) {
	r := f.reversed()
	there, back := f.fromEndpoints(), r.fromEndpoints()
	shared := func(turn, turnBack int32) bool {
		for v := range there.of {
			for _, u := range f.To[f.Start[v]:f.Start[v+1]] {
				if there.climbs(int32(v), u, turn) && back.climbs(u, int32(v), turnBack) {
					return true
				}
			}
		}
		return false
	}
	for turn := int32(1); turn <= there.highest(); turn++ {
		up := f.ascend(there, turn, false)
		means, even := up.means()
		for turnBack := int32(1); turnBack <= back.highest() && even; turnBack++ {
			down := r.ascend(back, turnBack, false)
			other, evenBack := down.means()
			if evenBack && agree(means, other) && !shared(turn, turnBack) {
				best, ok = math.Max(best, math.Min(up.least(), down.least())), true
			}
		}
	}
	return best, ok
}

// highest is the largest height of any vertex.
func (l *levels) highest() int32 { return l.of[l.order[len(l.order)-1]] }

// climbs reports whether a channel from v to u leads up, below a height.
func (l *levels) climbs(v, u, turn int32) bool {
	return l.of[v] >= 0 && l.of[v] < turn && l.of[u] == l.of[v]+1
}

// ascent is a way of sending everything up.
type ascent struct {
	f     *Fabric
	level levels
	turn  int32     // the height at which packets turn
	ports [][]int32 // by group: those that traffic is spread over
	up    []float64 // capacity of the upward channels of each vertex below turn
}

// ascend makes packets turn at a height; lowest says that only ports at height 0 are used.
func (f *Fabric) ascend(l levels, turn int32, lowest bool) *ascent {
	a := &ascent{f: f, level: l, turn: turn, ports: make([][]int32, len(f.Groups)), up: make([]float64, len(l.of))}
	for i := range f.Groups {
		a.ports[i] = l.ports(&f.Groups[i], lowest)
	}
	for _, v := range l.order {
		a.eachUp(v, func(_ int32, x float64) { a.up[v] += x })
	}
	return a
}

// ports are those of a group that traffic is spread over: all, or those at height 0 alone.
func (l *levels) ports(g *Group, lowest bool) []int32 {
	above := func(v int32) bool { return l.of[v] != 0 }
	if !lowest || !slices.ContainsFunc(g.Ports, above) {
		return g.Ports
	}
	return slices.DeleteFunc(slices.Clone(g.Ports), above)
}

// eachUp gives the upward channels of v with their capacities.
func (a *ascent) eachUp(v int32, f func(to int32, capacity float64)) {
	height := a.level.of[v]
	if height >= a.turn {
		return
	}
	for c := a.f.Start[v]; c < a.f.Start[v+1]; c++ {
		if u := a.f.To[c]; a.level.of[u] == height+1 {
			f(u, a.f.Cap[c])
		}
	}
}

// evenTrials random weights of the tops are compared: distributions that differ agree on each
// with chance 0, up to the precision of the sums.
const (
	evenTrials    = 3
	evenTolerance = 1e-9
)

// agree reports whether numbers agree one by one.
func agree(x, y []float64) bool {
	for i := range x {
		if math.Abs(x[i]-y[i]) > evenTolerance {
			return false
		}
	}
	return true
}

// unevenGroups are compared before all of them are: in most networks that are no trees two far apart differ.
const unevenGroups = 3

// uneven tells of some ascents in which endpoints reach the tops in different proportions that they do: it climbs from the first group, one in
// the middle and the last alone, and stops at the first that differs.
func (f *Fabric) uneven(l levels, turn int32, lowest bool) bool {
	if f.Units > 0 || len(f.Groups) < unevenGroups {
		return false
	}
	rng := stream.New(1, "clos, some")
	value := make([]float64, len(l.of))
	for v := range value {
		value[v] = rng.Float64()
	}
	a := &ascent{f: f, level: l, turn: turn}
	done := make([]bool, len(value))
	var climb func(v int32) float64
	climb = func(v int32) float64 {
		if done[v] {
			return value[v]
		}
		done[v] = true
		sum, all := 0.0, 0.0
		a.eachUp(v, func(u int32, x float64) {
			sum += x * climb(u)
			all += x
		})
		if all > 0 {
			value[v] = sum / all
		}
		return value[v]
	}
	first := 0.0
	for k := range unevenGroups {
		ports, mean := l.ports(&f.Groups[k*(len(f.Groups)-1)/(unevenGroups-1)], lowest), 0.0
		for _, v := range ports {
			mean += climb(v) / float64(len(ports))
		}
		if k == 0 {
			first = mean
		} else if len(ports) == 0 || math.Abs(mean-first) > evenTolerance {
			return true
		}
	}
	return false
}

// means is the mean of random weights of the tops that each endpoint reaches, for each trial; even reports whether
// it is the same for all endpoints, so that all reach the tops in the same proportions.
func (a *ascent) means() (means []float64, even bool) {
	rng := stream.New(1, "clos")
	value, order := make([]float64, len(a.up)), a.level.order
	for range evenTrials {
		for v := range value {
			value[v] = rng.Float64() // by vertex, whatever the levels: those of a way up and of a way down are compared
		}
		for i := len(order) - 1; i >= 0; i-- {
			v := order[i]
			if a.up[v] == 0 {
				continue
			}
			sum := 0.0
			a.eachUp(v, func(u int32, x float64) { sum += x * value[u] })
			value[v] = sum / a.up[v]
		}
		mean, ok := a.ofEndpoints(value)
		if !ok {
			return nil, false
		}
		means = append(means, mean)
	}
	return means, true
}

// ofEndpoints gives the mean value over the ports of every group, or of every unit; even is false if they differ, or some
// endpoints have no port that is used.
func (a *ascent) ofEndpoints(value []float64) (mean float64, even bool) {
	sum, count := make([]float64, a.f.Units), make([]float64, a.f.Units)
	known := false
	same := func(x float64) bool {
		if !known {
			mean, known = x, true
		}
		return math.Abs(x-mean) <= evenTolerance
	}
	for i := range a.f.Groups {
		g, ports := &a.f.Groups[i], a.ports[i]
		if len(ports) == 0 {
			return 0, false
		}
		x := 0.0
		for _, v := range ports {
			x += value[v]
		}
		x /= float64(len(ports))
		if a.f.Units > 0 {
			sum[g.Unit] += x * float64(g.Endpoints)
			count[g.Unit] += float64(g.Endpoints)
			continue
		}
		if !same(x) {
			return 0, false
		}
	}
	for u := range sum {
		if count[u] > 0 && !same(sum[u]/count[u]) {
			return 0, false
		}
	}
	return mean, true
}

// least is the smallest capacity over load.
func (a *ascent) least() float64 {
	load := make([]float64, len(a.up)) // what passes upwards through each vertex
	best := math.Inf(1)
	for i := range a.f.Groups {
		g, ports := &a.f.Groups[i], a.ports[i]
		for _, v := range ports {
			load[v] += float64(g.Endpoints) / float64(len(ports))
		}
		if len(g.Ports) > 1 {
			best = math.Min(best, a.f.Port*float64(len(ports)))
		}
	}
	for _, v := range a.level.order {
		if a.up[v] == 0 || load[v] == 0 {
			continue
		}
		best = math.Min(best, a.up[v]/load[v])
		a.eachUp(v, func(u int32, x float64) { load[u] += load[v] * x / a.up[v] })
	}
	return best
}
