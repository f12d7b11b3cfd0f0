package catalog

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"toposearch/diag"
)

// sniff picks the separator that makes most known heads on one line; the comma if none does.
func sniff(text string, rules []ColumnRule) byte {
	best, bestN := byte(','), 0
	for range headRows {
		line, rest, more := strings.Cut(text, "\n")
		for _, sep := range []byte{',', ';', '\t', '|'} {
			n, fields := 0, 0
			for f := range strings.SplitSeq(line, string(sep)) {
				if fields++; fields > maxColumns {
					break
				}
				f = strings.Trim(f, " \"")
				if _, _, ok := matchHead(f); ok || ruleFor(rules, f) != nil {
					n++
				}
			}
			if n > bestN {
				best, bestN = sep, n
			}
		}
		if text = rest; !more {
			break
		}
	}
	return best
}

// Limits on the records of a CSV file.
const (
	maxQuotedLines = 50   // that a field in quotes spans
	maxBadRecords  = 100  // that cannot be taken apart before reading ends
	maxSource      = 4096 // bytes of a line that is shown with a finding; a longer one is no help
)

// csvText is a CSV text of which the records up to a line have been read. Reading is linear in the text, but
// for fields in quotes that do not end, which are looked for within their limits once in each line.
type csvText struct {
	text string // what is left, from the begin of a line; lines end in \n
	line int    // the number of that line
	sep  byte
}

// errRecord is why a record cannot be taken apart, and where.
type errRecord struct {
	line, column int
	text, remedy string
}

func (e *errRecord) Error() string { return e.text }

// readRecords reads the rows of a text. Faults are reported and the line skipped.
func (t *table) readRecords(c *csvText, l *diag.List) {
	fail := func(line, column int, src, text, remedy string) {
		if len(src) > maxSource {
			src = ""
		}
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: t.file, Line: line, Column: column}, Source: src, Summary: text, Detail: remedy})
	}
	const shorten = "keep the rows of switches, NICs, cables, transceivers, fibres and racks alone"
	bad, cells := 0, 0
	for more := true; more; {
		line, rest := c.line, c.text
		r, err := c.record()
		more = c.line > 0
		var e *errRecord
		if errors.As(err, &e) {
			src := rest
			for range e.line - line {
				_, src, _ = strings.Cut(src, "\n")
			}
			src, _, _ = strings.Cut(src, "\n")
			fail(e.line, e.column, src, e.text, e.remedy)
			if bad++; bad == maxBadRecords && more {
				fail(c.line, 0, "", fmt.Sprintf("%d rows cannot be taken apart; the rest is not read", bad), "is this a price list as CSV?")
				return
			}
			continue
		}
		cells += len(r.cells)
		switch {
		case len(t.rows) == maxRows && r.filled() > 0:
			fail(line, 0, "", fmt.Sprintf("the list has more than %d rows", maxRows), shorten)
			return
		case cells > maxCells:
			fail(line, 0, "", fmt.Sprintf("the list has more than %d cells", maxCells), shorten)
			return
		case len(t.rows) < maxRows:
			t.rows = append(t.rows, r)
		}
	}
}

// scan walks over one line of a csvText.
type scan struct {
	s       string // the line
	line    int
	at      int // byte of s
	column  int // characters before byte counted
	counted int
	odd     int8 // whether the line has an odd number of quotes; -1: not counted
}

// col is the column, in characters from 1, of byte i, which only grows.
func (p *scan) col(i int) int {
	i = min(i, len(p.s))
	p.column += utf8.RuneCountInString(p.s[p.counted:i])
	p.counted = i
	return p.column + 1
}

// oddQuotes reports whether a quote of the line has no partner.
func (p *scan) oddQuotes() bool {
	if p.odd < 0 {
		p.odd = int8(strings.Count(p.s, `"`) % 2)
	}
	return p.odd == 1
}

// next cuts the first line off the text; c.line is 0 once there is none left.
func (c *csvText) next() scan {
	p := scan{line: c.line, odd: -1}
	more := false
	if p.s, c.text, more = strings.Cut(c.text, "\n"); more {
		c.line++
	} else {
		c.line = 0
	}
	return p
}

// record takes the record that begins on the next line apart. A quoted field may span lines. After a
// fault reading goes on with the following line. Every error is an *errRecord.
func (c *csvText) record() (row, error) {
	p := c.next()
	after := *c // where reading goes on after a fault
	r := row{line: p.line}
	if len(p.s) <= maxSource {
		r.src = p.s
	}
	for {
		if len(r.cells) == maxColumns {
			*c = after
			return row{}, &errRecord{p.line, 0, fmt.Sprintf("the row has more than %d cells", maxColumns), "delete the columns to the right of the parts"}
		}
		var x cell
		var err error
		start := p.at
		for p.at < len(p.s) && p.s[p.at] == ' ' {
			p.at++
		}
		if p.at < len(p.s) && p.s[p.at] == '"' {
			x, err = c.quoted(&p)
		} else {
			p.at = start
			x, err = c.plain(&p)
		}
		if err != nil {
			*c = after
			return row{}, err
		}
		r.cells = append(r.cells, x)
		if p.at >= len(p.s) {
			return r, nil
		}
		p.at++ // the separator
	}
}

// plain reads a field without quotes.
func (c *csvText) plain(p *scan) (cell, error) {
	f := p.s[p.at:]
	if end := strings.IndexByte(f, c.sep); end >= 0 {
		f = f[:end]
	}
	if len(f) > maxCell {
		return cell{}, &errRecord{p.line, p.col(p.at), fmt.Sprintf("the cell has %d bytes; at most %d are read", len(f), maxCell), "shorten it"}
	}
	// A quote inside an unquoted field is kept where it means inches, and refused where it
	// might have been meant to hide a separator.
	if q := strings.IndexByte(f, '"'); q >= 0 && p.oddQuotes() {
		return cell{}, &errRecord{p.line, p.col(p.at + q), `a bare " in a field without quotes`,
			`put the field in quotes and double the quote in it: "5"" cable"`}
	}
	lead := len(f) - len(strings.TrimLeft(f, " \t"))
	x := cell{text: strings.TrimSpace(f), column: p.col(p.at + lead)}
	p.at += len(f)
	return x, nil
}

// quoted reads a field that opens with a quote, possibly over several lines.
func (c *csvText) quoted(p *scan) (cell, error) {
	x := cell{column: p.col(p.at), quoted: true}
	openLine := p.line
	var b strings.Builder
	p.at++
	for {
		f := p.s[p.at:]
		q := strings.IndexByte(f, '"')
		if q < 0 {
			if b.Len()+len(f) > maxCell || p.line-openLine >= maxQuotedLines || c.line == 0 {
				return x, &errRecord{openLine, x.column, fmt.Sprintf("this quote is never closed, or not within %d lines and %d bytes", maxQuotedLines, maxCell),
					`a quote inside a field is doubled: "5"" cable"`}
			}
			b.WriteString(f)
			b.WriteByte('\n')
			*p = c.next()
			continue
		}
		b.WriteString(f[:q])
		p.at += q + 1
		if b.Len() > maxCell {
			return x, &errRecord{openLine, x.column, fmt.Sprintf("the cell has more than %d bytes", maxCell), "shorten it"}
		}
		if p.at < len(p.s) && p.s[p.at] == '"' {
			b.WriteByte('"')
			p.at++
			continue
		}
		rest := strings.TrimLeft(p.s[p.at:], " ")
		if rest != "" && rest[0] != c.sep {
			return x, &errRecord{p.line, p.col(p.at - 1), `a quote in the middle of a quoted field`,
				fmt.Sprintf(`double it: "%s""..."`, excerptOf(b.String()))}
		}
		x.text, p.at = b.String(), len(p.s)-len(rest)
		return x, nil
	}
}

// excerptOf is the end of a text.
func excerptOf(s string) string {
	r := []rune(s)
	if len(r) > 20 {
		return "..." + string(r[len(r)-17:])
	}
	return s
}
