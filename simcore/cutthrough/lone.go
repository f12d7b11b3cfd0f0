package cutthrough

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// Lone gives the latency in ns of a single packet of the first size from src to dst in the idle
// network, its route drawn from seed; NaN if there is none.
func (s *Sim) Lone(src, dst int, seed uint64) float64 {
	if !s.lone {
		s.Reset(0, seed)
		s.lone, s.recFrom, s.recTo, s.batch.length = true, 0, never, never
	}
	w := s.homeOf(int32(src))
	x := &s.src[src]
	x.packet, x.next = simcore.NewRand(seed, uint64(src)), s.now
	traffic, sum := s.traffic, s.firstBatch()
	s.traffic = only(dst)
	w.now, w.until, w.sw = s.now, s.now, -1
	if x.pend = w.draw(int32(src), x); x.pend >= 0 {
		s.load, x.next = 1, never // lets it go, and no other
		w.createAt(int32(src), x, s.now+1<<s.shift)
		s.load = 0
	}
	s.traffic = traffic
	for end := s.now + lonePs; s.outstanding() > 0 && s.now < end; {
		s.step()
	}
	for _, moved := s.inNetwork(); s.now <= moved+s.longest; {
		s.step() // until its last byte has left every port, and its credits are back
	}
	if s.outstanding() > 0 || s.firstBatch() == sum {
		return math.NaN()
	}
	return float64(s.firstBatch()-sum) / 1000
}

// ZeroLoad sends some lone packets, from random endpoints to where the traffic has them send, and
// gives the mean and the longest time in ns; 0 if none arrived.
func (s *Sim) ZeroLoad(packets int) (mean, most float64) {
	rng, n := simcore.NewRand(s.cfg.Seed, zeroLoadStream), 0
	for k := range packets {
		src := rng.IntN(len(s.src))
		if s.epStart[src] == s.epStart[src+1] {
			continue
		}
		dst := s.traffic.Dest(topology.EndpointID(src), &rng)
		if dst < 0 {
			continue
		}
		if x := s.Lone(src, int(dst), uint64(k)); !math.IsNaN(x) {
			mean, most, n = mean+x, max(most, x), n+1
		}
	}
	return mean / max(1, float64(n)), most
}

// zeroLoadStream is its stream of random numbers, apart from those of sources (1 to 3).
const zeroLoadStream = 4

// lonePs bounds the time of a lone packet: a second.
const lonePs = 1e12

// only is the traffic of one destination.
type only int

func (only) Name() string { return "lone packet" }

func (d only) Dest(topology.EndpointID, *simcore.Rand) topology.EndpointID {
	return topology.EndpointID(d)
}
