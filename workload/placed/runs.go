package placed

import "toposearch/workload"

// each gives to f all shifts of a pattern.
func (p pattern) each(of workload.Group, f func(shift int)) {
	if !p.All {
		f(p.Shift)
		return
	}
	for shift := 1; shift < of.Size; shift++ {
		f(shift)
	}
}

// shifted is a message of 1 from each of the first endpoints to that of its group which is so many places further on.
type shifted struct {
	of    workload.Group
	shift int
}

// runs gives to f the messages of some endpoints, those in a row that are as far from their destinations at once; -shift has those which they receive.
func (x shifted) runs(first, end int, f func(from, to, n int)) {
	block := x.of.Stride * x.of.Size
	ahead := (x.of.Stride*x.shift + block) % block
	for at, place := first, first%block; at < end; {
		n, to := min(end-at, block-ahead-place), at+ahead
		if place >= block-ahead {
			n, to = min(end-at, block-place), at+ahead-block
		}
		f(at, to, n)
		if at, place = at+n, place+n; place == block {
			place = 0
		}
	}
}

// bySwitch gives to f a run by the switches of sources and destinations, each with so many endpoints in a row.
func bySwitch(per, from, to, n int, f func(from, to, n int)) {
	for n > 0 {
		some := min(n, per-from%per, per-to%per)
		f(from, to, some)
		from, to, n = from+some, to+some, n-some
	}
}

// period is after how many endpoints blocks of them begin at the same place of blocks of ranks again.
func period(endpoints, ranks int) int { return endpoints / gcd(endpoints, ranks) * ranks }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
