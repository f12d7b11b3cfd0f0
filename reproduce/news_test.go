package reproduce

import "testing"

// TestDeliver: two packets that need the same channel take turns; those with another way do not.
func TestDeliver(t *testing.T) {
	for _, c := range []struct {
		design         string
		packets        [][2]int
		units, longest int
	}{
		{"ring(n=5)", [][2]int{{0, 1}}, 1, 1},
		{"ring(n=5)", [][2]int{{0, 2}, {1, 2}}, 2, 2},                // pipelined: the second is gone when the first arrives
		{"ring(n=5,t=2)", [][2]int{{0, 2}, {1, 3}}, 2, 1},            // endpoints of one switch share the channel
		{"ring(n=4,t=2)", [][2]int{{0, 4}, {1, 5}}, 2, 2},            // two ways round
		{"ring(n=4,t=3)", [][2]int{{0, 6}, {1, 7}, {2, 8}}, 3, 2},    // and three packets
		{"fattree(k=4,l=2)", [][2]int{{0, 6}, {1, 7}, {2, 4}}, 2, 2}, // two roots
	} {
		d, _, err := sized(c.design)
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		if u, f, err := deliver(n, c.packets); u != c.units || f != c.longest || err != nil {
			t.Errorf("%s %v: %d units, longest %d hops, %v; want %d and %d", c.design, c.packets, u, f, err, c.units, c.longest)
		}
	}
}
