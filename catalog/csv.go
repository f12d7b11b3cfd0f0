package catalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
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
	order := utf16Order(data)
	if order != nil {
		if len(data)%2 != 0 {
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "the file is UTF-16 and ends within a character", Detail: "save it as UTF-8 (\"CSV UTF-8\" in a spreadsheet program)"})
			return nil
		}
		data = fromUTF16(data, order)
	}
	coded := "UTF-8"
	if order != nil {
		coded = "UTF-16"
	}
	at := -1
	switch {
	case order != nil:
	case isLatin1(opt.Encoding):
		data, coded = fromLatin1(data), "Windows-1252"
	default:
		at = invalidUTF8(data)
	}
	if at >= 0 {
		pos := diag.Pos{File: file, Line: 1 + bytes.Count(data[:at], []byte("\n"))}
		if opt.Encoding != "" || !looksWestern(data) {
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: pos, Summary: fmt.Sprintf("the file is not UTF-8: byte 0x%02X", data[at]),
				Detail: "save it as UTF-8, or say that it is Windows-1252: encoding = \"windows-1252\" beside files in the catalog of the study, or --encoding of toposearch catalog"})
			return nil
		}
		word := wordAround(data, at)
		data, coded = fromLatin1(data), "Windows-1252"
		l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: pos, Summary: fmt.Sprintf("the file is not UTF-8 and is read as Windows-1252: %s", strconv.Quote(word)),
			Detail: "if that is the word, say so: encoding = \"windows-1252\" beside files in the catalog of the study; else save the file as UTF-8"})
	}
	text := string(data)
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	t := &table{file: file, comma: sniff(text, opt.Columns), coded: coded}
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

// isLatin1 reports whether an encoding is one of the two that are read alike.
func isLatin1(encoding string) bool {
	return strings.EqualFold(encoding, "latin1") || strings.EqualFold(encoding, "windows-1252")
}

// western are the characters above ASCII that price lists in Western European languages hold; other characters of
// Windows-1252 rather say that the text is in another encoding.
const western = "ÀÁÂÃÄÅÆÇÈÉÊËÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüŒœ€£§°±²³µ·×«»–—‘’‚“”„•…™®©º\u00a0"

// looksWestern reports whether a text that is not UTF-8 is one in Windows-1252: its characters above ASCII are
// those of Western European languages, and stand one or two together, not in runs as Chinese does.
func looksWestern(data []byte) bool {
	run := 0
	for _, b := range data {
		if b < utf8.RuneSelf {
			run = 0
			continue
		}
		if run++; run > 2 || !strings.ContainsRune(western, charmap.Windows1252.DecodeByte(b)) {
			return false
		}
	}
	return true
}

// wordAround is the word about a byte of a text in Windows-1252.
func wordAround(data []byte, at int) string {
	part := func(b byte) bool {
		return b > ' ' && !bytes.ContainsRune([]byte(",;|\t\"\r\n"), rune(b)) || b >= utf8.RuneSelf
	}
	from, to := at, at
	for from > 0 && at-from < 20 && part(data[from-1]) {
		from--
	}
	for to < len(data) && to-at < 20 && part(data[to]) {
		to++
	}
	return string(fromLatin1(data[from:to]))
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
