package cutthrough

import "toposearch/simcore"

func (t *tally) init(batches int) {
	t.accepted, t.batchSum, t.batchN = make([]int64, batches), make([]int64, batches), make([]int64, batches)
}

func (t *tally) reset() {
	a, b, n := t.accepted, t.batchSum, t.batchN
	clear(a)
	clear(b)
	clear(n)
	p, q, r := t.plat, t.nlat, t.pair
	p.Reset()
	q.Reset()
	r.Reset()
	t.phases.Reset()
	*t = tally{phases: t.phases, plat: p, nlat: q, pair: r, accepted: a, batchSum: b, batchN: n, series: t.series[:0], late: t.late[:0]}
}

// arrived counts a packet whose last byte comes to its endpoint at tail.
func (t *tally) arrived(s *Sim, p *packet, tail int64, tie int32) {
	t.delivered++
	tail += ps(s.cfg.NICNs)
	b := int64(s.bytes[p.size])
	t.gone += b
	lat := tail - p.created
	t.arrivals += lat
	if t.phases != nil {
		t.phases.Arrive(tail, b)
		t.phases.Deliver(p.created, lat)
	}
	if s.tick > 0 {
		x := t.sample(tail / s.tick)
		x.accepted, x.n, x.sum = x.accepted+b, x.n+1, x.sum+lat
	}
	if tail < s.recTo {
		t.accept(s, late{tail, int32(b), tie, p.vc&flagMarked != 0})
	} else if s.open {
		t.late = append(t.late, late{tail, int32(b), tie, p.vc&flagMarked != 0})
	}
	if p.vc&flagRec == 0 {
		return
	}
	t.outstanding--
	t.packets++
	t.plat.Add(lat)
	if s.watched(p.src) && p.created&1 == 1 {
		t.pair.Add(lat)
	}
	t.nlat.Add(lat - int64(p.wait)*waitUnit)
	t.switches += int64(p.hops)
	if p.vc&flagNic != 0 {
		t.viaNic++
	}
	i := min(int((p.created-s.batch.from)/s.batch.length), len(t.batchN)-1)
	t.batchSum[i] += lat
	t.batchN[i]++
}

// accept counts an arrival before the end of the window.
func (t *tally) accept(s *Sim, x late) {
	if x.tail < s.recFrom {
		return
	}
	s.accept[x.tie] += int64(x.bytes)
	t.accepted[min(int((x.tail-s.batch.from)/s.batch.length), len(t.accepted)-1)] += int64(x.bytes)
	t.inWindow++
	if x.marked {
		t.marked++
	}
}

// total adds up the workers.
func (s *Sim) total() *tally {
	var t tally
	t.init(s.cfg.Batches)
	for i := range s.workers {
		x := &s.workers[i].stat
		t.attempts += x.attempts
		t.silent += x.silent
		t.unreachable += x.unreachable
		t.outstanding += x.outstanding
		t.behind += x.behind
		t.hops += x.hops
		t.moved = max(t.moved, x.moved)
		t.peak, t.peakPort = max(t.peak, x.peak), max(t.peakPort, x.peakPort)
		t.pauses += x.pauses
		t.overflows += x.overflows
		t.plat.Merge(&x.plat)
		t.nlat.Merge(&x.nlat)
		t.pair.Merge(&x.pair)
		t.switches += x.switches
		t.viaNic += x.viaNic
		t.inWindow += x.inWindow
		t.marked += x.marked
		t.packets += x.packets
		t.delivered += x.delivered
		t.injected += x.injected
		t.made += x.made
		t.gone += x.gone
		t.arrivals += x.arrivals
		t.way += x.way
		t.rest += x.rest
		for k := range t.waited {
			t.waited[k] += x.waited[k]
		}
		for b := range t.accepted {
			t.accepted[b] += x.accepted[b]
			t.batchSum[b] += x.batchSum[b]
			t.batchN[b] += x.batchN[b]
		}
	}
	return &t
}

// standing is what has been offered since the start, and what of it has not arrived, in bytes: packets under way and in queues, and what sources would
// have made had those had room. Of the latter only the time of the first packet of an endpoint is drawn; the rest
// counts as the load makes it on average.
func (s *Sim) standing() simcore.Border {
	due, attempts, lost, made, gone := 0.0, int64(0), int64(0), int64(0), int64(0)
	for e := range s.src {
		if at := s.src[e].next; at < s.now {
			part, _ := s.src[e].part()
			due += part * s.mean * (1 + float64(s.now-at)/s.gap)
		}
	}
	for i := range s.workers {
		t := &s.workers[i].stat
		attempts, lost, made, gone = attempts+t.attempts-t.silent, lost+t.unreachable, made+t.made, gone+t.gone
	}
	if attempts > 0 { // some of it could not be sent
		due *= 1 - float64(lost)/float64(attempts)
	}
	return simcore.Border{Offered: float64(made) + due, Backlog: float64(made-gone) + due}
}

// sample is the piece with a number.
func (t *tally) sample(i int64) *sample {
	for int64(len(t.series)) <= i {
		t.series = append(t.series, sample{})
	}
	return &t.series[i]
}

// inNetwork is the number of packets injected and not delivered; moved the time of the last move.
func (s *Sim) inNetwork() (n, moved int64) {
	for i := range s.workers {
		n += s.workers[i].inNet
		moved = max(moved, s.workers[i].stat.moved)
	}
	return n, moved
}

// part is that of its draws in which an endpoint's traffic had a destination for it; ok: it has drawn.
func (x *source) part() (part float64, ok bool) {
	if drawn := float64(x.made) + float64(x.silent); drawn > 0 {
		return float64(x.made) / drawn, true
	}
	return 1, false
}

// senders is the number of endpoints that send, estimated from what each of them has drawn, as one whose queue is full draws
// seldom. Those that have not drawn yet are taken to be like the others.
func (s *Sim) senders() float64 {
	if s.loop != nil { // there it is known
		n := 0
		for e := range s.src {
			if s.src[e].sends {
				n++
			}
		}
		return float64(max(n, 1))
	}
	able, sum, known := 0, 0.0, 0 // those with a port
	for e := range s.src {
		if s.epStart[e] == s.epStart[e+1] {
			continue
		}
		able++
		if part, ok := s.src[e].part(); ok {
			sum += part
			known++
		}
	}
	if known == 0 {
		return float64(able)
	}
	return float64(able) * (sum / float64(known))
}
