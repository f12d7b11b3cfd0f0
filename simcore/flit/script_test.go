package flit

import (
	"testing"

	"toposearch/simcore"
)

// chain passes two messages of four flits along the top row of a 4x4 mesh, one hop after the other.
func chain(t *testing.T, delay int64) simcore.Script {
	t.Helper()
	var flows []simcore.Flow
	for e := range int32(3) {
		f := simcore.Flow{From: e, To: e + 1, Count: 2, Size: 4}
		if e > 0 {
			f.After = []simcore.Need{{Flow: e - 1, Lead: 1}}
		}
		flows = append(flows, f)
	}
	f, err := simcore.NewFlows(16, flows, 1, delay)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A message of four flits takes 3 + 4*2 + 1 + 3 = 15 cycles over one hop. The second follows the first by four cycles; a
// message can be passed on the cycle after its arrival, and delay cycles later: 3 * 15 + 2 + 4, and three delays.
func TestScript(t *testing.T) {
	for _, delay := range []int64{0, 100} {
		cfg := shortConfig()
		cfg.PacketFlits = 4
		r, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopScript, Script: chain(t, delay)})
		if err != nil {
			t.Fatal(err)
		}
		if want := 3*15 + 2 + 4 + 3*delay; !r.Completed || r.Completion != want || r.Packets != 6 {
			t.Errorf("delay %d: completion %d, want %d; %d packets", delay, r.Completion, want, r.Packets)
		}
	}
	if _, err := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig()).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopScript}); err == nil {
		t.Error("a workload without a script is accepted")
	}
}
