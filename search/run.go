package search

import (
	"context"
	"errors"

	"toposearch/study"
)

// Run searches a study in a run directory, verifies finalists and writes front.json. What the
// journal in the directory holds already is replayed, not computed again, so that Run also
// continues an interrupted run. Cancelling ctx stops at once and loses nothing journalled.
func Run(ctx context.Context, st *study.Study, dir *RunDir, opt Options) (*Outcome, error) {
	return nil, errors.New("search: not yet")
}

// Resume continues the run in a directory where it stopped; a finished run is done at once.
func Resume(ctx context.Context, path string, opt Options) (*Outcome, error) {
	dir, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	st, err := dir.Manifest.load(path)
	if err != nil {
		return nil, err
	}
	return Run(ctx, st, dir, opt)
}

// RunStatus is where a run stands, also while it runs.
type RunStatus struct {
	Schema   string    `json:"schema"` // toposearch.status/1
	Dir      string    `json:"dir"`
	Manifest *Manifest `json:"manifest"`
	State    string    `json:"state"` // "running", "stopped", "finished"
	Progress Progress  `json:"progress"`
	Complete bool      `json:"complete"`
	Reason   string    `json:"reason,omitempty"`
	Exit     Status    `json:"exit"` // of a finished run
	Journal  int64     `json:"journal_bytes"`
}

// ReadStatus tells where the run in a directory stands. It takes no lock that would disturb it.
func ReadStatus(path string) (*RunStatus, error) {
	return nil, errors.New("search: not yet")
}

// Explain says why a design, by name, is on the front of a run or not.
func Explain(ctx context.Context, path, design string) (*Explanation, error) {
	return nil, errors.New("search: not yet")
}
