package route

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of channels whose queues are alike but for chance one in four is that much longer than the others, however many there are. By hand: of two
// exponential variables one is more than f times the other with the probability 1 / (1 + f), a quarter at 3.
func TestPeersByChance(t *testing.T) {
	var tune Tuning
	for n, want := range map[int]float64{1: 3, 2: 2, 1 << 20: 2 * math.Ln2} {
		if got := tune.peers(n); math.Abs(got-want) > 0.01 {
			t.Errorf("%d peers: %.4f times their mean, want %.4f", n, got, want)
		}
	}
	const draws = 200_000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 6, 9, 30} {
		longer := 0
		for range draws {
			near, sum := rng.ExpFloat64(), 0.0
			for range n {
				sum += rng.ExpFloat64()
			}
			if near*float64(n) > tune.peers(n)*sum {
				longer++
			}
		}
		if got := float64(longer) / draws; math.Abs(got-chancePeers) > 4*math.Sqrt(chancePeers/draws) {
			t.Errorf("%d peers: %.4f of queues are longer, want %.4f", n, got, chancePeers)
		}
	}
}
