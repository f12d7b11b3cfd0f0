package flit

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// resetWatch begins to watch the pair of the configuration at a load.
func (s *Sim) resetWatch(load float64, seed uint64) {
	s.watch = nil
	pair := s.cfg.Observe.Watch
	if pair == nil || load <= 0 {
		return
	}
	w := &watch{Pair: *pair, rand: simcore.NewRand(seed, 4), next: -1}
	s.setWatch(w, load)
	w.advance()
	for _, p := range s.all() {
		p.watch = w // only the part of its source touches it
	}
}

// setWatch derives the gaps between the pair's packets from the load.
func (s *Sim) setWatch(w *watch, load float64) {
	w.load = simcore.WatchLoad(load, s.able) * float64(s.rateNum) / float64(s.rateDen)
	w.gaps.set(math.Log1p(-w.load / s.cfg.MeanFlits()))
}

func (w *watch) advance() { w.next += 1 + simcore.Cycle(w.gaps.draw(w.rand.Float64())) }

// checkWatch says why a pair cannot be watched.
func (s *Sim) checkWatch() error {
	w := s.cfg.Observe.Watch
	if w == nil {
		return nil
	}
	return w.Check(s.endpoints, func(e topology.EndpointID) bool { return s.srcStart[e] < s.srcStart[e+1] })
}

// watched reports whether the next packet of an endpoint is one of the watched pair.
func (s *Sim) watched(e int32, own simcore.Cycle) bool {
	return s.watch != nil && int32(s.watch.Src) == e && s.watch.next <= own
}

// watchedResult is what came of the pair; nil if none is watched.
func (s *Sim) watchedResult() *simcore.Watched {
	w := s.watch
	if w == nil {
		return nil
	}
	one := float64(s.rateNum) / float64(s.rateDen)
	return simcore.NewWatched(&w.Pair, w.load/one, s.load*float64(max(1, s.able)), &s.stat.pair)
}
