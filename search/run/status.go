package run

import (
	"os"
	"path/filepath"

	"toposearch/internal/disk"
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
		if disk.Locked(filepath.Join(path, lockName)) {
			s.State = StateRunning
		}
	}
	if fi, err := os.Stat(filepath.Join(path, journalName)); err == nil {
		s.Journal = fi.Size()
	}
	return s, nil
}
