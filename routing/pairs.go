package routing

import (
	"context"
	"fmt"

	"toposearch/topology"
)

// pairs follows the traffic of one pair of sets after the other.
type pairs struct {
	*aimed
	single bool
	scale  []float64 // of each channel and port: 1 over its capacity, 0 if it does not count
	start  []int32   // the first port of each set, among ports
	// near and far are the loads of a unit from one set to another, on channels, then on ports in and out by turns: in
	// the first half of the route and in the second. touched is where they are not 0.
	near, far []float64
	touched   []int32
	flow      []float64
	now, on   []int32
	at        []int
}

func newPairs(r *Router, capacity func(link int) float64, single bool) *pairs {
	p := &pairs{aimed: newAimed(r), single: single, start: make([]int32, len(r.Sets)), scale: r.scales(capacity)}
	nic := 1 / capacity(nicClass(r.Net))
	for i := range r.Sets {
		p.start[i] = -1
		if set := &r.Sets[i]; set.ports() > 1 && !r.Net.Embedded(set.Ports[0].Switch) {
			p.start[i] = int32(len(p.scale))
			for range set.Ports {
				p.scale = append(p.scale, nic, nic)
			}
		}
	}
	p.near, p.far, p.flow = make([]float64, len(p.scale)), make([]float64, len(p.scale)), make([]float64, len(p.field.Dist))
	return p
}

// NoRouteError says that a rule has no route between two endpoints.
type NoRouteError struct{ From, To topology.EndpointID }

func (e *NoRouteError) Error() string {
	return fmt.Sprintf("routing: no route from endpoint %d to endpoint %d", e.From, e.To)
}

// each calls visit for every pair, of one destination after the other, with the load of a unit of its traffic.
func (p *pairs) each(ctx context.Context, visit func(src, dst int)) error {
	for dst := range p.r.Sets {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.aim(dst)
		for src := range p.r.Sets {
			if src != dst && !p.follow(src, dst) {
				return &NoRouteError{p.r.Sets[src].First, p.r.Sets[dst].First}
			}
			visit(src, dst)
			p.clear()
		}
	}
	return nil
}

// clear takes the load of a pair away.
func (p *pairs) clear() {
	for _, c := range p.touched {
		p.near[c], p.far[c] = 0, 0
	}
	p.touched = p.touched[:0]
}

// follow sends a unit from one set to another, level by level: every hop leads one nearer.
func (p *pairs) follow(src, dst int) bool {
	r, S, f := p.r, p.r.states, &p.field
	set, total, d := p.enter(src)
	if d == Unreachable {
		return false
	}
	p.now = p.now[:0]
	for _, i := range p.at {
		port := set.Ports[i]
		part := float64(port.Count) / float64(total)
		p.pass(int(port.Switch)*S, part, &p.now)
		if p.start[src] >= 0 {
			p.add(p.near, int(p.start[src])+2*i, part, p.among(set, port))
		}
	}
	for hop := 0; len(p.now) > 0; hop++ {
		half := p.near
		if 2*hop > int(d)-1 {
			half = p.far
		}
		p.on = p.on[:0]
		for _, x := range p.now {
			amount := p.flow[x]
			p.flow[x] = 0
			sw := topology.SwitchID(int(x) / S)
			if f.Dist[x] == 0 {
				p.eject(dst, sw, amount)
				continue
			}
			hops := p.hopsOf(x)
			amount /= float64(len(hops))
			for _, h := range hops {
				p.add(half, int(h.Channel), amount, 1)
				p.pass(int(r.Net.To(h.Channel))*S+int(h.State), amount, &p.on)
			}
		}
		p.now, p.on = p.on, p.now
	}
	return true
}

// enter finds the ports of a set by which its packets enter, in p.at, how many endpoints' ports these are in all, and the hops from there on.
func (p *pairs) enter(src int) (set *Set, total int32, hops uint16) {
	set = &p.r.Sets[src]
	p.at, hops = p.r.Inject(&p.field, src, p.at[:0])
	for _, i := range p.at {
		total += set.Ports[i].Count
	}
	return set, total, hops
}

// pass hands an amount to a node of the next level.
func (p *pairs) pass(node int, amount float64, level *[]int32) {
	if p.flow[node] == 0 {
		*level = append(*level, int32(node))
	}
	p.flow[node] += amount
}

// add loads a channel, or a port that is one of as many alike, in one half of the route.
func (p *pairs) add(half []float64, c int, amount, alike float64) {
	if p.near[c]+p.far[c] == 0 {
		p.touched = append(p.touched, int32(c))
	}
	if p.single {
		half[c] = 1 / alike
		return
	}
	half[c] += amount / alike
}

// among is the number of ports over which what the endpoints of a set send by one port is spread: one flow alone is
// all on one of an endpoint's.
func (p *pairs) among(set *Set, port Port) float64 {
	if p.single {
		return float64(set.Endpoints)
	}
	return float64(port.Count) * float64(set.Endpoints)
}

// of is the relative load of a channel.
func (p *pairs) of(c int32) float64 {
	if p.single { // which crosses it once
		return max(p.near[c], p.far[c]) * p.scale[c]
	}
	return (p.near[c] + p.far[c]) * p.scale[c]
}

func (p *pairs) eject(dst int, sw topology.SwitchID, amount float64) {
	set := &p.r.Sets[dst]
	for i, port := range set.Ports {
		if port.Switch == sw && p.start[dst] >= 0 {
			p.add(p.far, int(p.start[dst])+2*i+1, amount, p.among(set, port))
		}
	}
}
