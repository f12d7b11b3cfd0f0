package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Links in bulk are the links of Wire, one for one.
func TestBundlesAreWire(t *testing.T) {
	type link struct {
		class int
		a, b  topology.SwitchID
	}
	for _, f := range All() {
		if f.Bundles == nil {
			continue
		}
		rng := stream.New(9, "bundles "+f.Name)
		found := 0
		points := contract[f.Name].Points
		for i := range 20000 + len(points) {
			v := draw(f, rng)
			if i < len(points) {
				v = points[i]
			}
			var s topology.Size
			if f.Size(v, &s) != nil || s.Endpoints > 400 || s.AllSwitches() > 400 {
				continue
			}
			found++
			open := map[link]int{}
			add := func(class int, a, b topology.SwitchID, n int) {
				k := link{class, min(a, b), max(a, b)}
				if open[k] += n; open[k] == 0 {
					delete(open, k)
				}
			}
			f.Wire(v, func(class int, a, b topology.SwitchID) { add(class, a, b, 1) })
			f.Bundles(v, func(b topology.Bundle) {
				if b.Mesh {
					meshLinks(b.Class, int(b.A), b.Count, func(class int, x, y topology.SwitchID) { add(class, x, y, -b.Times) })
					return
				}
				if b.Rounds.Ports > 0 {
					b.EachRound(func(first, back int) {
						for i := range b.Ring {
							for rank := range b.Ring - 1 {
								j, to := rank+1, i // i < j
								if b.Turn != nil {
									j, to = b.Turn(rank)
									j = (i + j) % b.Ring
								}
								if q, there := first+rank, back+to; b.Turn == nil && i < j || b.Turn != nil && (q < there || q == there && i < j) {
									add(b.Class, b.A+topology.SwitchID(i*b.Step+q/b.Rounds.Ports), b.B+topology.SwitchID(j*b.Step+there/b.Rounds.Ports), -b.Times)
								}
							}
						}
					})
					return
				}
				if b.Ring > 0 {
					for i := range b.Count {
						add(b.Class, b.A+topology.SwitchID(i*b.Step), b.B+topology.SwitchID((i+b.Shift)%b.Ring*b.Step), -b.Times)
					}
					return
				}
				for block := range max(b.Blocks, 1) {
					from, to := b.A+topology.SwitchID(block*b.Count), b.B+topology.SwitchID(block*b.Cycle*b.Each)
					for i := range b.Count {
						for k := range b.Each {
							add(b.Class, from+topology.SwitchID(i), to+topology.SwitchID(i%b.Cycle*b.Each+k), -b.Times)
						}
					}
				}
			})
			if len(open) > 0 {
				t.Fatalf("%s%v: %d links differ, such as %v", f.Name, v, len(open), open)
			}
		}
		if found < 50 {
			t.Errorf("%s: %d designs test little", f.Name, found)
		}
	}
}
