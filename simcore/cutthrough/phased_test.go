package cutthrough_test

import (
	"math"
	"slices"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

// Both exchanges of an FFT on 3 x 4 endpoints of a crossbar, of a packet of 4096 B to each: in a phase every endpoint sends its
// packets one after the other, to another one at a time; the second begins when what the first sends to it is there. With 300 ns
// in NICs. The same for any number of workers.
func TestPhased(t *testing.T) {
	const d, head = 81.92, 10 + 400 + 10
	var sends []simcore.Send
	for e := range int32(12) {
		for k := int32(1); k < 4; k++ {
			sends = append(sends, simcore.Send{From: e, To: e/4*4 + (e+k)%4, Size: 4096})
		}
		for k := int32(1); k < 3; k++ {
			sends = append(sends, simcore.Send{From: e, To: (e + 4*k) % 12, Size: 4096, Phase: 1})
		}
	}
	var want []int64
	for _, workers := range []int{1, 3} {
		p, err := simcore.NewPhased(12, sends)
		if err != nil {
			t.Fatal(err)
		}
		s := sim(t, "crossbar(n=12)", "minimal", "uniform", func(c *cutthrough.Config) { c.NICNs, c.Workers = 300, workers })
		r := workload(t, s, cutthrough.Workload{Kind: simcore.LoopScript, Script: p})
		if by := 2*(head+300) + 5*d; !r.Completed || math.Abs(r.CompletionUs*1000-by) > 1 {
			t.Errorf("%d workers: %.3f ns, want %.3f", workers, r.CompletionUs*1000, by)
		}
		if want == nil {
			want = p.Ends()
		} else if !slices.Equal(p.Ends(), want) {
			t.Errorf("%d workers: phases end at %v, on one at %v", workers, p.Ends(), want)
		}
	}
}
