package reproduce

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

func TestBooksimData(t *testing.T) {
	points, err := booksimPoints()
	if err != nil {
		t.Fatal(err)
	}
	configs, lowest, fast := map[string]bool{}, map[string]bool{}, 0
	for _, p := range points {
		configs[p.row.config] = true
		if p.lowest {
			lowest[p.row.config] = true
		}
		if booksimFast(p) {
			fast++
		}
		if p.row.mode == "latency" && p.row.load > highest*p.sat*1.0001 {
			t.Errorf("%s: above 95 %% of the saturation load %g", p.name(), p.sat)
		}
	}
	if len(points) != 1219 || len(configs) != 105 || len(lowest) != 105 || fast != 312 {
		t.Errorf("%d points of %d configurations, %d with a lowest load, %d fast; want 1219, 105, 105, 312",
			len(points), len(configs), len(lowest), fast)
	}
	// One of them by hand: mesh8x8_dor_uniform saturates at 0.4063.
	for _, p := range points {
		if p.row.config == "mesh8x8_dor_uniform" && math.Abs(p.sat-0.4063) > 0.0005 {
			t.Errorf("mesh8x8_dor_uniform: saturation load %g, want 0.4063", p.sat)
		}
	}
}

// The spread over runs 1, 2, 3: mean 2, deviation 1, of a fourth one against the mean sqrt(4/3).
func TestBooksimSpread(t *testing.T) {
	p := booksimPoint{runs: []booksimRun{{hops: 1}, {hops: 2}, {hops: 3}}}
	mean, sigma := p.spread(func(o *booksimRun) float64 { return o.hops })
	if mean != 2 || math.Abs(sigma-math.Sqrt(4.0/3)/2) > 1e-12 {
		t.Errorf("mean %g, sigma %g; want 2 and 0.57735", mean, sigma)
	}
}

// some are points of every tenth configuration.
func some(p *booksimPoint) bool {
	for _, c := range []string{"mesh8x8_dor_uniform", "mesh8x8_xy_yx_transpose", "torus8x8_dor_tornado", "flatfly4x4c4_ugal_uniform",
		"fattree4_3_nca_uniform_ps5", "dragonfly72_min_uniform", "anynet_mesh10_uniform", "anynet_tree13_uniform"} {
		if p.row.config == c {
			return booksimFast(p)
		}
	}
	return false
}

// The sample agrees, whatever the number of workers; the deadlock of the cyclic anynet is found.
func TestBooksimAgrees(t *testing.T) {
	keep, least, workers := some, 20, 1
	if testing.Short() || racing.On {
		keep = func(p *booksimPoint) bool { return strings.HasPrefix(p.row.config, "anynet") && some(p) }
		least, workers = 5, 3
	}
	one, err := booksimTable(context.Background(), workers, keep)
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Rows) < least {
		t.Fatalf("%d rows", len(one.Rows))
	}
	for _, r := range one.Rows {
		for _, c := range r.Cells {
			if !c.Agrees {
				t.Errorf("%s: %s = %v, BookSim2 has %v (%s)", r.Name, c.Column, c.Computed, c.Published, c.Note)
			}
		}
	}
	if testing.Short() || racing.On {
		return
	}
	three, err := booksimTable(context.Background(), 3, some)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, three) {
		t.Error("the table depends on the number of workers")
	}
}

// A published figure that is wrong by 5 % is found, and listed with a reason.
func TestBooksimDisagrees(t *testing.T) {
	racing.Figures(t)
	points, err := booksimPoints()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if p.row.config != "mesh8x8_dor_uniform" || p.row.offered != "0.122" {
			continue
		}
		p.row.latency *= 1.05
		p.row.hops *= 0.95
		if err := p.simulate(context.Background()); err != nil {
			t.Fatal(err)
		}
		table := booksimReport([]*booksimPoint{p}, 1)
		if n := table.Disagreements(); n != 2 || len(p.runs) != seedStages[1] {
			t.Errorf("%d figures disagree after %d runs, want 2 after %d", n, len(p.runs), seedStages[1])
		}
		notes := strings.Join(table.Notes, "\n")
		for _, want := range []string{"Outside: mesh8x8_dor_uniform, latency, offered 0.122, seed 1: latency -4.", "hops +5.", "sigma, unexplained"} {
			if !strings.Contains(notes, want) {
				t.Errorf("notes lack %q:\n%s", want, notes)
			}
		}
	}
}
