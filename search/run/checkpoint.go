package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"toposearch/internal/disk"
	"toposearch/search"
)

// States of a run.
const (
	StateRunning  = "running"
	StateStopped  = "stopped"
	StateFinished = "finished"
)

// checkpoint is checkpoint.json: where the run stands and the time that its search has taken. The search itself
// is rebuilt from the journal, so that losing a checkpoint loses nothing but that time.
type checkpoint struct {
	Schema         string          `json:"schema"` // toposearch.checkpoint/1
	State          string          `json:"state"`
	Exit           search.Status   `json:"exit"`
	Reason         string          `json:"reason,omitempty"`
	Complete       bool            `json:"complete"`
	ElapsedNs      int64           `json:"elapsed_ns"`             // that the search has used of its budget of time
	SimulatedNs    int64           `json:"simulated_ns,omitempty"` // that simulations have, beyond it
	Unsimulated    int             `json:"unsimulated,omitempty"`  // designs of which the budget of time ended a simulation
	Border         int64           `json:"border"`                 // the first at which the search did not go on yet
	search.TimeEnd                 // its budget of time ended there or in the batch after it, as the journal says, too
	Progress       search.Progress `json:"progress"`
}

const checkpointSchema = "toposearch.checkpoint/1"

// readCheckpoint gives an empty one if there is none; one that cannot be read is none.
func readCheckpoint(dir string) (*checkpoint, error) {
	cp := &checkpoint{Schema: checkpointSchema}
	path := filepath.Join(dir, checkpointName)
	b, err := readFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return cp, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if state, err := decodeSigned(b, path, cp); err != nil || state == signedOther || cp.Schema != checkpointSchema {
		return &checkpoint{Schema: checkpointSchema}, nil
	}
	return cp, nil
}

// save replaces the checkpoint; a reader sees the old one or the new one.
func (c *checkpoint) save(dir string) error {
	b, err := encodeSigned(c)
	if err != nil {
		return err
	}
	return disk.WriteUnsynced(filepath.Join(dir, checkpointName), b)
}
