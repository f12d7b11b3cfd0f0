package bound

import (
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// ByLeaves bounds a step of the workload by what its ranks send out of the switches on which they hang, and what leads
// away from these, by all their links in grids, or by those inside and between the blocks of dragonflies. It takes several microseconds, more for a sequence of switches that has not been met yet.
var ByLeaves = Refinement{
	Name:    "links of leaves",
	Narrows: 1<<metric.StepTime | 1<<metric.CostEfficiency,
	Effort:  (*Model).loadsEffort,
	refine:  (*Ladder).byLeaves,
}

// loadsEffort is the time that it takes to bound a step by what the links of a design carry: where that of a given division has been met, as many have, some 10 us; where the best is
// searched, 0.08 to 0.6 ms at 1,024 endpoints by family, and 2 to 11 at 8,192.
func (m *Model) loadsEffort(s *topology.Size) int64 {
	const counted, endpointsEach = 16, 2
	if t := m.opt.Training; t != nil && t.Searched && s.Endpoints <= mostLeaves {
		return counted + s.Endpoints/endpointsEach
	}
	return counted
}

// LoadsEffort is the time that the box at hand takes of which it is asked what collectives take on its links (topology.PerEndpoint.Loads), in enclosures by closed forms.
func (l *Ladder) LoadsEffort() int64 { return l.model.loadsEffort(l.size) }

// tight is the share of a time on blocks that is sure to be below that on the built network, whose loads are added up in another order.
const tight = 1 - 1e-9

// mostLeaves bounds the endpoints of designs that are looked at: beyond, an evaluation is the smaller part of a search.
const mostLeaves = 1 << 14

func (l *Ladder) byLeaves(out *metric.Intervals) {
	if l.countsLoads(out) {
		l.loads(out)
	}
}

// countsLoads tells whether the step of the workload follows more closely from the links of a design, with its size in l.size.
func (l *Ladder) countsLoads(out *metric.Intervals) bool {
	f, t := l.size.Family, l.model.opt.Training
	return t != nil && t.Through != nil && l.ownRoutes && f.Attach != nil && l.size.Endpoints <= mostLeaves && out.Have[metric.StepTime]
}

// loads raises the bound of the step to what the links of the design with values l.v and size l.size carry.
func (l *Ladder) loads(out *metric.Intervals) {
	f, s, t := l.size.Family, l.size, l.model.opt.Training
	atLeast := func(x float64) { out.Set(metric.StepTime, max(out.At[metric.StepTime].Lo, x), inf) }
	detours := l.model.opt.Phases.Hi > 1 // on which loads differ; what leads out of switches carries them all the same
	if g := l.shape(); g != nil && !detours {
		if x, ok := t.OnShape(f, s.Endpoints, g); ok {
			atLeast(x)
		}
		return
	}
	if b := l.blocks(); b != nil && !detours && l.model.opt.Routing != "minimal" {
		if x, ok := t.OnShape(f, s.Endpoints, b); ok {
			atLeast(x * tight)
		}
	}
	carry, ok := l.carried()
	if !ok || !l.attached(carry) {
		return
	}
	if x, ok := t.Through(s.Endpoints, l.part, l.carry); ok {
		atLeast(x)
	}
}

// loadsWidest is loads of the design of the box with most links: with fewer between the same switches every collective takes as long or longer,
// and so does the step. It tells whether that says more than what is known.
func (e *enclosure) loadsWidest() bool {
	l, per := e.l, e.b.Per
	if per == nil || !per.Loads || !e.known || !e.out.Have[metric.StepTime] || e.b.Lo.Endpoints != e.b.Hi.Endpoints {
		return false
	}
	if l.widest.values != per.Widest || l.widest.model != l.model || l.widest.family != l.family {
		l.widest.values, l.widest.model, l.widest.family = per.Widest, l.model, l.family
		l.widest.step = l.stepOnWidest(e.b.Hi, e.out)
	}
	known := &e.out.At[metric.StepTime]
	if l.widest.step <= known.Lo {
		return false
	}
	known.Lo = l.widest.step
	return true
}

// stepOnWidest is the least time of a step on the design of the values l.widest, which has the rates of the corner hi of its box; 0 if none is known.
func (l *Ladder) stepOnWidest(hi *topology.Size, known *metric.Intervals) float64 {
	w := &l.widest
	w.v = w.v[:0]
	for i := range hi.Family.Params {
		w.v = append(w.v, int(w.values[i]))
	}
	if hi.Family.Size(w.v, &w.size) != nil || w.size.Lanes != hi.Lanes || w.size.EndpointLanes != hi.EndpointLanes || w.size.Endpoints != hi.Endpoints {
		return 0
	}
	v, size, out := l.v, l.size, *known
	l.v, l.size = w.v, &w.size
	if l.countsLoads(&out) {
		l.loads(&out)
	}
	l.v, l.size = v, size
	return out.At[metric.StepTime].Lo * tight
}

// carried is what the links of a switch of each class carry at most, in units of an endpoint's bandwidth; false where switches
// of a class differ.
func (l *Ladder) carried() (carry [topology.MaxClasses]float64, ok bool) {
	asked, stated := l.model.market.AskedGbps()
	if !stated {
		return carry, false
	}
	f := l.size.Family
	for i := range f.SwitchClasses {
		c := &l.size.Switch[i]
		if c.Also != 0 {
			return carry, false
		}
		for k := range f.LinkClasses {
			// The first class is that by which endpoints hang.
			if k > 0 && l.rates.Kind[k] != market.Inside {
				carry[i] += float64(c.Ports[k]) * l.rates.Link[k] / asked
			}
		}
	}
	return carry, true
}

// attached puts the endpoints into parts that hang on the same switches; false where two parts share one.
func (l *Ladder) attached(carry [topology.MaxClasses]float64) bool {
	f, s := l.size.Family, l.size
	l.part, l.carry = l.part[:0], l.carry[:0]
	switches := 0 // of all kinds, those of scale-up domains too
	for i := range f.SwitchClasses {
		switches += int(s.Switch[i].Count)
	}
	l.partOf = slices.Grow(l.partOf[:0], switches)[:switches]
	clear(l.partOf)
	whole := true
	f.Attach(l.v, func(count int, ports []topology.SwitchID) {
		if !whole {
			return
		}
		at := l.partOf[ports[0]] // 1 more than the part, 0 for none
		for _, p := range ports[1:] {
			whole = whole && l.partOf[p] == at
		}
		if !whole {
			return
		}
		if at == 0 {
			l.carry = append(l.carry, 0)
			at = int32(len(l.carry))
			for _, p := range ports {
				if l.partOf[p] == 0 { // an endpoint may have several ports there
					l.partOf[p] = at
					l.carry[at-1] += carry[l.classOf(p)]
				}
			}
		}
		for range count {
			l.part = append(l.part, at-1)
		}
	})
	return whole
}

// classOf is the class of a switch: they are numbered class by class.
func (l *Ladder) classOf(p topology.SwitchID) int {
	n := int64(p)
	for i := range l.size.Family.SwitchClasses {
		if n -= l.size.Switch[i].Count; n < 0 {
			return i
		}
	}
	return 0
}
