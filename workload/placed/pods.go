package placed

import (
	"fmt"
	"math"

	"toposearch/workload"
)

// Pods is a partial ZCube with its natural routes: as many pods as Side, each a ZCube of two levels, under switches to which those of the upper level of a pod lead in pairs, j and j + Side/2 to the same ones. Its Channels
// are ports of endpoints, links inside pods, and the bundles of links up from each switch of the upper level, as topology.Messages has them. Loads are counted row by row, which are the endpoints of a switch of the lower
// level, without building it.
type Pods struct {
	*Channels
	Side int
}

// Levels of Pods.
const (
	podPorts = iota
	podLinks
	podBundles
	podLevels
)

// Geometry is all but what links carry.
func (c *Pods) Geometry() string { return fmt.Sprint("pods ", c.Side) }

func (c *Pods) home(endpoint int) int32 { return int32(endpoint) }

func (c *Pods) loads() shapeLoads { return c.Channels.loads() }

// closed is left to byRuns.
func (c *Pods) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

func (c *Pods) split([]busiest) float64 { return math.Inf(1) }

// blocks are the endpoints of a switch of the lower level, which their other ports and its links lead out of, and pods, which the bundles do.
func (c *Pods) blocks() []Subtree {
	n := float64(c.Side)
	return []Subtree{
		{Endpoints: c.Side, Carry: n * (c.Levels[podPorts].Carry + c.Levels[podLinks].Carry)},
		{Endpoints: c.Side * c.Side, Carry: n * c.Levels[podBundles].Carry},
	}
}

func (c *Pods) byRuns(of workload.Group, p pattern, ranks int, _ bool) *loaded {
	l, _ := c.byRows(of, p, ranks, nil)
	return l
}

// podUnit is how many parts there are of a message, so that what its routes take of it are whole numbers: halves of ports, halves of these of switches in pairs.
const podUnit = 4

// byRows counts row by row until it is known that what the busiest links take is too long, if that is asked: then it is not whole.
func (c *Pods) byRows(of workload.Group, p pattern, ranks int, tooLong func(far float64) bool) (l *loaded, whole bool) {
	l = &loaded{own: float64(p.sends(of)), levels: make([]float64, podLevels)}
	x := &podRuns{side: c.Side, once: !p.All, ports: [2]*line{newLine(c.Side), newLine(c.Side)}, links: newLine(c.Side), bundles: newLine(c.Side)}
	rows := (ranks + c.Side - 1) / c.Side
	switch block := of.Stride * of.Size; { // others have no more
	case c.Side%block == 0:
		rows = 1
	case c.Side*c.Side%block == 0:
		rows = min(rows, c.Side)
	}
	for _, sign := range p.backward(of) { // what rows send, and what they receive
		for r := range rows {
			p.each(of, func(shift int) {
				shifted{of, sign * shift}.runs(r*c.Side, min(ranks, (r+1)*c.Side), x.run)
			})
			x.end((r+1)%c.Side == 0 || r+1 == rows)
			for i, n := range x.most {
				l.levels[i] = float64(n) / podUnit
			}
			if r&(r+1) == 0 && tooLong != nil && tooLong(max(l.own, c.under(l.levels))) { // asked less and less
				return l, false
			}
		}
	}
	return l, true
}

// podRuns counts what rows send, or what they receive, which load ports and links the same way: what goes up from one end goes down to the other.
type podRuns struct {
	side           int
	once           bool     // each endpoint sends one message and receives one
	ports          [2]*line // of a row, to the switch of either level
	links, bundles *line    // of a row, by the switch of the upper level that they lead to; of a pod, by that which they are of
	most           [podLevels]int
}

// run is a run of endpoints of a row, with those they send to or receive from.
func (x *podRuns) run(self, other, n int) {
	for n > 0 {
		some := min(n, x.side-other%x.side)
		x.inRow(self, other, some)
		self, other, n = self+some, other+some, n-some
	}
}

// inRow is one of which the others are in a row, too. Inside a pod who shares a switch goes by it, else by the one of either end, and the link from it to that of the other. Between pods who is on switches of the same bundles
// of the upper level goes by these, else by one's own up to those of one's pod in the other's pair, or by one's own switch of the upper level to those of the other's pod in one's pair.
func (x *podRuns) inRow(self, other, n int) {
	pod, half := x.side*x.side, x.side/2
	place, at := self%x.side, other%x.side
	switch {
	case self/x.side == other/x.side:
		x.port(0, place, n, podUnit)
	case self/pod == other/pod && place == at:
		x.port(1, place, n, podUnit)
	case self/pod == other/pod:
		x.either(place, n)
		x.links.add(at, n, podUnit/2)
	case (place-at)%half == 0:
		x.port(1, place, n, podUnit)
		x.bundles.add(place, n, podUnit)
	default:
		x.either(place, n)
		x.bundles.add(place, n, podUnit/2)
		for at %= half; n > 0; at = 0 {
			some := min(n, half-at)
			for _, first := range []int{at, at + half} {
				x.links.add(first, some, podUnit/4)
				x.bundles.add(first, some, podUnit/4)
			}
			n -= some
		}
	}
}

// either is a message by both ports.
func (x *podRuns) either(place, n int) {
	x.port(0, place, n, podUnit/2)
	x.port(1, place, n, podUnit/2)
}

func (x *podRuns) port(level, place, n, amount int) {
	if x.once {
		x.most[podPorts] = max(x.most[podPorts], amount)
		return
	}
	x.ports[level].add(place, n, amount)
}

// end is after all of a row, and of a pod or all that is counted of it.
func (x *podRuns) end(pod bool) {
	for _, list := range x.ports {
		x.most[podPorts] = max(x.most[podPorts], list.highest())
	}
	x.most[podLinks] = max(x.most[podLinks], x.links.highest())
	if pod {
		x.most[podBundles] = max(x.most[podBundles], x.bundles.highest())
	}
}

// countNs is what byRuns takes.
func (c *Pods) countNs(k key, ranks int) float64 {
	shifts, block, n := float64(k.sends(k.group)), k.group.Stride*k.group.Size, c.Side
	rows := float64((ranks + n - 1) / n)
	switch {
	case n%block == 0:
		rows = 1
	case n*n%block == 0:
		rows = min(rows, float64(n))
	}
	pieces := 2 + 2*float64(n)/float64(block)
	return float64(len(k.backward(k.group))) * rows * (shifts*pieces*60 + 100)
}
