package placed

import (
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/heap"
	"toposearch/internal/stream"
	"toposearch/workload/collective"
)

// streaming plays flows message by message over the ports of endpoints and the links between them, which are servers: a message leaves when what it waits for is
// there and the port of its sender is free, reaches the links of its routes and the port of its receiver after its latency, and is there when
// the last of them has carried its part. Senders share a link packet by packet, as switches let their inputs take turns; what one sends goes in order. Buffers hold all that
// waits, as those of switches do hold messages of collectives: no sender waits because a link ahead is busy.
type streaming struct {
	flows   []collective.Flow
	way     []way
	next    [][]int // flows that wait for a flow
	may     []int   // messages of each flow that have been allowed,
	got     []int   // and received
	servers []server
	senders []sender
	sent    []parcel
	free    []int32 // of sent
	due     heap.Heap[float64, event]
	now     float64
	events  uint64
	last    []float64 // arrival of the last message of each flow
	rng     *rand.Rand
	atOnce  int       // messages that an endpoint sends at the same time
	packets []float64 // of way.draw
	detours detours   // nil: messages keep to their routes
	// Servers from out on are ports of senders, those from in on are ports of receivers.
	out, in int32
}

// detours choose ways of messages as they reach the network.
type detours interface {
	open(w *way) bool                 // whether there is a choice
	take(p *streaming, message int32) // queues the first of its packets at channels, in place of those of its way
	next(p *streaming, message int32) // the same of the next
}

// way is what a message of a flow takes.
type way struct {
	*route
	from, to int  // ranks
	relays   bool // it has its switch in it
	latency  float64
	took     float64 // of its bytes, from the first to the last, at least
	seconds  float64 // at an endpoint's rate
	out, in  int32   // servers of the first port of sender and receiver
	packets  int     // of the size in which links are shared
	draws    bool    // packets draw their ways one by one; otherwise loads are their means
	ahead    int     // messages that wait at ports of the sender besides those that it sends
}

// first is from where on a message has to be carried before it is there.
func (w *way) first() int {
	if w.relays {
		return w.route.out
	}
	return 0
}

// server is that of the i-th of what the route uses.
func (w *way) server(i int) int32 {
	c := w.list[i].channel
	switch {
	case i < w.route.out:
		return w.out + c
	case i >= w.route.in:
		return w.in + c
	}
	return c
}

// draw fills in how long each of what the route uses is busy with a message.
func (w *way) draw(to, packets []float64, rng *rand.Rand) {
	if !w.draws {
		for i, u := range w.list {
			to[i] = u.share * w.seconds
		}
		return
	}
	w.walk(w.packets, packets, rng, func(i int, n float64) {
		u := &w.list[i]
		to[i] = u.share * w.seconds * n / (float64(w.packets) * u.part)
	})
}

// sender is an endpoint: messages that wait for one of the slots in which it sends at the same time.
type sender struct {
	wait        heap.Heap[float64, int] // flows, by the time since when
	open, begun int                     // messages that are not sent whole, and all that were begun
}

// parcel is a message under way.
type parcel struct {
	flow    int
	left    int  // servers that have not carried it yet
	ports   int  // of them, ports of the sender
	begun   bool // one of these has begun
	there   bool
	seconds []float64 // on each of what its route uses
	soonest float64   // that it is there
	batches int       // that have not taken a way yet, where there is a choice
}

// event is what happens at a time: a server has carried a message, or a message reaches the network, or its next packets there choose a way, or it reaches its receiver.
type event struct {
	kind uint8
	at   int32 // server or message
}

const (
	carried uint8 = iota
	reaches
	divides
	arrives
)

// newStream plays flows on their ways over so many servers; atOnce is how many messages a rank sends at the same time.
func newStream(flows []collective.Flow, ways []way, ranks, servers, atOnce int) *streaming {
	p := &streaming{flows: flows, way: ways, next: make([][]int, len(flows)), may: make([]int, len(flows)), got: make([]int, len(flows)),
		servers: make([]server, servers), senders: make([]sender, ranks), last: make([]float64, len(flows)), rng: stream.New(1, "placed.ways"), atOnce: atOnce}
	for i, f := range flows {
		for _, need := range f.After {
			p.next[need.Flow] = append(p.next[need.Flow], i)
		}
	}
	return p
}

// allow lets the messages of a flow go that wait for nothing any more.
func (p *streaming) allow(i int) {
	f := &p.flows[i]
	for p.may[i] < f.Count {
		for _, need := range f.After {
			if p.got[need.Flow] < min(p.may[i]+need.Lead, p.flows[need.Flow].Count) {
				return
			}
		}
		p.may[i]++
		p.senders[p.way[i].from].wait.Push(p.now, uint64(i), i)
	}
}

// run gives the arrival of the last message.
func (p *streaming) run() (end float64) {
	for i := range p.flows {
		p.allow(i)
	}
	for r := range p.senders {
		p.send(r)
	}
	for p.due.Len() > 0 {
		at, e := p.due.Pop()
		switch {
		case e.kind == carried:
			if p.servers[e.at].due == at && len(p.servers[e.at].turn) > 0 { // otherwise another came in between
				p.now = at
				p.carry(e.at)
			}
		case e.kind == reaches:
			p.now = at
			w := &p.way[p.sent[e.at].flow]
			begin := w.route.out
			if p.detours != nil && p.detours.open(w) {
				p.detours.take(p, e.at)
				begin = w.route.in
			}
			p.queue(e.at, begin, len(w.list), int32(w.from))
		case e.kind == divides:
			p.now = at
			p.detours.next(p, e.at)
		default:
			p.now, end = at, at
			p.arrive(e.at)
		}
	}
	return end
}

// post notes an event.
func (p *streaming) post(at float64, kind uint8, of int32) {
	p.events++
	p.due.Push(at, p.events, event{kind, of})
}

// send lets a rank begin what it may.
func (p *streaming) send(rank int) {
	s := &p.senders[rank]
	for s.wait.Len() > 0 {
		_, i := s.wait.Least()
		w := &p.way[i]
		if s.open >= p.atOnce+w.ahead {
			return
		}
		s.wait.Pop()
		m := p.take()
		x := &p.sent[m]
		*x = parcel{flow: i, left: len(w.list) - w.first(), ports: w.route.out, seconds: slices.Grow(x.seconds[:0], len(w.list))[:len(w.list)]}
		p.packets = slices.Grow(p.packets[:0], w.switches)[:w.switches]
		w.draw(x.seconds, p.packets, p.rng)
		s.open++
		s.begun++
		p.queue(m, 0, w.route.out, int32(s.begun%p.atOnce))
	}
}

// take is the number of a message.
func (p *streaming) take() (number int32) {
	if n := len(p.free); n > 0 {
		number, p.free = p.free[n-1], p.free[:n-1]
		return number
	}
	p.sent = append(p.sent, parcel{})
	return int32(len(p.sent) - 1)
}

// queue gives a message to some of the servers on its way.
func (p *streaming) queue(m int32, from, to int, key int32) {
	w := &p.way[p.sent[m].flow]
	begin := math.Inf(1)
	for i := from; i < to; i++ {
		seconds, server := p.sent[m].seconds[i], w.server(i)
		if seconds == 0 {
			p.done(server, m)
			continue
		}
		packets := w.passing(i, seconds)
		begin = min(begin, p.give(server, key, job{m, packets, seconds / packets}))
	}
	p.begin(m, begin)
}

// passing is how many packets of a message a server carries in so many seconds.
func (w *way) passing(i int, seconds float64) float64 {
	if !w.draws {
		return float64(w.packets)
	}
	u := &w.list[i]
	return max(1, math.Round(seconds/(u.share*w.seconds)*u.part*float64(w.packets)))
}

// give puts a job into a queue of a server, and tells when it begins: never, as far as is known, if others of the queue are before it.
func (p *streaming) give(server, key int32, j job) (begin float64) {
	s := &p.servers[server]
	begin, next := s.add(p.now, key, j)
	if !next {
		return math.Inf(1)
	}
	p.post(s.due, carried, server)
	return begin
}

// begin notes when the first packet of a message is sent, if that is known and was not before.
func (p *streaming) begin(m int32, at float64) {
	x := &p.sent[m]
	if x.begun || math.IsInf(at, 1) {
		return
	}
	w := &p.way[x.flow]
	x.begun, x.soonest = true, at+w.latency+w.took
	p.post(at+w.latency, reaches, m)
}

// carry ends what a server has of a message.
func (p *streaming) carry(server int32) {
	s := &p.servers[server]
	m, next, begin := s.served()
	if len(s.turn) > 0 {
		p.post(s.due, carried, server)
	}
	if next != nil {
		p.begin(next.message, begin)
	}
	p.done(server, m)
}

// done notes that a server has carried what it was given of a message. A message of an endpoint that relays is out of memory, and may be there,
// before its port is free.
func (p *streaming) done(server, m int32) {
	x := &p.sent[m]
	w := &p.way[x.flow]
	port := p.out <= server && server < p.in
	if !port || !w.relays {
		if x.left--; x.left == 0 {
			p.post(max(p.now, x.soonest), arrives, m)
		}
	}
	if port {
		if x.ports--; x.ports == 0 {
			p.senders[w.from].open--
			p.forget(m)
			p.send(w.from)
		}
	}
}

// forget frees the number of a message that is both sent and there.
func (p *streaming) forget(m int32) {
	if p.sent[m].there && p.sent[m].ports == 0 {
		p.free = append(p.free, m)
	}
}

// busiest is how long the busiest server carries messages: on the mean of what packets draw, or what it has carried where detours relieve it.
func (p *streaming) busiest() (most float64) {
	if p.detours != nil {
		for i := range p.servers {
			most = max(most, p.servers[i].given)
		}
		return most
	}
	busy := make([]float64, len(p.servers))
	for i := range p.flows {
		w := &p.way[i]
		for j, u := range w.list {
			busy[w.server(j)] += u.share * w.seconds * float64(p.flows[i].Count)
			most = max(most, busy[w.server(j)])
		}
	}
	return most
}

func (p *streaming) arrive(m int32) {
	i := p.sent[m].flow
	p.sent[m].there = true
	p.forget(m)
	p.got[i]++
	p.last[i] = p.now
	for _, o := range p.next[i] {
		p.allow(o)
		p.send(p.way[o].from)
	}
}
