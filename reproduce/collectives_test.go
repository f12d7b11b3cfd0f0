package reproduce

import (
	"context"
	"testing"
)

// TestCollectivesTable: of the first two designs nine tenths of the algorithms are within the tolerance, as of all designs, which
// toposearch reproduce collectives shows in two minutes.
func TestCollectivesTable(t *testing.T) {
	if testing.Short() {
		t.Skip("plays thirty collectives")
	}
	table, err := collectivesTable(context.Background(), 2, 2, predictionSeed, collectiveBytes)
	if err != nil {
		t.Fatal(err)
	}
	all, within := 0, 0
	for _, r := range table.Rows[:len(table.Rows)-2] { // but sums by family and of all
		for _, c := range r.Cells {
			if all++; c.Agrees {
				within++
			}
		}
	}
	if last := table.Rows[len(table.Rows)-1]; all < 20 || len(last.Cells) < 10 {
		t.Errorf("%d cells, and a sum of %d", all, len(last.Cells))
	}
	if float64(within) < collectiveShare*float64(all) {
		t.Errorf("%d of %d within the tolerance", within, all)
	}
}
