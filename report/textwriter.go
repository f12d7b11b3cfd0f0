package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"toposearch/diag"
	"toposearch/report/number"
)

// TextOptions say how a report is printed in a terminal.
type TextOptions struct {
	Width int  // columns; 0: 80
	Color bool // escape codes; false with NO_COLOR or where the output is no terminal
	Top   int  // designs of the front that are listed; 0: 25, negative: all
}

// textWriter keeps the first error, so that a report is written as a sequence of lines.
type textWriter struct {
	w     io.Writer
	opt   TextOptions
	err   error
	width int
}

func (t *textWriter) line(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, strings.TrimRight(s, " ")+"\n")
	}
}

// paint sets a text in bold, for heads, or in the colour of a badge.
func (t *textWriter) paint(code, s string) string {
	if !t.opt.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + diag.Visible(s) + "\x1b[0m"
}

func (t *textWriter) title(s string) {
	t.line("")
	t.line(t.paint("1", s))
}

// wrapped prints text after a first prefix, the following lines indented by as much. A figure stays
// with its unit.
func (t *textWriter) wrapped(prefix, painted, text string) {
	const joint = "\ue000" // private use: no blank at which wrap breaks
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	text = terminal(strings.ReplaceAll(strings.ReplaceAll(text, joint, ""), number.UnitSpace, joint))
	for i, l := range wrap(text, t.width-utf8.RuneCountInString(prefix)) {
		l = strings.ReplaceAll(l, joint, " ")
		if i == 0 {
			t.line(painted + l)
			continue
		}
		t.line(indent + l)
	}
}

// terminal makes text for a page plain and safe for a terminal: what is hidden in it is shown.
func terminal(s string) string { return diag.Visible(number.Plain(s)) }

func badgeCode(class string) string {
	switch class {
	case "good":
		return "32"
	case "warn":
		return "33"
	case "bad":
		return "31"
	}
	return "2"
}

func (t *textWriter) badge(b badge, text string) {
	prefix := b.Text + ". "
	t.wrapped(prefix, t.paint(badgeCode(b.Class), b.Text+".")+" ", text)
}

func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(0, w-utf8.RuneCountInString(s)))
}

func left(s string, w int) string {
	return strings.Repeat(" ", max(0, w-utf8.RuneCountInString(s))) + s
}
