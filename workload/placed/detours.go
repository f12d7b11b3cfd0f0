package placed

import (
	"toposearch/routing"
	"toposearch/workload"
)

// leaving is how many of a group of endpoints that lie switch by switch, so many on each of more than one, send to another switch if each sends to the one
// so much further on: from every switch as many.
func leaving(perSwitch, shift, size int) float64 { return float64(min(perSwitch, shift, size-shift)) }

// divided is where all endpoints send; every switch then sends as much.
func (g *Grid) divided(of workload.Group, shift, ranks int) (busiest float64, ok bool) {
	one, times, ok := g.one(of)
	m := product(g.Dims)
	if !ok || m < 3 || ranks != m*g.PerSwitch || one.PerSwitch == of.Size {
		return 0, false
	}
	l := one.loads().(*gridLoads)
	for i := range of.Size {
		l.add(i, (i+shift)%of.Size, 1)
	}
	out := times * leaving(one.PerSwitch, shift, of.Size)
	var direct, detours []float64
	for d, k := range g.Dims {
		if k < 2 {
			continue
		}
		legs := 2 * out * g.along(d, g.PerSwitch*m) / float64(g.PerSwitch*g.PerSwitch)
		link := func(carried float64) {
			line := times * carried / g.Carry[d]
			direct, detours = append(direct, line), append(detours, (legs-2*line)/float64(m-2))
		}
		l.links(d, link)
		if ring, _ := one.ring(d); one.Dims[d] < k && ring == 0 { // links of switches that are not in the group
			link(0)
		}
	}
	return 1 / routing.BestSplit(direct, detours).Throughput, true
}

// best is what the busiest link takes of what was added if as many packets as is best make the detours of BySwitches.
func (l *gridLoads) best() float64 {
	m := len(l.out)
	if m < 3 {
		return l.under(l.levels())
	}
	legs := l.legs()
	var direct, detours []float64
	for d := range l.Dims {
		first := len(direct)
		l.links(d, func(x float64) { direct = append(direct, x/l.Carry[d]) })
		legs.links(d, func(x float64) {
			detours = append(detours, (x/l.Carry[d]-2*direct[first])/float64(m-2))
			first++
		})
	}
	return 1 / routing.BestSplit(direct, detours).Throughput
}

// divided bounds it by the links between blocks, on which the first or the second leg of every detour by way of another block goes.
func (b Blocks) divided(of workload.Group, shift, ranks int) (busiest float64, ok bool) {
	one, times, ok := b.Outer.one(of)
	blocks, inBlock := product(b.Outer.Dims), 1
	if len(b.Inner.Dims) > 0 {
		inBlock = b.Inner.Dims[0]
	}
	switches := blocks * inBlock
	if !ok || switches < 3 || ranks != blocks*b.Outer.PerSwitch || one.PerSwitch == of.Size {
		return 0, true
	}
	busiest, _ = b.Outer.closed(of, pattern{Shift: shift})
	legs := 2 * times * leaving(one.PerSwitch, shift, of.Size) * float64(inBlock) / b.Outer.Carry[0]
	return 1 / routing.BestSplit([]float64{busiest}, []float64{(legs - 2*busiest) / float64(switches-2)}).Throughput, true
}
