package netfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"toposearch/diag"
)

// records are the rows of a CSV file.
type records struct {
	*csv.Reader
	text   *source
	fields int // of the header
}

func newRecords(src *source) records {
	r := records{Reader: csv.NewReader(bytes.NewReader(src.data)), text: src}
	r.Comma = separator(src.line(0))
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	return r
}

// separator is the one that the header has most of.
func separator(line []byte) rune {
	best, n := ',', bytes.Count(line, []byte{','})
	for _, c := range ";\t" {
		if m := bytes.Count(line, []byte{byte(c)}); m > n {
			best, n = c, m
		}
	}
	return best
}

// offset of field i of the record read last.
func (r records) offset(i int) int {
	line, col := r.FieldPos(i)
	return r.text.lines[line-1] + col - 1
}

// each calls row with every record behind the header.
func (r records) each(row func(rec []string)) {
	for !r.text.full {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			r.text.at(r.text.lines[min(bad.Line, len(r.text.lines))-1]+bad.Column-1, "", "%v", bad.Err)
			break
		}
		if len(rec) != r.fields {
			r.text.at(r.offset(0), "", "%d fields, the header has %d", len(rec), r.fields)
			continue
		}
		for i, text := range rec {
			rec[i] = strings.TrimSpace(text)
			r.text.seen(r.offset(i), rec[i])
		}
		row(rec)
	}
}

// columns finds known columns in a head: the field of each, -1 if absent. Others are errors if strict.
func (r records) columns(head, known []string, alias map[string]string, strict bool) []int {
	at := slices.Repeat([]int{-1}, len(known))
	for i, name := range head {
		if a, ok := alias[name]; ok {
			name = a
		}
		switch c := slices.Index(known, name); {
		case c < 0 && strict:
			r.text.at(r.offset(i), "columns are "+strings.Join(known, ","), "unknown column %q%s", name, diag.Hint(name, known))
		case c >= 0 && at[c] >= 0:
			r.text.at(r.offset(i), "", "column %s stands twice", name)
		case c >= 0:
			at[c] = i
		}
	}
	return at
}
