package topology

import "math"

// WithRates is the network with links of other rates: of each link class, and of all ports of an endpoint
// together, in any one unit. Lanes are then as many of a common measure as the rates are, which is all that loads and
// simulators ask of them. The rest is shared with n.
func (n *Network) WithRates(classes []float64, endpoint float64) *Network {
	own := *n
	k := measure(append([]float64{endpoint}, classes...))
	div := lanesOf(endpoint, k)
	for _, x := range classes {
		div = gcd(div, lanesOf(x, k))
	}
	div = max(div, 1)
	for c, x := range classes {
		own.Lanes[c] = int32(lanesOf(x, k) / div)
	}
	own.EndpointLanes = int32(lanesOf(endpoint, k) / div)
	return &own
}

const (
	// mostParts is the largest denominator tried: a bandwidth is divided by the lanes of an endpoint,
	// of which there are fewer.
	mostParts = 4096
	// lanesTop keeps lanes far within int32, which holds 2.1e9.
	lanesTop = 1 << 30
)

// measure is the smallest factor that makes whole numbers of all rates to nine digits; of rates that have
// none the largest that fits, which makes them whole to the seventh digit or better.
func measure(rates []float64) float64 {
	top := 0.0
	for _, x := range rates {
		top = max(top, x)
	}
	for k := 1.0; k <= mostParts && k*top <= lanesTop; k++ {
		whole := true
		for _, x := range rates {
			whole = whole && math.Abs(k*x-math.Round(k*x)) <= 1e-9*k*x
		}
		if whole {
			return k
		}
	}
	return lanesTop / max(top, 1)
}

// lanesOf is a rate in a measure, at least one.
func lanesOf(rate, k float64) int64 { return max(1, int64(math.Round(rate*k))) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
