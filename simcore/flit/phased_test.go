package flit

import (
	"slices"
	"testing"

	"toposearch/simcore"
)

// A message of four flits takes 15 cycles over one hop (TestScript). One of a trace begins at its time; one of the next phase in the
// cycle after all that comes to its sender before has arrived, whatever happens elsewhere: endpoint 8 is not waited for.
func TestPhased(t *testing.T) {
	for name, c := range map[string]struct {
		sends []simcore.Send
		want  int64
		ends  []int64
	}{
		"trace":  {[]simcore.Send{{From: 0, To: 1, Size: 4}, {From: 4, To: 5, Size: 4, At: 50}}, 50 + 15, []int64{66}},
		"order":  {[]simcore.Send{{From: 0, To: 1, Size: 4, At: 3}, {From: 0, To: 1, Size: 4}}, 15 + 4, []int64{20}},
		"phases": {[]simcore.Send{{From: 1, To: 2, Size: 4, Phase: 1}, {From: 0, To: 1, Size: 4}, {From: 8, To: 9, Size: 4, At: 10}}, 2*15 + 1, []int64{26, 32}},
		"gap":    {[]simcore.Send{{From: 0, To: 1, Size: 4}, {From: 0, To: 1, Size: 4, At: 5000}}, 5000 + 15, []int64{5016}},
		"later":  {[]simcore.Send{{From: 1, To: 2, Size: 4, Phase: 1, At: 7}, {From: 0, To: 1, Size: 4}}, 2*15 + 1 + 7, []int64{16, 39}},
	} {
		p, err := simcore.NewPhased(16, c.sends)
		if err != nil {
			t.Fatal(err)
		}
		cfg := shortConfig()
		cfg.PacketFlits = 4
		s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
		for range 2 { // Begin forgets what was
			r, err := s.RunWorkload(t.Context(), simcore.Workload{Kind: simcore.LoopScript, Script: p})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Completed || r.Completion != c.want || !slices.Equal(p.Ends(), c.ends) {
				t.Errorf("%s: completed %v after %d cycles, want %d; phases %v, want %v", name, r.Completed, r.Completion, c.want, p.Ends(), c.ends)
			}
		}
	}
	for _, bad := range [][]simcore.Send{{{From: 0, To: 16, Size: 1}}, {{From: 3, To: 3, Size: 1}}, {{From: 0, To: 1}}, {{From: 0, To: 1, Size: 1, At: -1}}} {
		if _, err := simcore.NewPhased(16, bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
