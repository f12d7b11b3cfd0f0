package booksim

import (
	"math"
	"testing"

	"toposearch/internal/racing"
)

// Latency of flits and fragmentation as BookSim2 measured them. Flits of a packet are not
// independent: three standard deviations of a run are about 3 % of the latency at these loads, and a
// tenth of the fragmentation, of which only packets that were held up have any.
func TestFlitLatency(t *testing.T) {
	for i, r := range readRows(t, "flits.csv") {
		if (testing.Short() || racing.On) && i%4 != 0 {
			continue
		}
		id := r["config_id"]
		got := simulate(t, "configs/"+id+".cfg", "injection_rate="+r["offered_flits"], "sim_type=latency", "latency_thres=-1", "seed=7")
		near := func(what string, got float64, column string, tol float64) {
			if want := number(t, r[column]); math.Abs(got-want) > tol*want+0.01 {
				t.Errorf("%s load %s: %s %.4f, BookSim2 has %.4f", id, r["offered_flits"], what, got, want)
			}
		}
		near("flit latency", got.Flit.Mean, "flat_avg", 0.03)
		near("network latency", got.Network.Mean, "nlat_avg", 0.03)
		near("fragmentation", got.Fragment, "frag_avg", 0.12)
		if got.Flit.Mean >= got.Network.Mean+1 {
			t.Errorf("%s: a flit takes %.3f, the packet from its first flit only %.3f", id, got.Flit.Mean, got.Network.Mean)
		}
	}
}

// Without a rival each of s flits takes what the head does: 3 + 4 H + H - 1 cycles.
func TestFlitsOfALonePacket(t *testing.T) {
	res := runText(t, smallMesh+"injection_rate=0.001;packet_size=6;traffic=neighbor;sample_period=20000;")
	if want := 3 + 4*res.Hops + res.Hops - 1; math.Abs(res.Flit.Mean-want) > 0.03*want || math.Abs(res.Network.Mean-want-5) > 0.03*want {
		t.Errorf("flits take %.3f, packets %.3f; without load %.3f and 5 more", res.Flit.Mean, res.Network.Mean, want)
	}
}
