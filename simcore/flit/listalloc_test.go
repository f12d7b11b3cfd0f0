package flit_test

import (
	"strconv"
	"strings"
)

// tRequest is a cell of an allocator's request matrix.
type tRequest struct {
	in, out       int
	inPri, outPri int64
	entry         int
}

// tArbiter grants one of its candidates (1.5): round robin from a pointer, or by a matrix in which
// before[a][b] says that a goes before b.
type tArbiter struct {
	pointer int
	before  [][]bool
	size    int
}

func newTArbiter(size int, matrix bool) tArbiter {
	a := tArbiter{size: size}
	if matrix {
		for i := range size {
			a.before = append(a.before, make([]bool, size))
			for j := range i {
				a.before[i][j] = true // the higher index goes first
			}
		}
	}
	return a
}

// choose picks the candidate with the highest priority; among equals by turn. -1: there is none.
func (a *tArbiter) choose(pri map[int]int64) int {
	best := -1
	for d := range a.size {
		c := (a.pointer + d) % a.size
		p, ok := pri[c]
		if !ok {
			continue
		}
		if best < 0 || p > pri[best] || p == pri[best] && a.before != nil && a.before[c][best] {
			best = c
		}
	}
	return best
}

func (a *tArbiter) won(c int) {
	if a.before == nil {
		a.pointer = (c + 1) % a.size
		return
	}
	for i := range a.size {
		a.before[c][i] = false
		a.before[i][c] = i != c
	}
}

// tAlloc is an allocator.
type tAlloc struct {
	name     string
	iters    int
	ins, out []tArbiter
	diagonal int
}

func newTAlloc(spec string, ins, outs int) *tAlloc {
	name, arg := parseTAlloc(spec)
	a := &tAlloc{name: name, iters: atoiOr(arg, 1)}
	for range ins {
		a.ins = append(a.ins, newTArbiter(outs, arg == "matrix"))
	}
	for range outs {
		a.out = append(a.out, newTArbiter(ins, arg == "matrix"))
	}
	return a
}

// match answers with the granted requests.
func (a *tAlloc) match(reqs []tRequest) []tRequest {
	if len(reqs) == 0 {
		return nil
	}
	at := map[[2]int]tRequest{}
	for _, r := range reqs {
		at[[2]int{r.in, r.out}] = r
	}
	var pairs [][2]int
	switch a.name {
	case "separable_input_first":
		pairs = a.separable(at, a.ins, a.out, func(i, j int) [2]int { return [2]int{i, j} },
			func(r tRequest) int64 { return r.inPri }, func(r tRequest) int64 { return r.outPri })
	case "separable_output_first":
		pairs = a.separable(at, a.out, a.ins, func(i, j int) [2]int { return [2]int{j, i} },
			func(r tRequest) int64 { return r.outPri }, func(r tRequest) int64 { return r.inPri })
	case "islip":
		pairs = a.islip(at)
	case "wavefront", "rr_wavefront":
		pairs = a.wavefront(at)
	}
	var out []tRequest
	for _, p := range pairs {
		out = append(out, at[p])
	}
	return out
}

// separable: every arbiter of the first side picks a request, every one of the second picks among
// those; the pointers of both move when the second has granted.
func (a *tAlloc) separable(at map[[2]int]tRequest, first, second []tArbiter, key func(i, j int) [2]int, firstPri, secondPri func(tRequest) int64) (pairs [][2]int) {
	picked := make([]map[int]int64, len(second))
	for i := range first {
		pri := map[int]int64{}
		for j := range second {
			if r, ok := at[key(i, j)]; ok {
				pri[j] = firstPri(r)
			}
		}
		if j := first[i].choose(pri); j >= 0 {
			if picked[j] == nil {
				picked[j] = map[int]int64{}
			}
			picked[j][i] = secondPri(at[key(i, j)])
		}
	}
	for j := range second {
		if i := second[j].choose(picked[j]); i >= 0 {
			pairs = append(pairs, key(i, j))
			first[i].won(j)
			second[j].won(i)
		}
	}
	return pairs
}

func (a *tAlloc) islip(at map[[2]int]tRequest) (pairs [][2]int) {
	inDone, outDone := map[int]bool{}, map[int]bool{}
	for iter := range a.iters {
		grants := make([]map[int]int64, len(a.ins))
		for o := range a.out {
			free := map[int]int64{}
			for i := range a.ins {
				if _, ok := at[[2]int{i, o}]; ok && !inDone[i] {
					free[i] = 0
				}
			}
			if i := a.out[o].choose(free); i >= 0 && !outDone[o] {
				if grants[i] == nil {
					grants[i] = map[int]int64{}
				}
				grants[i][o] = 0
			}
		}
		for i := range a.ins {
			o := a.ins[i].choose(grants[i])
			if o < 0 {
				continue
			}
			inDone[i], outDone[o] = true, true
			pairs = append(pairs, [2]int{i, o})
			if iter == 0 {
				a.ins[i].won(o)
				a.out[o].won(i)
			}
		}
	}
	return pairs
}

// wavefront sweeps all diagonals for each class of priorities, the highest first.
func (a *tAlloc) wavefront(at map[[2]int]tRequest) (pairs [][2]int) {
	n := max(len(a.ins), len(a.out))
	inDone, outDone := map[int]bool{}, map[int]bool{}
	swept := map[[2]int64]bool{}
	first := -1
	for {
		class, found := [2]int64{}, false
		for _, r := range at {
			c := [2]int64{r.outPri, r.inPri}
			if !swept[c] && (!found || c[0] > class[0] || c[0] == class[0] && c[1] > class[1]) {
				class, found = c, true
			}
		}
		if !found {
			break
		}
		swept[class] = true
		for d := range n {
			for i := range a.ins {
				o := (a.diagonal + d - i + 2*n) % n
				r, ok := at[[2]int{i, o}]
				if !ok || r.outPri != class[0] || r.inPri != class[1] || inDone[i] || outDone[o] {
					continue
				}
				inDone[i], outDone[o] = true, true
				pairs = append(pairs, [2]int{i, o})
				if first < 0 {
					first = (a.diagonal + d) % n
				}
			}
		}
	}
	a.diagonal = (a.diagonal + 1) % n
	if a.name == "rr_wavefront" {
		a.diagonal = (first + 1) % n
	}
	return pairs
}

// parseTAlloc splits islip(2) into its name and argument.
func parseTAlloc(name string) (string, string) {
	base, arg, _ := strings.Cut(name, "(")
	return base, strings.TrimSuffix(arg, ")")
}

func atoiOr(text string, otherwise int) int {
	if x, err := strconv.Atoi(text); err == nil {
		return x
	}
	return otherwise
}
