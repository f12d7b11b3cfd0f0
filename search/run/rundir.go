package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"toposearch/internal/disk"
	"toposearch/search"
)

// Origin is what the command knows and a library does not: written into the manifest.
type Origin struct {
	Program string
	Command []string
	Folder  string
	Started time.Time
	Machine string
}

// RunDir is a run directory that this process holds the lock of.
type RunDir struct {
	Path     string
	Manifest Manifest
	lock     *disk.Lock
}

// Open locks an existing run directory and checks that version and copied inputs are those it was
// started with. The caller closes it.
func Open(path string) (*RunDir, error) {
	if _, err := ReadManifest(path); err != nil {
		return nil, err // nothing is made in a folder that is no run directory
	}
	l, err := lockRun(path)
	if err != nil {
		return nil, err
	}
	m, err := ReadManifest(path) // as it is under the lock
	if err == nil {
		err = m.check(path)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	disk.Sweep(path)
	return &RunDir{Path: path, Manifest: *m, lock: l}, nil
}

// check is an error if a run cannot be continued: another version's, or other copies of its inputs.
func (m *Manifest) check(path string) error {
	if err := m.ours(path); err != nil {
		return err
	}
	for _, in := range m.Inputs {
		b, err := readFile(filepath.Join(path, filepath.FromSlash(in.Copy)))
		if err != nil {
			return fmt.Errorf("%s: %w: %w", path, search.ErrInputsChanged, err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != in.SHA256 {
			return fmt.Errorf("%s: %w: %s", path, search.ErrInputsChanged, in.Copy)
		}
	}
	return nil
}

func lockRun(path string) (*disk.Lock, error) {
	l, err := disk.TryLock(filepath.Join(path, lockName))
	if errors.Is(err, disk.ErrLocked) {
		err = ErrInUse
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// Close gives the lock back.
func (d *RunDir) Close() error { return d.lock.Close() }
