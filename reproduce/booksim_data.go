package reproduce

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
)

// booksimDeadlock is the status of a published point at which BookSim2 stopped moving.
const booksimDeadlock = "timeout_deadlock"

// booksimRow is a row of data/booksim/points.csv.
type booksimRow struct {
	config, mode, offered, status string // mode: latency or throughput
	seed                          uint64
	load                          float64 // offered, in flits per cycle and node
	latency, hops, injected       float64
	accepted, packets             float64
}

func booksimRows() ([]booksimRow, error) {
	text, err := booksimData.ReadFile(booksimDir + "points.csv")
	if err != nil {
		return nil, err
	}
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, h := range table[0] {
		at[h] = i
	}
	var rows []booksimRow
	for n, t := range table[1:] {
		num := func(column string) float64 {
			x, e := strconv.ParseFloat(t[at[column]], 64)
			if e != nil && err == nil && t[at["status"]] != booksimDeadlock {
				err = fmt.Errorf("points.csv:%d: %s: %w", n+2, column, e)
			}
			return x
		}
		rows = append(rows, booksimRow{config: t[at["config"]], mode: t[at["sim_type"]], offered: t[at["offered"]],
			status: t[at["status"]], seed: uint64(num("seed")), load: num("offered"), latency: num("latency"),
			hops: num("hops"), injected: num("injected"), accepted: num("accepted"), packets: num("packets")})
	}
	return rows, err
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
