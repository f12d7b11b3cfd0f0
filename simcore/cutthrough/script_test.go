package cutthrough_test

import (
	"math"
	"reflect"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

// Two messages of 5,000 B (a packet of 4096 B and one of 904 B) along the endpoints of a crossbar, as in TestLoopsByHand: 420 ns and
// 100 ns for the bytes of each; the second follows the first by 100 ns; with a delay before each.
func TestScript(t *testing.T) {
	for _, delay := range []int64{0, 5_000_000} {
		var flows []simcore.Flow
		for e := range int32(4) {
			f := simcore.Flow{From: e, To: e + 1, Count: 2, Size: 5000}
			if e > 0 {
				f.After = []simcore.Need{{Flow: e - 1, Lead: 1}}
			}
			flows = append(flows, f)
		}
		f, err := simcore.NewFlows(5, flows, 1, delay)
		if err != nil {
			t.Fatal(err)
		}
		r := workload(t, sim(t, "crossbar(n=5)", "minimal", "uniform", nil), cutthrough.Workload{Kind: simcore.LoopScript, Script: f})
		if want := 4*520 + 100 + 4*float64(delay)/1000; !r.Completed || math.Abs(r.CompletionUs*1000-want) > 0.5 || r.Packets != 16 {
			t.Errorf("delay %d ps: %.3f us, want %.3f; %d packets", delay, r.CompletionUs, want/1000, r.Packets)
		}
	}
}

// A script of messages of more sizes than packets can have, two of them at a time, every endpoint to all others, each once what
// came before has arrived: all of it arrives, and the same for any number of workers.
func TestScriptWorkers(t *testing.T) {
	const n = 72
	var flows []simcore.Flow
	for e := range int32(n) {
		for k := range int32(8) {
			f := simcore.Flow{From: e, To: (e + 1 + 7*k) % n, Count: 1 + k%2, Size: 1 + 50*k + 13*e}
			if k > 1 { // what came from the other side two flows ago
				f.After = []simcore.Need{{Flow: (e+n-1-7*(k-2))%n*8 + k - 2, Lead: 9}}
			}
			flows = append(flows, f)
		}
	}
	var want cutthrough.LoopResult
	for _, workers := range []int{1, 2, 5} {
		f, err := simcore.NewFlows(n, flows, 2, 1000)
		if err != nil {
			t.Fatal(err)
		}
		s := sim(t, "dragonfly(p=2,a=4,h=2)", "ugal_l", "uniform", func(c *cutthrough.Config) { c.Workers = workers })
		r := workload(t, s, cutthrough.Workload{Kind: simcore.LoopScript, Script: f})
		r.Workload.Script = nil
		if !r.Completed || r.Packets != n*12 {
			t.Fatalf("%d workers: %+v", workers, r)
		}
		if workers == 1 {
			want = r
		} else if !reflect.DeepEqual(r, want) {
			t.Errorf("%d workers: %+v\nwant %+v", workers, r, want)
		}
	}
}
