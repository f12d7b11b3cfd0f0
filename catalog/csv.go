package catalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"toposearch/diag"
)

// readCSV takes a CSV text apart: byte-order mark, line ends of any system, comma, semicolon, tab
// or bar between fields, quotes as RFC 4180 has them. Faults are reported and the line skipped.
func readCSV(file string, data []byte, opt LoadOptions, l *diag.List) *table {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if order := utf16Order(data); order != nil {
		if len(data)%2 != 0 {
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "the file is UTF-16 and ends within a character", Detail: "save it as UTF-8 (\"CSV UTF-8\" in a spreadsheet program)"})
			return nil
		}
		data = fromUTF16(data, order)
	}
	if strings.EqualFold(opt.Encoding, "latin1") {
		data = fromLatin1(data)
	}
	if at := invalidUTF8(data); at >= 0 {
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file, Line: line}, Summary: "the file is not UTF-8",
			Detail: "save it as UTF-8, or say that it is Latin-1: encoding = \"latin1\" beside files in the catalog of the study"})
		return nil
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	lines := strings.Split(text, "\n")
	t := &table{file: file, comma: sniff(lines)}
	for i := 0; i < len(lines); {
		r, next, err := splitRecord(lines, i, t.comma)
		switch {
		case err != nil:
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file, Line: err.line, Column: err.column}, Source: lines[err.line-1],
				Summary: err.text, Detail: err.remedy})
		default:
			t.rows = append(t.rows, r)
		}
		i = next
	}
	return t
}

// utf16Order is the byte order of a text in UTF-16, which is what "Unicode text" means in a spreadsheet
// program: known by its mark, or, without one, by the zero that is half of every letter of its first words.
// nil if it is something else.
func utf16Order(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return binary.BigEndian
	case len(data) < 8: // four letters without a mark prove nothing
		return nil
	}
	little, big := true, true
	for i := 0; i < 8; i += 2 {
		little = little && data[i] != 0 && data[i+1] == 0
		big = big && data[i] == 0 && data[i+1] != 0
	}
	switch {
	case little:
		return binary.LittleEndian
	case big:
		return binary.BigEndian
	}
	return nil
}

// fromUTF16 decodes words without their byte-order mark.
func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	words := make([]uint16, len(data)/2)
	for i := range words {
		words[i] = order.Uint16(data[2*i:])
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(words)), "\ufeff"))
}

// fromLatin1 decodes Windows 1252, in which files called Latin-1 are written. A byte without a character
// becomes the replacement character.
func fromLatin1(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for _, b := range data {
		r := charmap.Windows1252.DecodeByte(b)
		if unicode.IsControl(r) && r >= utf8.RuneSelf {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// invalidUTF8 is the index of the first byte that is not UTF-8, -1 if there is none.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// sniff picks the separator that makes most known heads on one line; the comma if none does.
func sniff(lines []string) byte {
	best, bestN := byte(','), 0
	for _, line := range lines[:min(len(lines), headRows)] {
		for _, sep := range []byte{',', ';', '\t', '|'} {
			n := 0
			for _, f := range strings.Split(line, string(sep)) {
				if _, _, ok := matchHead(strings.Trim(f, " \"")); ok {
					n++
				}
			}
			if n > bestN {
				best, bestN = sep, n
			}
		}
	}
	return best
}

type csvError struct {
	line, column int
	text, remedy string
}

// splitRecord takes the record that begins on line i apart; next is the line after it. A quoted
// field may span lines. After a fault reading goes on with the following line.
func splitRecord(lines []string, i int, sep byte) (row, int, *csvError) {
	r := row{line: i + 1, src: lines[i]}
	line, pos := i, 0
	for {
		s := lines[line]
		start := pos
		for pos < len(s) && s[pos] == ' ' {
			pos++
		}
		if pos < len(s) && s[pos] == '"' {
			c := cell{column: column1(s, pos), quoted: true}
			text, endLine, endPos, err := quotedField(lines, line, pos, sep)
			if err != nil {
				return row{}, i + 1, err
			}
			c.text = text
			r.cells = append(r.cells, c)
			line, pos, s = endLine, endPos, lines[endLine]
		} else {
			end := strings.IndexByte(s[start:], sep)
			if end < 0 {
				end = len(s)
			} else {
				end += start
			}
			f := s[start:end]
			text := strings.TrimSpace(f)
			lead := len(f) - len(strings.TrimLeft(f, " \t"))
			// A quote inside an unquoted field is kept where it means inches, and refused where it
			// might have been meant to hide a separator.
			if q := strings.IndexByte(f, '"'); q >= 0 && strings.Count(s, `"`)%2 == 1 {
				return row{}, i + 1, &csvError{line + 1, column1(s, start+q), `a bare " in a field without quotes`,
					`put the field in quotes and double the quote in it: "5"" cable"`}
			}
			r.cells = append(r.cells, cell{text: text, column: column1(s, start+lead)})
			pos = end
		}
		if pos >= len(s) {
			return r, line + 1, nil
		}
		pos++ // the separator
	}
}

// quotedField reads a field that opens with a quote at pos, possibly over several lines.
func quotedField(lines []string, line, pos int, sep byte) (text string, endLine, endPos int, err *csvError) {
	openLine, openPos := line, pos
	var b strings.Builder
	pos++
	for {
		s := lines[line]
		if pos >= len(s) {
			line, pos = line+1, 0
			if line >= len(lines) || line-openLine > 50 {
				return "", 0, 0, &csvError{openLine + 1, column1(lines[openLine], openPos), "this quote is never closed", `a quote inside a field is doubled: "5"" cable"`}
			}
			b.WriteByte('\n')
			continue
		}
		if s[pos] != '"' {
			b.WriteByte(s[pos])
			pos++
			continue
		}
		if pos+1 < len(s) && s[pos+1] == '"' {
			b.WriteByte('"')
			pos += 2
			continue
		}
		rest := strings.TrimLeft(s[pos+1:], " ")
		if rest != "" && rest[0] != sep {
			return "", 0, 0, &csvError{line + 1, column1(s, pos), `a quote in the middle of a quoted field`,
				fmt.Sprintf(`double it: "%s""..."`, excerptOf(b.String()))}
		}
		return b.String(), line, len(s) - len(rest), nil
	}
}

func excerptOf(s string) string {
	r := []rune(s)
	if len(r) > 20 {
		return "..." + string(r[len(r)-17:])
	}
	return s
}

// column1 is the column, in characters from 1, of byte i of a line.
func column1(line string, i int) int { return utf8.RuneCountInString(line[:min(i, len(line))]) + 1 }
