package cutthrough_test

import (
	"encoding/json"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/survey"
)

// TestWorkersDoNotMatter: in every family, under every routing that fits it, with credits or with pauses,
// one to four workers and one again give the same bytes at every load point, on one state that is shared
// out and reset over and over. Under the race detector no worker may touch what is another's.
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
		opt := route.Options{Want: 1}
		if f.Natural != nil {
			opt.Natural = f.Natural(d.V)
		}
		for k, info := range route.All() {
			if racing.On && (turn+k)%2 != 0 {
				continue // the others have the same code with other numbers
			}
			r, err := route.ByName(t.Context(), info.Name, n, opt)
			if err != nil {
				continue // it does not fit: no detours, too many VCs, a one-way network
			}
			if _, ring := r.Escape(); ring || r.Escapes() || r.KeepsState() {
				continue // the flit model alone has what it asks of switches
			}
			cfg := config(n)
			cfg.WarmupNs, cfg.MeasureNs = 1000, 2000
			if (turn+k)%3 == 0 && r.VCs() <= 8 {
				cfg.FlowControl = cutthrough.PFC
			}
			s, err := cutthrough.New(n, r, uniform, cfg)
			if err != nil {
				t.Errorf("%s %s: %v", d, info.Name, err)
				continue
			}
			sameOnAll(t, d.String()+" "+info.Name, s)
			cases++
		}
	}
	if cases < 8 {
		t.Errorf("only %d simulations were compared", cases)
	}
}

// sameOnAll compares the points of a simulation by several numbers of workers.
func sameOnAll(t *testing.T, name string, s *cutthrough.Sim) {
	t.Helper()
	loads := []float64{1, 0.3}
	var first [2]string
	for _, workers := range []int{1, 3, 2, 4, 1}[:racing.Of(5, 3)] {
		s.Split(workers)
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
				t.Fatalf("%s: load %g by %d workers gives\n%s\nby one\n%s", name, load, workers, text, first[i])
			}
		}
	}
}
