package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	// Unsimulated counts the designs of a finished run of which the budget of time ended a simulation.
	Unsimulated int   `json:"unsimulated,omitempty"`
	Journal     int64 `json:"journal_bytes"`
	// Saved is when Progress was true.
	Saved time.Time `json:"saved"`
	// Waiting are the studies of the same command, as they are named there, that it comes to after this one, while it runs.
	Waiting []string `json:"waiting,omitempty"`
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
		Complete: cp.Complete, Reason: cp.Reason, Exit: cp.Exit, Unsimulated: cp.Unsimulated}
	if s.State != StateFinished {
		s.State = StateStopped
		if disk.Locked(filepath.Join(path, lockName)) {
			s.State = StateRunning
		}
	}
	if fi, err := os.Stat(filepath.Join(path, journalName)); err == nil {
		s.Journal = fi.Size()
	}
	if fi, err := os.Stat(filepath.Join(path, checkpointName)); err == nil {
		s.Saved = fi.ModTime()
	}
	if s.State == StateRunning {
		s.Waiting = m.waiting()
	}
	return s, nil
}

// waiting are the studies that stand behind that of a manifest in its command.
func (m *Manifest) waiting() (out []string) {
	if len(m.Inputs) == 0 {
		return nil
	}
	at := slices.Index(m.Command, m.Inputs[0].Path)
	if at < 0 {
		return nil
	}
	for _, arg := range m.Command[at+1:] {
		if filepath.Ext(arg) == studyExt && !strings.HasPrefix(arg, "-") {
			out = append(out, arg)
		}
	}
	return out
}

// studyExt ends the names of study files.
const studyExt = ".toml"

// Process is the process that works in a run directory, where the system tells (disk.Holder).
func Process(path string) (pid int, ok bool) { return disk.Holder(filepath.Join(path, lockName)) }
