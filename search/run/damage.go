package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"toposearch/internal/disk"
	"toposearch/search"
)

// Damaged is a journal that does not hold what was written to it: it was changed on the disk, or by hand. One
// without faults is whole.
type Damaged struct {
	Path   string
	Lines  []string // what is wrong, line by line; of many, the first
	Faults int      // in all

	head journalHead // empty if its line is damaged
	size int64       // of the whole lines, bytes
	sum  uint32      // checksum of the last
	// The border at which, or in the batch after which, the budget of time ended, as a line says.
	border int64
	ended  search.TimeEnd
}

// mostFaults is how many faults are named: a page of them.
const mostFaults = 20

// Error names the lines.
func (d *Damaged) Error() string {
	text := d.Path + " is damaged: " + strings.Join(d.Lines, "; ")
	if more := d.Faults - len(d.Lines); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// Unwrap makes it a fault of a journal.
func (d *Damaged) Unwrap() error { return ErrJournal }

// examine reads a journal through, and shows visit the lines that are as they were written, without their
// seals. Its error is one of reading, or ErrVersion; what is wrong with lines is in what it gives.
func examine(f disk.File, path string, visit func(body []byte)) (*Damaged, error) {
	d := &Damaged{Path: path}
	s, err := scanFile(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	for {
		body, raw, fault, err := s.next()
		if err == io.EOF {
			d.size, d.sum = s.size, s.sum
			return d, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrJournal, path, err)
		}
		if s.line == 1 {
			if d.head, err = headOf(body, raw); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrJournal, path, err)
			}
			if body != nil && d.head == (journalHead{}) && fault == "" {
				fault = "line 1 is not the head of a journal"
			}
		}
		d.endOf(body)
		if body != nil {
			visit(body)
		}
		if fault != "" {
			if d.Faults++; len(d.Lines) < mostFaults {
				d.Lines = append(d.Lines, fault)
			}
		}
	}
}

// endOf reads the line that says where the budget of time ended, if it is that.
func (d *Damaged) endOf(body []byte) {
	if bytes.HasPrefix(body, []byte(proofLine)) {
		if proof, err := proofEnd(object(body)); err == nil {
			d.ended.Proof = proof
		}
		return
	}
	if !bytes.HasPrefix(body, []byte(`{"stop":"time"`)) {
		return
	}
	var n struct {
		Border int64 `json:"border"`
		Inside int64 `json:"inside"`
		Start  int64 `json:"start"`
		Of     []int `json:"of"`
	}
	if json.Unmarshal(object(body), &n) == nil {
		d.border, d.ended = max(n.Border, n.Inside), search.TimeEnd{Ended: true, Inside: n.Inside > 0, Start: n.Start, Of: n.Of}
	}
}

// Unharmed reads the front of a finished run. It is an error if what the run has left is lost or not as it was
// written: its front, or its journal. One whose journal was removed is unharmed.
func Unharmed(dir string) (*search.Front, error) {
	f, err := ReadFront(dir)
	if err != nil {
		return nil, err
	}
	if err := EachDesign(dir, f.Counts.Evaluated, func(string) {}); err != nil {
		return nil, err
	}
	return f, nil
}

// EachDesign gives the designs of which a run made its front, in the order of its journal: as many as it
// evaluated until then; none if there is no journal. A *Damaged is its error if the journal does not hold
// what was written, ErrVersion if it is of another form.
func EachDesign(dir string, evaluated int64, visit func(design string)) error {
	path := filepath.Join(dir, journalName)
	f, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	defer f.Close()
	n := int64(0)
	d, err := examine(f, path, func(body []byte) {
		if _, name, ok := designOf(body); ok && n < evaluated {
			n++
			visit(string(name))
		}
	})
	switch {
	case err != nil:
		return err
	case d.Faults == 0 && n < evaluated:
		d.Faults, d.Lines = 1, []string{fmt.Sprintf("it ends after %d of the %d designs of which the front was made", n, evaluated)}
	}
	if d.Faults > 0 {
		return fmt.Errorf("%w; toposearch resume %s computes again what is lost", d, dir)
	}
	return nil
}
