package catalog

import (
	"strings"

	"toposearch/diag"
)

// LoadOptions say what a price list does not say of itself.
type LoadOptions struct {
	Decimal  byte   // '.' or ','; 0: found out from the file, refused where it is not certain
	Encoding string // "latin1" or "windows-1252", which are read alike, "utf-8", or "": found out from the file
	Currency string // of prices whose row names none; "" makes that an error
	AsOf     string // ISO date on which prices must be valid; "" does not ask
	// Columns say which head stands for which column, before any that is known.
	Columns []ColumnRule
	// Tell is called with what was understood of each table, in their order; nil: nobody asks.
	Tell func(Sheet)
}

// cell is one value of a table with what a spreadsheet knows about it.
type cell struct {
	text   string
	column int  // in characters for CSV, the column number for a sheet
	number bool // a number cell of a spreadsheet: text is raw, with a point
	date   bool // formatted as a date; text is then ISO
	quoted bool
	format string // currency, or "$", that the number format of a spreadsheet names
	merged bool   // one of several rows that share a merged cell
	span   int    // columns over which the cell is merged; 0: its own
	fault  *cellFault
}

// cellFault is what is wrong with a cell of a spreadsheet, in whatever column it stands.
type cellFault struct {
	severity        diag.Severity
	summary, detail string
}

// row is a line of a table.
type row struct {
	line   int
	cells  []cell
	src    string // the line as it stands in a CSV file, for the caret
	hidden bool   // in a spreadsheet
}

// filled is the number of cells that are not blank.
func (r *row) filled() int {
	n := 0
	for i := range r.cells {
		if strings.TrimSpace(r.cells[i].text) != "" {
			n++
		}
	}
	return n
}

// first is the index of the first cell that is not blank.
func (r *row) first() int {
	for i := range r.cells {
		if strings.TrimSpace(r.cells[i].text) != "" {
			return i
		}
	}
	return 0
}

// at is the trimmed text of a cell, "" where the row is shorter.
func (r *row) at(j int) string {
	if j < 0 || j >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[j].text)
}

// table is a sheet or a CSV file before it is understood.
type table struct {
	file  string // "parts.csv" or "book.xlsx#Sheet"
	rows  []row
	comma byte   // what separates a CSV file; 0 for a sheet
	coded string // how the text of a CSV file is encoded
	kind  string // of all its parts, where the name of the sheet says it: "Switches"
}

// MaxBytes bounds the file of a price list: 100,000 parts of 300 bytes.
const MaxBytes = 32 << 20

// Limits on what a price list holds, in whatever format, far beyond any: the lists of whole vendors have a few
// ten thousand parts in a few dozen columns, and a cell of a spreadsheet program 32,767 characters at most.
const (
	maxRows    = 100_000
	maxColumns = 512
	maxCells   = 2_000_000 // of all rows, blank ones included
	maxCell    = 32_767    // bytes
)

// headRows is how far from the top the head may stand below titles and addresses.
const headRows = 50

// minHeads is how many known heads make a row the head.
const minHeads = 3
