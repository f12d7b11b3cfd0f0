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
	always bool    // whatever queues say, by way of any
	err    error
	most   int            // batches into which the packets of a message are divided
	none   map[*route]int // how often all ways drawn for a route shared a channel with it
	legs   [2][]leg       // of a batch, direct and by way of another switch
}

// leg is what packets put on a channel.
type leg struct {
	server  int32
	packets float64
	each    float64 // of which each takes so many s
}

func (l *leg) seconds() float64 { return l.packets * l.each }

func (r *routes) detouring(ctx context.Context, batches int) *detouring {
	d := &detouring{ctx: ctx, r: r, always: r.n.Around != nil, most: batches, none: make(map[*route]int)}
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
	return len(d.mids) > 2 && w.draws && w.route.out == 1 && len(w.list)-w.route.in == 1 && w.route.in > w.route.out
}

// take divides a message that has reached the network into batches of packets, which come one after the other and each take a way of their own.
func (d *detouring) take(p *streaming, m int32) {
	x := &p.sent[m]
	w := &p.way[x.flow]
	x.batches = min(w.packets, d.most)
	x.left += x.batches - (w.route.in - w.route.out)
	d.next(p, m)
}

// next puts the next batch of a message on channels, by the way on which less waits for each hop: directly if q 2 H <= q' (H + H') with the hops H and the
// queues q of as many channels as the routing sees.
func (d *detouring) next(p *streaming, m int32) {
	x := &p.sent[m]
	w := &p.way[x.flow]
	all := min(w.packets, d.most)
	i := all - x.batches
	n := w.packets*(i+1)/all - w.packets*i/all
	d.legs[0] = d.draw(p, w, w.route, n, d.legs[0][:0])
	chosen := d.legs[0]
	if by, ok := d.by(p, w, n); ok && len(chosen) > 0 {
		direct := w.route.hops()
		bias := chosen[0].seconds() / 2 // half of what passes, as of routings that are not told another one
		q, other, weigh := d.waits(p, d.legs[0])-bias, d.waits(p, d.legs[1]), (direct+by)/(2*direct)
		if d.r.n.Detours.Sees > 2 { // all of a way: a longer one holds more as it is
			weigh = 1
		}
		switch {
		case d.always: // as lone messages do, whose latency is known
			chosen = d.legs[1]
		case q > other*weigh:
			chosen = d.legs[1]
			x.soonest = max(x.soonest, p.now+w.took*float64(x.batches)/float64(all)+w.latency*(by-direct)/(direct+1))
		}
	}
	x.batches--
	x.left += len(chosen) - 1
	for _, l := range chosen {
		p.give(l.server, int32(w.from), job{m, l.packets, l.each})
	}
	switch {
	case x.batches > 0: // when those before are gone, if nothing is in their way
		p.post(p.now+w.seconds/float64(all)*(1+rounding), divides, m)
	case x.left == 0: // they cross nothing that takes time
		p.post(max(p.now, x.soonest), arrives, m)
	}
}

// waits is how long a batch of packets waits on as many channels of a way as the routing sees, without what passes where nothing waits.
func (d *detouring) waits(p *streaming, legs []leg) (seconds float64) {
	for _, l := range legs[:min(len(legs), d.r.n.Detours.Sees)] {
		q := p.servers[l.server].waits(p.now)
		if d.r.n.Detours.Sees > 2 {
			q = max(0, q-l.seconds())
		}
		seconds += q
	}
	return seconds
}

// by draws a way by another switch for a batch of packets, into legs[1], and how many hops it has; false: none was found. One that shares a channel with the direct way
// relieves nothing, and another is drawn; where all did twice, as where a source has one channel, there is taken to be no other.
func (d *detouring) by(p *streaming, w *way, packets int) (hops float64, ok bool) {
	if d.none[w.route] > 1 {
		return 0, false
	}
	for range draws {
		mid := d.mids[p.rng.IntN(len(d.mids))]
		if mid == d.r.n.set(w.from) || mid == d.r.n.set(w.to) {
			if d.always { // which is the direct way
				return 0, false
			}
			continue
		}
		a, err := d.r.join(d.ctx, d.r.n.set(w.from), mid)
		if err != nil {
			d.err = err
			return 0, false
		}
		b, err := d.r.join(d.ctx, mid, d.r.n.set(w.to))
		if err != nil {
			d.err = err
			return 0, false
		}
		if !a.drawn || !b.drawn {
			return 0, false
		}
		d.legs[1] = d.draw(p, w, b, packets, d.draw(p, w, a, packets, d.legs[1][:0]))
		if d.always || !slices.ContainsFunc(d.legs[1], func(l leg) bool {
			return slices.ContainsFunc(d.legs[0], func(o leg) bool { return o.server == l.server })
		}) {
			return a.hops() + b.hops(), true
		}
	}
	d.none[w.route]++
	return 0, false
}

// draws bounds those of a switch between: of three one is neither source nor destination, and one in 600 times it finds none.
const draws = 16

// draw adds the channels that some packets of a message take on a route.
func (d *detouring) draw(p *streaming, w *way, r *route, packets int, to []leg) []leg {
	p.packets = slices.Grow(p.packets[:0], r.switches)[:r.switches]
	r.walk(packets, p.packets, p.rng, func(i int, n float64) {
		if u := &r.list[i]; i >= r.out && i < r.in && n > 0 && u.share > 0 {
			to = append(to, leg{u.channel, n, u.share / u.part * w.seconds / float64(w.packets)})
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
