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

// TestSlowdownsOfJobs: of two jobs of 0.8 of a link each, between other endpoints of the same two of eight switches, both take 1.6 times as long at least; a third job between
// two other switches does not. Where packets may make detours by way of six others there is room for all, and where all make them each link has little to carry.
func TestSlowdownsOfJobs(t *testing.T) {
	n := on(t, "complete(n=8,t=2)", 1)
	n.Endpoint = []topology.EndpointID{0, 2, 1, 3, 4, 6}
	j := Job{Kind: collective.Exchange, Algorithm: message{2}, Bytes: n.Link.BytesPerS, Ranks: 2, Times: 1}
	jobs, alone := []Job{j, j, j}, []float64{1.25, 1.25, 1}
	n.set(0) // what is known of ranks is not of the job's
	for _, x := range []struct {
		detours, around bool
		want            []float64
	}{{false, false, []float64{1.6, 1.6, 1}}, {true, false, []float64{1, 1, 1}}, {true, true, []float64{1, 1, 1}}} {
		if n.Detours, n.Around = nil, nil; x.detours {
			n.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), x.around, 1)
		}
		if x.around {
			n.Around = n.Detours
		}
		got, err := n.Slowdowns(context.Background(), jobs, alone)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range x.want {
			if math.Abs(got[i]-want) > 1e-9 {
				t.Errorf("detours %v, always %v: job %d %g, want %g", x.detours, x.around, i, got[i], want)
			}
		}
	}
}
