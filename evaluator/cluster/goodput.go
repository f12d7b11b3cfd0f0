package cluster

import "math"

// Goodput is what remains of the time in which a job can run.
type Goodput struct {
	Share  float64 // of it that ends up in work that counts
	EveryH float64 // hours of work between two checkpoints, the best there are
	YoungH float64 // the same by Young's approximation, the square root of 2 x checkpoint x MTBF
}

// Goodput of a job that perHour failures interrupt, writes checkpoints and goes on from the last one, at the best
// interval between them. Of work tau between checkpoints that take delta, restarts that take R and exponential
// failures of mean M, an interval takes M e^(R/M) (e^((tau+delta)/M) - 1) on average, failures while a checkpoint is
// written and while the job restarts included (J. T. Daly, A higher order estimate of the optimum checkpoint interval
// for restart dumps, Future Generation Computer Systems 22(3), 2006, equation 13). tau over that is greatest where
// e^(u+d) (1-u) = 1, u = tau/M, d = delta/M, which is solved; J. W. Young, A first order approximation to the optimum
// checkpoint interval, CACM 17(9), 1974, is beside it.
func (m *Model) Goodput(perHour float64) Goodput {
	delta, restart := m.opt.CheckpointH*perHour, m.opt.RestartH*perHour
	if perHour <= 0 {
		return Goodput{1, math.Inf(1), math.Inf(1)}
	}
	if delta == 0 { // checkpoints cost nothing: all the time
		return Goodput{Share: math.Exp(-restart)}
	}
	u := bestInterval(delta)
	return Goodput{Share: u / (math.Exp(restart) * math.Expm1(u+delta)), EveryH: u / perHour, YoungH: math.Sqrt(2*delta) / perHour}
}

// bestInterval solves u + d + ln(1-u) = 0 for u in (0, 1). The left side falls there from d to minus infinity, and it
// is concave, so that Newton's method from the right of the root stays there and converges.
func bestInterval(d float64) float64 {
	u := -math.Expm1(-d - math.Sqrt(2*d)) // right of the root: 1-u = e^-(u+d), and u < sqrt(2d)
	for range 100 {
		f := u + d + math.Log1p(-u)
		next := u - f/(1-1/(1-u))
		if !(next > 0) || math.Abs(next-u) <= 1e-15*u {
			break
		}
		u = next
	}
	return u
}

// Checkpoints tells whether a study says how long a checkpoint takes.
func (m *Model) Checkpoints() bool { return m.opt.CheckpointH > 0 }
