package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toposearch/internal/disk"
	"toposearch/study"
)

// stageHead begins the names of run directories that are being filled.
const stageHead = ".new-run-"

// maxStages bounds the names tried: more runs than one process makes at a time.
const maxStages = 10_000

// prepare fills a run directory under a temporary name in a folder, and gives it locked.
func prepare(parent string, m *Manifest, inputs []study.Input) (tmp string, lock *disk.Lock, err error) {
	for n := 0; lock == nil; n++ {
		if n == maxStages {
			return "", nil, fmt.Errorf("%s: all of %d temporary names are taken", parent, n)
		}
		tmp = filepath.Join(parent, fmt.Sprintf("%s%d-%d", stageHead, os.Getpid(), n))
		if err := disk.Mkdir(tmp, 0o755); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return "", nil, err
		}
		lock, err = disk.TryLock(filepath.Join(tmp, lockName))
		// Between the two steps another process may have swept it away.
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, disk.ErrLocked) {
			return "", nil, errors.Join(err, disk.RemoveAll(tmp))
		}
	}
	if err := fillRun(tmp, m, inputs); err != nil {
		return "", nil, errors.Join(err, disk.RemoveAll(tmp), lock.Close())
	}
	return tmp, lock, nil
}

// fillRun writes copies of the inputs and the manifest.
func fillRun(dir string, m *Manifest, inputs []study.Input) error {
	copies := copyPaths(inputs)
	for i, in := range inputs {
		to := filepath.Join(dir, copies[i])
		if err := disk.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := disk.WriteBytes(to, in.Bytes); err != nil {
			return err
		}
		m.Inputs = append(m.Inputs, ManifestInput{in.Path, filepath.ToSlash(copies[i]), in.SHA256})
	}
	return writeSigned(filepath.Join(dir, manifestName), m)
}

// unlockedAge is how old a directory being filled must be to count as left behind if it has no lock to tell:
// making one takes milliseconds, and clocks of file servers differ by minutes at most.
const unlockedAge = time.Hour

// sweepRuns removes from a folder the run directories that killed processes were filling. now is the time.
func sweepRuns(parent string, now time.Time) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(parent, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), stageHead) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(path, journalName)); err == nil {
			continue // a run, whatever its name
		}
		lock, err := disk.TryLockExisting(filepath.Join(path, lockName))
		switch {
		case err == nil:
			_ = disk.RemoveAll(path) // the next run tries again
			lock.Close()
		case errors.Is(err, os.ErrNotExist) && disk.Remove(path) != nil: // it is not empty
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unlockedAge {
				_ = disk.RemoveAll(path)
			}
		}
	}
}

// copyPaths lays the copies out as the originals lie to each other, below inputs/, so that the
// relative names in a study hold among the copies too.
func copyPaths(inputs []study.Input) []string {
	abs := make([]string, len(inputs))
	common := ""
	for i, in := range inputs {
		abs[i] = in.Path
		if a, err := filepath.Abs(in.Path); err == nil {
			abs[i] = a
		}
		d := filepath.Dir(abs[i])
		if i == 0 {
			common = d
		}
		for common != d && !strings.HasPrefix(d, strings.TrimSuffix(common, string(filepath.Separator))+string(filepath.Separator)) {
			common = filepath.Dir(common)
		}
	}
	out := make([]string, len(inputs))
	for i := range inputs {
		rel, err := filepath.Rel(common, abs[i])
		if err != nil {
			rel = filepath.Base(abs[i])
		}
		out[i] = filepath.Join(inputsName, rel)
	}
	return out
}
