package routing

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// plan is what decides between the direct way and a detour.
type plan uint8

const (
	direct  plan = iota // the routes of the rule
	valiant             // always by way of an intermediate (Valiant, Brebner, STOC 1981)
	ugalL               // the better of the two by the queues at the source switch
	ugalG               // the better of the two by all queues on the way
	par                 // ugalL, decided again at the second switch
)

// via is what the intermediate of a detour is.
type via uint8

const (
	viaSwitch   via = iota // the switches of an attachment set, all sets alike
	viaEndpoint            // the switches of a random endpoint
	viaBlock               // the first switch reached of a block: group, pod, sub-network
)

// Phases of a packet, in the order in which it passes through them. Each has VC classes of its
// own, above those of the phase before, so that no dependency leads back.
const (
	probing = iota // on the direct way, but not decided for good (par), or not yet decided
	outward        // to the intermediate
	homeward
	phases
)

// Native is a routing for the simulator, made of parts that vary independently: the plan, the
// intermediate, how one of several candidate hops is selected, and the rule whose routes the
// direct way and both legs of a detour follow.
type Native struct {
	name  string
	plan  plan
	via   via
	pick  pick
	bias  int
	hopVC bool
	t     *table

	setOf   []int32 // per endpoint
	groupOf []int32 // per endpoint
	blockOf []int32 // per switch; nil if the network has no blocks
	mids    []mid   // by set, or by block

	need   int           // VC classes
	offset [phases]uint8 // first VC class of a phase
	lo, hi []uint8       // VCs of each class
	top    uint8         // the last VC
	class  [topology.MaxClasses]int
}

// mid is an intermediate of detours.
type mid struct {
	dst    int32   // destination of the table; -1: nothing can go by way of it
	ports  []Port  // its switches
	onward []uint8 // hops from it to each set; nil: to be looked up
}

// Name is the name under which ByName finds it.
func (r *Native) Name() string { return r.name }

// VCs is the number of VC classes that the routing needs to be free of deadlock.
func (r *Native) VCs() int { return r.need }

// ClassVCs is the same per link class.
func (r *Native) ClassVCs() [topology.MaxClasses]int { return r.class }

// Local tells that switches decide by their own queues alone: all but ugal_g.
func (r *Native) Local() bool { return r.plan != ugalG }

// Inject chooses the port whose way is shortest, to the intermediate if there is one.
func (r *Native) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	p.Phase = homeward
	switch r.plan {
	case valiant:
		if mid := r.drawMid(p); mid >= 0 {
			p.Mid, p.Phase = mid, outward
			if e := r.enter(int(r.mids[mid].dst), p, v); e.Port != simcore.NoPort {
				return e
			}
			p.Mid, p.Phase = -1, homeward
		}
	case ugalL, ugalG, par:
		p.Phase = probing
	}
	return r.enter(int(r.setOf[p.Dst]), p, v)
}

// enter chooses among the ports that are nearest to a destination.
func (r *Native) enter(toward int, p *simcore.Packet, v *simcore.View) simcore.Entry {
	_, _, ports := r.t.r.Net.Group(int(r.groupOf[p.Src]))
	best, kept, n, used := uint8(far), simcore.NoPort, 0, 0
	for i, sw := range ports {
		node := r.t.node(sw, 0)
		d := r.t.at(toward, node)
		if d == far || d > best {
			continue
		}
		u := 0
		if r.pick == adaptive && v != nil {
			u = v.UsedEntry(p.Src, i)
		}
		switch {
		case d < best || u < used:
			best, kept, n, used = d, i, 1, u
		case u == used:
			n++
			if r.pick == hash {
				// The port with the highest weight of the flow: rendezvous hashing.
				if mix(flowOf(p)+uint64(i)) > mix(flowOf(p)+uint64(kept)) {
					kept = i
				}
			} else if p.Rand.IntN(n) == 0 {
				kept = i
			}
		}
	}
	return simcore.Entry{Port: kept, Lo: 0, Hi: r.top}
}

// Route gives the next hop.
func (r *Native) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	dst := int(r.setOf[p.Dst])
	if p.Phase == probing {
		r.decide(sw, p, v, dst)
	}
	if p.Phase == outward && r.t.at(int(r.mids[p.Mid].dst), r.t.node(sw, p.State)) == 0 {
		p.Phase, p.State = homeward, 0
	}
	toward := dst
	if p.Phase == outward {
		toward = int(r.mids[p.Mid].dst)
	}
	h, ok := r.t.choose(toward, r.t.node(sw, p.State), r.pick, p, v)
	if !ok {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	p.State = h.State
	class := r.offset[p.Phase] + h.VC
	if r.hopVC {
		class = uint8(p.Hops)
	}
	return simcore.Hop{Channel: h.Channel, Lo: r.lo[class], Hi: r.hi[class]}
}

// decide takes a probing packet onto the direct way or a detour. par leaves it probing for one
// hop, as long as it is on the direct way, and decides again at the next switch if that is still
// in the block of the source.
func (r *Native) decide(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) {
	node := r.t.node(sw, p.State)
	if r.t.at(dst, node) == 0 {
		p.Phase = homeward
		return
	}
	if p.Hops > 0 && !r.sameBlock(r.sourceSwitch(p), sw) {
		p.Phase = homeward
		return
	}
	mid := r.drawMid(p)
	if mid < 0 || r.keepDirect(sw, p, v, dst, &r.mids[mid]) {
		if r.plan != par || p.Hops > 0 {
			p.Phase = homeward
		}
		return
	}
	p.Mid, p.Phase, p.State = mid, outward, 0
}

func (r *Native) sourceSwitch(p *simcore.Packet) topology.SwitchID {
	_, _, ports := r.t.r.Net.Group(int(r.groupOf[p.Src]))
	return ports[p.Port]
}

func (r *Native) sameBlock(a, b topology.SwitchID) bool {
	return r.blockOf == nil || r.blockOf[a] == r.blockOf[b]
}
