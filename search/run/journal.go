package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"toposearch/internal/disk"
	"toposearch/search"
)

// journal is the truth about a run: lines in the order in which a strategy asked. What a file
// holds when it is opened is replayed first; then lines are appended.
type journal struct {
	path string
	key  string
	f    disk.File
	old  *scanner // of the lines to replay; nil when there are no more
	size int64    // bytes that are whole and synced
	sum  uint32   // checksum of the last line of them
	peek []byte   // the next line to replay, without its seal,
	from int64    // where it begins, or where the journal ends if there is none,
	// and the checksum of the line before it.
	fromSum uint32
	buf     []byte
}

// openJournal opens or makes the journal of a run. A last line that was cut off by a crash is
// dropped: the design it stood for is evaluated again. Any other fault is a *Damaged, and leaves the file as
// it is.
func openJournal(path string, head journalHead) (*journal, error) {
	f, err := disk.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	j := &journal{path: path, key: head.Key, f: f}
	if err := j.open(head); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

func (j *journal) open(head journalHead) error {
	d, err := examine(j.f, j.path, func([]byte) {})
	if err != nil {
		return err
	}
	if d.head != (journalHead{}) {
		if d.head.Evaluator != head.Evaluator {
			return fmt.Errorf("%w: %s: %w: evaluator %s, ours is %s", ErrJournal, j.path, ErrVersion, d.head.Evaluator, head.Evaluator)
		}
		if d.head != head {
			return fmt.Errorf("%w: %s: %w: catalogue or options are not those it was written with", ErrJournal, j.path, search.ErrInputsChanged)
		}
	}
	if d.Faults > 0 {
		return d
	}
	j.size, j.sum = d.size, d.sum
	if err := j.f.Truncate(j.size); err != nil {
		return j.fault(err)
	}
	if j.size == 0 {
		if err := j.Note(head); err != nil {
			return err
		}
		disk.SyncDir(filepath.Dir(j.path)) // what is synced in a file without a name is lost
		return nil
	}
	j.old = newScanner(j.f, j.size)
	if err := j.advance(); err != nil { // to the head
		return err
	}
	return j.advance()
}

// advance reads the line to be replayed next.
func (j *journal) advance() error {
	if j.old == nil {
		return nil
	}
	j.from, j.fromSum = j.old.size, j.old.sum
	body, _, fault, err := j.old.next()
	if err == io.EOF {
		j.old, j.peek = nil, nil
		return nil
	}
	if err != nil {
		return j.fault(err)
	}
	if fault != "" {
		return j.fault(errors.New("changed while it was read: " + fault))
	}
	j.peek = body
	return nil
}

// Replaying tells whether there are lines left to replay.
func (j *journal) Replaying() bool { return j.old != nil }

// Next replays the entry of a design; ok is false if there are no more lines. Another design in
// its place means that the journal belongs to another run.
func (j *journal) Next(design string, e *search.Entry) (ok bool, err error) {
	if !j.Replaying() {
		return false, nil
	}
	if _, err := parseEntry(j.peek, e); err != nil {
		return false, j.Foreign(err)
	}
	if e.Design != design {
		return false, j.Foreign(fmt.Errorf("%w: it holds %s where this study asks for %s", search.ErrInputsChanged, e.Design, design))
	}
	return true, j.advance()
}

// entries replays the next n lines, which must be about designs.
func (j *journal) entries(ctx context.Context, n, workers int) ([]*search.Entry, error) {
	lines, entries, errs := make([][]byte, n), make([]*search.Entry, n), make([]error, n)
	for i := range lines {
		if !j.Replaying() {
			return nil, fmt.Errorf("%w: it has fewer lines than its savepoint was written after", search.ErrInputsChanged)
		}
		lines[i] = bytes.Clone(j.peek)
		if err := j.advance(); err != nil {
			return nil, err
		}
	}
	search.Each(ctx, workers, n, func(_, i int) {
		entries[i] = new(search.Entry)
		_, errs[i] = parseEntry(lines[i], entries[i])
	})
	return entries, errors.Join(append(errs, ctx.Err())...)
}

// NextNote replays a line that is not about a design if it begins with the given prefix.
func (j *journal) NextNote(prefix string) (line []byte, ok bool, err error) {
	if !j.Replaying() || !bytes.HasPrefix(j.peek, []byte(prefix)) {
		return nil, false, nil
	}
	line = object(j.peek)
	return line, true, j.advance()
}

// Write appends the entries of a batch and waits until they are on the disk.
func (j *journal) Write(es []*search.Entry) error {
	j.buf = j.buf[:0]
	sum := j.sum
	for _, e := range es {
		start := len(j.buf)
		j.buf = appendEntry(j.buf, j.key, e)
		j.buf, sum = seal(j.buf, start, sum)
	}
	return j.append(j.buf, sum)
}

// Note appends a line that is not about a design.
func (j *journal) Note(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return j.fault(err)
	}
	b, sum := seal(b[:len(b)-1], 0, j.sum)
	return j.append(b, sum)
}

// append writes whole lines and syncs them; sum is the checksum of the last. If the disk is full, what was
// written of them is cut off again, so that the file stays whole.
func (j *journal) append(b []byte, sum uint32) error {
	if j.Replaying() {
		return j.Foreign(fmt.Errorf("%w: the run goes another way than its journal", search.ErrInputsChanged))
	}
	if len(b) == 0 {
		return nil
	}
	if _, err := j.f.WriteAt(b, j.size); err != nil {
		_ = j.f.Truncate(j.size) // the next opening would cut it as well
		return j.fault(err)
	}
	if err := j.f.Sync(); err != nil {
		return j.fault(err)
	}
	j.size += int64(len(b))
	j.sum = sum
	return nil
}

func (j *journal) fault(err error) error {
	return fmt.Errorf("%w: %s: %w; what it held before is safe, resume when this is mended", ErrJournal, j.path, err)
}

// Foreign is the error of the line to be replayed, or of the last one, if it is as it was written and does not
// belong to this run.
func (j *journal) Foreign(why error) error {
	if j.old == nil {
		return fmt.Errorf("%w: %s, its last line: %w", ErrJournal, j.path, why)
	}
	return fmt.Errorf("%w: %s, line %d: %w", ErrJournal, j.path, j.old.line, why)
}

func (j *journal) close() error { return j.f.Close() }
