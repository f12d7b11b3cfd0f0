package traffic

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
)

// By hand: of 2 flows on 2 paths the largest number is 1 or 2, each as likely; of 3 it is 3 in a quarter of all cases, else 2. Others by
// counting all cases.
func TestExpectedMost(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{{0, 3, 0}, {5, 1, 5}, {2, 2, 1.5}, {3, 2, 2.25}} {
		if got := ExpectedMost(c.n, c.k); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d flows on %d paths: %g, want %g", c.n, c.k, got, c.want)
		}
	}
	for _, c := range [][2]int{{4, 3}, {6, 4}, {7, 2}} {
		n, k := c[0], c[1]
		cases, sum := 1, 0
		for range n {
			cases *= k
		}
		for x := range cases {
			count, most := make([]int, k), 0
			for range n {
				count[x%k]++
				most = max(most, count[x%k])
				x /= k
			}
			sum += most
		}
		if got, want := ExpectedMost(n, k), float64(sum)/float64(cases); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d flows on %d paths: %g, want %g by counting", n, k, got, want)
		}
	}
}

// By hand: a ring of 4, one endpoint a switch, each sends to the second next clockwise, all but endpoint 3, which sends to the next. Channels
// have one lane as endpoints do. The channel 1 to 2 carries the flows from 0 and from 1, 2 to 3 those from 1 and 2, 3 to 0 those from 2 and
// 3; 0 to 1 that from 0 alone: flows get a half each.
func TestHashedByHand(t *testing.T) {
	_, n := design(t, "ring(n=4)")
	path := func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (int, topology.SwitchID, bool) {
		at := topology.SwitchID(src)
		for at != topology.SwitchID(dst) {
			for c, end := n.Out(at); c < end; c++ {
				if n.To(c) == (at+1)%4 {
					cross(c)
					at = n.To(c)
					break
				}
			}
		}
		return 0, at, true
	}
	p := &Pattern{name: "by hand", n: 4, to: []int32{2, 3, 0, 0}}
	h, err := p.Hashed(context.Background(), n, path)
	if err != nil {
		t.Fatal(err)
	}
	if h.Flows != 4 || math.Abs(h.First-0.5) > 1e-12 || math.Abs(h.Mean-0.5) > 1e-9 || math.Abs(h.Least-0.5) > 1e-9 {
		t.Errorf("%+v, want a half", h)
	}
	// Without the flow from 2 those from 0 and 1 meet, and 3 has its channels alone.
	p.to[2] = -1
	if h, err = p.Hashed(context.Background(), n, path); err != nil || h.Flows != 3 || math.Abs(h.Mean-2./3) > 1e-9 || math.Abs(h.Least-0.5) > 1e-9 {
		t.Errorf("%+v, %v, want 1/2, 1/2 and 1", h, err)
	}
	// Half as much from 1: in parts of what they offer flows 0 and 1 share 1 = x + x/2.
	p = &Pattern{name: "by hand", n: 4, rest: func(src int, add func(int, float64)) {
		switch src {
		case 0:
			add(2, 1)
		case 1:
			add(3, 0.5)
		}
	}}
	if h, err = p.Hashed(context.Background(), n, path); err != nil || math.Abs(h.First-2./3) > 1e-12 || math.Abs(h.Mean-2./3) > 1e-9 {
		t.Errorf("%+v, %v, want 2/3", h, err)
	}
}
