package catalog

import (
	"bytes"
	"encoding/binary"
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
	text := string(data)
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	t := &table{file: file, comma: sniff(text)}
	t.readRecords(&csvText{text: text, line: 1, sep: t.comma}, l)
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
