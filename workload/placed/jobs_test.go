package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload/collective"
)

// TestTogether: of two jobs whose messages have one link between two switches both ways each takes half of it; a third between two other switches has its own. Who does it
// twice takes twice as long, and has the link for itself when the other is done.
func TestTogether(t *testing.T) {
	n := on(t, "complete(n=4,t=2)", 1)
	n.Link.Alpha = 0
	own := 1e6 / n.Link.BytesPerS
	lone := func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 0, n.Link.BytesPerS }
	n.Endpoint = []topology.EndpointID{0, 2, 1, 3, 4, 6}
	job := func(times int) Job {
		return Job{Kind: collective.Exchange, Algorithm: message{2}, Bytes: 1e6, Ranks: 2, Times: times}
	}
	for _, c := range []struct {
		times [3]int
		want  [3]float64
	}{{[3]int{1, 1, 1}, [3]float64{2, 2, 1}}, {[3]int{1, 2, 2}, [3]float64{2, 3, 2}}} {
		done, ok, err := n.Together(context.Background(), []Job{job(c.times[0]), job(c.times[1]), job(c.times[2])}, lone)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		for i, x := range done {
			if math.Abs(x/own-c.want[i]) > 0.2 { // a turn of a server is an eighth of a message
				t.Errorf("%v: job %d after %g, want %g", c.times, i, x/own, c.want[i])
			}
		}
	}
	n.Detours = &Detours{} // whose ways have no names
	if _, ok, err := n.Together(context.Background(), []Job{job(1), job(1), job(1)}, lone); ok || err != nil {
		t.Error(ok, err)
	}
}

// TestSlowestOfJobs: of two jobs that have a link between the same two of eight switches for 1 s of the 1.25 s that each takes alone one takes 1.6 times as long at least; where one of them does it
// three times while the other takes 3.75 s for it once, one that takes 4 s takes as much more. Where packets may make detours by way of six others there is room for all, and where all make them each
// link has little to carry.
func TestSlowestOfJobs(t *testing.T) {
	n := on(t, "complete(n=8,t=2)", 1)
	n.Endpoint = []topology.EndpointID{0, 2, 1, 3, 4, 6}
	j := Job{Kind: collective.Exchange, Algorithm: message{2}, Bytes: n.Link.BytesPerS, Ranks: 2, Times: 1}
	three := j
	three.Times = 3
	n.set(0) // what is known of ranks is not of the job's
	for _, x := range []struct {
		detours, around bool
		second          Job
		alone           float64 // of the first
		want            float64
	}{{false, false, j, 1.25, 1.6}, {false, false, three, 3.75, 4 / 3.75}, {true, false, j, 1.25, 1}, {true, true, j, 1.25, 1}} {
		if n.Detours, n.Around = nil, nil; x.detours {
			n.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), x.around, 1)
		}
		if x.around {
			n.Around = n.Detours
		}
		got, err := n.Slowest(context.Background(), []Job{j, x.second, j}, []float64{x.alone, 1.25, 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-x.want) > 1e-9 {
			t.Errorf("detours %v, always %v: %g, want %g", x.detours, x.around, got, x.want)
		}
	}
}
