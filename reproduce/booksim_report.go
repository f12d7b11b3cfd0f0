package reproduce

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"toposearch/internal/crew"
	"toposearch/simcore/booksim"
)

// booksimReport is the table of points that have been simulated.
func booksimReport(points []*booksimPoint, published int) *Table {
	t := &Table{
		Source: "BookSim2 28f4329 (2017-06-27; Jiang et al., ISPASS 2013), built with gcc 12 -O3, one run for each row",
		Notes: []string{
			fmt.Sprintf("%d of %d published points. Latency is that of packets, in cycles; hops are routers passed; accepted is in flits per cycle and node.", len(points), published),
			fmt.Sprintf("Tolerances: latency %g %% at the lowest load, %g %% up to 80 %% of the saturation load, %g %% above; hops %g %%; accepted %g %%; each at least %d sigma of the difference.",
				100*tolZeroLoad, 100*tolLatency, 100*tolNear, 100*tolHops, 100*tolAccepted, sigmas),
			fmt.Sprintf("Sigma is that of independent packets, from the packet counts of both sides. Where that leaves a figure outside, and at the lowest load, %d seeds are run, and %d if it is still outside: computed is then their mean, and sigma comes from their spread, unless independent packets spread more.", seedStages[0], seedStages[1]),
			"Latencies of sim_type throughput are not compared: beyond saturation BookSim2 drops what waits in its sources.",
		},
	}
	for _, p := range points {
		t.Rows = append(t.Rows, p.tableRow())
	}
	t.Notes = append(t.Notes, booksimSummary(points)...)
	return t
}

func (p *booksimPoint) name() string {
	r := &p.row
	return fmt.Sprintf("%s, %s, offered %s, seed %d", r.config, r.mode, r.offered, r.seed)
}

func (p *booksimPoint) tableRow() Row {
	row := Row{Name: p.name()}
	if p.row.status == booksimDeadlock {
		note := "BookSim2 stopped moving; no figures"
		if p.runs[0].status != booksim.StatusDeadlocked {
			note += "; " + booksimReasons[p.row.config]
		}
		row.Cells = append(row.Cells, Cell{"status", booksim.StatusDeadlocked, p.runs[0].status, p.runs[0].status == booksim.StatusDeadlocked, note})
		return row
	}
	for i := range p.cells {
		c := &p.cells[i]
		note := fmt.Sprintf("%+.2f %%, allowed %.2f %%", 100*c.diff(), 100*c.allowed())
		if len(p.runs) > 1 {
			note += fmt.Sprintf("; %d seeds", len(p.runs))
		}
		if !c.agrees() {
			note += "; " + p.reason(c)
		}
		row.Cells = append(row.Cells, Cell{c.column, c.published, c.computed, c.agrees(), note})
	}
	return row
}

// booksimReasons are why a configuration differs, where it is known.
var booksimReasons = map[string]string{
	"torus8x8_valiant_transpose": "here a packet keeps one class of VCs for each dimension and phase, which cannot deadlock; " +
		"the build of BookSim2 that measured this row was repaired by hand (data/booksim/README.md) and stood still",
}

// reason says why a figure is outside.
func (p *booksimPoint) reason(c *booksimCell) string {
	off := p.row.injected/p.row.load - 1
	if c.column == "accepted" && p.row.mode == "latency" && math.Abs(p.row.injected/p.row.accepted-1) < tolAccepted && math.Abs(off) > tolAccepted {
		return fmt.Sprintf("%.1f sigma: BookSim2's sources drew %+.1f %% against the offered load with this seed and all of it arrived", math.Abs(c.diff())/c.sigma, 100*off)
	}
	if r := booksimReasons[p.row.config]; r != "" {
		return r
	}
	return fmt.Sprintf("%.1f sigma, unexplained", math.Abs(c.diff())/c.sigma)
}

// booksimSummary says how well the points agree, and which do not.
func booksimSummary(points []*booksimPoint) []string {
	kinds := []struct {
		what string
		of   func(p *booksimPoint, c *booksimCell) bool
	}{
		{"latency up to 80 % of saturation", func(p *booksimPoint, c *booksimCell) bool {
			return c.column == "latency" && p.row.load <= nearFrom*p.sat
		}},
		{"latency from 80 to 95 %", func(p *booksimPoint, c *booksimCell) bool {
			return c.column == "latency" && p.row.load > nearFrom*p.sat
		}},
		{"hops", func(_ *booksimPoint, c *booksimCell) bool { return c.column == "hops" }},
		{"accepted below saturation", func(p *booksimPoint, c *booksimCell) bool { return c.column == "accepted" && p.row.mode == "latency" }},
		{"accepted at and above saturation", func(p *booksimPoint, c *booksimCell) bool { return c.column == "accepted" && p.row.mode != "latency" }},
	}
	var notes, outside []string
	for _, k := range kinds {
		var size []float64
		var sum float64
		bad := 0
		for _, p := range points {
			for i := range p.cells {
				if c := &p.cells[i]; k.of(p, c) {
					size, sum = append(size, math.Abs(c.diff())), sum+c.diff()
					if !c.agrees() {
						bad++
						outside = append(outside, fmt.Sprintf("Outside: %s: %s %+.2f %%, %s.", p.name(), c.column, 100*c.diff(), p.reason(c)))
					}
				}
			}
		}
		if len(size) == 0 {
			continue
		}
		slices.Sort(size)
		at := func(q float64) float64 { return 100 * size[int(q*float64(len(size)-1))] }
		notes = append(notes, fmt.Sprintf("%s: %d figures, %d outside; differences: median %.2f %%, 95th percentile %.2f %%, largest %.2f %%; mean with sign %+.3f %%.",
			k.what, len(size), bad, at(0.5), at(0.95), at(1), 100*sum/float64(len(size))))
	}
	for _, p := range points {
		if p.row.status == booksimDeadlock && p.runs[0].status != booksim.StatusDeadlocked {
			outside = append(outside, fmt.Sprintf("Outside: %s: status %s, %s.", p.name(), p.runs[0].status, booksimReasons[p.row.config]))
		}
	}
	return append(notes, outside...)
}

// booksimTable compares the rows that keep keeps (all, if it is nil).
func booksimTable(ctx context.Context, workers int, keep func(*booksimPoint) bool) (*Table, error) {
	all, err := booksimPoints()
	if err != nil {
		return nil, err
	}
	var points []*booksimPoint
	for _, p := range all {
		if keep == nil || keep(p) {
			points = append(points, p)
		}
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g, ctx := crew.WithContext(ctx, workers)
	for _, p := range points {
		g.Go(func() error { return p.simulate(ctx) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return booksimReport(points, len(all)), nil
}
