package run

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"toposearch/internal/disk"
)

// scanner reads the lines of a journal, and finds what is not as it was written. A last line without an end
// is one that a crash cut off, and is not given.
type scanner struct {
	in   *bufio.Reader
	line int    // number of the last line read
	size int64  // bytes up to its end
	sum  uint32 // its checksum
	prev uint32 // and that of the line before it, as it says
	lost bool   // it was damaged, so that neither is known
}

// scanBuffer holds several hundred lines; reading more at once is not faster.
const scanBuffer = 1 << 20

// newScanner reads the first size bytes of a file.
func newScanner(f disk.File, size int64) *scanner { return newScannerFrom(f, 0, size) }

// newScannerFrom reads the bytes of a file from one place to another; scanner.size is then counted from the first.
func newScannerFrom(f disk.File, from, to int64) *scanner {
	return &scanner{in: bufio.NewReaderSize(io.NewSectionReader(f, from, to-from), int(min(to-from, scanBuffer)))}
}

// scanFile is newScanner of a whole file.
func scanFile(f disk.File) (*scanner, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return newScanner(f, info.Size()), nil
}

// next gives the next line without its seal, valid until the next call. fault says what is wrong with it or
// its place, "" if nothing is; body is nil if its bytes are not those that were written. raw is the line as
// it stands. io.EOF follows the last line.
func (s *scanner) next() (body, raw []byte, fault string, err error) {
	raw, err = s.read()
	if err != nil {
		return nil, nil, "", err
	}
	s.line++
	body, prev, sum, ok := unseal(raw)
	switch {
	case !ok:
		s.lost = true
		return nil, raw, fmt.Sprintf("line %d%s does not have the bytes that were written", s.line, heldBy(raw)), nil
	case s.lost || prev == s.sum:
	case sum == s.sum && prev == s.prev:
		fault = fmt.Sprintf("line %d is line %d a second time", s.line, s.line-1)
	default:
		fault = fmt.Sprintf("line %d does not follow line %d: what stood between them is missing or elsewhere", s.line, s.line-1)
		if s.line == 1 {
			fault = "line 1 is not the first: what stood before it is missing or elsewhere"
		}
	}
	s.sum, s.prev, s.lost = sum, prev, false
	return body, raw, fault, nil
}

// maxLine is a thousand times the longest line that a run writes; of a longer one the rest is not kept.
const maxLine = 1 << 24

// read gives the next line of the file without its end; io.EOF after the last whole one.
func (s *scanner) read() ([]byte, error) {
	var long []byte
	for n := int64(0); ; {
		b, err := s.in.ReadSlice('\n')
		n += int64(len(b))
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long) < maxLine {
				long = append(long, b...)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		s.size += n
		if b = b[:len(b)-1]; long != nil {
			b = append(long, b...)
		}
		return b, nil
	}
}

// heldBy names the design of a damaged line if that can still be read.
func heldBy(line []byte) string {
	_, name, ok := designOf(line)
	if !ok || bytes.ContainsFunc(name, func(c rune) bool { return c < ' ' || c > '~' }) {
		return ""
	}
	return fmt.Sprintf(" (of %s)", name)
}

// designOf gives the key and the design of a line that is about one.
func designOf(line []byte) (key, design []byte, ok bool) {
	r := lineReader{b: line}
	r.must(`{"k":`)
	key = r.text()
	r.must(`,"d":`)
	design = r.text()
	return key, design, r.err == nil
}
