package booksim

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// readRows reads a CSV file of testdata as maps by column.
func readRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, h := range rows[0] {
			m[h] = r[i]
		}
		out = append(out, m)
	}
	return out
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func simulate(t *testing.T, file string, overrides ...string) Result {
	t.Helper()
	r, diags := Load("testdata/"+file, overrides)
	if r == nil {
		t.Fatalf("%s %v: %v", file, overrides, diags)
	}
	res, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != StatusOK {
		t.Fatalf("%s %v: status %s", file, overrides, res.Status)
	}
	return res
}

// Measured points of BookSim2, up to 80 % of the highest stable load, and at load 1. One run on
// each side: the standard deviation of a difference of means follows from the packet counts, with
// a coefficient of variation of latencies of 0.6 (hops: 0.45; flits of a window: Poisson), times
// 3 for correlation among packets under load where latency exceeds twice that of an empty
// network. taper64 at load 1 is left out: its seeds spread over 10 %.
func TestParity(t *testing.T) {
	var sum float64
	var n int
	for i, r := range readRows(t, "points.csv") {
		if (testing.Short() || racing.On) && i%12 != 0 {
			continue
		}
		id := r["config_id"]
		name := fmt.Sprintf("%s %s load %s", id, r["sim_type"], r["offered_flits"])
		got := simulate(t, "configs/"+id+".cfg", "injection_rate="+r["offered_flits"], "sim_type="+r["sim_type"],
			"latency_thres=-1", "seed="+r["seed"])
		packets := number(t, r["packets_measured"])
		sigma := math.Sqrt(2 / packets)
		size := 1.0
		if k := strings.Index(id, "_ps"); k >= 0 {
			size = number(t, id[k+3:k+4])
		}
		near := func(what string, got, want, tol float64) {
			if d := got/want - 1; math.Abs(d) > tol {
				t.Errorf("%s: %s = %.5g, BookSim2 has %.5g (%+.2f %%, allowed %.2f %%)", name, what, got, want, 100*d, 100*tol)
			}
		}
		near("accepted", got.Accepted, number(t, r["accepted_flit_rate"]), math.Max(0.01, 3*sigma*math.Sqrt(size)*1.3))
		if r["sim_type"] != "latency" {
			continue
		}
		want := number(t, r["plat_avg"])
		near("hops", got.Hops, number(t, r["hops_avg"]), math.Max(0.005, 3*0.45*sigma))
		cv := 0.6
		if size > 1 {
			cv = 1.2 // a collision costs a packet's length
		}
		if strings.Contains(id, "onoff") || strings.Contains(id, "hotspot") || want > 60 {
			cv = 1.8 // bursts and long queues: successive packets are not independent
		}
		near("latency", got.Latency.Mean, want, math.Max(0.02, 3*cv*sigma))
		sum += got.Latency.Mean/want - 1
		n++
	}
	// Noise has no sign: a bias would show in the mean over all points.
	if m := sum / float64(n); math.Abs(m) > 0.005 {
		t.Errorf("mean difference of latency over %d points = %+.3f %%, want within 0.5 %%", n, 100*m)
	} else {
		t.Logf("mean difference of latency over %d points: %+.3f %%", n, 100*m)
	}
}

// Every router option on a single switch. Two seeds of BookSim2 differ by 0.002 in accepted rate
// and by up to 1.2 % in latency; packets of 4 flits have a quarter of the samples.
func TestSwitchOptions(t *testing.T) {
	for i, r := range readRows(t, "switch_units.csv") {
		if (testing.Short() || racing.On) && i%9 != 0 {
			continue
		}
		options := []string{"packet_size=" + r["packet_size"], "seed=2"}
		if r["options"] != "(defaults)" {
			options = append(options, strings.Fields(r["options"])...)
		}
		acc, lat := 0.013, 0.025
		if r["packet_size"] == "4" {
			acc, lat = 0.025, 0.05
		}
		a := simulate(t, "sw.cfg", append(options, "injection_rate=1.0", "sim_type=throughput")...)
		if want := number(t, r["accepted_at_load_1.0"]); math.Abs(a.Accepted/want-1) > acc {
			t.Errorf("%s size %s: accepted %.4f, BookSim2 has %.4f", r["options"], r["packet_size"], a.Accepted, want)
		}
		b := simulate(t, "sw.cfg", append(options, "injection_rate=0.5", "sim_type=latency")...)
		if want := number(t, r["nlat_at_0.5"]); math.Abs(b.Network.Mean/want-1) > lat {
			t.Errorf("%s size %s: network latency %.3f, BookSim2 has %.3f", r["options"], r["packet_size"], b.Network.Mean, want)
		}
	}
}

func TestRandperm(t *testing.T) {
	for _, n := range []int{64, 72} {
		text, err := os.ReadFile(fmt.Sprintf("testdata/randperm_seed7_n%d.txt", n))
		if err != nil {
			t.Fatal(err)
		}
		perm := randperm(n, 7)
		for i, f := range strings.Fields(string(text)) {
			if want := int(number(t, f)); perm[i] != want {
				t.Fatalf("randperm of %d: destination of %d = %d, want %d", n, i, perm[i], want)
			}
		}
	}
}
