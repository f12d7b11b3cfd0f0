package floor

import "testing"

// A hall is as square as its pitches allow: one rack a row where they are far apart, one row where rows are.
func TestHall(t *testing.T) {
	for _, c := range []struct {
		site                Site
		racks, rows, perRow int64
	}{
		{Site{RackPitchM: 0.6, RowPitchM: 3}, 20, 2, 10},
		{Site{RackPitchM: 0.6, RowPitchM: 3, Rows: 3}, 20, 3, 7},
		{Site{RackPitchM: 1e300, RowPitchM: 3}, 20, 20, 1},
		{Site{RackPitchM: 1e300, RowPitchM: 1e-300}, 20, 20, 1},
		{Site{RackPitchM: 1e-300, RowPitchM: 1e300}, 20, 1, 20},
	} {
		if rows, perRow := c.site.Hall(c.racks); rows != c.rows || perRow != c.perRow {
			t.Errorf("%g x %g m: %d racks stand in %d rows of %d, want %d of %d", c.site.RackPitchM, c.site.RowPitchM, c.racks, rows, perRow, c.rows, c.perRow)
		}
	}
}
