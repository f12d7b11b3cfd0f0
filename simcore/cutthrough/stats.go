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
	*t = tally{plat: p, nlat: q, accepted: a, batchSum: b, batchN: n}
}

// arrived counts a packet whose last byte comes to its endpoint at tail.
func (t *tally) arrived(s *Sim, p *packet, tail int64, tie int32) {
	t.delivered++
	tail += ps(s.cfg.NICNs)
	b := int64(s.bytes[p.size])
	if tail >= s.recFrom && tail < s.recTo {
		s.accept[tie] += b
		t.accepted[min(int((tail-s.batch.from)/s.batch.length), len(t.accepted)-1)] += b
		t.inWindow++
		if p.vc&flagMarked != 0 {
			t.marked++
		}
	}
	if p.vc&flagRec == 0 {
		return
	}
	t.outstanding--
	t.packets++
	lat := tail - p.created
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
		for b := range t.accepted {
			t.accepted[b] += x.accepted[b]
			t.batchSum[b] += x.batchSum[b]
			t.batchN[b] += x.batchN[b]
		}
	}
	return &t
}
