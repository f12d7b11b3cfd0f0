package route

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The expected load of the busiest channel is that of so fine a sum that no fifth digit changes, within two of the fourth, of random crowds that differ much.
func TestBusiestHashed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 60 {
		crowds := make([]Crowd, 1+rng.IntN(5))
		for i := range crowds {
			flows := math.Pow(10, 1+4*rng.Float64())
			crowds[i] = Crowd{Channels: math.Pow(10, 6*rng.Float64()), Flows: flows, Spread: rng.Float64(), Flow: (0.5 + rng.Float64()) / flows}
			if rng.IntN(4) == 0 {
				crowds[i].Spread = 0
			}
		}
		got, want := BusiestHashed(crowds), busiestPlain(crowds)
		worst = max(worst, math.Abs(got/want-1))
		if math.Abs(got/want-1) > 2e-4 {
			t.Errorf("%+v: %.7f, want %.7f", crowds, got, want)
		}
	}
	t.Logf("within %.1g", worst)
}

// busiestPlain adds up 1 less the probability that all are within a load, from 0 on.
func busiestPlain(crowds []Crowd) float64 {
	from, to := 0.0, 0.0
	for _, c := range crowds {
		from = max(from, c.Flows*c.Flow)
		to = max(to, (c.Flows+hashedTail*math.Sqrt(c.Flows*c.Spread))*c.Flow)
	}
	const steps = 50_000
	sum, step := 0.0, to/steps
	for i := range steps {
		x, log := (float64(i)+0.5)*step, 0.0
		for i := range crowds {
			switch c := newCount(&crowds[i]); {
			case c.dev > 0:
				log += c.channels * c.logWithin(x)
			case x < c.mean:
				log = math.Inf(-1)
			}
		}
		sum -= math.Expm1(log) * step
	}
	return max(sum, from)
}

// Of few flows the busiest channel has what the largest of independent counts has, of which each flow is on the channel or not: never more than there are.
func TestBusiestOfFew(t *testing.T) {
	for _, flows := range []float64{4, 8, 30} {
		for _, p := range []float64{0.5, 0.2, 0.05} {
			for _, sure := range []float64{0, 3} {
				if sure > 0 && p < 0.5 { // which are taken for fewer sure flows and more of a half
					continue
				}
				for _, channels := range []float64{8, 100, 1e4} {
					want, within, pmf := sure, 0.0, math.Pow(1-p, flows)
					for k := range int(flows) { // 1 less the probability that all have k at most
						within += pmf
						pmf *= (flows - float64(k)) / float64(k+1) * p / (1 - p)
						want -= math.Expm1(channels * math.Log(min(within, 1)))
					}
					mean := sure + flows*p
					got := BusiestHashed([]Crowd{{Channels: channels, Flows: mean, Spread: flows * p * (1 - p) / mean, Flow: 1}})
					if math.Abs(got/want-1) > 0.03 {
						t.Errorf("%g channels, %g flows of %g and %g sure: %.4f, want %.4f", channels, flows, p, sure, got, want)
					}
				}
			}
		}
	}
}

func BenchmarkBusiestOfFew(b *testing.B) {
	crowds := []Crowd{{100, 20, 0.97, 1. / 25}, {200, 15, 0.999, 1. / 25}, {100, 20, 0.5, 1. / 25}}
	for b.Loop() {
		BusiestHashed(crowds)
	}
}

func BenchmarkBusiestHashed(b *testing.B) {
	crowds := []Crowd{{1e4, 2000, 0.97, 1. / 2500}, {2e4, 1500, 0.999, 1. / 2500}, {1e4, 2000, 0.5, 1. / 2500}}
	for b.Loop() {
		BusiestHashed(crowds)
	}
}
