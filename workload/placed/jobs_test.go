package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/workload/collective"
)

// TestTogether: of two jobs whose messages have one link between two switches both ways each takes half of it; a third between two other switches has its own. Who does it
// twice takes twice as long, and has the link for itself when the other is done.
func TestTogether(t *testing.T) {
	n := on(t, "complete(n=4,t=2)", 1)
	n.Link.Alpha = 0
	own := 1e6 / n.Link.BytesPerS
	lone := func(_, _ topology.EndpointID) (float64, float64) { return 0, n.Link.BytesPerS }
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
