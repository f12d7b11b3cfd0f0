package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// MaxPrinted is how many findings Print writes before it counts the rest: a page or two, the
// first of which usually explain the others.
const MaxPrinted = 50

// Print writes the findings as a compiler does, in the order of the list, with the source line
// and a caret where the line is known, then a line that counts them: of more than MaxPrinted the
// errors first. Nothing for an empty list.
func (l List) Print(w io.Writer) error {
	if len(l) == 0 {
		return nil
	}
	var b bytes.Buffer
	e, n := l.Count()
	// Warnings get what errors leave of the places: no error hides behind them.
	errors, warnings := MaxPrinted, max(0, MaxPrinted-e)
	for i := range l {
		left := &warnings
		if l[i].Severity == Error {
			left = &errors
		}
		if *left--; *left >= 0 {
			l[i].print(&b)
		}
	}
	if more := len(l) - MaxPrinted; more > 0 {
		fmt.Fprintf(&b, "... and %d more\n", more)
	}
	fmt.Fprintf(&b, "%s, %s\n", plural(e, "error"), plural(n, "warning"))
	_, err := w.Write(b.Bytes())
	return err
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (d Diagnostic) print(b *bytes.Buffer) {
	b.WriteString(oneLine(d.String()))
	b.WriteByte('\n')
	if d.Source == "" || d.Pos.Line == 0 {
		if d.Detail != "" {
			fmt.Fprintf(b, "      | %s\n", oneLine(d.Detail))
		}
		return
	}
	src, col := excerpt(d.Source, d.Pos.Column)
	fmt.Fprintf(b, "%5d | %s\n", d.Pos.Line, src)
	if col > 0 {
		width := min(max(d.Width, 1), max(utf8.RuneCountInString(src)-col+1, 1))
		fmt.Fprintf(b, "      | %s%s", strings.Repeat(" ", col-1), strings.Repeat("^", width))
		if d.Detail != "" {
			b.WriteString(" " + oneLine(d.Detail))
		}
		b.WriteByte('\n')
	} else if d.Detail != "" {
		fmt.Fprintf(b, "      | %s\n", oneLine(d.Detail))
	}
}

// excerpt shortens a line to what a terminal shows, around the column, and replaces what would
// move the caret: tabs and control characters become one blank each.
func excerpt(line string, col int) (string, int) {
	const width = 100
	r := []rune(clean(line))
	col = min(col, len(r)+1)
	if len(r) <= width {
		return string(r), col
	}
	from := 0
	if col > width-20 {
		from = min(col-width/2, len(r)-width/2)
	}
	to := min(from+width, len(r))
	s := string(r[from:to])
	if from > 0 {
		s, col = "..."+s, col-from+3
	}
	if to < len(r) {
		s += "..."
	}
	return s, col
}

// clean makes a source line as wide as it counts, for the caret: what is hidden becomes a blank.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case Hidden(r):
			return ' '
		}
		return r
	}, s)
}

// oneLine shows a text on one line.
func oneLine(s string) string {
	return Visible(strings.NewReplacer("\n", `\n`, "\t", " ").Replace(s))
}

// JSON gives the findings as an array of severity, summary, detail and range; "[]" if there are
// none.
func (l List) JSON() ([]byte, error) {
	if l == nil {
		l = List{}
	}
	return json.MarshalIndent(l, "", "  ")
}
