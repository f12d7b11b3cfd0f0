// Package diag is what the program says about its inputs: a place, a severity, a summary and a
// remedy, printed as compilers do and as JSON.
package diag

// Severity of a diagnostic. Errors stop the command with exit status 2; warnings do not.
type Severity string

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

// Diagnostic is one finding about an input.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Summary  string   `json:"summary"`
	Detail   string   `json:"detail,omitempty"` // remedy: what to write instead
	Pos      Pos      `json:"range"`
	Source   string   `json:"-"` // the line, for the caret
	Width    int      `json:"-"` // characters to underline, from Column
}

// List is a set of findings in the order they were made.
type List []Diagnostic
