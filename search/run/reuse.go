package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/study"
)

// reuse answers evaluations from the journals of earlier runs that were made under the same
// evaluator, catalogue and options. It is safe for concurrent use.
type reuse struct {
	lines map[string][]byte // by design
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
		b, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reuse of %s: %w", dir, err)
		}
		first, _, _ := bytes.Cut(b, []byte("\n"))
		var got journalHead
		why := ""
		switch bad := json.Unmarshal(first, &got); {
		case bad != nil:
			why = "its journal is empty"
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

// loadReuse indexes the journals of run directories, and those of before in own. One with another key
// holds other figures and is passed over, as is one that is missing.
func loadReuse(dirs []string, own string, head journalHead) (*reuse, error) {
	files := asides(own)
	for _, dir := range dirs {
		files = append(append(files, filepath.Join(dir, "journal.jsonl")), asides(dir)...)
	}
	if len(files) == 0 {
		return nil, nil
	}
	r := &reuse{lines: map[string][]byte{}}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reuse of %s: %w", filepath.Dir(file), err)
		}
		first, rest, _ := bytes.Cut(b, []byte("\n"))
		var got journalHead
		if json.Unmarshal(first, &got) != nil || got != head {
			continue
		}
		r.index(rest)
	}
	return r, nil
}

// index remembers where each design stands; a line that was cut off has no end and is left out.
func (r *reuse) index(b []byte) {
	for {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			return
		}
		lr := lineReader{b: line}
		lr.must(`{"k":`)
		lr.text()
		lr.must(`,"d":`)
		if name := lr.text(); lr.err == nil {
			r.lines[string(name)] = line
		}
		b = rest
	}
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
