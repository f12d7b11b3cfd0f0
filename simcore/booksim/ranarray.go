package booksim

// ranArray is Knuth's lagged Fibonacci generator (The Art of Computer Programming 2, 3.6,
// ran_array of 2002): x[j] = x[j-100] - x[j-37] mod 2^30, of each 1009 numbers the first 100.
// BookSim2 draws its random permutations with it.
type ranArray struct {
	x   [ranKK]int64
	buf [ranQuality]int64
	at  int
}

const (
	ranKK      = 100
	ranLL      = 37
	ranMM      = 1 << 30
	ranTT      = 70
	ranQuality = 1009
)

func modDiff(x, y int64) int64 { return (x - y) & (ranMM - 1) }

func newRanArray(seed int64) *ranArray {
	r := &ranArray{at: ranKK}
	var x [2*ranKK - 1]int64
	ss := (seed + 2) & (ranMM - 2)
	for j := range ranKK {
		x[j] = ss
		if ss <<= 1; ss >= ranMM {
			ss -= ranMM - 2
		}
	}
	x[1]++
	ss = seed & (ranMM - 1)
	for t := ranTT - 1; t > 0; {
		for j := ranKK - 1; j > 0; j-- {
			x[2*j], x[2*j-1] = x[j], 0
		}
		for j := 2*ranKK - 2; j >= ranKK; j-- {
			x[j-(ranKK-ranLL)] = modDiff(x[j-(ranKK-ranLL)], x[j])
			x[j-ranKK] = modDiff(x[j-ranKK], x[j])
		}
		if ss&1 != 0 {
			copy(x[1:ranKK+1], x[:ranKK])
			x[0] = x[ranKK]
			x[ranLL] = modDiff(x[ranLL], x[ranKK])
		}
		if ss != 0 {
			ss >>= 1
		} else {
			t--
		}
	}
	for j := range ranLL {
		r.x[j+ranKK-ranLL] = x[j]
	}
	for j := ranLL; j < ranKK; j++ {
		r.x[j-ranLL] = x[j]
	}
	for range 10 {
		r.fill(x[:])
	}
	return r
}

func (r *ranArray) fill(aa []int64) {
	n := len(aa)
	copy(aa, r.x[:])
	for j := ranKK; j < n; j++ {
		aa[j] = modDiff(aa[j-ranKK], aa[j-ranLL])
	}
	j := n
	for i := range ranLL {
		r.x[i] = modDiff(aa[j-ranKK], aa[j-ranLL])
		j++
	}
	for i := ranLL; i < ranKK; i++ {
		r.x[i] = modDiff(aa[j-ranKK], r.x[i-ranLL])
		j++
	}
}

func (r *ranArray) next() int64 {
	if r.at >= ranKK {
		r.fill(r.buf[:])
		r.at = 0
	}
	r.at++
	return r.buf[r.at-1]
}

// upTo is uniform in 0..m.
func (r *ranArray) upTo(m int64) int64 { return r.next() % (m + 1) }
