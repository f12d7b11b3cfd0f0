package cutthrough

import (
	"toposearch/simcore"
)

// tally is what one worker counts. Sums of workers do not depend on who counted what.
type tally struct {
	attempts, silent, unreachable int64
	outstanding                   int64 // measured packets created, less those that arrived
	behind                        int64 // endpoints that have passed the end of the window, negative
	hops                          int64 // packets that passed a switch
	moved                         int64 // ps at which a packet last moved
	peak                          int64 // bytes in the fullest switch
	peakPort                      int32 // bytes in the fullest input and VC
	pauses, overflows             int64

	plat, nlat         simcore.Histogram // of measured packets, ps
	switches, viaNic   int64             // passed by them; those that took channels of simcore.NicClasses
	inWindow, marked   int64             // packets that arrived in the window; of them, with an ECN mark
	accepted           []int64           // bytes by batch
	batchSum, batchN   []int64           // latency in ps by batch of creation
	packets, delivered int64             // measured; all

	injected int64 // bytes that left their sources
	arrivals int64 // sum of the latencies of all that was delivered, ps
	// Of measured packets: ps of their heads on cables and in pipelines; from the arrival of a head to
	// that of its last byte.
	way, rest int64
	waited    [numWhys]int64 // ps of all packets that waited for an output in the window
	series    []sample
	late      []late
}

// late is an arrival behind the end of a window that may become longer.
type late struct {
	tail   int64
	bytes  int32
	tie    int32
	marked bool
}

func (t *tally) init(batches int) {
	t.accepted, t.batchSum, t.batchN = make([]int64, batches), make([]int64, batches), make([]int64, batches)
}

func (t *tally) reset() {
	a, b, n := t.accepted, t.batchSum, t.batchN
	clear(a)
	clear(b)
	clear(n)
	p, q := t.plat, t.nlat
	p.Reset()
	q.Reset()
	*t = tally{plat: p, nlat: q, accepted: a, batchSum: b, batchN: n, series: t.series[:0], late: t.late[:0]}
}

// arrived counts a packet whose last byte comes to its endpoint at tail.
func (t *tally) arrived(s *Sim, p *packet, tail int64, tie int32) {
	t.delivered++
	tail += ps(s.cfg.NICNs)
	b := int64(s.bytes[p.size])
	lat := tail - p.created
	t.arrivals += lat
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
		t.switches += x.switches
		t.viaNic += x.viaNic
		t.inWindow += x.inWindow
		t.marked += x.marked
		t.packets += x.packets
		t.delivered += x.delivered
		t.injected += x.injected
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
