package reproduce

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"toposearch/simcore/booksim"
)

// Tolerances of a point of BookSim2, relative; each is widened to sigmas standard deviations of
// the difference (issue of the simulator: agreement).
const (
	tolZeroLoad = 0.005 // packet latency at the lowest load of a configuration
	tolLatency  = 0.02  // up to 80 % of the saturation load
	tolNear     = 0.05  // up to 95 % of it
	tolAccepted = 0.01
	tolHops     = 0.005
	sigmas      = 3
	nearFrom    = 0.80
	highest     = 0.95 // share of the saturation load of a configuration's highest latency point
)

// hopsCV is the coefficient of variation of the routers passed by a packet: that of uniform
// traffic on an 8 x 8 mesh, the largest but one here.
const hopsCV = 0.43

// seedStages are the runs of a point whose noise is taken from the spread over seeds: with
// permutations at full load, whose outcome has several modes (BookSim2's own seeds 1 to 12 spread
// over 25 % there), fewer than eight do not show it; a standard deviation of eight runs is itself
// uncertain by a quarter, so that what then is outside is run again until it is one of 48.
var seedStages = []int{8, 48}

// seedStep keeps the seeds of a point apart from those of the published rows.
const seedStep = 101

// booksimRun is what one simulation measured.
type booksimRun struct {
	latency, latencySD, hops, accepted, packets float64
	status                                      string
}

// booksimPoint is a published point with our runs of it.
type booksimPoint struct {
	row    booksimRow
	sat    float64 // saturation load of the configuration
	lowest bool    // lowest load of the configuration
	runs   []booksimRun
	cells  []booksimCell
}

// booksimCell is a quantity of a point compared.
type booksimCell struct {
	column              string
	published, computed float64
	tol, sigma          float64 // relative
}

func (c *booksimCell) diff() float64 { return c.computed/c.published - 1 }

func (c *booksimCell) allowed() float64 { return max(c.tol, sigmas*c.sigma) }

func (c *booksimCell) agrees() bool { return math.Abs(c.diff()) <= c.allowed() }

// simulate runs the point once, with the published seed, and with more seeds where that leaves a
// quantity outside, or where the tolerance is the narrow one of an empty network.
func (p *booksimPoint) simulate(ctx context.Context) error {
	if err := p.run(ctx, p.row.seed); err != nil {
		return err
	}
	p.compare()
	if p.row.status == booksimDeadlock {
		return nil
	}
	for i, n := range seedStages {
		if p.agrees() && (i > 0 || !p.lowest) {
			break
		}
		for len(p.runs) < n {
			if err := p.run(ctx, p.row.seed+uint64(len(p.runs))*seedStep); err != nil {
				return err
			}
		}
		p.compare()
	}
	return nil
}

func (p *booksimPoint) agrees() bool {
	for i := range p.cells {
		if !p.cells[i].agrees() {
			return false
		}
	}
	return true
}

func (p *booksimPoint) run(ctx context.Context, seed uint64) error {
	r, diags := booksim.LoadFS(booksimData, booksimDir+"configs/"+p.row.config+".cfg", []string{
		"injection_rate=" + p.row.offered, "sim_type=" + p.row.mode, "latency_thres=-1", fmt.Sprintf("seed=%d", seed)})
	if r == nil {
		return diags.Err()
	}
	res, err := r.Run(ctx)
	if err != nil {
		return err
	}
	p.runs = append(p.runs, booksimRun{res.Latency.Mean, res.LatencySD, res.Hops, res.Accepted, float64(res.Packets), res.Status})
	return nil
}

// compare makes the cells from the runs so far.
func (p *booksimPoint) compare() {
	p.cells = nil
	r := &p.row
	if r.status == booksimDeadlock {
		return
	}
	one := &p.runs[0]
	count := math.Sqrt(1/r.packets + 1/max(one.packets, 1)) // of a mean whose coefficient of variation is 1
	add := func(column string, published, tol, cv float64, of func(*booksimRun) float64) {
		c := booksimCell{column: column, published: published, computed: of(one), tol: tol, sigma: cv * count}
		if len(p.runs) > 1 {
			var spread float64
			c.computed, spread = p.spread(of)
			// Packets are at best independent on both sides.
			c.sigma = max(spread, cv*math.Sqrt((1+1/float64(len(p.runs)))/r.packets))
		}
		p.cells = append(p.cells, c)
	}
	if r.mode == "latency" {
		tol := tolLatency
		switch {
		case p.lowest:
			tol = tolZeroLoad
		case r.load > nearFrom*p.sat:
			tol = tolNear
		}
		add("latency", r.latency, tol, one.latencySD/one.latency, func(o *booksimRun) float64 { return o.latency })
		add("hops", r.hops, tolHops, hopsCV, func(o *booksimRun) float64 { return o.hops })
	}
	add("accepted", r.accepted, tolAccepted, 1, func(o *booksimRun) float64 { return o.accepted })
}

// spread is the mean of a quantity over the runs, and the standard deviation, relative to it, of
// the difference between one more run (BookSim2's) and that mean.
func (p *booksimPoint) spread(of func(*booksimRun) float64) (mean, sigma float64) {
	x := make([]float64, len(p.runs))
	for i := range p.runs {
		x[i] = of(&p.runs[i])
	}
	mean, dev := stat.MeanStdDev(x, nil)
	return mean, dev * math.Sqrt(1+1/float64(len(x))) / mean
}

// booksimPoints are all rows with what they are of their configuration: its highest latency point
// is at 95 % of its saturation load.
func booksimPoints() ([]*booksimPoint, error) {
	rows, err := booksimRows()
	if err != nil {
		return nil, err
	}
	low, high := map[string]float64{}, map[string]float64{}
	for i := range rows {
		r := &rows[i]
		if r.mode != "latency" {
			continue
		}
		high[r.config] = max(high[r.config], r.load)
		if l, ok := low[r.config]; !ok || r.load < l {
			low[r.config] = r.load
		}
	}
	var points []*booksimPoint
	for _, r := range rows {
		points = append(points, &booksimPoint{row: r, sat: high[r.config] / highest,
			lowest: r.mode == "latency" && r.load == low[r.config]})
	}
	return points, nil
}

// booksimFast keeps the points of a table that takes seconds: of each configuration the lowest
// load and the two nearest to half of the saturation load and to it.
func booksimFast(p *booksimPoint) bool {
	share := p.row.load / p.sat
	return p.row.seed == 1 && (p.lowest || p.row.mode == "latency" && share > 0.45 && share < 0.55 ||
		p.row.mode == "throughput" && p.row.load == 1)
}
