package cutthrough

import (
	"fmt"
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// watch is a pair that is watched (Observe.Watch). Its packets are told from what else its source sends by their time of creation: odd ps, all others
// of that source even ones. Only the worker of the source touches it.
type watch struct {
	simcore.Pair
	load, gap float64 // of the bandwidth of an endpoint; mean, ps
	next      int64   // ps of its next packet
	rand      simcore.Rand
}

// resetWatch begins to watch the pair of the configuration at a load.
func (s *Sim) resetWatch(load float64, seed uint64) {
	s.watch = nil
	pair := s.cfg.Observe.Watch
	if pair == nil || load <= 0 {
		return
	}
	able := 0
	for e := range s.src {
		if s.epStart[e] < s.epStart[e+1] {
			able++
		}
	}
	w := &watch{Pair: *pair, load: simcore.WatchLoad(load, able), rand: simcore.NewRand(seed, 4)}
	w.gap = s.mean * 8000 / (w.load * s.cfg.BandwidthGbps)
	w.advance()
	s.watch, s.able = w, able
}

func (w *watch) advance() { w.next += 1 + int64(w.gap*-math.Log(1-w.rand.Float64())) }

// watched tells whether an endpoint is the source of the pair that is watched.
func (s *Sim) watched(e int32) bool { return s.watch != nil && int32(s.watch.Src) == e }

// createdBy is when the next packet of an endpoint is, of its own or of the pair.
func (s *Sim) createdBy(e int32, x *source) int64 {
	if s.watched(e) {
		return min(x.next, s.watch.next)
	}
	return x.next
}

// drawWatched makes a packet of the pair; -1: its destination cannot be reached.
func (w *worker) drawWatched(e int32, x *source) int32 {
	s := w.s
	p := s.watch
	at := p.next | 1
	p.advance()
	w.now = max(at, s.now)
	return w.make(e, x, at, p.Dst, s.drawSize(&p.rand))
}

// watchedResult is what came of the pair, in ns; nil if none is watched.
func (s *Sim) watchedResult(t *tally) *simcore.Watched {
	w := s.watch
	if w == nil {
		return nil
	}
	out := simcore.NewWatched(&w.Pair, w.load, s.load*float64(s.able), &t.pair)
	if out.Packets > 0 {
		stdErr, ci := out.Latency.StdErr/1000, out.Latency.CI95/1000
		_, out.Latency = summarize(&t.pair)
		out.Latency.StdErr, out.Latency.CI95 = stdErr, ci
	}
	return out
}

// checkWatch says why a pair cannot be watched.
func checkWatch(p *simcore.Pair, n *topology.Network) error {
	if err := p.Check(n.Endpoints()); err != nil {
		return err
	}
	for _, e := range []topology.EndpointID{p.Src, p.Dst} {
		if _, _, ports := n.Group(n.GroupOf(e)); len(ports) == 0 {
			return fmt.Errorf("cutthrough: endpoint %d of the watched pair has no port", e)
		}
	}
	return nil
}
