package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"toposearch/diag"
)

// printJSON writes v as one indented JSON document. encoding/json sorts map keys, so that the
// bytes repeat.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// count is "1 file" or "3 files".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// whole prints a count in groups of three digits.
func whole[T int | int64](n T) string { return bigText(big.NewInt(int64(n))) }

// isTerminal reports whether w is a terminal, so that a person reads it.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// wrap breaks text into lines of at most width characters, each after indent.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	line := indent
	empty := true
	for _, w := range strings.Fields(text) {
		if !empty && len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += w
		empty = false
	}
	b.WriteString(line + "\n")
	return b.String()
}

// labelled is text in 80 columns beside a label in a column of its own.
func labelled(label string, column int, text string) string {
	return fmt.Sprintf("%-*s%s", column, label, strings.TrimLeft(wrap(text, 80, strings.Repeat(" ", column)), " "))
}

// hanging wraps a sentence to 80 columns, the later lines indented.
func hanging(text string) string {
	return strings.TrimPrefix(wrap(text, 80, "  "), "  ")
}

// checkedWriter remembers the first error, so that output lost on a full disk is not success.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// bigText prints a count: whole up to 15 digits, in groups of three, beyond that to four of them.
func bigText(n *big.Int) string {
	if s := n.String(); len(s) <= 15 {
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
		return s
	}
	return new(big.Float).SetInt(n).Text('e', 3)
}

// printColumns prints rows in aligned columns, the first to the left; where 80 characters are not
// enough for all, the first has lines of its own.
func printColumns(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	total := -2
	for i := range width {
		for _, r := range rows {
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
		total += width[i] + 2
	}
	for _, r := range rows {
		if strings.Join(r[1:], "") == "" { // a name alone
			fmt.Fprintln(w, r[0])
			continue
		}
		if total > 80 {
			fmt.Fprintf(w, "%s\n", r[0])
		} else {
			fmt.Fprintf(w, "%-*s", width[0], r[0])
		}
		for i, x := range r[1:] {
			fmt.Fprintf(w, "  %*s", width[i+1], x)
		}
		fmt.Fprintln(w)
	}
}

// shownWriter shows what is hidden in a text (diag.Visible), so that no name of a file, a part or a study moves
// the cursor, sets colours or turns the direction of writing around. JSON stays the same document.
type shownWriter struct {
	w    io.Writer
	rest []byte // the begin of a character whose end has not been written
}

// raw is what a shownWriter writes to: for the program's own escape sequences, colours and progress.
func raw(w io.Writer) io.Writer {
	if s, ok := w.(*shownWriter); ok {
		return s.w
	}
	return w
}

// Write implements io.Writer.
func (s *shownWriter) Write(p []byte) (int, error) {
	text := append(s.rest, p...)
	whole := len(text)
	for i := max(0, len(text)-utf8.UTFMax+1); i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			whole = i
			break
		}
	}
	s.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(s.w, diag.Visible(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes a character that was never completed.
func (s *shownWriter) flush() {
	if len(s.rest) == 0 {
		return
	}
	_, _ = io.WriteString(s.w, diag.Visible(string(s.rest))) // checkedWriter keeps the error
	s.rest = nil
}
