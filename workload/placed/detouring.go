package placed

import (
	"context"
	"slices"
)

// detouring lets packets make detours by way of other switches where queues ahead of them say so, as routings do that see the queues of a
// switch (UGAL: Singh, Stanford 2005).
type detouring struct {
	ctx    context.Context
	r      *routes
	mids   []int32 // sets of endpoints by way of which detours go, whether there are ranks or not
	always bool    // whatever queues say
	err    error
	legs   [2][]leg // of a packet, direct and by way of another switch
}

// leg is what packets put on a channel.
type leg struct {
	server  int32
	seconds float64
}

func (r *routes) detouring(ctx context.Context) *detouring {
	d := &detouring{ctx: ctx, r: r, always: r.n.Around != nil}
	ends := make(map[int32]bool) // sets of ranks
	for i := range r.n.Endpoint {
		ends[r.n.set(i)] = true
	}
	// Of many switches some stand for all, those at equal distances in the order of sets, so that there are not more than mostRoutes routes to and from them.
	sets := len(r.n.Router.Sets)
	most := min(sets, max(3, r.n.mostRoutes()/2/max(1, len(ends))))
	for i := range most {
		d.mids = append(d.mids, int32(i*sets/most))
	}
	return d
}

// open tells whether packets of a message may make detours: there is a third switch, and sender and receiver have one port each.
func (d *detouring) open(w *way) bool {
	return len(d.mids) > 2 && w.packets > 0 && w.route.out == 1 && len(w.list)-w.route.in == 1 && w.route.in > w.route.out
}

// take puts a message that has reached the network on channels, some of its packets at a time, each by the way on which less waits at its first
// channel for each hop: directly if q 2 H <= q' (H + H') with the queues q and hops H.
func (d *detouring) take(p *streaming, m int32) {
	x := &p.sent[m]
	w := &p.way[x.flow]
	batches := min(w.packets, int(p.turns))
	x.left -= w.route.in - w.route.out
	for i := range batches {
		n := w.packets*(i+1)/batches - w.packets*i/batches
		d.legs[0] = d.draw(p, w, w.route, n, d.legs[0][:0])
		chosen, direct := d.legs[0], w.route.hops()
		if a, b := d.by(p, w); a != nil && b != nil && len(chosen) > 0 {
			d.legs[1] = d.draw(p, w, b, n, d.draw(p, w, a, n, d.legs[1][:0]))
			// By when these packets come what was sent of the message before them has begun to leave.
			left := w.seconds * float64(w.packets*i/batches) / float64(w.packets)
			bias := chosen[0].seconds / float64(n) / 2 // half a packet, as of routings that are not told another one
			q, other := p.servers[chosen[0].server].waits-left-bias, max(0, p.servers[d.legs[1][0].server].waits-left)
			switch by := a.hops() + b.hops(); {
			case d.always: // as lone messages do, whose latency is known
				chosen = d.legs[1]
			case q*2*direct > other*(direct+by):
				chosen = d.legs[1]
				x.soonest = max(x.soonest, p.now+w.took+w.latency*(by-direct)/(direct+1))
			}
		}
		x.left += len(chosen)
		for _, l := range chosen {
			if p.servers[l.server].add(int32(w.from), job{m, l.seconds, l.seconds}) {
				p.serve(l.server)
			}
		}
		x = &p.sent[m]
	}
}

// by draws a way by another switch; nil: none was found.
func (d *detouring) by(p *streaming, w *way) (a, b *route) {
	const draws = 16 // of three switches one is neither source nor destination, and one in 600 times this finds none
	n := d.r.n
	for range draws {
		mid := d.mids[p.rng.IntN(len(d.mids))]
		if mid == n.set(w.from) || mid == n.set(w.to) {
			continue
		}
		a, err := d.r.join(d.ctx, n.set(w.from), mid)
		if err != nil {
			d.err = err
			return nil, nil
		}
		if b, err = d.r.join(d.ctx, mid, n.set(w.to)); err != nil {
			d.err = err
			return nil, nil
		}
		if !a.drawn || !b.drawn {
			return nil, nil
		}
		return a, b
	}
	return nil, nil
}

// draw adds the channels that some packets of a message take on a route.
func (d *detouring) draw(p *streaming, w *way, r *route, packets int, to []leg) []leg {
	p.packets = slices.Grow(p.packets[:0], r.switches)[:r.switches]
	r.walk(packets, p.packets, p.rng, func(i int, n float64) {
		if u := &r.list[i]; i >= r.out && i < r.in && n > 0 && u.share > 0 {
			to = append(to, leg{u.channel, u.share / u.part * w.seconds * n / float64(w.packets)})
		}
	})
	return to
}

// hops is how many channels a packet passes on the mean.
func (r *route) hops() (sum float64) {
	for _, u := range r.channels() {
		sum += u.part
	}
	return sum
}
