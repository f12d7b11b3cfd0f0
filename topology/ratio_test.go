package topology_test

import (
	"math"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
)

// TestRatios: over all ratios of up to 1024 parts, values are in the order of ratios, equal ones alike; each divides
// what it should, exactly, and is written and read as itself.
func TestRatios(t *testing.T) {
	p := taper(t)
	share := map[int][2]int{}
	for n := 2; n <= 1024; n++ {
		for down := 1; down < n; down++ {
			x := topology.RatioOf(down, n-down)
			if y, ok := share[x]; ok && y[0]*n != down*y[1] {
				t.Fatalf("%d/%d and %d/%d have the value %d", down, n, y[0], y[1], x)
			}
			if share[x] = [2]int{down, n}; !topology.RatioDivides(x, n) || topology.RatioPart(x, n) != down {
				t.Fatalf("%d:%d divides %d into %d and the rest: %v", down, n-down, n, topology.RatioPart(x, n), topology.RatioDivides(x, n))
			}
		}
	}
	// Values are shares rounded down, so the order is that of shares if no two of these are alike.
	for _, n := range []int{2, 7, 60, 64, 127, 128, 1023, 1024} {
		for down := (n + 1) / 2; down < n; down++ {
			x := topology.RatioOf(down, n-down)
			text := p.Format(x)
			if y, err := p.ParseValue(text); err != nil || y != x {
				t.Errorf("%d:%d is written %s and read as %d, %v, want %d", down, n-down, text, y, err, x)
			}
		}
	}
	if got := p.Format(topology.RatioOf(42, 22)); got != "21:11" {
		t.Errorf("42:22 is written %s, want 21:11", got)
	}
}

// TestRatioNearest: no ratio from 1:1 on that divides the ports is nearer, by the share of ports down.
func TestRatioNearest(t *testing.T) {
	for _, ports := range []int{2, 4, 6, 64, 126, 1024} {
		for _, r := range [][2]int{{1, 1}, {2, 1}, {3, 2}, {15, 1}, {16, 15}, {511, 1}, {1023, 1}, {341, 340}} {
			want := float64(r[0]) / float64(r[0]+r[1])
			least := math.Inf(1)
			for down := ports / 2; down < ports; down++ {
				least = min(least, math.Abs(float64(down)/float64(ports)-want))
			}
			x := topology.RatioNearest(topology.RatioOf(r[0], r[1]), ports)
			got := float64(topology.RatioPart(x, ports)) / float64(ports)
			if !topology.RatioDivides(x, ports) || math.Abs(math.Abs(got-want)-least) > 2e-6 {
				t.Errorf("%d ports, %d:%d: the nearest is said to have the share %v, %v away; one is %v away", ports, r[0], r[1], got, math.Abs(got-want), least)
			}
		}
	}
}

func TestRatioFaults(t *testing.T) {
	p := taper(t)
	for text, want := range map[string]string{
		"3": "is not a ratio", "3:0": "is not a ratio", "a:1": "is not a ratio", "1.5:1": "is not a ratio", "-3:1": "is not a ratio",
		"1:2": "1:2 is outside its range, 1:1 to 1023:1", "1025:1": "more than 1024 parts", "9999999999:1": "more than 1024 parts", "1000:999": "more than 1024 parts",
	} {
		if _, err := p.ParseValue(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), p.Name) {
			t.Errorf("%s: %v, want an error of %s that says %q", text, err, p.Name, want)
		}
	}
	if x, err := p.ParseValue(" 30 : 2"); err != nil || p.Format(x) != "15:1" {
		t.Errorf("30:2 is read as %s, %v, want 15:1", p.Format(x), err)
	}
}

// taper is a parameter that is a ratio.
func taper(t *testing.T) topology.Param {
	t.Helper()
	f, _ := family.ByName("fattree")
	i := f.Param("taper2")
	if i < 0 {
		t.Fatal("fattree has no taper2")
	}
	return f.Params[i]
}
