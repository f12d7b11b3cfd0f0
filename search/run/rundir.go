package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// ManifestSchema names the form of manifest.json.
const ManifestSchema = "toposearch.manifest/1"

// Manifest is manifest.json: what a run was started from. Clock times and machine stand here and
// nowhere else in a run directory.
type Manifest struct {
	Schema    string          `json:"schema"`
	Program   string          `json:"program"`   // version of toposearch
	Evaluator string          `json:"evaluator"` // evaluator.Version
	Study     string          `json:"study"`     // name
	Seed      uint64          `json:"seed"`
	Strategy  string          `json:"strategy"`
	Inputs    []ManifestInput `json:"inputs"` // the study first
	Command   []string        `json:"command"`
	// Folder is where the command was given: relative paths are meant from there.
	Folder  string    `json:"folder,omitempty"`
	Started time.Time `json:"started"`
	Machine string    `json:"machine"`
	// Budget is that which a resumed run was given in the place of the study's, nil without.
	Budget *Budget `json:"budget,omitempty"`
}

// ManifestInput is a file the run depends on and its copy in the run directory.
type ManifestInput struct {
	Path   string `json:"path"`   // as named
	Copy   string `json:"copy"`   // relative to the run directory
	SHA256 string `json:"sha256"` // of the bytes, hexadecimal
}

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
	lock     *fileLock
}

// Errors that end with exit status 7.
var (
	// ErrInUse: another process works in the run directory.
	ErrInUse = errors.New("the run directory is in use")
	// ErrVersion: the run was made by a version whose figures are not ours.
	ErrVersion = errors.New("the run was made by another version")
	// ErrNoRun: the path holds no manifest.
	ErrNoRun = errors.New("is not a run directory")
	// ErrExists: the directory asked for holds something already.
	ErrExists = errors.New("exists")
)

// Create makes a run directory for a study: out if given, else root/NAME-001 with the next free
// number. It is filled under a temporary name and renamed into place, so that a run directory is
// never half there. The caller closes it.
func Create(st *study.Study, root, out string, from Origin) (*RunDir, error) {
	m := Manifest{
		Schema: ManifestSchema, Program: from.Program, Evaluator: evaluator.Version,
		Study: st.Name, Seed: st.Seed, Strategy: st.Search.Strategy,
		Command: from.Command, Folder: from.Folder, Started: from.Started, Machine: from.Machine,
	}
	parent := root
	if out != "" {
		parent = filepath.Dir(filepath.Clean(out))
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a run directory: %w", err)
	}
	tmp, err := os.MkdirTemp(parent, ".new-run-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a run directory: %w", err)
	}
	defer os.RemoveAll(tmp) // nothing is left of it after the rename
	if err := fillRun(tmp, &m, st.Inputs); err != nil {
		return nil, fmt.Errorf("cannot make a run directory: %w", err)
	}
	path, err := settle(tmp, root, out, slug(st.Name))
	if err != nil {
		return nil, err
	}
	syncDir(parent)
	return lockRun(path, m)
}

// fillRun writes copies of the inputs and the manifest.
func fillRun(dir string, m *Manifest, inputs []study.Input) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	copies := copyPaths(inputs)
	for i, in := range inputs {
		to := filepath.Join(dir, copies[i])
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := writeSynced(to, in.Bytes); err != nil {
			return err
		}
		m.Inputs = append(m.Inputs, ManifestInput{in.Path, filepath.ToSlash(copies[i]), in.SHA256})
	}
	return writeJSON(filepath.Join(dir, "manifest.json"), m)
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
		out[i] = filepath.Join("inputs", rel)
	}
	return out
}

// maxRuns bounds the numbers tried for one name: three digits and then some.
const maxRuns = 99999

// settle renames tmp to its place without ever replacing a run that is there.
func settle(tmp, root, out, name string) (string, error) {
	if out != "" {
		if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
			return "", fmt.Errorf("%s: the directory %w and is not empty; resume it, or choose another --out", out, ErrExists)
		}
		if info, err := os.Stat(out); err == nil && !info.IsDir() {
			return "", fmt.Errorf("%s: %w as a file; choose another --out", out, ErrExists)
		}
		if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) { // it is empty
			return "", fmt.Errorf("cannot make the run directory %s: %w", out, err)
		}
		if err := os.Rename(tmp, out); err != nil {
			return "", fmt.Errorf("cannot make the run directory %s: %w", out, err)
		}
		return out, nil
	}
	for i := 1; i <= maxRuns; i++ {
		path := filepath.Join(root, fmt.Sprintf("%s-%03d", name, i))
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err := os.Rename(tmp, path) // fails on a directory that is not empty
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, os.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
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

// ReadManifest reads the manifest of a run directory, without its lock.
func ReadManifest(path string) (*Manifest, error) {
	b, err := os.ReadFile(filepath.Join(path, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w: no manifest.json is there", path, ErrNoRun)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w: %w", path, ErrNoRun, err)
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, "manifest.json"), err)
	}
	if m.Schema != ManifestSchema {
		return nil, fmt.Errorf("%s: %w: its manifest is %q, ours %q", path, ErrVersion, m.Schema, ManifestSchema)
	}
	return &m, nil
}

// Open locks an existing run directory and checks that version and copied inputs are those it was
// started with. The caller closes it.
func Open(path string) (*RunDir, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.ours(path); err != nil {
		return nil, err
	}
	for _, in := range m.Inputs {
		b, err := os.ReadFile(filepath.Join(path, filepath.FromSlash(in.Copy)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", path, search.ErrInputsChanged, err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != in.SHA256 {
			return nil, fmt.Errorf("%s: %w: %s", path, search.ErrInputsChanged, in.Copy)
		}
	}
	return lockRun(path, *m)
}

// Changed names the inputs whose files are there and no longer have the bytes that the run was
// started with. A run directory that was moved to where they are not has none.
func (m *Manifest) Changed() []string {
	var out []string
	for _, in := range m.Inputs {
		path := in.Path
		if !filepath.IsAbs(path) {
			if m.Folder == "" {
				continue
			}
			path = filepath.Join(m.Folder, path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != in.SHA256 {
			out = append(out, in.Path)
		}
	}
	return out
}

// load reads the study from the copies in a run directory.
func (m *Manifest) load(path string, families []*topology.Family) (*study.Study, error) {
	if len(m.Inputs) == 0 {
		return nil, fmt.Errorf("%s: its manifest names no study", path)
	}
	st, faults := study.Load(filepath.Join(path, filepath.FromSlash(m.Inputs[0].Copy)), families...)
	if err := faults.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	known := make(map[string]bool, len(m.Inputs))
	for _, in := range m.Inputs {
		known[in.SHA256] = true
	}
	for _, in := range st.Inputs {
		if !known[in.SHA256] {
			return nil, fmt.Errorf("%s: %w: %s", path, search.ErrInputsChanged, in.Path)
		}
	}
	if b := m.Budget; b != nil {
		st.Search.Time, st.Search.Evaluations = b.Time, b.Evaluations
	}
	return st, nil
}

// ours is an error if the figures of a run are of another model.
func (m *Manifest) ours(path string) error {
	if m.Evaluator != evaluator.Version {
		return fmt.Errorf("%s: %w: evaluator %s, ours is %s; start a new run (its report and front stay as they are)", path, ErrVersion, m.Evaluator, evaluator.Version)
	}
	return nil
}

// LoadStudy loads the study of a run from the copies of its inputs, to compute more about it:
// ErrInputsChanged if one of them is not what the run was started with, ErrVersion if what is computed now
// would not belong to the figures that the run holds. families are as in study.Load.
func LoadStudy(path string, families ...*topology.Family) (*study.Study, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.ours(path); err != nil {
		return nil, err
	}
	return m.load(path, families)
}

func lockRun(path string, m Manifest) (*RunDir, error) {
	l, err := lockFile(filepath.Join(path, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &RunDir{Path: path, Manifest: m, lock: l}, nil
}

// Close gives the lock back.
func (d *RunDir) Close() error { return d.lock.close() }
