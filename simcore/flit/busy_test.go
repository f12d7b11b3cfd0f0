package flit_test

import (
	"math"
	"os/exec"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/flit"
)

// Two parts take hardly more processor time than one, even where a core is busy with something else: waiting
// costs none. The least of some attempts counts, as what else runs costs both of them caches and context switches.
func TestCPUOfPartsBesideLoad(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("measures processor time")
	}
	busy := exec.Command("sh", "-c", "while :; do :; done")
	if err := busy.Start(); err != nil {
		t.Skip(err)
	}
	defer func() {
		busy.Process.Kill()
		busy.Wait()
	}()
	cfg := flit.DefaultConfig()
	cfg.PacketFlits = 4
	least := map[int]float64{1: math.Inf(1), 2: math.Inf(1)}
	for range 5 {
		for parts := range least {
			s, _ := nativeSim(t, "dragonfly(p=4,a=8,h=4)", cfg)
			if got := s.Split(parts); got != parts {
				t.Fatalf("%d parts of %d", got, parts)
			}
			s.Reset(0.5, 1)
			s.Step(128)
			before, hops := cpuNs(), s.Counts().FlitHops
			for range 6 { // as Run does
				s.Step(64)
			}
			least[parts] = min(least[parts], float64(cpuNs()-before)/float64(s.Counts().FlitHops-hops))
		}
	}
	t.Logf("%.0f ns a flit-hop on one part, %.0f on two", least[1], least[2])
	const most = 1.5 // barriers that spin take 2.5 times as much; 1.2 is aimed at, and other load adds up to 0.2
	if least[2] > most*least[1] {
		t.Errorf("%.0f ns of processor time a flit-hop on one part, %.0f on two", least[1], least[2])
	}
}
