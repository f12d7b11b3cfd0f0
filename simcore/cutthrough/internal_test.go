package cutthrough

import (
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/simcore/traffic"
)

// order is a stable sort by key.
func TestOrder(t *testing.T) {
	w := worker{s: &Sim{}}
	w.s.shift = 16
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		e := make([]event, n)
		for i := range e {
			at := uint64(7)<<16 | uint64(rng.IntN(1<<16)>>rng.IntN(12))
			e[i] = event{key: at<<timeBits | uint64(rng.IntN(3)), what: uint32(i)}
		}
		want := slices.Clone(e)
		slices.SortStableFunc(want, func(a, b event) int {
			switch {
			case a.key < b.key:
				return -1
			case a.key > b.key:
				return 1
			}
			return 0
		})
		w.order(e)
		if !slices.Equal(e, want) {
			t.Fatalf("%d events are out of order", n)
		}
	}
}

// insert and first are a heap.
func TestQueue(t *testing.T) {
	var w worker
	rng := rand.New(rand.NewPCG(3, 4))
	var keys []uint64
	for range 2000 {
		if len(keys) == 0 || rng.IntN(5) < 3 {
			k := rng.Uint64N(500)
			w.insert(event{key: k})
			keys = append(keys, k)
			continue
		}
		slices.Sort(keys)
		if got := w.first().key; got != keys[0] {
			t.Fatalf("first = %d, want %d", got, keys[0])
		}
		keys = keys[1:]
	}
}

// Under PFC credits only tell which VC has sent least, and never run out: a billion bytes on one VC
// are 21 ms of a port.
func TestPauseCredits(t *testing.T) {
	hops := func(left int32) int64 {
		s := twinSim(t, "dragonfly(p=2,a=4,h=2)", func() Config {
			c := DefaultConfig()
			c.FlowControl = PFC
			return c
		}())
		s.Reset(0.7, 3)
		for i := range s.lanes {
			if s.out[i/s.vcs].downSw >= 0 {
				s.lanes[i].credit -= left
			}
		}
		for i := range s.nicCredit {
			s.nicCredit[i] -= left
		}
		s.Steps(400)
		for i := range s.lanes {
			if c := s.lanes[i].credit; c < 0 {
				t.Fatalf("lane %d has %d credits", i, c)
			}
		}
		if err := s.Settled(); err != nil {
			t.Error(err)
		}
		return s.Hops()
	}
	if want, got := hops(0), hops(pfcCredit/2-20_000); got != want || want < 10_000 {
		t.Errorf("%d hops when credits run low, %d before", got, want)
	}
}

// The headroom is needed: with a third of it packets are lost under incast. (With all of it none
// is: TestLossless.)
func TestHeadroomIsNeeded(t *testing.T) {
	s := lossy(t)
	if p, err := s.Run(t.Context(), 0.8); err != nil || p.Dropped > 0 || p.Pauses == 0 {
		t.Fatalf("with all of the headroom: dropped %d, %d pauses (%v)", p.Dropped, p.Pauses, err)
	}
	for i := range s.room {
		s.room[i] /= 3
	}
	if p, err := s.Run(t.Context(), 0.8); err != nil || p.Dropped == 0 {
		t.Errorf("with a third of the headroom: dropped %d (%v)", p.Dropped, err)
	}
}

// lossy is a chain of two switches under PFC with long cables, whose first port is everybody's aim.
func lossy(t *testing.T) *Sim {
	t.Helper()
	n, r := chainNetwork(t)
	tr, err := traffic.ByName("hotspot(0.9,0)", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	c.ClassGbps, c.ClassCableNs, c.BandwidthGbps = []float64{400, 400}, []float64{1000, 1000}, 400
	c.FlowControl, c.BufferBytes, c.Queueing = PFC, 2_500_000, Output
	s, err := New(n, r, tr, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
