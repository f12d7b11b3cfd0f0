package flit

import (
	"toposearch/simcore"
)

// bucket is what arrives in one cycle in one lane: at a set of switches, or at the endpoints.
type bucket struct {
	flits   []uint64 // input VC << 32 | flit
	credits []int32  // output VCs
}

// spares are the arrays of buckets that have been emptied, the last used first: few arrays, and
// those in cache, serve a wheel of any size. Arrays smaller than the largest that was needed are
// replaced once, so that growth ends.
type spares struct {
	flits   stack[uint64]
	credits stack[int32]
}

// stack is a stack of empty arrays.
type stack[T any] struct {
	free [][]T
	most int
}

// leastSpare is the size of the first arrays: that of a cycle of a small network.
const leastSpare = 64

func (p *stack[T]) put(b []T) {
	if b != nil {
		p.free = append(p.free, b[:0])
		p.most = max(p.most, cap(b))
	}
}

func (p *stack[T]) take() []T {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		if cap(b) >= p.most {
			return b
		}
	}
	return make([]T, 0, max(leastSpare, p.most))
}

// room gives a list without room for another element more of it: an empty list one of the arrays.
func (p *stack[T]) room(b []T) []T {
	if cap(b) == 0 {
		return p.take()
	}
	return append(b, *new(T))[:len(b)]
}

//go:noinline
func (p *spares) roomForFlits(b *bucket) { b.flits = p.flits.room(b.flits) }

//go:noinline
func (p *spares) roomForCredits(b *bucket) { b.credits = p.credits.room(b.credits) }

func (p *spares) giveBack(b *bucket) {
	p.flits.put(b.flits)
	p.credits.put(b.credits)
	b.flits, b.credits = nil, nil
}

// lag is how long something is on its way and the lane in which it arrives: cycles << 8 | lane.
type lag int32

// maxLanes: a lane is eight bits of a lag, and that of endpoints is one more.
const maxLanes = 255

func (l lag) delay() simcore.Cycle { return simcore.Cycle(l >> 8) }

// place is the bucket in which something arrives that leaves in a cycle.
func (s *Sim) place(now simcore.Cycle, l lag) int32 {
	return int32((now+l.delay())&s.wheelMask)<<(s.laneBits&31) | int32(l&0xff)
}

// due are the buckets of this cycle, by lane; the last is that of the endpoints.
func (s *Sim) due() []bucket {
	at := int(s.now&s.wheelMask) << s.laneBits
	return s.wheel[at : at+len(s.lanes)+1]
}

// launch puts a flit on a line.
func (s *Sim) launch(o *outPort, op int32, v uint8, f uint32) {
	if s.sent != nil {
		s.sent[op]++
	}
	if s.slow != nil {
		if l := &s.slow[op]; l.num > 0 {
			l.free = max(l.free, int64(s.now)*l.num) + l.den
		}
	}
	iv := o.down<<(s.vs&31) | int32(v)
	if s.farOut != nil && s.farOut[op] != 0 {
		s.flitFar(s.farOut[op]-1, s.now, o.lag, iv, f)
		return
	}
	s.fileFlit(&s.wheel[s.place(s.now, o.lag)], iv, f)
}

// fileFlit and fileCredit are small enough to be inlined: the call that makes room is rare.
func (s *Sim) fileFlit(b *bucket, iv int32, f uint32) {
	n := len(b.flits)
	if n == cap(b.flits) {
		s.spare.roomForFlits(b)
	}
	b.flits = b.flits[:n+1]
	b.flits[n] = uint64(iv)<<32 | uint64(f)
}

// giveCredit returns the slot of a flit that leaves input VC v of port ip in this cycle.
func (s *Sim) giveCredit(ip, v int32) { s.creditLater(ip, v, s.now) }

// creditLater returns a slot by a credit that is sent in cycle at.
func (s *Sim) creditLater(ip, v int32, at simcore.Cycle) {
	p := &s.in[ip]
	if s.farIn != nil && s.farIn[ip] != 0 {
		s.creditFar(s.farIn[ip]-1, at, p.crLag, p.up<<(s.vs&31)|v)
		return
	}
	s.fileCredit(&s.wheel[s.place(at, p.crLag)], p.up<<(s.vs&31)|v)
}

func (s *Sim) fileCredit(b *bucket, ov int32) {
	n := len(b.credits)
	if n == cap(b.credits) {
		s.spare.roomForCredits(b)
	}
	b.credits = b.credits[:n+1]
	b.credits[n] = ov
}
