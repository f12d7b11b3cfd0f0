package flit

import (
	"math"

	"toposearch/simcore"
)

// tally is what is counted while the network runs.
type tally struct {
	// A packet is recorded if it reaches the head of its source queue in cycle recNow or later
	// and was created in [recFrom, recTo).
	recNow, recFrom, recTo simcore.Cycle
	since                  simcore.Cycle // packets created before belong to a run before
	all                    bool          // sample packets that are not recorded, too
	outstanding            int64

	attempts, silent, unreachable int64
	made, gone                    int64 // flits of packets made, and arrived, since Reset
	flitHops, spent               int64 // since Reset, and in all runs before
	accFlits, injFlits            int64
	accPackets                    int64
	acc, inj                      []int64 // flits by endpoint

	plat, nlat             simcore.Histogram
	pair                   simcore.Histogram        // latencies of the watched pair
	flat                   simcore.Histogram        // by flit, of all that have arrived; empty unless flits are timed
	hops, frag             int64                    // switches passed by the sampled packets; tails behind heads beyond size - 1
	viaNic                 int64                    // sampled packets that took channels of NicClasses
	bodies                 int64                    // flits behind the heads of the sampled packets
	allN, allSum           int64                    // packets that have arrived since Reset, and their latencies
	before                 struct{ inj, acc int64 } // flits counted when the last window began
	batchSum, batchN       []int64                  // packet latency by batch of creation time
	batchFrom, batchLength simcore.Cycle
}

func (t *tally) init(endpoints, batches int) {
	t.acc, t.inj = inHugePages(make([]int64, endpoints)), inHugePages(make([]int64, endpoints))
	t.batchSum, t.batchN = make([]int64, batches), make([]int64, batches)
}

func (t *tally) reset() {
	t.recNow, t.recFrom, t.recTo, t.since = never, 0, never, 0
	t.all = false
	t.spent += t.flitHops
	t.outstanding, t.attempts, t.silent, t.unreachable, t.flitHops = 0, 0, 0, 0, 0
	t.allN, t.allSum = 0, 0
	t.made, t.gone = 0, 0
	t.batchFrom, t.batchLength = 0, 0
	t.restart()
}

// restart empties what belongs to a window.
func (t *tally) restart() {
	t.before.inj, t.before.acc = t.injFlits, t.accFlits
	t.accFlits, t.injFlits, t.accPackets, t.hops, t.viaNic, t.frag, t.bodies = 0, 0, 0, 0, 0, 0, 0
	clear(t.acc)
	clear(t.inj)
	clear(t.batchSum)
	clear(t.batchN)
	t.plat.Reset()
	t.nlat.Reset()
	for _, h := range []*simcore.Histogram{&t.flat, &t.pair} {
		if h.N() > 0 {
			h.Reset()
		}
	}
}

// follow takes over what is to be recorded; share uses the counters by endpoint of another part,
// each of which counts its own endpoints.
func (t *tally) follow(main *tally) {
	t.recNow, t.recFrom, t.recTo, t.since, t.all = main.recNow, main.recFrom, main.recTo, main.since, main.all
	t.batchFrom, t.batchLength = main.batchFrom, main.batchLength
}

func (t *tally) share(main *tally) { t.acc, t.inj = main.acc, main.inj }

// absorb moves what another part has counted here. All are sums of integers, so that the order
// does not matter.
func (t *tally) absorb(p *tally) {
	for _, x := range [...]struct{ to, from *int64 }{{&t.outstanding, &p.outstanding}, {&t.attempts, &p.attempts},
		{&t.silent, &p.silent}, {&t.made, &p.made}, {&t.gone, &p.gone}, {&t.unreachable, &p.unreachable}, {&t.flitHops, &p.flitHops}, {&t.spent, &p.spent}, {&t.accFlits, &p.accFlits},
		{&t.injFlits, &p.injFlits}, {&t.accPackets, &p.accPackets}, {&t.hops, &p.hops}, {&t.viaNic, &p.viaNic}, {&t.frag, &p.frag},
		{&t.bodies, &p.bodies}, {&t.allN, &p.allN}, {&t.allSum, &p.allSum}} {
		*x.to += *x.from
		*x.from = 0
	}
	t.plat.Absorb(&p.plat)
	t.nlat.Absorb(&p.nlat)
	t.flat.Absorb(&p.flat)
	t.pair.Absorb(&p.pair)
	for i := range p.batchN {
		t.batchSum[i] += p.batchSum[i]
		t.batchN[i] += p.batchN[i]
		p.batchSum[i], p.batchN[i] = 0, 0
	}
}

func (t *tally) records(now, created simcore.Cycle) bool {
	return now >= t.recNow && created >= t.recFrom && created < t.recTo
}

// retire counts a packet whose tail has arrived.
func (t *tally) retire(p *packet, now simcore.Cycle) {
	t.accPackets++
	lat := int64(now) - int64(p.created)
	t.allN++
	t.allSum += lat
	rec := p.rec && simcore.Cycle(p.created) >= t.since
	if rec {
		t.outstanding--
	}
	if !rec && !t.all {
		return
	}
	t.plat.Add(lat)
	t.nlat.Add(int64(now) - int64(p.injected))
	if p.seq&watchedSeq != 0 {
		t.pair.Add(lat)
	}
	t.hops += int64(p.Hops)
	if p.ViaNic {
		t.viaNic++
	}
	t.frag += int64(now) - int64(p.headAt) - int64(p.size-1)
	t.bodies += int64(p.size - 1)
	if t.batchLength > 0 {
		if b := int((simcore.Cycle(p.created) - t.batchFrom) / t.batchLength); b >= 0 && b < len(t.batchN) {
			t.batchSum[b] += lat
			t.batchN[b]++
		}
	}
}

// injected counts a flit that enters the network.
func (t *tally) injected(e int32) {
	t.injFlits++
	t.inj[e]++
}

const never = math.MaxInt64 / 4

// pairBatches makes one batch of each two and leaves the second half empty.
func (t *tally) pairBatches() {
	simcore.PairBatches(t.batchSum)
	simcore.PairBatches(t.batchN)
	t.batchLength *= 2
}
