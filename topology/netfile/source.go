package netfile

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"toposearch/diag"
)

// source is a text with its findings. It turns byte offsets into lines and columns.
type source struct {
	path   string
	format string // by which it is read
	data   []byte
	lines  []int // offset of the first byte of each line
	list   diag.List
	full   bool // no more findings are taken
}

// maxFindings is where a parser stops complaining: nobody reads more.
const maxFindings = 200

// newSource drops a byte-order mark.
func newSource(path string, data []byte) *source {
	s := &source{path: path, data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	s.lines = make([]int, 1, bytes.Count(s.data, []byte("\n"))+1)
	for i, c := range s.data {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// Limits on a text of lines, an edge list or anynet; a JSON document may be one line.
const (
	maxLines = 3 << 20  // a cable takes 1.3 KB while it is read, and four gigabytes are to be enough
	maxLine  = 64 << 10 // bytes: a router with 4,000 neighbours, a hundred cells for a cable
)

// longLines refuses a text whose lines are too many or too long for one of cables.
func (s *source) longLines() bool {
	if len(s.lines) > maxLines {
		s.at(s.lines[maxLines], "", "the file has more than %d lines", maxLines)
		return true
	}
	for i := range s.lines {
		if n := len(s.line(i)); n > maxLine {
			s.at(s.lines[i], "a line is a cable, or a router with its neighbours", "the line has %d bytes; at most %d are read", n, maxLine)
			return true
		}
	}
	return false
}

// line gives the text of line i (from 0) without its end.
func (s *source) line(i int) []byte {
	end := len(s.data)
	if i+1 < len(s.lines) {
		end = s.lines[i+1] - 1
	}
	return bytes.TrimSuffix(s.data[s.lines[i]:end], []byte("\r"))
}

// at records an error at a byte offset.
func (s *source) at(offset int, detail, format string, args ...any) {
	if s.full {
		return
	}
	offset = min(max(offset, 0), len(s.data))
	i := sort.SearchInts(s.lines, offset+1) - 1
	text := s.line(i)
	col := utf8.RuneCount(s.data[s.lines[i]:offset]) + 1
	s.list.Errorf(diag.Pos{File: s.path, Line: i + 1, Column: col}, format, args...)
	d := &s.list[len(s.list)-1]
	d.Detail = detail
	if len(text) <= 4096 { // a JSON file may be one line; nobody wants to see it
		d.Source = string(text)
	}
	s.full = len(s.list) >= maxFindings
}

// seen refuses a name with a hidden character: it may be another one than is read.
func (s *source) seen(at int, name string) {
	if c, i := diag.FirstHidden(name); i >= 0 {
		s.at(at, "delete it", "the name %+q holds U+%04X, which is not seen", name, c)
	}
}
