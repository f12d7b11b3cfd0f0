package reproduce

import (
	"context"
	"fmt"
	"time"

	"toposearch/search/wire"
)

// wiring is a case of the order/degree problem: the record, and what annealing by 2-opt alone reaches in 30 s on one
// core, without symmetry and with the best of it. A record of 0 is not known.
type wiring struct {
	switches, degree int
	diameter         int
	record           float64
	annealedD        int
	annealed         float64
}

var wirings = []wiring{
	{16, 3, 3, 2.2, 3, 2.2}, {16, 4, 3, 1.75, 3, 1.75}, {64, 4, 0, 0, 4, 2.8690}, {64, 8, 3, 1.927, 3, 1.9524}, {72, 4, 4, 2.9859, 5, 2.9922},
	{256, 5, 0, 0, 5, 3.5275}, {256, 8, 4, 2.736, 4, 2.7490}, {1024, 8, 5, 3.505, 5, 3.5218}, {1024, 32, 3, 1.997844, 3, 2.2220},
}

// orderDegree sets what the search of wirings finds in 30 s of one core beside the records. A cell agrees if it is no
// worse than annealing by 2-opt.
func orderDegree(ctx context.Context, workers int) (*Table, error) {
	return wiringTable(ctx, workers, wirings, 30*time.Second)
}

func wiringTable(ctx context.Context, workers int, cases []wiring, effort time.Duration) (*Table, error) {
	t := &Table{
		Source: "Graph Golf, final ranking of 2016 and published graphs (research.nii.ac.jp/graphgolf); in the notes of cells simulated annealing " +
			"by 2-opt, 30 s of one core, with the best rotational symmetry",
		Notes: []string{fmt.Sprintf("Found with %s a case, counted in operations. A cell agrees if it is no worse than annealing by 2-opt.", effort),
			"Records of years of search need not be met; (16,4): no graph of diameter 2 exists."},
		Compared: &[2]string{"record", "found"},
	}
	for _, c := range cases {
		p := wire.Problem{Switches: c.switches, Degree: c.degree, Seed: 1, Effort: effort}
		r, err := p.Solve(ctx, workers)
		if err != nil {
			return nil, err
		}
		var record [2]any
		if c.record > 0 {
			record = [2]any{c.diameter, c.record}
		}
		mean := round(r.Mean, 4)
		t.Rows = append(t.Rows, Row{Name: fmt.Sprintf("%d switches of degree %d", c.switches, c.degree), Cells: []Cell{
			{"diameter", record[0], r.Diameter, r.Diameter <= c.annealedD, fmt.Sprintf("2-opt: %d", c.annealedD)},
			{"mean_distance", record[1], mean, r.Diameter < c.annealedD || mean <= c.annealed, fmt.Sprintf("2-opt: %.4f", c.annealed)},
			extra("bound", round(r.AtLeast, 4), ""),
			extra("symmetry", r.Graph.Turns, ""),
			extra("mean_cable_m", round(r.CableM, 2), fmt.Sprintf("before placing: %.2f m", r.UnplacedM)),
		}})
	}
	return t, nil
}
