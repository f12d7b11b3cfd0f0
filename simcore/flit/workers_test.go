package flit_test

import (
	"encoding/json"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/survey"
)

// TestWorkersDoNotMatter: in every family, under every routing that fits it, on the plain and on the
// general cycle, one to four parts and one again give the same bytes at every load point, on one state that
// is split and reset over and over. Under the race detector no part may touch what is another's.
func TestWorkersDoNotMatter(t *testing.T) {
	cases := 0
	for i, f := range family.All() {
		turn := i // so that every routing has its turn
		if testing.Short() {
			if i%6 != 0 {
				continue
			}
			turn = i / 6
		}
		d := topology.Design{Family: f, V: survey.SmallInstance(f)}
		n, err := d.Build()
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		uniform, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		opt := route.Options{Want: 2}
		if f.Natural != nil {
			opt.Natural = f.Natural(d.V)
		}
		for k, info := range route.All() {
			r, err := route.ByName(t.Context(), info.Name, n, opt)
			if err != nil {
				continue // it does not fit: no detours, too many VCs, a one-way network
			}
			for general := range 2 {
				if (general == 1 || racing.On) && (turn+k)%3 != 0 {
					continue // the others have the same code with other numbers
				}
				cfg := flit.DefaultConfig()
				cfg.VCs, cfg.Warmup, cfg.Measure, cfg.PacketFlits = max(2, r.VCs()), 20, 40, 1+i%2
				cfg.InternalSpeedup += float64(general)
				cfg.LinkLatency = 1 + 3*(i&1) // parts meet every three cycles, or every six
				s, err := flit.New(n, r, uniform, cfg)
				if err != nil {
					t.Fatal(err)
				}
				cases += sameOnAll(t, d.String()+" "+info.Name, s)
			}
		}
	}
	if cases < 8 {
		t.Errorf("only %d simulations were compared", cases)
	}
}

// sameOnAll compares the points of a simulation on several numbers of parts; it gives 1 if it could be split.
func sameOnAll(t *testing.T, name string, s *flit.Sim) (split int) {
	t.Helper()
	loads := []float64{1, 0.3}
	var first [2]string
	for _, parts := range []int{1, 3, 2, 4, 1}[:racing.Of(5, 3)] {
		if s.SplitInto(parts) > 1 {
			split = 1
		}
		for i, load := range loads {
			p, err := s.Run(t.Context(), load)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			text, err := json.Marshal(&p)
			if err != nil {
				t.Fatal(err)
			}
			if first[i] == "" {
				first[i] = string(text)
			} else if first[i] != string(text) {
				t.Fatalf("%s: load %g on %d parts gives\n%s\non one\n%s", name, load, parts, text, first[i])
			}
		}
	}
	return split
}
