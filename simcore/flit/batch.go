package flit

import "toposearch/simcore"

func newBatchStages(s *Sim) *batchStages {
	b := &batchStages{delay: simcore.Cycle(s.cfg.RoutingDelay), outOf: make([]int32, s.nOut),
		routeDue: make([]simcore.Cycle, s.switches), crossDue: make([]simcore.Cycle, s.switches), crossStep: make([]int64, s.switches)}
	for sw := range s.switches {
		for op := s.outStart[sw]; op < s.outStart[sw+1]; op++ {
			b.outOf[op] = int32(sw)
		}
	}
	return b
}

// part is the state for another part: by switch shared, lists its own.
func (b *batchStages) part() *batchStages {
	if b == nil {
		return nil
	}
	q := *b
	q.heads, q.crossing = nil, nil
	return &q
}

func (b *batchStages) reset() {
	if b == nil {
		return
	}
	b.heads, b.crossing = b.heads[:0], b.crossing[:0]
	for i := range b.routeDue {
		b.routeDue[i], b.crossDue[i], b.crossStep[i] = -1, -1, -1
	}
}

// route starts the heads whose stage is free, and routes those that are done: they wait for a VC from
// the next step on.
func (b *batchStages) route(s *Sim) {
	if b == nil {
		return
	}
	for i := range b.heads {
		if h := &b.heads[i]; h.due < 0 && b.routeDue[h.sw] < 0 {
			h.due = s.now + b.delay - 1
		}
	}
	keep := b.heads[:0]
	for _, h := range b.heads {
		if h.due >= 0 {
			b.routeDue[h.sw] = h.due
		}
		if h.due >= 0 && h.due <= s.now {
			s.computeRoute(h.iv, &s.vc[h.iv], s.front(h.iv))
			s.waitAt[0] = append(s.waitAt[0], h.iv)
			b.routeDue[h.sw] = -1
			continue
		}
		keep = append(keep, h)
	}
	b.heads = keep
}

// cross says when a flit that waits for the crossbar leaves it if it begins now, done by the cycle
// given; -1: the crossbar of its switch is at work.
func (b *batchStages) cross(op int32, done simcore.Cycle, step int64) simcore.Cycle {
	if b == nil {
		return done
	}
	sw := b.outOf[op]
	if b.crossDue[sw] < 0 {
		b.crossDue[sw], b.crossStep[sw] = done, step
		b.crossing = append(b.crossing, sw)
	}
	if b.crossStep[sw] != step {
		return -1
	}
	return done
}

// crossed frees the crossbars whose flits have left.
func (b *batchStages) crossed(now simcore.Cycle) {
	if b == nil {
		return
	}
	keep := b.crossing[:0]
	for _, sw := range b.crossing {
		if b.crossDue[sw] <= now {
			b.crossDue[sw] = -1
			continue
		}
		keep = append(keep, sw)
	}
	b.crossing = keep
}
