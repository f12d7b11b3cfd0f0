package plan

import (
	"cmp"
	"slices"

	"toposearch/evaluator/floor"
)

// Trays is what lies in the trays of a floor plan if every cable takes the way that its length assumes: up to the tray,
// along the row of the rack with the lower number, across the rows at the place of the other, and down. To another building it
// crosses, behind that, at the same place.
type Trays struct {
	Rows, PerRow, Buildings int
	// Along is how many cables lie in the tray of a row between a place and the next one, by building, row and place; Across
	// between a row and the next one at a place.
	Along, Across []int64
	// InRack are the cables that stay in a rack, Between those from building to building.
	Cables, InRack, Between int64
	LaidM, BoughtM          float64
	// Bundles are the cables between the same two racks, or, if ByRows, between racks of the same row or the same two rows: all but
	// InRack, the largest first.
	Bundles []CableBundle
	ByRows  bool
	Links   []TrayLinks
}

// CableBundle is so many cables between two racks by their numbers, or between racks of rows, counted over all buildings.
type CableBundle struct {
	A, B   int
	Cables int64
}

// TrayLinks sums the cables of a class of links.
type TrayLinks struct {
	Link                    string
	Cables, InRack, Between int64
	LaidM, BoughtM          float64
}

// bundleRacks is the number of racks from which bundles are those of rows: a million pairs of racks tell nobody anything.
const bundleRacks = 1500

// LayTrays lays the cables of a schedule.
func LayTrays(f *floor.Summary, s *floor.Schedule) (*Trays, error) {
	t := &Trays{Rows: max(f.Rows, 1), PerRow: max(f.PerRow, 1), Buildings: max(f.Buildings, 1)}
	hall := t.Rows * t.PerRow
	t.Along, t.Across = make([]int64, t.Buildings*hall), make([]int64, t.Buildings*hall)
	t.ByRows = f.Racks > bundleRacks
	bundles, at := map[[2]int]int64{}, map[string]int{}
	last := -1
	err := s.EachCable(false, func(c floor.Cable) bool {
		if last < 0 || t.Links[last].Link != c.Link {
			k, ok := at[c.Link]
			if !ok {
				k = len(t.Links)
				at[c.Link] = k
				t.Links = append(t.Links, TrayLinks{Link: c.Link})
			}
			last = k
		}
		l := &t.Links[last]
		l.Cables++
		l.LaidM, l.BoughtM = l.LaidM+c.LaidM, l.BoughtM+c.StockM
		a, b := min(c.FromRack, c.ToRack), max(c.FromRack, c.ToRack)
		if a == b {
			l.InRack++
			return true
		}
		if t.lay(a, b, hall) {
			l.Between++
		}
		if t.ByRows {
			a, b = a/t.PerRow, b/t.PerRow
		}
		bundles[[2]int{a, b}]++
		return true
	})
	if err != nil {
		return nil, err
	}
	t.sum()
	for k, n := range bundles {
		t.Bundles = append(t.Bundles, CableBundle{k[0], k[1], n})
	}
	slices.SortFunc(t.Bundles, func(x, y CableBundle) int {
		return cmp.Or(cmp.Compare(y.Cables, x.Cables), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return t, nil
}

// lay marks where a cable enters trays and leaves them, and tells whether it leaves the building.
func (t *Trays) lay(a, b, hall int) (between bool) {
	base, p, q := a/hall*hall, a%hall, b%hall
	x1, y1, x2, y2 := p%t.PerRow, p/t.PerRow, q%t.PerRow, q/t.PerRow
	t.Along[base+y1*t.PerRow+min(x1, x2)]++
	t.Along[base+y1*t.PerRow+max(x1, x2)]--
	t.Across[base+min(y1, y2)*t.PerRow+x2]++
	t.Across[base+max(y1, y2)*t.PerRow+x2]--
	return a/hall != b/hall
}

// sum turns the marks into counts, and adds up the classes.
func (t *Trays) sum() {
	hall := t.Rows * t.PerRow
	for i := range t.Along {
		if i%t.PerRow > 0 {
			t.Along[i] += t.Along[i-1]
		}
		if i%hall >= t.PerRow {
			t.Across[i] += t.Across[i-t.PerRow]
		}
	}
	for i := range t.Links {
		l := &t.Links[i]
		t.Cables, t.InRack, t.Between = t.Cables+l.Cables, t.InRack+l.InRack, t.Between+l.Between
		t.LaidM, t.BoughtM = t.LaidM+l.LaidM, t.BoughtM+l.BoughtM
	}
}
