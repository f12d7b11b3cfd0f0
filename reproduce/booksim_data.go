package reproduce

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

// Configurations of BookSim2 and what it measured with them: data/booksim/README.md.
//
//go:embed data/booksim
var booksimData embed.FS

const booksimDir = "data/booksim/"

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
