package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"toposearch/search"
)

// StatusSchema names the form of `status --json`.
const StatusSchema = "toposearch.status/1"

// RunStatus is where a run stands, also while it runs.
type RunStatus struct {
	Schema   string          `json:"schema"`
	Dir      string          `json:"dir"`
	Manifest *Manifest       `json:"manifest"`
	State    string          `json:"state"` // "running", "stopped", "finished"
	Progress search.Progress `json:"progress"`
	Complete bool            `json:"complete"`
	Reason   string          `json:"reason,omitempty"`
	Exit     search.Status   `json:"exit"` // of a finished run
	Journal  int64           `json:"journal_bytes"`
}

// ReadStatus tells where the run in a directory stands, also while it runs.
func ReadStatus(path string) (*RunStatus, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	cp, err := readCheckpoint(path)
	if err != nil {
		return nil, err
	}
	s := &RunStatus{Schema: StatusSchema, Dir: path, Manifest: m, State: cp.State, Progress: cp.Progress,
		Complete: cp.Complete, Reason: cp.Reason, Exit: cp.Exit}
	if s.State != StateFinished {
		s.State = StateStopped
		if locked(filepath.Join(path, ".lock")) {
			s.State = StateRunning
		}
	}
	if fi, err := os.Stat(filepath.Join(path, "journal.jsonl")); err == nil {
		s.Journal = fi.Size()
	}
	return s, nil
}

// ReadFront reads the front.json of a run directory.
func ReadFront(dir string) (*search.Front, error) {
	b, err := os.ReadFile(filepath.Join(dir, "front.json"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := ReadManifest(dir); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the run in %s has no front yet: it is searching still, or was stopped before a front was saved; toposearch status %s tells, toposearch resume %s continues it: %w", dir, dir, dir, err)
	}
	if err != nil {
		return nil, err
	}
	var f search.Front
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "front.json"), err)
	}
	if f.Schema != search.FrontSchema {
		return nil, fmt.Errorf("%s has schema %q; this version reads %q", filepath.Join(dir, "front.json"), f.Schema, search.FrontSchema)
	}
	return &f, nil
}
