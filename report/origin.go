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
