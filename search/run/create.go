package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"toposearch/evaluator"
	"toposearch/internal/disk"
	"toposearch/study"
)

// Create makes a run directory for a study: out if given, else root/NAME-001 with the next free
// number. It is filled under a temporary name and renamed into place, so that a run directory is
// never half there; out may also be an empty folder, or a symbolic link to one, which is filled as it is,
// the manifest last. The caller closes it.
func Create(st *study.Study, root, out string, from Origin) (*RunDir, error) {
	m := Manifest{
		Schema: ManifestSchema, Program: from.Program, Evaluator: evaluator.Version,
		Study: st.Name, Seed: st.Seed, Strategy: st.Search.Strategy,
		Command: from.Command, Folder: from.Folder, Started: from.Started, Machine: from.Machine,
	}
	parent := root
	if out != "" {
		if strings.HasPrefix(filepath.Base(out), stageHead) {
			return nil, fmt.Errorf("%s: a name with %s %w for directories that are being made; choose another --out", out, stageHead, ErrExists)
		}
		if _, err := os.Lstat(out); err == nil {
			return createIn(out, m, st.Inputs)
		}
		parent = filepath.Dir(filepath.Clean(out))
	}
	if err := disk.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a run directory: %w", err)
	}
	sweepRuns(parent, from.Started)
	tmp, lock, err := prepare(parent, &m, st.Inputs)
	if err != nil {
		return nil, fmt.Errorf("cannot make a run directory: %w", err)
	}
	path, err := settle(tmp, root, out, slug(st.Name))
	if err != nil {
		return nil, errors.Join(err, disk.RemoveAll(tmp), lock.Close())
	}
	disk.SyncDir(parent)
	return &RunDir{Path: path, Manifest: m, lock: lock}, nil
}

// createIn makes a run directory of an empty folder that is there.
func createIn(out string, m Manifest, inputs []study.Input) (*RunDir, error) {
	if err := vacant(out, m); err != nil {
		return nil, err
	}
	lock, err := lockRun(out)
	if err != nil {
		return nil, err
	}
	if err := vacant(out, m); err != nil { // another run was faster
		return nil, errors.Join(err, lock.Close())
	}
	if err := fillIn(out, &m, inputs); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot make the run directory %s: %w", out, err), disk.Remove(filepath.Join(out, lockName)), lock.Close())
	}
	return &RunDir{Path: out, Manifest: m, lock: lock}, nil
}

// vacant is an error if a path is no empty folder. What a killed process left of making a run there is
// removed first.
func vacant(out string, m Manifest) error {
	info, err := os.Stat(out)
	if err != nil {
		return fmt.Errorf("%s: %w as a symbolic link that leads nowhere (%w); choose another --out", out, ErrExists, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: %w as a file; choose another --out", out, ErrExists)
	}
	sweepRuns(out, m.Started)
	entries, err := os.ReadDir(out)
	if err != nil {
		return fmt.Errorf("cannot make the run directory %s: %w", out, err)
	}
	for _, e := range entries {
		if e.Name() != lockName {
			return fmt.Errorf("%s: the directory %w and is not empty (it holds %s); resume it, or choose another --out", out, ErrExists, e.Name())
		}
	}
	return nil
}

// fillIn fills a folder by way of one below it, so that nothing is half there.
func fillIn(out string, m *Manifest, inputs []study.Input) error {
	tmp, lock, err := prepare(out, m, inputs)
	if err != nil {
		return err
	}
	move := func(name string) error { return disk.Rename(filepath.Join(tmp, name), filepath.Join(out, name)) }
	if len(inputs) > 0 {
		err = move(inputsName)
	}
	if err == nil {
		err = move(manifestName)
	}
	if err != nil {
		return errors.Join(err, disk.RemoveAll(tmp), lock.Close())
	}
	disk.SyncDir(out)
	return errors.Join(disk.RemoveAll(tmp), lock.Close())
}

// maxRuns bounds the numbers tried for one name: three digits and then some.
const maxRuns = 99999

// settle renames tmp to its place without ever replacing what is there.
func settle(tmp, root, out, name string) (string, error) {
	taken := func(err error) bool { return errors.Is(err, os.ErrExist) || errors.Is(err, syscall.ENOTEMPTY) }
	if out != "" {
		err := disk.Rename(tmp, out)
		if taken(err) {
			return "", fmt.Errorf("%s: the directory %w by now: another run was put there; choose another --out", out, ErrExists)
		}
		if err != nil {
			return "", fmt.Errorf("cannot make the run directory %s: %w", out, err)
		}
		return out, nil
	}
	for i := 1; i <= maxRuns; i++ {
		path := filepath.Join(root, fmt.Sprintf("%s-%03d", name, i))
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err := disk.Rename(tmp, path) // fails on a directory
		if err == nil {
			return path, nil
		}
		if !taken(err) {
			return "", fmt.Errorf("cannot make the run directory %s: %w", path, err)
		}
	}
	return "", fmt.Errorf("%s holds %d runs of %s, and the last %w", root, maxRuns, name, ErrExists)
}

// slug makes a file name of a study's name.
func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		} else {
			dash = true
		}
	}
	if b.Len() == 0 {
		return "run"
	}
	return b.String()
}
