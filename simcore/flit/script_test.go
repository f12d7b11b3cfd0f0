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

// timed sends a message of one flit from endpoint 0 to its neighbour at each of some times, whatever arrives.
type timed struct {
	at   []int64
	next int
	got  []int64
}

func (x *timed) Begin()                                        { x.next, x.got = 0, nil }
func (x *timed) Total() int64                                  { return int64(len(x.at)) }
func (x *timed) Sizes() []int32                                { return []int32{1} }
func (x *timed) AtOnce() int                                   { return 1 }
func (x *timed) Next(int32) simcore.Message                    { x.next++; return simcore.Message{Dst: 1, Size: 1} }
func (x *timed) Arrived(_ int32, _ int64, _ int32, from int64) { x.got = append(x.got, from) }
func (x *timed) Due(e int32) int64 {
	if e > 0 || x.next == len(x.at) {
		return simcore.Never
	}
	return x.at[x.next]
}

// What is to be sent at a time is sent then, whether something has arrived or not: 12 cycles over one hop and one more until
// it is heard of.
func TestScriptTimes(t *testing.T) {
	x := &timed{at: []int64{0, 3, 5000, 5001, 70_000}}
	r, err := mustNew(t, newGrid(t, 4, false), uniform{16}, shortConfig()).RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopScript, Script: x, MaxCycles: 100_000})
	if err != nil || !r.Completed {
		t.Fatal(err, r)
	}
	for i, at := range x.at {
		if x.got[i] != at+13 {
			t.Errorf("what is sent at %d is heard of at %d", at, x.got[i])
		}
	}
}
