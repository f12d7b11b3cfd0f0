package topology

import "math"

// Radix economics: what the bandwidth of a switch is best split into. W. J. Dally, Performance
// Analysis of k-ary n-cube Interconnection Networks, IEEE Trans. Computers 39(6), 1990; J. Kim,
// W. J. Dally, B. Towles, A. K. Gupta, Microarchitecture of a High-Radix Router, ISCA 2005; equations 4
// to 6 and 9 to 11 of D. Dong, X. Wang, F. Lei, survey of interconnect topologies, J. NUDT 48(2), 2026.

// Economics is what the best radix depends on.
type Economics struct {
	SwitchBps   float64 // bandwidth of a switch, bit/s
	DelayS      float64 // of a switch, seconds
	Endpoints   float64
	MessageBits float64
}

// LatencyS is the latency of a message over the 2 log_k N switches of a folded network of radix k,
// each port having the k-th part of the bandwidth in both directions, in seconds (equation 5):
// T = 2 t log_k N + 2 k S / B.
func (e Economics) LatencyS(k float64) float64 {
	return 2*e.DelayS*math.Log(e.Endpoints)/math.Log(k) + 2*k*e.MessageBits/e.SwitchBps
}

// AspectRatio is B t ln N / S: how much delay counts against bandwidth.
func (e Economics) AspectRatio() float64 {
	return e.SwitchBps * e.DelayS * math.Log(e.Endpoints) / e.MessageBits
}

// OptimalRadix is the k of the least latency, the solution of k ln^2 k = aspect ratio (equation 6). It
// is at least 1.
func (e Economics) OptimalRadix() float64 {
	a := e.AspectRatio()
	lo, hi := 1.0, 2.0
	for hi*math.Log(hi)*math.Log(hi) < a {
		hi *= 2
	}
	// k ln^2 k grows from 1 on. 100 halvings leave nothing of the interval.
	for range 100 {
		if mid := (lo + hi) / 2; mid*math.Log(mid)*math.Log(mid) < a {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// MooreSwitches is the Moore bound: the most switches of a graph of that degree and diameter
// (equation 9), 1 + d sum over i < D of (d-1)^i.
func MooreSwitches(degree, diameter int) float64 {
	sum, layer := 1.0, float64(degree)
	for range diameter {
		sum += layer
		layer *= float64(degree - 1)
	}
	return sum
}

// MooreEndpoints is the most endpoints of a direct network of switches of k ports and that diameter
// (equations 10 and 11), and the number of links per switch at which it is reached.
func MooreEndpoints(k, diameter int) (endpoints float64, degree int) {
	for d := range k {
		if n := float64(k-d) * MooreSwitches(d, diameter); n > endpoints {
			endpoints, degree = n, d
		}
	}
	return endpoints, degree
}

// MooreRadix is the least radix with which a direct network of that diameter, at least 1, could have so
// many endpoints.
func MooreRadix(endpoints float64, diameter int) int {
	k := 1
	for {
		if n, _ := MooreEndpoints(k, diameter); n >= endpoints {
			return k
		}
		k++
	}
}
