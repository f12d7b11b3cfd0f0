package catalog

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits on a workbook, beyond any price list. Excelize holds a whole sheet in memory, every row padded to its
// last cell, all rows up to the last, and looks through all merged cells for each cell that it is asked for.
const (
	maxBook     = 64 << 20  // bytes of all parts, unpacked
	maxPart     = 16 << 20  // bytes of a part
	maxParts    = 1_000     // in the archive
	maxElements = 2_000_000 // of XML, in all parts
	maxPadded   = 250_000   // cells of all sheets, padding included, and rows
	maxMerges   = 1_000     // merged ranges
)

// errBook is what makes a workbook more than a price list.
type errBook struct{ text, remedy string }

func (e *errBook) Error() string { return e.text }

// inspect reads through an archive before excelize unpacks it, and refuses what is beyond a limit: an archive
// that unpacks to more than it may, a cell far to the right, rows without end.
func inspect(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if len(z.File) > maxParts {
		return &errBook{fmt.Sprintf("the workbook has %d parts; at most %d are read", len(z.File), maxParts), "keep the sheets with the parts alone"}
	}
	c := &bookCensus{}
	var total uint64
	for _, f := range z.File {
		// What an archive says of its sizes holds: archive/zip refuses a part that unpacks to more.
		if total += f.UncompressedSize64; f.UncompressedSize64 > maxPart || total > maxBook {
			return &errBook{fmt.Sprintf("the workbook unpacks to more than is read (%d bytes in a part, %d in all)", maxPart, maxBook), "save the sheet with the parts as CSV"}
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		err = c.part(r, f.Name)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// bookCensus counts what the parts of a workbook hold.
type bookCensus struct {
	elements, padded, merges int
	row, widest              int // of the part at hand: its last row, and the last cell of the row at hand
}

// part counts the elements of a part. One that is no XML, a picture, ends at its first fault, as it would in
// excelize.
func (c *bookCensus) part(r io.Reader, name string) error {
	d := xml.NewDecoder(r)
	other := false
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { other = true; return nil, errors.New("not UTF-8") }
	c.row, c.widest = 0, 0
	for {
		t, err := d.RawToken()
		if err != nil {
			if other && strings.HasPrefix(name, "xl/") {
				return &errBook{"the part " + strconv.Quote(name) + " of the workbook is not UTF-8", "open it and save it again as .xlsx"}
			}
			return nil
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if c.elements++; c.elements > maxElements {
			return &errBook{fmt.Sprintf("the workbook holds more than %d elements", maxElements), "save the sheet with the parts as CSV"}
		}
		if err := c.element(&e); err != nil {
			return err
		}
	}
}

func (c *bookCensus) element(e *xml.StartElement) error {
	switch e.Name.Local {
	case "mergeCell":
		if c.merges++; c.merges > maxMerges {
			return &errBook{fmt.Sprintf("the workbook has more than %d merged cells", maxMerges), "unmerge them, or save the sheet with the parts as CSV"}
		}
	case "row":
		c.widest = 0
		c.row++
		if n, err := strconv.Atoi(attr(e, "r")); err == nil {
			if n > maxRows {
				return &errBook{fmt.Sprintf("a sheet has a row %d; at most %d are read", n, maxRows), "delete the rows below the parts, or save the sheet as CSV"}
			}
			c.padded += max(n-c.row, 0)
			c.row = max(c.row, n)
		}
		c.padded++
	case "c":
		at := c.widest + 1
		if r := attr(e, "r"); r != "" {
			at = columnOf(r)
		}
		if at > maxColumns {
			return &errBook{fmt.Sprintf("a sheet has a cell %s in column %d; at most %d are read", strconv.Quote(attr(e, "r")), at, maxColumns), "delete the columns to the right of the parts, or save the sheet as CSV"}
		}
		c.padded += max(at-c.widest, 1)
		c.widest = max(c.widest, at)
	}
	if c.padded > maxPadded {
		return &errBook{fmt.Sprintf("the workbook has more than %d cells and rows", maxPadded), "save the sheet with the parts as CSV"}
	}
	return nil
}

// attr is an attribute, "" if there is none.
func attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// columnOf is the column of a cell's name, "AB12": 28.
func columnOf(name string) int {
	n := 0
	for _, r := range strings.ToUpper(name) {
		if r == '$' { // as excelize reads "$A$1"
			continue
		}
		if r < 'A' || r > 'Z' || n > 1<<20 {
			break
		}
		n = 26*n + int(r-'A') + 1
	}
	return n
}
