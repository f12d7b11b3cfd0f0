package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"toposearch/search"
)

// States of a run.
const (
	StateRunning  = "running"
	StateStopped  = "stopped"
	StateFinished = "finished"
)

// checkpoint is checkpoint.json: where the run stands and the time it has taken. The search itself
// is rebuilt from the journal, so that losing a checkpoint loses nothing but that time.
type checkpoint struct {
	Schema    string          `json:"schema"` // toposearch.checkpoint/1
	State     string          `json:"state"`
	Exit      search.Status   `json:"exit"`
	Reason    string          `json:"reason,omitempty"`
	Complete  bool            `json:"complete"`
	ElapsedNs int64           `json:"elapsed_ns"`
	Progress  search.Progress `json:"progress"`
}

const checkpointSchema = "toposearch.checkpoint/1"

// readCheckpoint gives an empty one if there is none; one that cannot be read is none.
func readCheckpoint(dir string) (*checkpoint, error) {
	cp := &checkpoint{Schema: checkpointSchema}
	b, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
	if errors.Is(err, os.ErrNotExist) {
		return cp, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if json.Unmarshal(b, cp) != nil || cp.Schema != checkpointSchema {
		return &checkpoint{Schema: checkpointSchema}, nil
	}
	return cp, nil
}

// save replaces the checkpoint; a reader sees the old one or the new one.
func (c *checkpoint) save(dir string) error {
	b, err := encodeJSON(c)
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, "checkpoint.json.tmp")
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(dir, "checkpoint.json"))
}
