// Package book writes workbooks of tables: a frozen head, a filter, figures as numbers.
package book

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/diag"
)

// Book is a workbook that is being written. It keeps the first error, which Write returns.
type Book struct {
	f    *excelize.File
	n    int
	bold int
	err  error
}

// New begins a workbook. Its bytes depend on nothing but what is written into it.
func New(title, program string) *Book {
	b := &Book{f: excelize.NewFile()}
	// The file says when it was made: a fixed day, since a report holds no clock.
	_ = b.f.SetDocProps(&excelize.DocProperties{Title: title, Creator: "toposearch " + program,
		Created: time.Unix(0, 0).UTC().Format(time.RFC3339), Modified: time.Unix(0, 0).UTC().Format(time.RFC3339)})
	b.bold, b.err = b.f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	return b
}

// Sheet adds a sheet whose first row is the head; freeze is the number of columns that stay, and the rows of bold, counted from 0, are
// set like the head. Figures are numbers in full precision, rounded only for the eye; those that are not finite are empty.
func (s *Book) Sheet(name string, rows [][]any, freeze int, bold ...int) {
	if s.err != nil {
		return
	}
	if s.n == 0 {
		s.err = s.f.SetSheetName("Sheet1", name)
	} else {
		_, s.err = s.f.NewSheet(name)
	}
	s.n++
	if s.err != nil || len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	s.err = s.stream(name, rows, freeze, append(bold, 0))
}

// stream writes a sheet row by row, several times as fast as cell by cell: cables of a large network are tens of thousands.
func (s *Book) stream(name string, rows [][]any, freeze int, bold []int) error {
	last, err := excelize.CoordinatesToCellName(len(rows[0]), len(rows))
	if err != nil {
		return err
	}
	if err = s.f.AutoFilter(name, "A1:"+last, nil); err != nil {
		return err
	}
	w, err := s.f.NewStreamWriter(name)
	if err != nil {
		return err
	}
	corner, _ := excelize.CoordinatesToCellName(freeze+1, 2)
	err = cmp.Or(w.SetColWidth(1, 1, 34), w.SetPanes(&excelize.Panes{Freeze: true, XSplit: freeze, YSplit: 1, TopLeftCell: corner, ActivePane: "bottomRight"}))
	if len(rows[0]) > 1 {
		err = cmp.Or(err, w.SetColWidth(2, len(rows[0]), 15))
	}
	for i, r := range rows {
		if err != nil {
			return err
		}
		isBold := slices.Contains(bold, i)
		r = slices.Clone(r) // heads are the callers', and serve several books
		for j, x := range r {
			switch v := x.(type) {
			case float64:
				if math.IsNaN(v) || math.IsInf(v, 0) {
					r[j] = nil
				}
			case string:
				r[j] = diag.Visible(v)
			}
			if isBold {
				r[j] = excelize.Cell{StyleID: s.bold, Value: r[j]}
			}
		}
		err = w.SetRow(fmt.Sprintf("A%d", i+1), r)
	}
	return cmp.Or(err, w.Flush())
}

// CSV adds a sheet of what a CSV file holds, with numbers as such in the columns that have nothing else, but for those of these heads:
// the part number 980012345678901 is a text.
func (s *Book) CSV(name string, text []byte, freeze int, texts ...string) {
	if s.err != nil {
		return
	}
	r := csv.NewReader(bytes.NewReader(text))
	records, err := r.ReadAll()
	if err != nil || len(records) == 0 {
		s.err = err
		return
	}
	numbers := make([]bool, len(records[0]))
	for j := range numbers {
		numbers[j] = !slices.Contains(texts, records[0][j])
		for _, rec := range records[1:] {
			if _, err := strconv.ParseFloat(rec[j], 64); err != nil && rec[j] != "" {
				numbers[j] = false
				break
			}
		}
	}
	rows := make([][]any, len(records))
	for i, rec := range records {
		rows[i] = make([]any, len(rec))
		for j, x := range rec {
			if v, err := strconv.ParseFloat(x, 64); i > 0 && numbers[j] && err == nil {
				rows[i][j] = v
			} else {
				rows[i][j] = unguarded(x)
			}
		}
	}
	s.Sheet(name, rows, freeze)
}

// unguarded takes the ' away that keeps spreadsheets from reading a text of a CSV file as a formula: cells of a workbook say that they
// are texts.
func unguarded(x string) string {
	if len(x) > 1 && x[0] == '\'' && strings.ContainsRune("=+-@\t\r", rune(x[1])) {
		return x[1:]
	}
	return x
}

// Write ends the workbook.
func (s *Book) Write(w io.Writer) error {
	defer s.f.Close()
	if s.err != nil {
		return fmt.Errorf("report: cannot make the workbook: %w", s.err)
	}
	var made bytes.Buffer
	err := s.f.Write(&made)
	if err == nil {
		err = inOrder(made.Bytes(), w)
	}
	if err != nil {
		return fmt.Errorf("report: cannot write the workbook: %w", err)
	}
	return nil
}

// inOrder copies a workbook, an archive whose parts stand in any order, with its parts by name: excelize ranges over a map of the sheets that were
// written row by row.
func inOrder(made []byte, w io.Writer) error {
	r, err := zip.NewReader(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		return err
	}
	slices.SortFunc(r.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	out := zip.NewWriter(w)
	for _, f := range r.File {
		if err := out.Copy(f); err != nil {
			return err
		}
	}
	return out.Close()
}
