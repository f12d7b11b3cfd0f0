package reproduce

import (
	"math"

	"toposearch/internal/chart"
)

// Cell is one figure of a published table with its computed twin.
type Cell struct {
	Column    string `json:"column"`
	Published any    `json:"published"` // number, or null if the publication has none
	Computed  any    `json:"computed"`  // number, or null if it cannot be computed here
	Agrees    bool   `json:"agrees"`    // to the printed digits, or within the tolerance of the note; true where nothing is published
	Note      string `json:"note,omitempty"`
}

// Row is one row of a published table.
type Row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// Table is a published table reproduced.
type Table struct {
	Schema string   `json:"schema"`
	Table  string   `json:"table"`
	Title  string   `json:"title"`
	Source string   `json:"source"`
	Rows   []Row    `json:"rows"`
	Notes  []string `json:"notes,omitempty"`
	// Compared says what stands under published and computed where it is something else.
	Compared *[2]string `json:"compared,omitempty"`

	figures []chart.Named // drawn besides those of published numbers
}

// Sides are the names of the two figures of a cell.
func (t *Table) Sides() (published, computed string) {
	if t.Compared != nil {
		return t.Compared[0], t.Compared[1]
	}
	return "published", "computed"
}

// Schema of the JSON form of a Table.
const Schema = "toposearch.reproduce/1"

// Disagreements counts the cells that differ from the publication.
func (t *Table) Disagreements() int {
	n := 0
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if !c.Agrees {
				n++
			}
		}
	}
	return n
}

// number compares a published figure with a computed one, both rounded half up to the printed
// digits: fmt rounds the binary value half to even and would print 49.25 as 49.2.
func number(column string, published, computed float64, digits int, note string) Cell {
	return Cell{column, published, computed, round(published, digits) == round(computed, digits), note}
}

// round rounds half up to a number of decimal digits; the nudge absorbs the binary
// representation of decimal halves, at a millionth of the last digit.
func round(x float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	return math.Floor(x*p+0.5+1e-6) / p
}

// extra is a computed figure without a published twin.
func extra(column string, computed any, note string) Cell {
	return Cell{column, nil, computed, true, note}
}

// noted gives a cell that differs the known explanation.
func noted(c Cell, why string) Cell {
	if !c.Agrees {
		c.Note = "known: " + why
	}
	return c
}

// atLeast and atMost are the ends of a published range.
func atLeast(column string, published, computed float64, note string) Cell {
	return Cell{column, published, round(computed, 1), computed >= published, note}
}

func atMost(column string, published, computed float64, note string) Cell {
	return Cell{column, published, round(computed, 1), computed <= published, note}
}

var dash = math.NaN()
