package flit

import (
	"reflect"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// What is measured, and when the warm-up and the measurement end, does not depend on the number of
// parts that a network is simulated in.
func TestObserveInParts(t *testing.T) {
	for _, full := range []bool{false, true} {
		cfg := shortConfig()
		cfg.forceFull, cfg.PacketFlits, cfg.Measure = full, 3, 600
		cfg.WarmupRule, cfg.Precision, cfg.MaxMeasure = simcore.WarmupMSER5, 0.03, 1200
		cfg.Observe = simcore.Observe{Detail: true, Channels: true, Series: 130}
		var first simcore.Point
		for parts := 1; parts <= 3; parts++ {
			s := mustNew(t, newGrid(t, 5, true), uniform{25}, cfg)
			if got := s.split(parts); got != parts {
				t.Fatalf("%d parts of %d", got, parts)
			}
			p, err := s.Run(t.Context(), 0.5)
			if err != nil {
				t.Fatal(err)
			}
			if parts == 1 {
				first = p
			} else if !reflect.DeepEqual(p, first) {
				t.Errorf("full %t, %d parts: %+v\none: %+v", full, parts, p, first)
			}
		}
		if first.Detail == nil || len(first.Series) < 8 || !first.Warmup.Settled {
			t.Errorf("measured %+v", first)
		}
	}
}

// noted remembers the destinations that each endpoint drew.
type noted struct {
	uniform
	drawn [][]topology.EndpointID
}

func (n *noted) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	d := n.uniform.Dest(src, r)
	n.drawn[src] = append(n.drawn[src], d)
	return d
}

// Common random numbers: in two networks an endpoint makes the same packets at the same times, for
// the same seed, so that designs are compared on the same traffic.
func TestCommonRandomNumbers(t *testing.T) {
	cfg := shortConfig()
	cfg.Sizes, cfg.Weights = []int{1, 5}, []int{2, 1}
	run := func(torus bool, seed uint64) (*noted, []int64) {
		n := &noted{uniform{16}, make([][]topology.EndpointID, 16)}
		c := cfg
		c.Seed = seed
		s := mustNew(t, newGrid(t, 4, torus), n, c)
		s.Reset(0.1, seed)
		var next []int64
		for e := range s.srcOf {
			next = append(next, s.srcOf[e].next)
		}
		s.Step(5000)
		return n, next
	}
	mesh, at := run(false, 7)
	torus, at2 := run(true, 7)
	other, _ := run(false, 8)
	if !reflect.DeepEqual(at, at2) {
		t.Errorf("first packets at %v and %v", at, at2)
	}
	same := 0
	for e := range mesh.drawn {
		k := min(len(mesh.drawn[e]), len(torus.drawn[e]))
		if k < 50 || !reflect.DeepEqual(mesh.drawn[e][:k], torus.drawn[e][:k]) {
			t.Errorf("endpoint %d sends to other endpoints in the torus (%d packets)", e, k)
		}
		if reflect.DeepEqual(mesh.drawn[e][:50], other.drawn[e][:50]) {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d endpoints draw the same with another seed", same)
	}
}
