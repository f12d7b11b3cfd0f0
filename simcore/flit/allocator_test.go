package flit

import (
	"math/rand/v2"
	"testing"

	"toposearch/simcore"
)

// largest is the size of a largest matching, by trying everything.
func largest(reqs []request, usedIn, usedOut uint) int {
	if len(reqs) == 0 {
		return 0
	}
	best := largest(reqs[1:], usedIn, usedOut)
	in, out := uint(1)<<reqs[0].in, uint(1)<<reqs[0].out
	if usedIn&in == 0 && usedOut&out == 0 {
		best = max(best, 1+largest(reqs[1:], usedIn|in, usedOut|out))
	}
	return best
}

// Allocators whose draws or order are their own, so that no twin can follow them: every grant was
// asked for, no input or output is granted twice; max_size grants as many as possible, and with as
// many iterations as outputs pim and islip leave no pair that could still be matched, as a wavefront.
func TestMatchings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rng := simcore.NewRand(1, 1)
	for _, name := range []string{"max_size", "pim", "pim(5)", "islip(5)", "wavefront", "rr_wavefront", "separable_input_first", "separable_output_first(matrix)"} {
		spec, err := parseAllocator(name)
		if err != nil {
			t.Fatal(err)
		}
		a, m := newMatcher(spec, 5, 5), newMatching(5)
		granted := make([]int, 25)
		for range 400 {
			var reqs []request
			for k := range int32(25) {
				if r.IntN(3) == 0 {
					reqs = append(reqs, request{in: k / 5, out: k % 5})
				}
			}
			a.match(reqs, m, &rng)
			size, free := 0, false
			var ins, outs uint
			for k, q := range reqs {
				if m.inTo[q.in] != int32(k) {
					continue
				}
				if m.outTo[q.out] != int32(k) || ins>>q.in&1 != 0 || outs>>q.out&1 != 0 {
					t.Fatalf("%s: of %v input %d and output %d are not matched to each other alone", name, reqs, q.in, q.out)
				}
				ins, outs = ins|1<<q.in, outs|1<<q.out
				size++
				granted[q.in*5+q.out]++
			}
			for _, q := range reqs {
				free = free || ins>>q.in&1 == 0 && outs>>q.out&1 == 0
			}
			if best := largest(reqs, 0, 0); name == "max_size" && size != best || size > best {
				t.Fatalf("%s: %d of %v are matched, at most %d can be", name, size, reqs, best)
			}
			if free && (name == "max_size" || name == "pim(5)" || name == "islip(5)" || name == "wavefront" || name == "rr_wavefront") {
				t.Fatalf("%s: of %v a pair is left", name, reqs)
			}
			m.clear(reqs)
		}
		for k, n := range granted {
			if n < 15 { // of about 133 requests each
				t.Errorf("%s: input %d is granted output %d only %d times", name, k/5, k%5, n)
			}
		}
	}
}
