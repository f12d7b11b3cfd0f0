package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"

	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
)

// reuse answers evaluations from the journals of earlier runs that were made under the same
// evaluator, catalogue and options. It is safe for concurrent use.
type reuse struct {
	key   string            // of the evaluations wanted
	lines map[string][]byte // by design, without seals
	sims  map[string][]byte // of earlier journals of this run, by what verify.NoteOf gives
}

// CheckReuse says which of the run directories that are to answer for a study cannot, and why; a path that
// is none is an error.
func CheckReuse(st *study.Study, dirs []string) (idle []string, err error) {
	if len(dirs) == 0 {
		return nil, nil
	}
	head, err := newJournalHead(st)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if _, err := ReadManifest(dir); err != nil {
			return nil, fmt.Errorf("reuse: %w", err)
		}
		got, err := firstHead(filepath.Join(dir, journalName))
		why := ""
		switch {
		case errors.Is(err, ErrVersion):
			why = err.Error()
		case errors.Is(err, fs.ErrNotExist) || err == io.EOF:
			why = "its journal is empty"
		case err != nil:
			return nil, fmt.Errorf("reuse of %s: %w", dir, err)
		case got == journalHead{}: // damaged: every line below it has the key, too
		case got.Evaluator != head.Evaluator:
			why = fmt.Sprintf("its figures are of evaluator %s, ours is %s", got.Evaluator, head.Evaluator)
		case got.Catalogue != head.Catalogue:
			why = "it has another price list"
		case got != head:
			why = "its site, bandwidth or other options of the evaluation are not the same"
		}
		if why != "" {
			idle = append(idle, fmt.Sprintf("%s answers nothing: %s", dir, why))
		}
	}
	return idle, nil
}

// loadReuse indexes the journals of run directories, and those of before in own. Lines with another key
// hold other figures and are passed over, as is a journal that is missing or of another form. Damaged ones
// are told of by name.
func loadReuse(dirs []string, own string, head journalHead, tell func(string)) (*reuse, error) {
	r := &reuse{key: head.Key, lines: map[string][]byte{}, sims: map[string][]byte{}}
	before := asides(own)
	files := before
	for _, dir := range dirs {
		files = append(append(files, filepath.Join(dir, journalName)), asides(dir)...)
	}
	for i, file := range files {
		d, err := r.index(file, i < len(before))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrVersion) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reuse: %w", err)
		}
		if d.Faults > 0 && i >= len(before) {
			tell(d.Error() + "; what is lost of it is computed again")
		}
	}
	return r, nil
}

// index remembers the line of each design in a journal that has the key, and of each simulation in one of the
// same run.
func (r *reuse) index(file string, own bool) (*Damaged, error) {
	f, err := openFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return examine(f, file, func(body []byte) {
		if key, name, ok := designOf(body); ok {
			if string(key) == r.key {
				r.lines[string(name)] = bytes.Clone(body)
			}
		} else if own && bytes.HasPrefix(body, []byte(verify.NoteHead)) {
			line := object(body)
			if of, ok := verify.NoteOf(line); ok {
				r.sims[of] = line
			}
		}
	})
}

// sim gives the line of a simulation.
func (r *reuse) sim(name string) (line []byte, ok bool) {
	line, ok = r.sims[name]
	return line, ok
}

// find gives the metrics of a design if the journal line has all that are needed.
func (r *reuse) find(design string, need []metric.Key) (*search.Entry, bool) {
	line, ok := r.lines[design]
	if !ok {
		return nil, false
	}
	e := new(search.Entry)
	if _, err := parseEntry(line, e); err != nil {
		return nil, false
	}
	if e.Reject.Constraint == "" {
		for _, k := range need {
			if math.IsNaN(e.Values[k]) {
				return nil, false
			}
		}
	}
	return e, true
}
