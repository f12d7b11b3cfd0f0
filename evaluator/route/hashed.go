package route

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Crowd is a number of channels alike, over which flows are dealt out by hashes.
type Crowd struct {
	Channels float64
	Flows    float64 // the mean number on each
	Spread   float64 // its variance over the mean, in [0, 1] (routing.HashSpread)
	Flow     float64 // what one flow takes of a channel
}

// BusiestHashed is the expected load of the busiest of all channels, as a part of what it carries, where every flow keeps to one path that a hash picks.
// The number of flows on a channel is a sum of independent Bernoulli variables. A flow has two ways at least, or no choice, so that the number is taken to be
// binomial, of as many flows of one probability, a half at most, as have that variance, beyond those that cross the channel in any case. Where they are many
// it is normal with the first term of a Cornish-Fisher expansion for the same skewness, which turns back in the tails of few. Channels are taken to be
// independent, as the largest of counts that add up to a constant nearly are (Johnson and Young, Applications of two bounds for multinomial cell frequencies, 1960). Then E max = integral of 1 - product of F.
// It takes some microseconds, up to a tenth of a millisecond where flows are few.
func BusiestHashed(crowds []Crowd) float64 {
	first := likely(crowds)
	from, low := 0.0, first.low()
	counts := make([]count, 0, len(crowds))
	for i := range crowds {
		c := newCount(&crowds[i])
		from = max(from, c.mean)
		if c.dev == 0 {
			low = max(low, c.mean)
		} else if sure := hashedSure / (c.channels * float64(len(crowds))); !crowds[i].within(low, sure) {
			if -math.Expm1(c.logWithin(low)) > c.rarest() {
				low = max(low, c.low())
			}
			c.high = c.quantile(sure)
			counts = append(counts, c)
		}
	}
	counts = slices.DeleteFunc(counts, func(c count) bool { return c.high <= low })
	high := low
	for i := range counts {
		high = max(high, counts[i].high)
	}
	beyond := func(x float64) float64 { // probability that some channel has a load of more than x
		log := 0.0
		for i := range counts {
			log += counts[i].channels * counts[i].logWithin(x)
		}
		return -math.Expm1(log)
	}
	return max(low+integral(beyond, low, high, hashedError*low, hashedHalves), from)
}

// HashedWithin is the load, as a part of what a channel carries, that the busiest of all exceeds with a probability of p at most, by the same distributions.
func HashedWithin(crowds []Crowd, p float64) (most float64) {
	beyond := func(c *count) float64 { return c.quantile(p / (c.channels * float64(len(crowds)))) }
	if c := likely(crowds); c.dev > 0 {
		most = beyond(&c)
	}
	for i := range crowds {
		c := newCount(&crowds[i])
		if most = max(most, c.mean); c.dev > 0 && !crowds[i].within(most, p/(c.channels*float64(len(crowds)))) {
			most = max(most, beyond(&c))
		}
	}
	return most
}

// likely is the distribution of the crowd that is likely to have the busiest channel.
func likely(crowds []Crowd) count {
	first, most := Crowd{}, -1.0
	for _, c := range crowds {
		if x := (c.Flows + 4*math.Sqrt(c.Flows*c.Spread)) * c.Flow; x > most {
			first, most = c, x
		}
	}
	return newCount(&first)
}

// within tells whether it is known without its distribution that a channel exceeds a load with a probability of p at most: by Chernoff's bound of sums of independent Bernoulli variables,
// whatever their probabilities. One flow less makes up for what lies between whole numbers.
func (c *Crowd) within(load, p float64) bool {
	flows := load/c.Flow - 1
	return flows > c.Flows && c.Flows-flows+flows*math.Log(flows/c.Flows) > -math.Log(p)
}

const (
	hashedNever  = 12   // where one of the crowds is within a load with a probability of e^-12, the integral begins,
	hashedSure   = 1e-6 // and it ends where less than this is beyond it: what is left out either way changes no fourth digit
	hashedError  = 1e-4 // by which rules may differ, as a part of what the integral adds to: the better one is off by some tenths of that at most
	hashedHalves = 6    // times that an interval is halved at most, where crowds differ that much
	hashedMany   = 6    // deviation, in flows, from which on a Cornish-Fisher expansion is within a percent of binomial counts on 10,000 channels, and takes less
	hashedRare   = 1e-6 // probability of a flow that is taken for none: binomial counts are those of Poisson
	hashedTail   = 12   // deviations beyond which no count of any network is expected: skewed tails of 2^31 channels end before
)

// count is the distribution of the load of a channel of a crowd.
type count struct {
	channels, mean, dev float64
	bend                float64 // a sixth of the skewness
	flow, sure          float64 // of a binomial count: the load of one flow, how many cross the channel in any case,
	trials, share       float64 // and how many others with which probability; 0: a normal one
	high                float64 // load that none of all is expected to exceed
}

func newCount(c *Crowd) count {
	x := count{channels: c.Channels, mean: c.Flows * c.Flow}
	if dev := math.Sqrt(c.Flows * c.Spread); dev > 0 {
		share := min(max(1-c.Spread, hashedRare), 0.5)
		x.dev, x.bend = dev*c.Flow, (1-2*share)/(6*dev)
		if dev < hashedMany {
			x.flow, x.share, x.trials = c.Flow, share, c.Flows*min(c.Spread/(share*(1-share)), 1/share)
			x.sure = c.Flows - x.trials*share
		}
	}
	return x
}

// low is a load that none of the crowd is expected to keep all its channels within.
func (c *count) low() float64 {
	if c.dev == 0 {
		return c.mean
	}
	return c.quantile(c.rarest())
}

// rarest is the probability with which a channel is beyond low.
func (c *count) rarest() float64 { return -math.Expm1(-hashedNever / c.channels) }

// quantile is the load beyond which a channel is with the probability p.
func (c *count) quantile(p float64) float64 {
	if c.trials > 0 { // to a fortieth of a deviation
		low, high := c.sure*c.flow, min(c.mean+2*hashedTail*c.dev, (c.sure+c.trials)*c.flow) // tails of few are longer, and end
		for range 10 {
			if x := (low + high) / 2; c.beyond(x) > p {
				low = x
			} else {
				high = x
			}
		}
		return high
	}
	z := math.Min(math.Sqrt2*math.Erfcinv(2*p), hashedTail)
	// logWithin's z = w - bend (w^2 - 1), solved for w; where that turns before, its end.
	if turn := 1 - 4*c.bend*(z-c.bend); turn > 0 {
		z = math.Min(2*(z-c.bend)/(1+math.Sqrt(turn)), hashedTail)
	} else {
		z = math.Copysign(hashedTail, c.bend)
	}
	return math.Max(c.mean+z*c.dev, 0)
}

// beyond is the probability that a channel has a binomial load of more than x. Between whole numbers of flows it is continued by the incomplete beta function,
// a half further on, so that its integral is the mean.
func (c *count) beyond(x float64) float64 {
	switch k := x/c.flow - c.sure; {
	case k >= c.trials:
		return 0
	case k <= -0.5:
		return 1
	default:
		return mathext.RegIncBeta(k+0.5, c.trials-k+0.5, c.share)
	}
}

// logWithin is the logarithm of the probability that a channel has a load of x at most.
func (c *count) logWithin(x float64) float64 {
	if c.trials > 0 {
		return math.Log1p(-min(c.beyond(x), 1))
	}
	z := (x - c.mean) / c.dev
	if turn := 1 / (2 * c.bend); c.bend > 0 {
		z = min(z, turn)
	} else if c.bend < 0 {
		z = max(z, turn)
	}
	z -= c.bend * (z*z - 1)
	beyond := 0.5 * math.Erfc(z/math.Sqrt2)
	if beyond < 1e-8 { // its square is nothing beside it
		return -beyond
	}
	return math.Log(math.Max(1-beyond, math.SmallestNonzeroFloat64))
}

// integral is that of f from a to b by the Gauss-Kronrod rule of 15 points, of halves where that differs too much from the rule of Gauss for 7 of these
// (Piessens et al., QUADPACK, 1983).
func integral(f func(float64) float64, a, b, tolerance float64, halves int) float64 {
	middle, half := (a+b)/2, (b-a)/2
	k, g := 0.0, 0.0
	for _, x := range kronrod {
		y := f(middle + half*x.at)
		k += x.weight * y
		g += x.gauss * y
	}
	if halves == 0 || half*math.Abs(k-g) <= tolerance {
		return half * k
	}
	return integral(f, a, middle, tolerance/2, halves-1) + integral(f, middle, b, tolerance/2, halves-1)
}

// kronrod are points in [-1, 1] with their weights in the rules of 15 and of 7 points.
var kronrod = [15]struct{ at, weight, gauss float64 }{
	{-0.991455371120813, 0.022935322010529, 0}, {-0.949107912342759, 0.063092092629979, 0.129484966168870}, {-0.864864423359769, 0.104790010322250, 0},
	{-0.741531185599394, 0.140653259715525, 0.279705391489277}, {-0.586087235467691, 0.169004726639267, 0}, {-0.405845151377397, 0.190350578064785, 0.381830050505119},
	{-0.207784955007898, 0.204432940075298, 0}, {0, 0.209482141084728, 0.417959183673469}, {0.207784955007898, 0.204432940075298, 0},
	{0.405845151377397, 0.190350578064785, 0.381830050505119}, {0.586087235467691, 0.169004726639267, 0}, {0.741531185599394, 0.140653259715525, 0.279705391489277},
	{0.864864423359769, 0.104790010322250, 0}, {0.949107912342759, 0.063092092629979, 0.129484966168870}, {0.991455371120813, 0.022935322010529, 0},
}
