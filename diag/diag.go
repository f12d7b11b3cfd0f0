// Package diag is what the program says about its inputs. Every reader of files (study.Load,
// constraints.Read, catalog.Read, netfile.Load, ...) returns a List of all that it found instead of
// stopping at the first fault. A Diagnostic has a severity, a place, a summary and often a remedy. Lists
// are joined by Add, ordered by Sort, printed by Print as a compiler does, with the line and a caret, and
// turned into an error by Err or into JSON by JSON. Suggest and Hint propose names for those that do not
// exist.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity of a diagnostic. Errors stop the command with exit status 2; warnings do not.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Pos is a place in an input file. Line and Column count from 1 (column in characters); 0 means
// unknown. In a spreadsheet File is "book.xlsx#Sheet", Line the row and Column the column.
type Pos struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String gives file:line:column without the parts that are unknown.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Diagnostic is one finding about an input.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Summary  string   `json:"summary"`
	Detail   string   `json:"detail,omitempty"` // remedy: what to write instead
	Pos      Pos      `json:"range"`
	Source   string   `json:"-"` // the line, for the caret
	Width    int      `json:"-"` // characters to underline, from Column
}

// String is the finding on one line: file:line:column: severity: summary.
func (d Diagnostic) String() string {
	s := string(d.Severity) + ": " + d.Summary
	if p := d.Pos.String(); p != "" {
		s = p + ": " + s
	}
	return s
}

// List is a set of findings in the order they were made.
type List []Diagnostic

// Add appends findings.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// Errorf adds an error. What follows a line end is its remedy.
func (l *List) Errorf(p Pos, format string, args ...any) { l.say(Error, p, format, args...) }

// Warnf adds a warning, likewise.
func (l *List) Warnf(p Pos, format string, args ...any) { l.say(Warning, p, format, args...) }

func (l *List) say(sev Severity, p Pos, format string, args ...any) {
	s, detail, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	l.Add(Diagnostic{Severity: sev, Summary: s, Detail: detail, Pos: p})
}

// HasErrors reports whether a finding is an error.
func (l List) HasErrors() bool { e, _ := l.Count(); return e > 0 }

// Count gives the numbers of errors and of warnings.
func (l List) Count() (errors, warnings int) {
	for i := range l {
		if l[i].Severity == Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

// Sort orders by file, line, column, then errors first, then text, and drops exact repeats.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Summary, b.Summary), cmp.Compare(a.Detail, b.Detail))
	})
	*l = slices.CompactFunc(*l, func(a, b Diagnostic) bool {
		return a.Pos == b.Pos && a.Severity == b.Severity && a.Summary == b.Summary && a.Detail == b.Detail
	})
}

// FillSource gives the findings about a text file the lines that they are about, where they lack
// them, for the caret.
func (l List) FillSource(file string, data []byte) {
	var lines []string
	for i := range l {
		d := &l[i]
		if d.Source != "" || d.Pos.File != file || d.Pos.Line == 0 {
			continue
		}
		if lines == nil {
			lines = strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
		}
		if d.Pos.Line <= len(lines) {
			d.Source = strings.TrimRight(lines[d.Pos.Line-1], "\r")
		}
	}
}

// Err is nil without errors, else an error that names the first and counts the rest.
func (l List) Err() error {
	n, _ := l.Count()
	for i := range l {
		if l[i].Severity != Error {
			continue
		}
		if n == 1 {
			return fmt.Errorf("%s", l[i])
		}
		return fmt.Errorf("%s (and %d more)", l[i], n-1)
	}
	return nil
}
