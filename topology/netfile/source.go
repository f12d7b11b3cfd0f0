package netfile

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"toposearch/diag"
)

// source is a text with its findings. It turns byte offsets into lines and columns.
type source struct {
	path  string
	data  []byte
	lines []int // offset of the first byte of each line
	list  diag.List
	full  bool // no more findings are taken
}

// maxFindings is where a parser stops complaining: nobody reads more.
const maxFindings = 200

// newSource drops a byte-order mark.
func newSource(path string, data []byte) *source {
	s := &source{path: path, data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), lines: []int{0}}
	for i, c := range s.data {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
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
