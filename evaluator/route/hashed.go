package route

import "math"

// Crowd is a number of channels alike, over which flows are dealt out by hashes.
type Crowd struct {
	Channels float64
	Flows    float64 // the mean number on each
	Spread   float64 // its variance over the mean, in [0, 1] (routing.HashSpread)
	Flow     float64 // what one flow takes of a channel
}

// BusiestHashed is the expected load of the busiest of all channels, as a part of what it carries, where every flow keeps to one path that a hash picks.
// The number of flows on a channel is a sum of independent Bernoulli variables. Its distribution is taken to be normal with the first term of a
// Cornish-Fisher expansion, whose skewness is that of equal probabilities; channels are taken to be independent, as the largest of counts that add up to
// a constant nearly are (Johnson and Young, Applications of two bounds for multinomial cell frequencies, 1960). Then E max = integral of 1 - product of F.
func BusiestHashed(crowds []Crowd) float64 {
	from, to, sigma := 0.0, 0.0, 0.0
	for _, c := range crowds {
		mean, dev := c.Flows*c.Flow, math.Sqrt(c.Flows*c.Spread)*c.Flow
		from, to, sigma = max(from, mean), max(to, mean+hashedTail*dev), max(sigma, dev)
	}
	if sigma == 0 {
		return from
	}
	low := max(0, from-hashedTail*sigma)
	step := (to - low) / hashedSteps
	most := low
	for i := range hashedSteps {
		x, log := low+(float64(i)+0.5)*step, 0.0
		for _, c := range crowds {
			log += c.Channels * c.logWithin(x)
			if log < -hashedNever {
				break
			}
		}
		if log > -hashedSure {
			break
		}
		most -= math.Expm1(log) * step
	}
	return max(most, from)
}

const (
	hashedTail  = 12    // deviations beyond which no count of any network is expected: skewed tails of 2^31 channels end before
	hashedSteps = 256   // the integrand is smooth: more change no fourth digit
	hashedNever = 40    // e^-40 is as good as 0,
	hashedSure  = 1e-12 // and one less this as good as 1
)

// logWithin is the logarithm of the probability that a channel of the crowd has a load of x at most.
func (c *Crowd) logWithin(x float64) float64 {
	mean, dev := c.Flows*c.Flow, math.Sqrt(c.Flows*c.Spread)*c.Flow
	if dev == 0 {
		if x < mean {
			return -math.MaxFloat64
		}
		return 0
	}
	z := (x - mean) / dev
	if skew := (2*c.Spread - 1) / math.Sqrt(c.Flows*c.Spread); skew > 0 {
		z = min(z, 3/skew) // where the expansion turns
		z -= skew * (z*z - 1) / 6
	} else if skew < 0 {
		z = max(z, 3/skew)
		z -= skew * (z*z - 1) / 6
	}
	return math.Log(math.Max(0.5*math.Erfc(-z/math.Sqrt2), math.SmallestNonzeroFloat64))
}
