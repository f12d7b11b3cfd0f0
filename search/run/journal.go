package run

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
)

// JournalSchema names the form of journal.jsonl.
const JournalSchema = "toposearch.journal/1"

// journalHead is the first line. It names all that metrics depend on besides the design.
type journalHead struct {
	Schema    string `json:"schema"`
	Key       string `json:"key"` // of Evaluator, Catalogue and Options together
	Evaluator string `json:"evaluator"`
	Catalogue string `json:"catalogue"` // hash of its parts
	Options   string `json:"options"`   // hash of the options of the evaluation
}

// newJournalHead hashes catalogue and options. Where the files lay does not count.
func newJournalHead(st *study.Study) (journalHead, error) {
	var parts []catalog.Part
	opt := st.Options
	cat := opt.Catalog
	if cat == nil {
		cat = st.Catalogue
	}
	if cat != nil {
		parts = append(parts, cat.Parts...)
	}
	for i := range parts {
		parts[i].Pos = diag.Pos{}
	}
	opt.Catalog = nil
	h := journalHead{Schema: JournalSchema, Evaluator: evaluator.Version}
	var err error
	if h.Catalogue, err = digest(parts); err != nil {
		return h, err
	}
	if h.Options, err = digest(opt); err != nil {
		return h, err
	}
	h.Key, err = digest([]string{h.Evaluator, h.Catalogue, h.Options})
	return h, err
}

// digest is the first 64 bits of a SHA-256 over JSON, in hexadecimal.
func digest(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("search: hash of the inputs: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// journal is the truth about a run: lines in the order in which a strategy asked. What a file
// holds when it is opened is replayed first; then lines are appended.
type journal struct {
	path string
	key  string
	f    *os.File
	old  *bufio.Reader // lines to replay; nil when there are no more
	line int           // of the last line read
	size int64         // bytes that are whole and synced
	peek []byte        // the next line to replay
	buf  []byte
}

// openJournal opens or makes the journal of a run. A last line that was cut off by a crash is
// dropped: the design it stood for is evaluated again.
func openJournal(path string, head journalHead) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
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
	want, err := json.Marshal(head)
	if err != nil {
		return j.fault(err)
	}
	if j.size, err = wholeLines(j.f); err != nil {
		return j.fault(err)
	}
	if err := j.f.Truncate(j.size); err != nil {
		return j.fault(err)
	}
	if j.size == 0 {
		return j.append(append(want, '\n'))
	}
	j.old = bufio.NewReaderSize(io.NewSectionReader(j.f, 0, j.size), 1<<20)
	first, err := j.readLine()
	if err != nil {
		return j.fault(err)
	}
	var got journalHead
	if err := json.Unmarshal(first, &got); err != nil || got.Schema != JournalSchema {
		return fmt.Errorf("%w: %s does not begin with the head of a %s", ErrJournal, j.path, JournalSchema)
	}
	if got.Evaluator != head.Evaluator {
		return fmt.Errorf("%w: %s: %w: evaluator %s, ours is %s", ErrJournal, j.path, ErrVersion, got.Evaluator, head.Evaluator)
	}
	if got != head {
		return fmt.Errorf("%w: %s: %w: catalogue or options are not those it was written with", ErrJournal, j.path, search.ErrInputsChanged)
	}
	return j.advance()
}

// wholeLines is the length of a file up to its last line end.
func wholeLines(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 1<<16)
	for end > 0 {
		n := min(int64(len(buf)), end)
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// readLine gives the next line of the file without its end; io.EOF after the last.
func (j *journal) readLine() ([]byte, error) {
	j.line++
	var long []byte
	for {
		b, err := j.old.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, b...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if long != nil {
			b = append(long, b...)
		}
		return b[:len(b)-1], nil
	}
}

// advance reads the line to be replayed next.
func (j *journal) advance() error {
	if j.old == nil {
		return nil
	}
	b, err := j.readLine()
	if err == io.EOF {
		j.old, j.peek = nil, nil
		return nil
	}
	if err != nil {
		return j.fault(err)
	}
	j.peek = b
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
		return false, fmt.Errorf("%w: %s, line %d: %w; keep a copy, delete this line and those below it, and resume: they are computed again",
			ErrJournal, j.path, j.line, err)
	}
	if e.Design != design {
		return false, fmt.Errorf("%w: %s, line %d: %w: it holds %s where this study asks for %s",
			ErrJournal, j.path, j.line, search.ErrInputsChanged, e.Design, design)
	}
	return true, j.advance()
}

// NextNote replays a line that is not about a design if it begins with the given prefix.
func (j *journal) NextNote(prefix string) (line []byte, ok bool, err error) {
	if !j.Replaying() || !bytes.HasPrefix(j.peek, []byte(prefix)) {
		return nil, false, nil
	}
	line = bytes.Clone(j.peek)
	return line, true, j.advance()
}

// Write appends the entries of a batch and waits until they are on the disk.
func (j *journal) Write(es []*search.Entry) error {
	j.buf = j.buf[:0]
	for _, e := range es {
		j.buf = appendEntry(j.buf, j.key, e)
	}
	return j.append(j.buf)
}

// Note appends a line that is not about a design.
func (j *journal) Note(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return j.fault(err)
	}
	return j.append(append(b, '\n'))
}

// append writes whole lines and syncs them. If the disk is full, what was written of them is cut
// off again, so that the file stays whole.
func (j *journal) append(b []byte) error {
	if j.Replaying() {
		return fmt.Errorf("%w: %s, line %d: %w: the run goes another way than its journal", ErrJournal, j.path, j.line, search.ErrInputsChanged)
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
	return nil
}

func (j *journal) fault(err error) error {
	return fmt.Errorf("%w: %s: %w; what it held before is safe, resume when this is mended", ErrJournal, j.path, err)
}

// Foreign is the error of a line that does not belong to this run.
func (j *journal) Foreign(why error) error {
	return fmt.Errorf("%w: %s: %w", ErrJournal, j.path, why)
}

func (j *journal) close() error { return j.f.Close() }
