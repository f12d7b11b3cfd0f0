package report

import (
	"path/filepath"

	"toposearch/constraints"
)

// place is the file name, line and column of an origin.
func place(o constraints.Origin) string {
	pos := o.Pos
	if pos.File != "" {
		pos.File = filepath.Base(pos.File)
	}
	return pos.String()
}

func span(lo, hi int64) string {
	if lo == hi {
		return plain(figure(float64(lo)))
	}
	return plain(figure(float64(lo))) + " to " + plain(figure(float64(hi)))
}
