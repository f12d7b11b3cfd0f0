package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// The shortest walks by hops left are those of the lists, whatever the lengths, and what bounds them holds of splits over the lists.
func TestBoundWalks(t *testing.T) {
	racing.Figures(t)
	for _, design := range []string{"fullmesh(d1=4,d2=4)", "ubmesh(x=2,y=2,z=2,w=1,pods=2)"} {
		n, _, r := allPathRouter(t, design)
		table, err := NewTable(context.Background(), r, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		var flows []WalkFlow
		for i := range r.Sets {
			flows = append(flows, WalkFlow{table, r.Sets[i].Ports[0].Switch, (i + 1 + rng.IntN(len(r.Sets)-1)) % len(r.Sets), 1 + rng.Float64()})
		}
		const slack, lost = 2, 0.1
		w := walker{most: mostWalkHops, room: rooms(n, OwnCapacity(n)), load: make([]float64, n.Channels()), length: make([]float64, n.Channels())}
		for i, f := range flows {
			w.start = append(w.start, len(w.end))
			w.list(&flows[i], f.From, 0, int(table.Dist(f.Dst, table.Node(f.From, 0)))+slack, nil)
		}
		w.start = append(w.start, len(w.end))
		for c := range w.length {
			w.length[c] = rng.Float64()
		}
		s := shortest{length: w.length}
		for _, e := range groupWalks(flows, slack) {
			s.to(&e)
			for k, i := range e.flows {
				_, want := w.nearest(i, w.length)
				if got := s.from(table.Node(flows[i].From, 0), e.left[k]); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s, flow %d: %.12f, the shortest that is listed has %.12f", design, i, got, want)
				}
			}
		}
		best, err := BestWalks(context.Background(), n, flows, slack, OwnCapacity(n), lost)
		if err != nil {
			t.Fatal(err)
		}
		b, err := BoundWalks(context.Background(), n, flows, slack, OwnCapacity(n), lost)
		t.Logf("%s: listed [%.4f, %.4f], %.4f, by hops left [%.4f, %.4f], %.4f", design, best.Low, best.High, best.Most, b.Low, b.High, b.Most)
		if err != nil || b.High < best.Low || b.Most < best.Low || b.Low > best.High || b.Most < b.High || b.High > 1.1*best.High || b.Low < 0.95*best.Low {
			t.Errorf("%s: listed %+v, by hops left %+v, %v", design, best, b, err)
		}
	}
	// By hand, see TestBestWalksByHand: all NPUs of all rows send one place on, 4 links' worth of 14.
	n, _, r := allPathRouter(t, "fullmesh(d1=8,d2=8)")
	table, err := NewTable(context.Background(), r, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var flows []WalkFlow
	for s := range 64 {
		flows = append(flows, WalkFlow{table, topology.SwitchID(s), s/8*8 + (s+1)%8, 1})
	}
	if b, err := BoundWalks(context.Background(), n, flows, 2, OwnCapacity(n), 0); err != nil || b.High < 4./14*(1-1e-9) || b.High > 1.45*4/14 || b.Low > 4./14*(1+1e-9) || b.Low < 0.9*4/14 {
		t.Errorf("rows one place on: %+v, %v, want %.4f", b, err, 4./14)
	}
	// All NPUs of two racks send to the other rack, 64 each way over 128 lanes of which an NPU has 72: walks are too many to be listed, and lengths that follow
	// loads find half of this only after many rounds.
	n, _, r = allPathRouter(t, "ubmesh(x=8,y=8,z=2,w=1)")
	if table, err = NewTable(context.Background(), r, nil, 1); err != nil {
		t.Fatal(err)
	}
	flows = nil
	for i := range r.Sets {
		flows = append(flows, WalkFlow{table, r.Sets[i].Ports[0].Switch, (i + 64) % len(r.Sets), 1})
	}
	want := 128. / 72 / 64
	if b, err := BoundWalks(context.Background(), n, flows, 2, OwnCapacity(n), 0); err != nil || math.Abs(b.High-want) > 1e-9*want || b.Low > want*(1+1e-9) || b.Low < want/2 {
		t.Errorf("from rack to rack: %+v, %v, want %.4f", b, err, want)
	}
}
