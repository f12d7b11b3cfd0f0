package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// Sheet is what was understood of a sheet of a workbook, or of a CSV file.
type Sheet struct {
	File      string         `json:"file"`              // "book.xlsx#Sheet" or the path of the CSV file
	Skipped   string         `json:"skipped,omitempty"` // why it was not read; then there is nothing else
	HeadRows  []int          `json:"head_rows,omitempty"`
	Encoding  string         `json:"encoding,omitempty"`  // of a CSV file
	Separator string         `json:"separator,omitempty"` // of a CSV file
	Decimal   string         `json:"decimal,omitempty"`   // "point", "comma", or "" where no number needs one
	Kind      string         `json:"kind,omitempty"`      // of all parts, by the name of the sheet
	Columns   []SheetColumn  `json:"columns,omitempty"`
	Rows      int            `json:"rows"`  // below the head that are not blank
	Parts     int            `json:"parts"` // read without an error
	Refused   int            `json:"refused"`
	Kinds     map[string]int `json:"kinds,omitempty"` // parts of each kind
	Unpriced  int            `json:"unpriced"`
	// Currencies are those of the prices, with the parts that have one in it.
	Currencies map[string]int `json:"currencies,omitempty"`
	Left       []LeftRow      `json:"left,omitempty"`       // rows that are no parts
	Questioned []Question     `json:"questioned,omitempty"` // values that were read and are doubted
}

// SheetColumn is what was made of a column.
type SheetColumn struct {
	Column   string `json:"column"` // "F" in a sheet, "6" in a CSV file
	Head     string `json:"head"`
	Field    string `json:"field,omitempty"` // canonical name; "": it is ignored
	Unit     string `json:"unit,omitempty"`  // of bare numbers
	Declared bool   `json:"declared,omitempty"`
	Ignored  string `json:"ignored,omitempty"` // why
}

// LeftRow is a row that was taken for no part.
type LeftRow struct {
	Row  int    `json:"row"`
	Text string `json:"text"`
	Why  string `json:"why"`
}

// Question is a value that is read as it stands, and hardly meant so.
type Question struct {
	Row    int    `json:"row"`
	Column string `json:"column"`
	Field  string `json:"field"`
	PartNo string `json:"part_no"`
	Value  string `json:"value"`
	Why    string `json:"why"`
}

// Lines writes numbers of rows with what follows each other folded: "3, 5 to 9".
func Lines(lines []int) string {
	var out []string
	for i := 0; i < len(lines); {
		k := i
		for k+1 < len(lines) && lines[k+1] == lines[k]+1 {
			k++
		}
		switch k - i {
		case 0:
			out = append(out, strconv.Itoa(lines[i]))
		case 1:
			out = append(out, strconv.Itoa(lines[i]), strconv.Itoa(lines[k]))
		default:
			out = append(out, fmt.Sprintf("%d to %d", lines[i], lines[k]))
		}
		if i = k + 1; len(out) == mostRanges && i < len(lines) {
			return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", len(lines)-i)
		}
	}
	return strings.Join(out, ", ")
}

// mostRanges is how many rows, or runs of them, are named.
const mostRanges = 12
