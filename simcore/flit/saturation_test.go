package flit

import (
	"reflect"
	"testing"

	"toposearch/simcore"
)

// A load that goes on from the state of the one before has the same point on any number of parts; what was under way
// then is not measured, and it counts its own cycles and flits.
func TestLoadGoesOn(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Warmup, cfg.Measure, cfg.PacketFlits, cfg.Observe = 40, 600, 4, simcore.Observe{Series: 150}
	var first simcore.Point
	for _, parts := range []int{1, 3} {
		s := mustNew(t, newGrid(t, 6, true), uniform{36}, cfg)
		s.split(parts)
		before, err := s.run(t.Context(), 0.9, false) // overloaded: packets of its window are still on their way
		if err != nil {
			t.Fatal(err)
		}
		if s.stat.outstanding == 0 {
			t.Fatal("all packets of the first load have arrived")
		}
		p, err := s.run(t.Context(), 0.88, true)
		if err != nil {
			t.Fatal(err)
		}
		if first.Cycles == 0 {
			first = p
		} else if !reflect.DeepEqual(p, first) {
			t.Errorf("%d parts give\n%+v\none\n%+v", parts, p, first)
		}
		if int64(s.now) != before.Cycles+p.Cycles || p.Cycles < 640 || s.stat.flitHops != before.FlitHops+p.FlitHops {
			t.Errorf("at cycle %d after %d and %d; %d flit-hops, %d and %d", s.now, before.Cycles, p.Cycles, s.stat.flitHops, before.FlitHops, p.FlitHops)
		}
		// Of its window come the packets that reached the network in it, all later than those before them.
		if made := int64(0.88 * 36 * 600 / 4); p.Packets == 0 || p.Packets > made*11/10 || p.Latency.Max > p.Measured+int64(cfg.Measure) {
			t.Errorf("%d packets measured of some %d that were offered, latencies of up to %d cycles", p.Packets, made, p.Latency.Max)
		}
		if p.Series[0].Cycle != 150 || p.Series[0].Accepted < 0.3 || p.Series[0].Accepted > 1 {
			t.Errorf("the first sample: %+v", p.Series[0])
		}
	}
}

// Latencies of a search for saturation are of all packets of the first half of its window, however long that becomes, and of no others.
func TestProbedPackets(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Warmup, cfg.Measure, cfg.PacketFlits = 200, 600, 4
	for load, measured := range map[float64]int64{0.3: 600, 0.55: 600, 0.65: 900} {
		s := mustNew(t, newGrid(t, 6, true), uniform{36}, cfg)
		s.probing = true
		p, err := s.run(t.Context(), load, false)
		if err != nil {
			t.Fatal(err)
		}
		half := cfg
		half.Measure /= 2
		first, err := mustNew(t, newGrid(t, 6, true), uniform{36}, half).run(t.Context(), load, false)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Latency, first.Latency; p.Measured != measured || p.Packets != first.Packets || got.Mean != want.Mean || got.P50 != want.P50 || got.P99 != want.P99 || got.Max != want.Max {
			t.Errorf("load %g: %d cycles, not %d; latencies of %d packets\n%+v\n%d of the first half\n%+v", load, p.Measured, measured, p.Packets, got, first.Packets, want)
		}
	}
}
