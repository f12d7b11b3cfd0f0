package tomlfile

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"toposearch/diag"
)

// document is what the values of a file share.
type document struct {
	file  string
	lines []string
	start []int // offset of each line
	diags *diag.List
}

// newDocument splits a text into its lines.
func newDocument(file string, data []byte, l *diag.List) *document {
	d := &document{file: file, diags: l}
	at := 0
	for _, line := range strings.SplitAfter(string(data), "\n") {
		d.lines = append(d.lines, strings.TrimRight(line, "\r\n"))
		d.start = append(d.start, at)
		at += len(line)
	}
	return d
}

// pos is the place of a byte.
func (d *document) pos(offset int) diag.Pos {
	i := max(sort.SearchInts(d.start, offset+1)-1, 0)
	col := min(max(offset-d.start[i], 0), len(d.lines[i]))
	return diag.Pos{File: d.file, Line: i + 1, Column: utf8.RuneCountInString(d.lines[i][:col]) + 1}
}

// report adds a finding with the source line.
func (d *document) report(sev diag.Severity, pos diag.Pos, width int, detail, format string, args ...any) {
	g := diag.Diagnostic{Severity: sev, Summary: fmt.Sprintf(format, args...), Detail: detail, Pos: pos, Width: width}
	if i := pos.Line - 1; i >= 0 && i < len(d.lines) {
		g.Source = d.lines[i]
	}
	d.diags.Add(g)
}
